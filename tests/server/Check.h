//===- Check.h - FileCheck as a function ----------------------------------===//
#ifndef TENSORC_TESTS_SERVER_CHECK_H
#define TENSORC_TESTS_SERVER_CHECK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tensorc::tests {

/// Prints the output of `FileCheck WORDS < input` to stderr and returns its
/// exit status. The words are one file and any number of --check-prefix=NAME.
int fileCheck(llvm::ArrayRef<llvm::StringRef> words, llvm::StringRef input);

} // namespace tensorc::tests

#endif
