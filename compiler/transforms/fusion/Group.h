//===- Group.h - Sets of ops that will become one kernel ------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_FUSION_GROUP_H
#define TENSORC_COMPILER_TRANSFORMS_FUSION_GROUP_H

#include "compiler/transforms/fusion/Kind.h"

#include "llvm/ADT/SetVector.h"

namespace tensorc::compiler {

/// A fusion under construction. It grows from its outputs towards its inputs,
/// so that all reads of an op's result are known when the op is considered.
struct Group {
  const FusionKind *kind = &loopKind();
  /// The iteration space. For a loop it is the outputs' shape; for reductions
  /// the shape before the reduction; for a contraction its result's shape
  /// followed by the reduction dims; for a scatter its result's shape followed
  /// by the updates' shape; for an attention its result's shape, the keys and
  /// the head size.
  llvm::SmallVector<mlir::AffineExpr> shape;
  /// True for each dim of `shape` that is reduced. Empty if there are no
  /// reductions.
  llvm::SmallVector<bool> reduced;
  /// Number of leading dims of `shape` that belong to the result of the
  /// contraction or scatter.
  unsigned resultRank = 0;
  llvm::SetVector<mlir::Operation *> ops;
  size_t costlyOps = 0; // of `ops`
  llvm::SetVector<mlir::Value> roots;
  /// The indices at which each value is read, over the dims of the iteration
  /// space.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Index, 2>> reads;
  /// Values that are read at indices known only at run time. They must be in
  /// memory.
  llvm::DenseSet<mlir::Value> readAnywhere;
  llvm::SetVector<mlir::Attribute> notes;

  analysis::IterationSpace space(tx::DimSpace &names) const {
    return analysis::IterationSpace(names, shape);
  }
  bool contains(mlir::Operation *op) const { return ops.contains(op); }
  /// Returns the cost of the group in units of a cheap element-wise op.
  size_t work() const;
  void addRead(mlir::Value v, const Index &index);
  /// Returns the index that selects the dims that reductions keep.
  Index keptIndex(tx::DimSpace &names) const;
  llvm::SmallVector<mlir::AffineExpr> keptShape() const;
  /// True if the index depends on each dim in [begin, end) that is larger than
  /// one. If all reads of a value have such an index, the value is computed
  /// once per element.
  bool usesDims(const Index &index, unsigned begin, unsigned end) const;
  /// True if the index depends on all dims, except possibly on a last dim of
  /// size 2, such as the dim of real and imaginary parts. A loop computes both
  /// elements of such a pair together.
  bool usesPairs(const Index &index) const;
};

bool dependsOn(const Index &index, unsigned dim);

/// Rejects the value unless it has the group's shape and each element of the
/// group reads only the element at its own index.
Refusal checkReadElementwise(const Group &group, mlir::Value value,
                             RuleContext &context);

/// Records which elements of its operands an element-mapped op reads, for the
/// elements of its result that the group reads.
void readOperands(Group &group, mlir::Operation *op, RuleContext &context);

/// Rejects the op unless the group is small enough for it and the op's kind
/// accepts it.
Refusal checkJoin(const Group &group, mlir::Operation *op,
                  RuleContext &context);
void join(Group &group, mlir::Operation *op, RuleContext &context);
/// Starts a group whose output is the op's result.
void start(Group &group, mlir::Operation *op, RuleContext &context);

/// Maximum work of one kernel in cheap ops. In larger kernels registers spill
/// and compile time grows, while the extra memory traffic of splitting them is
/// small in comparison.
constexpr size_t maxWork = 96;
/// Maximum number of values that one kernel reads. Each is a kernel argument,
/// and a GPU limits their total size.
constexpr size_t maxInputs = 256;
/// Maximum number of operands of the concatenates of one kernel. Each becomes a
/// branch.
constexpr size_t maxBranches = 64;
/// Maximum number of nested concatenates of one kernel, each of which reads the
/// previous one. Their branches nest, and LLVM's loop strength reduction takes
/// time that grows with the cube of the depth: 33 ms for 8, 1.2 s for 31.
constexpr size_t maxNestedConcatenates = 8;

/// Marks an op of a rematerialized program that runs at or after the peak of
/// memory use. It must not be fused into a kernel that runs before the peak,
/// because its operands would then be live at the peak.
inline constexpr llvm::StringLiteral lateAttr = "late";
bool isLate(mlir::Operation *op);
bool isLate(const Group &group);

/// True if the op is so expensive that computing it twice costs more than
/// storing its result.
bool isExpensive(mlir::Operation *op);
/// True if the op costs nothing when it is fused, because it only moves or
/// repeats elements.
bool isFree(mlir::Operation *op);
/// True if the op is computed from a contraction's result by ops that can be
/// the contraction's epilogue.
bool isEpilogue(mlir::Operation *op);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_FUSION_GROUP_H
