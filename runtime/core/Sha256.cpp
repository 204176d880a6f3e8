//===- Sha256.cpp - the digest of FIPS 180-4 ------------------------------===//
#include "runtime/core/Sha256.h"

#include <bit>
#include <cstring>

using namespace tensorc::rt;

/// Fractional parts of the cube roots of the first 64 primes.
static constexpr uint32_t roundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static constexpr size_t blockSize = 64;

/// Reads a big-endian number.
static uint32_t load(const unsigned char *bytes) {
  return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 |
         uint32_t(bytes[2]) << 8 | uint32_t(bytes[3]);
}

static void addBlock(uint32_t (&state)[8], const unsigned char *block) {
  uint32_t w[64];
  for (int t = 0; t < 16; ++t)
    w[t] = load(block + 4 * t);
  for (int t = 16; t < 64; ++t) {
    uint32_t near = w[t - 2], far = w[t - 15];
    w[t] = (std::rotr(near, 17) ^ std::rotr(near, 19) ^ near >> 10) + w[t - 7] +
           (std::rotr(far, 7) ^ std::rotr(far, 18) ^ far >> 3) + w[t - 16];
  }
  auto [a, b, c, d, e, f, g, h] = state;
  uint32_t v[8] = {a, b, c, d, e, f, g, h};
  for (int t = 0; t < 64; ++t) {
    uint32_t big1 =
        std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25);
    uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
    uint32_t first = v[7] + big1 + choice + roundConstants[t] + w[t];
    uint32_t big0 =
        std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22);
    uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    for (int i = 7; i > 0; --i)
      v[i] = v[i - 1];
    v[4] += first;
    v[0] = first + big0 + majority;
  }
  for (int i = 0; i < 8; ++i)
    state[i] += v[i];
}

Digest tensorc::rt::sha256(std::span<const char> bytes) {
  // Fractional parts of the square roots of the first eight primes.
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  auto *data = reinterpret_cast<const unsigned char *>(bytes.data());
  size_t whole = bytes.size() / blockSize * blockSize;
  for (size_t i = 0; i < whole; i += blockSize)
    addBlock(state, data + i);
  // The remaining bytes, followed by a 1 bit, zeros, and the number of bits, in
  // one block or two.
  unsigned char last[2 * blockSize] = {};
  size_t rest = bytes.size() - whole;
  if (rest)
    std::memcpy(last, data + whole, rest);
  last[rest] = 0x80;
  size_t size = rest + 9 > blockSize ? 2 * blockSize : blockSize;
  uint64_t bits = uint64_t(bytes.size()) * 8;
  for (int i = 0; i < 8; ++i)
    last[size - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  for (size_t i = 0; i < size; i += blockSize)
    addBlock(state, last + i);
  Digest digest;
  for (int i = 0; i < 32; ++i)
    digest[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

std::optional<Digest> tensorc::rt::parseDigest(const char *text) {
  if (!text || std::strlen(text) != 64)
    return std::nullopt;
  Digest digest = {};
  for (int i = 0; i < 64; ++i) {
    char c = text[i];
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0)
      return std::nullopt;
    digest[i / 2] = static_cast<uint8_t>(digest[i / 2] << 4 | digit);
  }
  return digest;
}

std::string tensorc::rt::toString(const Digest &digest) {
  std::string text;
  for (uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}
