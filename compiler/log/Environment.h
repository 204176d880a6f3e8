//===- Environment.h - Reading environment variables ------------*- C++ -*-===//
//
// An empty variable counts as unset. An invalid value is reported on stderr and
// ignored.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_LOG_ENVIRONMENT_H
#define TENSORC_COMPILER_LOG_ENVIRONMENT_H

#include "llvm/ADT/StringRef.h"

namespace tensorc {

/// Returns the value of an environment variable; empty if it is not set, or if
/// the process has raised privileges.
llvm::StringRef readVariable(const char *name);

/// Prints `tensorc: NAME=TEXT is ignored: it is not EXPECTED`.
void tellIgnored(const char *name, llvm::StringRef text,
                 llvm::StringRef expected);

/// Returns true if the variable is 1, and false if it is 0 or not set. Any
/// other value is false, and reported at each call.
bool readSwitch(const char *name);

} // namespace tensorc

#endif // TENSORC_COMPILER_LOG_ENVIRONMENT_H
