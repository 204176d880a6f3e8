//===- Gguf.h - Tensors in the files of llama.cpp -------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_GGUF_H
#define TENSORC_COMPILER_FRONTENDS_FILES_GGUF_H

#include "compiler/frontends/files/Npy.h"

namespace tensorc::files {

/// A tensor that the header names; its elements are where the header says.
struct GgufTensor {
  std::string name;
  /// As llama.cpp calls it: `Q4_K`.
  std::string kind;
  /// Row-major: the file's, which counts from the innermost on, reversed.
  llvm::SmallVector<int64_t> shape;
  llvm::StringRef elements;
};

struct GgufFile {
  uint32_t version;
  /// Keys and values as text; of lists how long they are.
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<GgufTensor> tensors;
};

bool isGguf(llvm::StringRef bytes);

/// The header. Refuses what lies outside of the file or over another tensor,
/// sizes that overflow and names that come twice.
llvm::Expected<GgufFile> parseGgufHeader(llvm::StringRef bytes);

/// All tensors. Those of blocks (Q8_0, Q4_0, Q4_K, Q6_K) become f32.
llvm::Expected<std::vector<NamedArray>> parseGguf(llvm::StringRef bytes,
                                                  Wanted wanted = everything);

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_GGUF_H
