//===- Trust.cpp - which packages may be loaded ---------------------------===//
#include "runtime/program/Trust.h"

#include "runtime/core/Api.h"
#include "runtime/core/threads/Fork.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace tensorc::rt;

/// Trusted digests, guarded by a process lock. Null means that every package
/// may be loaded.
static const std::vector<Digest> *trusted = nullptr;

static Status parse(const char *text, Digest &out) {
  std::optional<Digest> digest = parseDigest(text);
  if (!digest)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "'%s' is not a SHA-256: it has 64 hexadecimal digits",
                 text ? text : "NULL");
  out = *digest;
  return Status();
}

Status tensorc::rt::readLoadOptions(const tensorc_rt_load_options *given,
                                    TrustCheck &out) {
  tensorc_rt_load_options options = {};
  if (given) {
    TENSORC_RT_TRY(needs(given->struct_size >= sizeof(size_t),
                         "options of a load without their struct_size"));
    std::memcpy(&options, given, std::min(given->struct_size, sizeof(options)));
  }
  out.verifiesConstants = options.verify_constants;
  if (options.sha256)
    return parse(options.sha256, out.expected.emplace());
  ProcessLockGuard lock(ProcessLock::Trust);
  out.isListed = trusted && !options.is_trusted;
  return Status();
}

Status TrustCheck::check(std::span<const char> bytes) const {
  if (!needsDigest())
    return Status();
  Digest digest = sha256(bytes);
  if (expected)
    return digest == *expected
               ? Status()
               : error(TENSORC_RT_UNTRUSTED,
                       "package: its SHA-256 is %s, expected %s",
                       toString(digest).c_str(), toString(*expected).c_str());
  ProcessLockGuard lock(ProcessLock::Trust);
  bool isTrusted = !trusted || std::find(trusted->begin(), trusted->end(),
                                         digest) != trusted->end();
  return isTrusted ? Status()
                   : error(TENSORC_RT_UNTRUSTED,
                           "package: its SHA-256, %s, is none that this "
                           "program trusts",
                           toString(digest).c_str());
}

tensorc_rt_status *tensorc_rt_trust_only(const char *const *digests,
                                         int32_t count) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(
        needs(count >= 0 && (digests || !count), "no list of SHA-256 digests"));
    auto list = std::make_unique<std::vector<Digest>>(count);
    for (int32_t i = 0; i < count; ++i)
      TENSORC_RT_TRY(parse(digests[i], (*list)[i]));
    ProcessLockGuard lock(ProcessLock::Trust);
    delete std::exchange(trusted, list.release());
    return Status();
  });
}

void tensorc_rt_trust_all(void) {
  ProcessLockGuard lock(ProcessLock::Trust);
  delete std::exchange(trusted, nullptr);
}
