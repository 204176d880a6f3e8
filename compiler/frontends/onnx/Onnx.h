//===- Onnx.h - ONNX models as programs -----------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_ONNX_ONNX_H
#define TENSORC_COMPILER_FRONTENDS_ONNX_ONNX_H

#include "compiler/frontends/files/Source.h"

namespace tensorc::onnx {

/// True for ONNX models, which are recognized by the suffix or the first bytes.
bool isModel(llvm::StringRef path, llvm::StringRef bytes);

/// Imports the graph as the function `main`, whose arguments and results have
/// the graph's names. Returns null after reporting all unsupported features.
mlir::OwningOpRef<mlir::ModuleOp> read(frontends::Source source,
                                       mlir::MLIRContext *context);

} // namespace tensorc::onnx

#endif // TENSORC_COMPILER_FRONTENDS_ONNX_ONNX_H
