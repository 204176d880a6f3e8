//===- PrintMetal.h - Prints kernels as Metal Shading Language --*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_SPIRV_PRINTMETAL_H
#define TENSORC_CODEGEN_TARGETS_SPIRV_PRINTMETAL_H

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"

#include <string>

namespace tensorc::codegen {

/// Prints a module of the flavour Kernel as Metal 3 source text. Reports ops
/// that cannot be printed.
mlir::FailureOr<std::string> printMetal(mlir::spirv::ModuleOp module);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_SPIRV_PRINTMETAL_H
