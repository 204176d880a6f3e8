//===- Trust.h - which packages may be loaded -------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_TRUST_H
#define TENSORC_RUNTIME_PROGRAM_TRUST_H

#include "runtime/core/Sha256.h"
#include "runtime/core/Status.h"

namespace tensorc::rt {

/// The digest checks for loading one package.
struct TrustCheck {
  std::optional<Digest> expected;
  // The digest must be in the list of tensorc_rt_trust_only.
  bool isListed = false;
  bool verifiesConstants = false;

  /// True if the bytes must be hashed. They must not change after the hash was
  /// computed.
  bool needsDigest() const { return expected || isListed; }
  Status check(std::span<const char> bytes) const;
};

/// Reads the options of a load; null means no options.
Status readLoadOptions(const tensorc_rt_load_options *options, TrustCheck &out);

} // namespace tensorc::rt

#endif
