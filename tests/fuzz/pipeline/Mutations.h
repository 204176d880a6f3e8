//===- Mutations.h - Edits of a program's text ----------------------------===//
#ifndef TENSORC_TESTS_FUZZ_PIPELINE_MUTATIONS_H
#define TENSORC_TESTS_FUZZ_PIPELINE_MUTATIONS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tensorc::fuzz {

/// One to four edits, which the seed determines: words exchanged for words of
/// the same kind (numbers, dtypes, ops, values, lists), lines removed, repeated
/// or swapped.
std::string mutateText(llvm::StringRef text, unsigned seed);

} // namespace tensorc::fuzz

#endif // TENSORC_TESTS_FUZZ_PIPELINE_MUTATIONS_H
