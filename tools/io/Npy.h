//===- Npy.h - Arrays in NumPy's files ------------------------------------===//
#ifndef TENSORC_TOOLS_IO_NPY_H
#define TENSORC_TOOLS_IO_NPY_H

#include "ir/reference/Array.h"

#include "llvm/Support/Error.h"

namespace tensorc::tool {

using reference::Array;
using reference::DType;

/// An array of a file, and its name inside an .npz (empty for an .npy).
struct NamedArray {
  std::string name;
  Array array;
};

/// The bytes of an .npy file. NumPy has no bf16: such arrays are stored as
/// uint16 bit patterns, with `# dtype: bf16` after the header's dictionary,
/// which NumPy skips as a comment.
llvm::Expected<Array> parseNpy(llvm::StringRef bytes);
std::string formatNpy(const Array &array);

/// All arrays of an .npz file, stored or deflated.
llvm::Expected<std::vector<NamedArray>> parseNpz(llvm::StringRef bytes);

/// Reads either kind of file, by its content.
llvm::Expected<std::vector<NamedArray>> readArrays(llvm::StringRef path);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_IO_NPY_H
