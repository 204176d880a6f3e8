//===- Gguf.h - Tensors in the files of llama.cpp -------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_GGUF_H
#define TENSORC_COMPILER_FRONTENDS_FILES_GGUF_H

#include "compiler/frontends/files/Npy.h"

namespace tensorc::files {

/// A tensor in the header. `elements` points into the file.
struct GgufTensor {
  std::string name;
  /// llama.cpp's name, e.g. `Q4_K`.
  std::string kind;
  /// Dims in row-major order; the file lists the innermost dim first.
  llvm::SmallVector<int64_t> shape;
  llvm::StringRef elements;
};

struct GgufFile {
  uint32_t version;
  /// Keys and values as text. For a list, the value is its length.
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<GgufTensor> tensors;
};

bool isGguf(llvm::StringRef bytes);

/// Parses the header. Refuses tensors outside of the file or overlapping
/// others, sizes that overflow and duplicate names.
llvm::Expected<GgufFile> parseGgufHeader(llvm::StringRef bytes);

/// Reads all tensors. Quantized ones (Q8_0, Q4_0, Q4_K, Q6_K) become f32.
llvm::Expected<std::vector<NamedArray>> parseGguf(llvm::StringRef bytes,
                                                  Wanted wanted = everything);

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_GGUF_H
