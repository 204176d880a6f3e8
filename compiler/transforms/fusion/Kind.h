//===- Kind.h - A kind of fusion ------------------------------------------===//
//
// A kind is one object, in its rule's file: which ops its kernels are built
// around, what it takes in around them, which results it stores, and what is
// said about it. The planner and `explain` ask it; nothing else knows kinds.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_FUSION_KIND_H
#define TENSORC_COMPILER_TRANSFORMS_FUSION_KIND_H

#include "codegen/kernel/TargetInfo.h"
#include "ir/analysis/Indexing.h"
#include "ir/tx/structure/TxFusion.h"

namespace tensorc::compiler {

using analysis::Index;

struct Group;

/// Empty: the op may join; otherwise why not.
using Refusal = std::string;

/// The ops that a composite means, which was whole until now, have one number.
/// Of other ops it is 0.
using Claims = llvm::DenseMap<mlir::Operation *, unsigned>;

/// What the rules share.
struct RuleContext {
  tx::DimSpace &names;
  const Claims &claims;
  llvm::function_ref<mlir::AffineExpr(mlir::Value)> symbolOf;
  /// Null: not known, and no kind is offered that only some targets have.
  const codegen::TargetInfo *target;
  /// Kernels are for blocks of threads: a contraction's tiles go through shared
  /// memory, so that operands lie, and results are stored, in any order.
  bool onGrid() const { return target && target->isSimt(); }
};

/// The base is a kernel that stores several results, each where it iterates,
/// and takes in every element-mapped op.
class FusionKind {
public:
  /// `name` is in FusionKinds.def.
  explicit FusionKind(llvm::StringRef name);
  virtual ~FusionKind();

  llvm::StringRef name() const { return info.name; }
  bool isAbout(mlir::Operation *op) const { return info.isAbout(op); }

  //===--- Composites ---------------------------------------------------===//

  /// Takes a composite for which the target has a kernel of this kind, before
  /// any composite is expanded. Returns what stands for it from then on: an op
  /// that the kind is about, or the composite itself, which no simplification
  /// takes apart then. Null: not taken.
  virtual mlir::Value claim(mlir::OpBuilder &b, mlir::Operation *composite,
                            const codegen::TargetInfo &target) const;

  //===--- The ops that it is about -------------------------------------===//

  /// Whether a group of this kind has room for an op that a kind is about, this
  /// one or another.
  virtual Refusal checkRoom(const Group &group, mlir::Operation *op) const;
  /// Whether an op that the kind is about may join a group that has room.
  virtual Refusal check(const Group &group, mlir::Operation *op,
                        RuleContext &context) const = 0;
  /// Makes the group one of this kind, or leaves the op to the next kind that
  /// is about it and returns false. Follows a `check` that did not refuse.
  virtual bool join(Group &group, mlir::Operation *op,
                    RuleContext &context) const = 0;

  //===--- Prologue and epilogue ----------------------------------------===//

  /// Whether the loops compute an element that is read at the index once.
  virtual bool computesOnce(const Group &group, const Index &index) const;
  /// Whether an element-mapped op may join: what it costs in this place.
  virtual Refusal checkAround(const Group &group, mlir::Operation *op,
                              RuleContext &context) const;

  //===--- Outputs ------------------------------------------------------===//

  /// Whether an op that is read at the index may be one more output.
  virtual bool mayStore(const Group &group, mlir::Value result,
                        const Index &index, tx::DimSpace &names) const;
  /// Whether the kernel of a group of this kind may compute what `reader` makes
  /// of its results, too.
  virtual bool mayGoOn(const Group &group, const Group &reader,
                       RuleContext &context) const;
  /// Whether two groups of this kind, over one space, may be one kernel.
  virtual bool mayMerge(const Group &a, const Group &b) const;

  //===--- Words --------------------------------------------------------===//

  /// What a kernel is called; empty: what its ops say.
  virtual llvm::StringRef kernelName() const { return {}; }

private:
  const tx::FusionKindInfo &info;
};

/// One in each rule's file.
#define TX_FUSION_KIND(NAME, ...) const FusionKind &NAME##Kind();
#include "ir/tx/FusionKinds.def"

/// In the order in which they are offered an op.
llvm::ArrayRef<const FusionKind *> allKinds();
/// The first kind that is about the op; the loop, which takes what is computed
/// element by element.
const FusionKind &kindFor(mlir::Operation *op);
/// What stands for the composite, if a kind claims it.
mlir::Value claimComposite(mlir::OpBuilder &b, mlir::Operation *composite,
                           const codegen::TargetInfo &target);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_FUSION_KIND_H
