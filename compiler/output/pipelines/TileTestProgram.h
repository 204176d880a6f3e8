//===- TileTestProgram.h - A program that tests tiles -----------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_TILETESTPROGRAM_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_TILETESTPROGRAM_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tensorc::compiler {

/// The matrix instructions of a target that a program uses.
struct UsedTiles {
  bool any = false;
  /// Instructions for bytes, and for tf32, in addition to those for f16.
  bool bytes = false, tf32 = false;
};

UsedTiles findUsedTiles(mlir::ModuleOp emitted);

/// Returns the program that tests matrix instructions (runtime/abi/TileTest.h).
/// It computes the same product for each type, and returns wrong numbers where
/// the products differ.
std::string tileTestProgram(const UsedTiles &used);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_TILETESTPROGRAM_H
