//===- Safetensors.h - Tensors in Hugging Face's files --------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_SAFETENSORS_H
#define TENSORC_COMPILER_FRONTENDS_FILES_SAFETENSORS_H

#include "compiler/frontends/files/Npy.h"

namespace tensorc::files {

/// True if the file begins like a safetensors file: with the size of a header,
/// and the header.
bool isSafetensors(llvm::StringRef bytes);

/// A tensor of the header.
struct SafetensorsEntry {
  std::string name;
  DType dtype;
  llvm::SmallVector<int64_t> shape;
  llvm::StringRef elements;
};

/// Returns all tensors of a file, by name, without reading their elements.
/// Refuses invalid headers: offsets outside of the file or overlapping, sizes
/// that do not match the shape, duplicate names.
llvm::Expected<std::vector<SafetensorsEntry>>
parseSafetensorsHeader(llvm::StringRef bytes);
llvm::Expected<std::vector<NamedArray>>
parseSafetensors(llvm::StringRef bytes, Wanted wanted = everything);
/// Returns the content of a file with these arrays. Refuses duplicate names, and
/// dtypes that the format lacks (4-bit integers).
llvm::Expected<std::string>
formatSafetensors(llvm::ArrayRef<NamedArray> arrays);

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_SAFETENSORS_H
