//===- Npy.h - Arrays in NumPy's files ------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_NPY_H
#define TENSORC_COMPILER_FRONTENDS_FILES_NPY_H

#include "ir/reference/Array.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace tensorc::files {

using reference::Array;
using reference::DType;

/// An array of a file and its name in an .npz (empty for an .npy).
struct NamedArray {
  std::string name;
  Array array;
};

/// Selects by name the tensors of a file that are read; the others take no
/// memory. If the file has a single tensor, it is always read, because its name
/// may be arbitrary.
using Wanted = llvm::function_ref<bool(llvm::StringRef name)>;
inline bool everything(llvm::StringRef) { return true; }

/// Returns the dtype by which .npy files represent a dtype that NumPy lacks:
/// uint16 and uint8 bit patterns for bf16 and f8, int8 and uint8 values for i4
/// and ui4.
DType stored(DType dtype);
/// Converts an array from the stored representation of `dtype` to `dtype`.
/// Refuses values outside the range of i4 or ui4.
llvm::Error reinterpret(Array &array, DType dtype);

/// Parses the bytes of an .npy file. If the file represents a dtype that NumPy
/// lacks, `# dtype: bf16` follows the header's dictionary; NumPy skips this
/// comment.
llvm::Expected<Array> parseNpy(llvm::StringRef bytes);
std::string formatNpy(const Array &array);

/// Reads all arrays of an .npz file, stored or deflated.
llvm::Expected<std::vector<NamedArray>> parseNpz(llvm::StringRef bytes,
                                                 Wanted wanted = everything);

/// Writes an .npz file without compression; names get the suffix .npy.
llvm::Expected<std::string> formatNpz(llvm::ArrayRef<NamedArray> arrays);

/// Reads an .npy, .npz, .safetensors or .gguf file, whose kind is determined by
/// its content, or all files of a .safetensors.index.json.
llvm::Expected<std::vector<NamedArray>> readArrays(llvm::StringRef path,
                                                   Wanted wanted = everything);

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_NPY_H
