//===- ExplainKernels.h - What lands in which kernel ----------------------===//
#ifndef TENSORC_TOOLS_EXPLAIN_EXPLAINKERNELS_H
#define TENSORC_TOOLS_EXPLAIN_EXPLAINKERNELS_H

#include "compiler/session/placement/CostModel.h"
#include "ir/program/Txp.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace tensorc::tool {

/// Facts about one tx.fusion. Quantities are numbers, or expressions over the
/// named dims.
struct KernelFacts {
  std::string name, kind;
  /// The branches around the fusion, numbered in the order of the program: `if
  /// 0 then if 1 else`. Empty if it always runs.
  std::string branch;
  std::vector<std::string> ops, inputs, outputs;
  /// The names of its ops in the model, without duplicates: `/encoder/MatMul`.
  std::vector<std::string> nodes;
  std::string bytesRead, bytesWritten, flops;
  /// The same quantities as numbers; unknown sizes count as 0.
  placement::KernelWork work;
  /// The order in which the kernel combines elements, on which the bits of the
  /// results depend (or empty), and the schedule that was chosen for the
  /// target.
  std::string order, schedule;
  /// The kernel's key in tuning files.
  std::string key;
  /// Reasons why neighbouring ops were not fused.
  std::vector<std::string> notes;
};

/// Returns the fusions of a function after the stage fuse, in order.
std::vector<KernelFacts> explainKernels(mlir::func::FuncOp function);

/// A loop that runs as a single CPU kernel, and the kernels that it calls.
struct LoopFacts {
  std::string name;
  std::vector<std::string> kernels;
};

/// Returns the loops of a program after the stage lower, in order.
std::vector<LoopFacts> explainLoops(txp::FuncOp program);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_EXPLAIN_EXPLAINKERNELS_H
