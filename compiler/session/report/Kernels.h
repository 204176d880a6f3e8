//===- Kernels.h - Explains the fusions of a program ----------------------===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_KERNELS_H
#define TENSORC_COMPILER_SESSION_REPORT_KERNELS_H

#include "compiler/session/placement/CostModel.h"
#include "ir/program/Txp.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace tensorc::report {

/// Facts about one tx.fusion. Quantities are numbers, or expressions over the
/// named dims.
struct KernelFacts {
  std::string name, kind;
  /// The branches around the fusion, numbered in the order of the program: `if
  /// 0 then if 1 else`. Empty if it always runs.
  std::string branch;
  std::vector<std::string> ops, inputs, outputs;
  std::string bytesRead, bytesWritten, flops;
  /// The bytes and flops as numbers; unknown sizes count as 0.
  placement::KernelWork work;
  /// `order` is the order in which the kernel combines elements, which
  /// determines the bits of the results (or empty). `schedule` is the schedule
  /// that was chosen for the target.
  std::string order, schedule;
  /// The kernel's key in tuning files.
  std::string key;
  /// Reasons why neighbouring ops were not fused.
  std::vector<std::string> notes;
  /// Origins of the fusion's ops, without duplicates.
  struct Origin {
    /// The names of ops in the model: `/encoder/MatMul`.
    std::vector<std::string> nodes;
    /// Files and lines of the program's sources.
    std::vector<std::pair<std::string, unsigned>> lines;
  };
  Origin origin;
};

llvm::json::Object toJson(const KernelFacts &kernel);

/// Returns a tensor type as `f32[n, 64]`.
std::string typeText(mlir::Type type);

/// Returns the fusions of a function after the stage fuse, in order.
std::vector<KernelFacts> explainKernels(mlir::func::FuncOp function);

/// A loop that runs as a single CPU kernel, and the kernels that it calls.
struct LoopFacts {
  std::string name;
  std::vector<std::string> kernels;
};

/// Returns the loops of a program after the stage lower, in order.
std::vector<LoopFacts> explainLoops(txp::FuncOp program);

} // namespace tensorc::report

#endif // TENSORC_COMPILER_SESSION_REPORT_KERNELS_H
