//===- BuildId.h - ID of this build of the compiler -----------------------===//
#ifndef TENSORC_COMPILER_SESSION_CACHE_BUILDID_H
#define TENSORC_COMPILER_SESSION_CACHE_BUILDID_H

#include <string>

namespace tensorc::cache {

/// Returns the linker's build ID of the library or program that contains this
/// code, and LLVM's version; empty if the object has no build ID.
const std::string &buildId();

} // namespace tensorc::cache

#endif // TENSORC_COMPILER_SESSION_CACHE_BUILDID_H
