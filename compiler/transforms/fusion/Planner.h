//===- Planner.h - Which ops become one kernel ----------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_FUSION_PLANNER_H
#define TENSORC_COMPILER_TRANSFORMS_FUSION_PLANNER_H

#include "compiler/transforms/fusion/Group.h"
#include "compiler/transforms/fusion/Periods.h"

#include "llvm/ADT/StringMap.h"

#include <list>

namespace tensorc::compiler {

/// The names of a function's kernels, and of each the last number that was put
/// behind it.
using KernelNames = llvm::StringMap<unsigned>;

/// Groups the ops of a block, from its results back to its arguments. An op
/// joins the groups that read it where their rules allow; what is read by
/// several and costly, or leaves the function, is stored by one of them; the
/// rest starts groups of their own.
class Planner {
public:
  /// Of a function, or of a branch within one. `target` is null if it is not
  /// known.
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
  /// Reshapes that kernels compute, and something else reads: views, too.
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
  /// The ops that joined since there were so many.
  void noteJoined(Group &group, size_t before);
  bool reaches(llvm::ArrayRef<mlir::Value> from, Group *to, Group *maker) const;
  /// The groups that read what this one makes, through views too.
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
