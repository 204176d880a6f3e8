//===- Mutations.h - Edits of a program's text ----------------------------===//
//
// With Mutations.cpp a fuzzer mutates texts by these edits, and some by bytes.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TESTS_FUZZ_PIPELINE_MUTATIONS_H
#define TENSORC_TESTS_FUZZ_PIPELINE_MUTATIONS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tensorc::fuzz {

/// One to four edits, which the seed determines: words exchanged for words of
/// the same kind (numbers, dtypes, ops, values, lists), lines removed, repeated
/// or swapped.
std::string mutateText(llvm::StringRef text, unsigned seed);

/// Leads the search: libFuzzer keeps a text that notes something new.
void note(size_t what);
/// Numbers aside, so that a search for new messages comes to an end.
void noteMessage(llvm::StringRef message);

} // namespace tensorc::fuzz

#endif // TENSORC_TESTS_FUZZ_PIPELINE_MUTATIONS_H
