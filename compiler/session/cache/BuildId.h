//===- BuildId.h - Which build of the compiler this is --------------------===//
#ifndef TENSORC_COMPILER_SESSION_CACHE_BUILDID_H
#define TENSORC_COMPILER_SESSION_CACHE_BUILDID_H

#include <string>

namespace tensorc::cache {

/// The linker's build ID of the library or program that holds this code, and
/// LLVM's version; empty if the linker wrote none.
const std::string &buildId();

} // namespace tensorc::cache

#endif // TENSORC_COMPILER_SESSION_CACHE_BUILDID_H
