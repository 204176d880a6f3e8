//===- Npy.h - Arrays in NumPy's files ------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_NPY_H
#define TENSORC_COMPILER_FRONTENDS_FILES_NPY_H

#include "ir/reference/Array.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace tensorc::files {

using reference::Array;
using reference::DType;

/// An array of a file, and its name inside an .npz (empty for an .npy).
struct NamedArray {
  std::string name;
  Array array;
};

/// Which tensors of a file are read, by name; what else is in the file takes
/// no memory. A file of one tensor is read in any case, as its name may be
/// nobody's.
using Wanted = llvm::function_ref<bool(llvm::StringRef name)>;
inline bool everything(llvm::StringRef) { return true; }

/// What stands in files for a dtype that NumPy has not: uint16 and uint8 bit
/// patterns for bf16 and f8, int8 and uint8 values for i4 and ui4.
DType stored(DType dtype);
/// Makes an array of `dtype` of what stands for it. Refuses values that are
/// outside i4 or ui4.
llvm::Error reinterpret(Array &array, DType dtype);

/// The bytes of an .npy file. Of what stands for another dtype, `# dtype: bf16`
/// after the header's dictionary tells, which NumPy skips as a comment.
llvm::Expected<Array> parseNpy(llvm::StringRef bytes);
std::string formatNpy(const Array &array);

/// All arrays of an .npz file, stored or deflated.
llvm::Expected<std::vector<NamedArray>> parseNpz(llvm::StringRef bytes,
                                                 Wanted wanted = everything);

/// The same without compression; the names get the suffix .npy.
llvm::Expected<std::string> formatNpz(llvm::ArrayRef<NamedArray> arrays);

/// Reads an .npy, .npz, .safetensors or .gguf file, by its content, or the
/// files of a .safetensors.index.json.
llvm::Expected<std::vector<NamedArray>> readArrays(llvm::StringRef path,
                                                   Wanted wanted = everything);

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_NPY_H
