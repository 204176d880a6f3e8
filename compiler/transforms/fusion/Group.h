//===- Group.h - Ops that are going to be one kernel ----------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_FUSION_GROUP_H
#define TENSORC_COMPILER_TRANSFORMS_FUSION_GROUP_H

#include "compiler/transforms/fusion/Kind.h"

#include "llvm/ADT/SetVector.h"

namespace tensorc::compiler {

/// A fusion under construction. It grows from its outputs towards its inputs,
/// so that when an op is looked at, all reads of its result are known.
struct Group {
  const FusionKind *kind = &loopKind();
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
  size_t costlyOps = 0; // of these
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
  /// In cheap ops.
  size_t work() const;
  void addRead(mlir::Value v, const Index &index);
  /// The dims that reductions keep, and their sizes.
  Index keptIndex(tx::DimSpace &names) const;
  llvm::SmallVector<mlir::AffineExpr> keptShape() const;
  /// Whether the index depends on each dim from `begin` to `end` that has more
  /// than one step: what is computed there, is computed once.
  bool usesDims(const Index &index, unsigned begin, unsigned end) const;
  /// Whether it depends on all dims, except for a last one of two: lanes of
  /// loops over these are pairs, which compute both.
  bool usesPairs(const Index &index) const;
};

bool dependsOn(const Index &index, unsigned dim);

/// Whether each element of the group needs the same element of the value.
Refusal checkReadElementwise(const Group &group, mlir::Value value,
                             RuleContext &context);

/// Reads what the element-mapped op needs for the elements that are read of it.
void readOperands(Group &group, mlir::Operation *op, RuleContext &context);

/// Whether the group has room for the op, and the op's kind agrees.
Refusal checkJoin(const Group &group, mlir::Operation *op,
                  RuleContext &context);
void join(Group &group, mlir::Operation *op, RuleContext &context);
/// A group with the op's result as its output.
void start(Group &group, mlir::Operation *op, RuleContext &context);

/// The work of one kernel in cheap ops: beyond, registers spill, compile time
/// grows, and another kernel's reads cost little beside it.
constexpr size_t maxWork = 96;
/// Values that one kernel reads: each is an argument, for which there is little
/// room on a GPU.
constexpr size_t maxInputs = 256;
/// Operands of the concatenates of one kernel: each is a branch.
constexpr size_t maxBranches = 64;

/// On an op that runs when the most bytes are alive, or later, in a program
/// that computes values again so that they need not be kept until then: a
/// kernel that runs before must not take it in.
inline constexpr llvm::StringLiteral lateAttr = "late";
bool isLate(mlir::Operation *op);
bool isLate(const Group &group);

/// Costly enough that computing it twice is worse than storing it.
bool isExpensive(mlir::Operation *op);
/// Worth nothing: moves or repeats elements.
bool isFree(mlir::Operation *op);
/// Whether the op ends in a contraction's result, whose epilogue it can be.
bool isEpilogue(mlir::Operation *op);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_FUSION_GROUP_H
