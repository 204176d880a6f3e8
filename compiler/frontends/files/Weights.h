//===- Weights.h - Files of tensors in any supported format ---------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_FILES_WEIGHTS_H
#define TENSORC_COMPILER_FRONTENDS_FILES_WEIGHTS_H

#include "compiler/frontends/files/Npy.h"

namespace tensorc::files {

/// A tensor of a file, without its elements.
struct TensorFacts {
  std::string name;
  /// A dtype, or a kind of quantized block: `f32`, `Q4_K`.
  std::string kind;
  llvm::SmallVector<int64_t> shape;
  uint64_t bytes;
};

struct FileFacts {
  /// The format, e.g. `GGUF 3`.
  std::string format;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<TensorFacts> tensors;
};

/// Lists the tensors of an .npy, .npz, .safetensors or .gguf file, whose kind
/// is determined by its content, or of all files of a .safetensors.index.json.
llvm::Expected<FileFacts> listTensors(llvm::StringRef path);

/// True if the path is that of an index of several files
/// (.safetensors.index.json).
bool isIndex(llvm::StringRef path);
/// Reads the tensors in the files of an index, which must be in its folder. If
/// a file contains no wanted tensor, only its header is read.
llvm::Expected<std::vector<NamedArray>> readIndexed(llvm::StringRef path,
                                                    Wanted wanted);

} // namespace tensorc::files

#endif // TENSORC_COMPILER_FRONTENDS_FILES_WEIGHTS_H
