//===- Onnx.h - ONNX models as programs -----------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_ONNX_ONNX_H
#define TENSORC_COMPILER_FRONTENDS_ONNX_ONNX_H

#include "compiler/frontends/files/Source.h"

namespace tensorc::onnx {

/// By the suffix, or by how the writers of models begin.
bool isModel(llvm::StringRef path, llvm::StringRef bytes);

/// The graph becomes the function `main`, whose arguments and results have the
/// names of the graph's. Null after diagnostics, of all that is not supported.
mlir::OwningOpRef<mlir::ModuleOp> read(frontends::Source source,
                                       mlir::MLIRContext *context);

} // namespace tensorc::onnx

#endif // TENSORC_COMPILER_FRONTENDS_ONNX_ONNX_H
