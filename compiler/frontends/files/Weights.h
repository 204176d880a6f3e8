//===- Weights.h - Files of tensors, whatever their format ----------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_WEIGHTS_H
#define TENSORC_COMPILER_FRONTENDS_FILES_WEIGHTS_H

#include "compiler/frontends/files/Npy.h"

namespace tensorc::files {

/// A tensor of a file, without its elements.
struct TensorFacts {
  std::string name;
  /// A dtype, or a kind of block: `f32`, `Q4_K`.
  std::string kind;
  llvm::SmallVector<int64_t> shape;
  uint64_t bytes;
};

struct FileFacts {
  /// `GGUF 3`
  std::string format;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<TensorFacts> tensors;
};

/// What an .npy, .npz, .safetensors or .gguf file has, by its content, or the
/// files of a .safetensors.index.json together.
llvm::Expected<FileFacts> listTensors(llvm::StringRef path);

/// Whether the path is that of an index of several files.
bool isIndex(llvm::StringRef path);
/// The tensors of these files, which lie beside the index. A file without a
/// wanted one is not read beyond its header.
llvm::Expected<std::vector<NamedArray>> readIndexed(llvm::StringRef path,
                                                    Wanted wanted);

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_WEIGHTS_H
