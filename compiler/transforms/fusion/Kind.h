//===- Kind.h - A kind of fusion ------------------------------------------===//
//
// Each kind is one object, defined in its rule's file. It decides which ops its
// kernels are built around, which other ops it fuses with them, and which
// results it stores. The planner and `explain` query it; no other code depends
// on the kinds.
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

/// Reason why an op may not join a group; empty if it may.
using Refusal = std::string;

/// The number of the composite that an op was expanded from. Ops of one
/// composite share a number; it is 0 for all other ops.
using Claims = llvm::DenseMap<mlir::Operation *, unsigned>;

/// State that all rules share.
struct RuleContext {
  tx::DimSpace &names;
  const Claims &claims;
  llvm::function_ref<mlir::AffineExpr(mlir::Value)> symbolOf;
  /// The target, or null if it is unknown. If it is unknown, kinds that only
  /// some targets have are not offered.
  const codegen::TargetInfo *target;
  /// True if kernels run on blocks of threads. On such targets the tiles of a
  /// contraction go through shared memory, so operands and results may have any
  /// layout.
  bool onGrid() const { return target && target->isSimt(); }
};

/// A kind of kernel. The base class describes a kernel that stores several
/// results, each at its own index, and accepts every element-mapped op.
class FusionKind {
public:
  /// `name` is a name from FusionKinds.def.
  explicit FusionKind(llvm::StringRef name);
  virtual ~FusionKind();

  llvm::StringRef name() const { return info.name; }
  bool isAbout(mlir::Operation *op) const { return info.isAbout(op); }

  //===--- Composites ---------------------------------------------------===//

  /// Claims a composite for which the target has a kernel of this kind, before
  /// any composite is expanded. Returns its replacement, which is either an op
  /// that the kind is built around or the composite itself, which then stays
  /// unexpanded. Returns null if the composite is not claimed.
  virtual mlir::Value claim(mlir::OpBuilder &b, mlir::Operation *composite,
                            const codegen::TargetInfo &target) const;

  //===--- The ops it is built around ------------------------------------===//

  /// Rejects the op unless a group of this kind may take one more op that has a
  /// kind of its own, such as a reduction.
  virtual Refusal checkRoom(const Group &group, mlir::Operation *op) const;
  /// Rejects the op unless an op that the kind is built around may join a group
  /// that has room for it.
  virtual Refusal check(const Group &group, mlir::Operation *op,
                        RuleContext &context) const = 0;
  /// Adds the op to the group, whose kind becomes this one. Returns false to
  /// leave the op to the next kind that is built around it. Requires that
  /// `check` did not refuse.
  virtual bool join(Group &group, mlir::Operation *op,
                    RuleContext &context) const = 0;

  //===--- Prologue and epilogue ----------------------------------------===//

  /// True if the kernel's loops compute each element of a value that is read at
  /// `index` only once.
  virtual bool computesOnce(const Group &group, const Index &index) const;
  /// Rejects an element-mapped op that would cost too much at this position of
  /// the kernel.
  virtual Refusal checkAround(const Group &group, mlir::Operation *op,
                              RuleContext &context) const;

  //===--- Outputs ------------------------------------------------------===//

  /// True if an op whose result is read at `index` may become an additional
  /// output.
  virtual bool mayStore(const Group &group, mlir::Value result,
                        const Index &index, tx::DimSpace &names) const;
  /// True if the kernel of a group of this kind may also compute the ops of
  /// `reader`, which reads its results.
  virtual bool mayGoOn(const Group &group, const Group &reader,
                       RuleContext &context) const;
  /// True if two groups of this kind over the same space may be merged into one
  /// kernel.
  virtual bool mayMerge(const Group &a, const Group &b) const;

  //===--- Names --------------------------------------------------------===//

  /// Returns the name of the kernel, or an empty string to name it after its
  /// ops.
  virtual llvm::StringRef kernelName() const { return {}; }

private:
  const tx::FusionKindInfo &info;
};

/// The instance of each kind, defined in its rule's file.
#define TX_FUSION_KIND(NAME, ...) const FusionKind &NAME##Kind();
#include "ir/tx/FusionKinds.def"

/// Returns all kinds, in the order in which an op is offered to them.
llvm::ArrayRef<const FusionKind *> allKinds();
/// Returns the first kind that is built around the op, or the loop kind, which
/// takes all ops that are computed element by element.
const FusionKind &kindFor(mlir::Operation *op);
/// Returns the replacement for the composite if a kind claims it, else null.
mlir::Value claimComposite(mlir::OpBuilder &b, mlir::Operation *composite,
                           const codegen::TargetInfo &target);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_FUSION_KIND_H
