//===- Sha256.h - the digest of FIPS 180-4 ----------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_SHA256_H
#define TENSORC_RUNTIME_CORE_SHA256_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace tensorc::rt {

using Digest = std::array<uint8_t, 32>;

Digest sha256(std::span<const char> bytes);

/// Parses 64 hexadecimal digits; returns nullopt for any other text.
std::optional<Digest> parseDigest(const char *text);
std::string toString(const Digest &digest);

} // namespace tensorc::rt

#endif
