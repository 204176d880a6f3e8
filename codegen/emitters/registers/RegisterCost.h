//===- RegisterCost.h - Cost of a loop's block in registers -----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERCOST_H
#define TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERCOST_H

#include "mlir/IR/Region.h"

namespace tensorc::codegen {

/// Estimated numbers of vector instructions.
struct RegisterCost {
  int64_t code = 0; // emitted
  /// Executed per iteration. An iteration of a nested tx.while counts as one
  /// run of its block.
  int64_t run = 0;

  void operator+=(const RegisterCost &other) {
    code += other.code;
    run += other.run;
  }
};

/// True if the regions contain a tx.while, whose number of iterations is known
/// only at run time.
bool containsWhile(llvm::MutableArrayRef<mlir::Region> regions);

/// Returns the cost of computing the block of a loop in registers; nullopt if
/// it has an op that RegisterBody cannot emit, or more instructions than a loop
/// in registers may have.
std::optional<RegisterCost> registerCost(mlir::Block &block, int64_t lanes);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERCOST_H
