//===- Print.h - Prints arrays as text ------------------------------------===//
#ifndef TENSORC_TOOLS_IO_PRINT_H
#define TENSORC_TOOLS_IO_PRINT_H

#include "ir/reference/Array.h"

#include "llvm/Support/raw_ostream.h"

namespace tensorc::tool {

/// Prints `name: dtype[shape]`, then one row of values per line. If there are
/// more than 1,000 elements, only the first and last three along each dimension
/// are printed.
void printArray(llvm::raw_ostream &os, llvm::StringRef name,
                const reference::Array &array);

/// Returns one element as the shortest decimals that read back as the same
/// value.
std::string elementText(const reference::Array &array, int64_t index);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_IO_PRINT_H
