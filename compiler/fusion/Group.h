//===- Group.h - Ops that are going to be one kernel ----------------------===//
#ifndef TENSORC_COMPILER_FUSION_GROUP_H
#define TENSORC_COMPILER_FUSION_GROUP_H

#include "codegen/emitters/Emitters.h"
#include "ir/analysis/Indexing.h"

#include "llvm/ADT/SetVector.h"

namespace tensorc::compiler {

using analysis::Index;
using codegen::FusionKind;

/// A fusion under construction. It grows from its outputs towards its inputs,
/// so that when an op is looked at, all reads of its result are known.
struct Group {
  FusionKind kind = FusionKind::Loop;
  /// The iteration space: the outputs' shape; with reductions the shape that is
  /// reduced; with a contraction its result's shape and the summed dims; with a
  /// scatter its result's shape and that of the updates; with an attention its
  /// result's shape, the keys and the depth of a head.
  llvm::SmallVector<mlir::AffineExpr> shape;
  /// Per dim of `shape`; empty without reductions.
  llvm::SmallVector<bool> reduced;
  /// Dims of `shape` that are the contraction's or scatter's result.
  unsigned resultRank = 0;
  llvm::SetVector<mlir::Operation *> ops;
  llvm::SetVector<mlir::Value> roots;
  /// Where each value is read, over the iteration space's dims.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Index, 2>> reads;
  /// Read at indices that only run time knows: must be in memory.
  llvm::DenseSet<mlir::Value> readAnywhere;
  llvm::SetVector<mlir::Attribute> notes;

  analysis::IterationSpace space(tx::DimSpace &names) const {
    return analysis::IterationSpace(names, shape);
  }
  bool contains(mlir::Operation *op) const { return ops.contains(op); }
  /// Whether its skeleton makes one result.
  bool hasOneOutput() const {
    return kind == FusionKind::Contraction || kind == FusionKind::Attention ||
           kind == FusionKind::Scatter;
  }
  void addRead(mlir::Value v, const Index &index);
  /// The dims that reductions keep, and their sizes.
  Index keptIndex(tx::DimSpace &names) const;
  llvm::SmallVector<mlir::AffineExpr> keptShape() const;
};

/// Empty: the op may join; otherwise why not.
using Refusal = std::string;

/// What the rules share.
struct RuleContext {
  tx::DimSpace &names;
  llvm::function_ref<mlir::AffineExpr(mlir::Value)> symbolOf;
  /// Null: not known, and no kind is offered that only some targets have.
  const codegen::TargetInfo *target;
  /// Kernels are for blocks of threads: a contraction's tiles go through shared
  /// memory, so that operands lie, and results are stored, in any order.
  bool onGrid() const { return target && target->isSimt(); }
};

/// Whether each element of the group needs the same element of the value.
Refusal checkReadElementwise(const Group &group, mlir::Value value,
                             RuleContext &context);

/// Rules, one file each. `join` must follow a `check` that did not refuse.
/// Loop: ops whose result elements each need one element of every operand.
Refusal checkLoop(const Group &group, mlir::Operation *op,
                  RuleContext &context);
void joinLoop(Group &group, mlir::Operation *op, RuleContext &context);
/// Row and column: a reduction over the space's dims, alike for all.
Refusal checkReduction(const Group &group, mlir::Operation *op,
                       RuleContext &context);
void joinReduction(Group &group, mlir::Operation *op, RuleContext &context);
/// Contraction: one dot_general under an element-wise epilogue.
Refusal checkContraction(const Group &group, mlir::Operation *op,
                         RuleContext &context);
void joinContraction(Group &group, mlir::Operation *op, RuleContext &context);
/// The group's dims become those of the result that it reads in their order or
/// another, where checkContraction did not refuse.
void reorder(Group &group, mlir::Value result, RuleContext &context);
/// Attention: a contraction of a softmax of another one, where checkContraction
/// did not refuse. Joins with all ops between them, or not at all.
bool joinAttention(Group &group, mlir::Operation *op, RuleContext &context);
/// Scatter: updates in place of what was computed; nothing comes behind them.
Refusal checkScatter(const Group &group, mlir::Operation *op,
                     RuleContext &context);
void joinScatter(Group &group, mlir::Operation *op, RuleContext &context);

/// Scan and sort: one op that walks along a dim, read element by element.
Refusal checkWalk(const Group &group, mlir::Operation *op,
                  RuleContext &context);
void joinWalk(Group &group, mlir::Operation *op, RuleContext &context);
/// Whether both sort one tensor alike.
bool walkAlike(const Group &a, const Group &b);

/// The rule for the op.
Refusal checkJoin(const Group &group, mlir::Operation *op,
                  RuleContext &context);
void join(Group &group, mlir::Operation *op, RuleContext &context);
/// A group with the op's result as its output.
void start(Group &group, mlir::Operation *op, RuleContext &context);

/// Values that one kernel reads: each is an argument, for which there is little
/// room on a GPU.
constexpr size_t maxInputs = 256;
/// Operands of the concatenates of one kernel: each is a branch.
constexpr size_t maxBranches = 64;

/// Costly enough that computing it twice is worse than storing it.
bool isExpensive(mlir::Operation *op);
/// Worth nothing: moves or repeats elements.
bool isFree(mlir::Operation *op);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_FUSION_GROUP_H
