//===- TensorData.h - The elements of an ONNX model's tensors -------------===//
//
// In the message itself or in a file beside the model, which is mapped. A
// constant of the program refers to these bytes; nothing is copied but what is
// small or not stored as tensorc stores it.
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
  /// The model's own bytes, which constants keep alive, and the folder of its
  /// file.
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

/// Of named files: no path that leaves the model's folder.
llvm::Error checkExternalPath(StringRef path);

} // namespace tensorc::onnx

#endif // TENSORC_COMPILER_FRONTENDS_ONNX_MODEL_TENSORDATA_H
