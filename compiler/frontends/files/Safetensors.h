//===- Safetensors.h - Tensors in Hugging Face's files --------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_SAFETENSORS_H
#define TENSORC_COMPILER_FRONTENDS_FILES_SAFETENSORS_H

#include "compiler/frontends/files/Npy.h"

namespace tensorc::files {

/// Whether these are the first bytes of such a file: the size of a header, and
/// the header.
bool isSafetensors(llvm::StringRef bytes);

/// A tensor that the header names.
struct SafetensorsEntry {
  std::string name;
  DType dtype;
  llvm::SmallVector<int64_t> shape;
  llvm::StringRef elements;
};

/// All tensors of a file, by name, without reading their elements. Refuses a
/// header that is not what the format says: offsets outside of the file or over
/// each other, sizes that differ from the shape's, names that come twice.
llvm::Expected<std::vector<SafetensorsEntry>>
parseSafetensorsHeader(llvm::StringRef bytes);
llvm::Expected<std::vector<NamedArray>>
parseSafetensors(llvm::StringRef bytes, Wanted wanted = everything);
/// No name may come twice; of 4-bit integers there are none in the format.
llvm::Expected<std::string>
formatSafetensors(llvm::ArrayRef<NamedArray> arrays);

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_SAFETENSORS_H
