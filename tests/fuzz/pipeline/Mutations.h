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

/// Guides the search: libFuzzer keeps an input that causes a new note.
void note(size_t what);
/// Ignores numbers, so that the search for new messages is finite.
void noteMessage(llvm::StringRef message);

} // namespace tensorc::fuzz

#endif // TENSORC_TESTS_FUZZ_PIPELINE_MUTATIONS_H
