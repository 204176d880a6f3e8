//===- Environment.h - variables that hold words or numbers -----*- C++ -*-===//
//
// A variable that is empty counts as not set. What a variable does not take is
// told on stderr, and ignored.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_LOG_ENVIRONMENT_H
#define TENSORC_COMPILER_LOG_ENVIRONMENT_H

#include "llvm/ADT/StringRef.h"

namespace tensorc {

/// Empty where it is not set, and in a process with raised privileges.
llvm::StringRef readVariable(const char *name);

/// Prints `tensorc: NAME=TEXT is ignored: it is not EXPECTED`.
void tellIgnored(const char *name, llvm::StringRef text,
                 llvm::StringRef expected);

/// Whether it is 1, and not 0. What is neither is told at each call.
bool readSwitch(const char *name);

} // namespace tensorc

#endif // TENSORC_COMPILER_LOG_ENVIRONMENT_H
