//===- StaticObjects.cpp - Keeps the library's static objects alive -------===//
//
// A program may evaluate tensors in destructors of its static objects and in
// functions registered by atexit, and its threads may do so while the process
// exits. Therefore no static object of this library, of LLVM or of lld is
// destroyed: the linker redirects the calls that would register their
// destructors to this file (--wrap in CMakeLists.txt). The library is never
// unloaded, so nothing leaks.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/raw_ostream.h"

// NOLINTNEXTLINE(bugprone-reserved-identifier): the linker's name.
extern "C" int __wrap___cxa_atexit(void (*)(void *), void *, void *) {
  return 0;
}

#ifdef TENSORC_STATIC_LLVM
/// Flushes stdout, as the destructor of llvm::outs() would do in the tools.
[[gnu::destructor]] static void flushOutput() { llvm::outs().flush(); }
#endif
