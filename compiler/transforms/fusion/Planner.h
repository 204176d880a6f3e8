//===- Planner.h - Groups ops into kernels --------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_FUSION_PLANNER_H
#define TENSORC_COMPILER_TRANSFORMS_FUSION_PLANNER_H

#include "compiler/transforms/fusion/Group.h"
#include "compiler/transforms/fusion/Periods.h"

#include "llvm/ADT/StringMap.h"

#include <list>

namespace tensorc::compiler {

/// Maps the names of a function's kernels to the last number that was appended
/// to make a name unique.
using KernelNames = llvm::StringMap<unsigned>;

/// Groups the ops of a block, from its results back to its arguments. An op
/// joins the groups that read it if their rules allow that. If a value is
/// expensive and read by several groups, or escapes the function, one of the
/// groups stores it. The remaining ops start their own groups.
class Planner {
public:
  /// Plans the kernels of a function's body, or of a branch in it. `target` is
  /// null if it is unknown.
  Planner(mlir::Block &block, const codegen::TargetInfo *target,
          const Claims &claims, KernelNames &taken);

  void plan();
  /// Replaces the ops by tx.fusion ops.
  void rewrite();

private:
  mlir::Block &block;
  const codegen::TargetInfo *target;
  const Claims &claims;
  KernelNames &taken;
  tx::DimSpace names;
  std::list<Group> groups;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Group *, 2>> groupsOf;
  /// Reshapes that kernels compute and that are views for other ops that use
  /// them.
  llvm::DenseSet<mlir::Operation *> views;
  llvm::DenseMap<mlir::Value, mlir::AffineExpr> indexSymbols;

  Periods periods;

  mlir::AffineExpr symbolOf(mlir::Value v);
  bool isApart(mlir::Operation *op) const;
  bool staysOutside(mlir::Operation *op) const;
  bool escapes(mlir::Operation *op) const;
  llvm::SetVector<Group *> readers(mlir::Operation *op) const;
  void place(mlir::Operation *op, RuleContext &context);
  bool endsStep(mlir::Operation *op, Group &reader) const;
  bool joinReaders(mlir::Operation *op, llvm::ArrayRef<Group *> readers,
                   RuleContext &context);
  bool mergeReductions(mlir::Operation *op, llvm::ArrayRef<Group *> readers);
  bool joinAsOutput(mlir::Operation *op, llvm::ArrayRef<Group *> readers,
                    RuleContext &context);
  void joinReader(Group &group, RuleContext &context);
  void add(Group &group, mlir::Operation *op, RuleContext &context);
  void start(mlir::Operation *op, RuleContext &context);
  /// Records the group of all ops that joined it since it had `before` ops.
  void noteJoined(Group &group, size_t before);
  bool reaches(llvm::ArrayRef<mlir::Value> from, Group *to, Group *maker) const;
  /// Returns the groups that read this group's outputs, directly or through
  /// views.
  llvm::SetVector<Group *> consumersOf(const Group &group) const;
  void mergeSiblings();
  bool mayMerge(Group &a, Group &b) const;
  void merge(Group &into, Group &from);

  llvm::SmallVector<mlir::Value> inputsOf(const Group &group) const;
  std::string nameOf(const Group &group) const;
  void build(mlir::OpBuilder &b, Group &group,
             llvm::DenseMap<mlir::Value, mlir::Value> &replacement);
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_FUSION_PLANNER_H
