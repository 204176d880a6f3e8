//===- Mutations.h - Edits of an ONNX model -------------------------------===//
#ifndef TENSORC_TESTS_FUZZ_ONNX_MUTATIONS_H
#define TENSORC_TESTS_FUZZ_ONNX_MUTATIONS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tensorc::fuzz {

/// One to four edits, which the seed determines, of the messages of a model:
/// fields removed, repeated, swapped, exchanged for others of their kind in
/// the model, numbers for numbers that are likely to matter, dtypes and ops for
/// others. Lengths always fit. Bytes that are not a model come back as they
/// are.
std::string mutateModel(llvm::StringRef bytes, unsigned seed);

} // namespace tensorc::fuzz

#endif // TENSORC_TESTS_FUZZ_ONNX_MUTATIONS_H
