//===- StaticObjects.cpp - The library's static objects stay --------------===//
//
// A program may evaluate in destructors of its static objects and in functions
// of atexit, and its threads may while the process exits. So no static object
// of this library, of LLVM or of lld is destroyed: the linker leads what would
// register their destructors here (--wrap in CMakeLists.txt). The library is
// never unloaded either, so nothing is lost.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/raw_ostream.h"

// NOLINTNEXTLINE(bugprone-reserved-identifier): the linker's name.
extern "C" int __wrap___cxa_atexit(void (*)(void *), void *, void *) {
  return 0;
}

#ifdef TENSORC_STATIC_LLVM
/// Flushes as the destructor of llvm::outs() would do in the tools.
[[gnu::destructor]] static void flushOutput() { llvm::outs().flush(); }
#endif
