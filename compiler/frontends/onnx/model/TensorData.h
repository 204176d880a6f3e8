//===- TensorData.h - The elements of an ONNX model's tensors -------------===//
//
// Tensor data lies in the message itself or in a separate mapped file.
// Constants of the program refer to these bytes. Only small tensors, and
// tensors whose layout differs from tensorc's, are copied.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_ONNX_MODEL_TENSORDATA_H
#define TENSORC_COMPILER_FRONTENDS_ONNX_MODEL_TENSORDATA_H

#include "compiler/frontends/onnx/model/Model.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tensorc::onnx {

class TensorData {
public:
  /// Takes the model's own bytes, which constants keep alive, and the folder of
  /// its file.
  TensorData(std::shared_ptr<llvm::MemoryBuffer> model, StringRef folder)
      : model(std::move(model)), folder(folder) {}

  llvm::Expected<mlir::ElementsAttr> attribute(const Tensor &tensor,
                                               mlir::MLIRContext *context);

private:
  std::shared_ptr<llvm::MemoryBuffer> model;
  std::string folder;
  llvm::StringMap<std::shared_ptr<llvm::MemoryBuffer>> files;

  struct Bytes {
    StringRef bytes;
    std::shared_ptr<llvm::MemoryBuffer> owner;
  };
  llvm::Expected<Bytes> external(const Tensor &tensor, uint64_t size);
};

/// Reports an error for paths of external files that leave the model's folder.
llvm::Error checkExternalPath(StringRef path);

} // namespace tensorc::onnx

#endif // TENSORC_COMPILER_FRONTENDS_ONNX_MODEL_TENSORDATA_H
