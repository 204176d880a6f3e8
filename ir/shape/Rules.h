//===- Rules.h - Shape rules of ops ---------------------------------------===//
//
// The rule of an op returns the result's dims, the conditions on the operands'
// dims, and the error messages. The recorder and the interpreter call it with
// numbers; the solver, the verifier and the emitter of run-time checks call it
// with named sizes. A rule depends neither on graph nodes nor on MLIR: dims are
// passed as lists, attributes as lists of numbers.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_SHAPE_RULES_H
#define TENSORC_IR_SHAPE_RULES_H

#include "ir/shape/Dim.h"

#include "llvm/ADT/Twine.h"

namespace tensorc::shape {

using Dims = llvm::ArrayRef<Dim>;
using Numbers = llvm::ArrayRef<int64_t>;
/// The dims of several operands.
using Operands = llvm::ArrayRef<Dims>;

/// A condition on sizes that cannot be decided from the names.
struct Condition {
  enum Relation : uint8_t {
    Equal, // must follow from the names: a solver adds it as an equation
    // Checked at run time, because products of other names may be equal.
    EqualInRun,
    AtMost // a <= b, checked in a run
  };
  Relation relation;
  Dim a, b;
  /// The op's error message if the condition does not hold.
  std::string text;
};

/// The result of a rule. If `refusal` is not empty, all other members are
/// meaningless.
struct InferredShape {
  llvm::SmallVector<Dim, 6> dims;
  llvm::SmallVector<Condition, 0> conditions;
  std::string refusal;

  bool isRefused() const { return !refusal.empty(); }

  using Text = llvm::function_ref<std::string()>;
  /// Rejects the operands with this message and returns false.
  bool refuse(const llvm::Twine &text);
  /// Rejects sizes that are known to differ. If it is unknown whether they
  /// differ, adds the condition that they are equal.
  bool requireEqual(Dim a, Dim b, Text text);
  /// As requireEqual, for a <= b.
  bool requireAtMost(Dim a, Dim b, Text text);
  bool requireAllEqual(Dims a, Dims b, Text text);
  /// Like requireEqual, but a condition that cannot be decided is checked at
  /// run time.
  bool requireEqualInRun(Dim a, Dim b, Text text);

private:
  bool require(Condition::Relation relation, Dim a, Dim b, Text text);
};

/// Returns `[n,64]` for messages.
std::string shapeText(Dims dims);

//===----------------------------------------------------------------------===//
// Ops that move elements (Rules.cpp)
//===----------------------------------------------------------------------===//

/// Check that the op can have the requested shape `result`, and return it.
InferredShape inferBroadcast(Dims x, Numbers dims, Dims result);
InferredShape inferReshape(Dims x, Dims result);
/// Infers the shape of a slice. An offset that equals `dynamicOffset` is known
/// only at run time, where it is checked.
InferredShape inferSlice(Dims x, Numbers offsets, Numbers strides, Dims result);
constexpr int64_t dynamicOffset = INT64_MIN;

InferredShape inferTranspose(Dims x, Numbers permutation);

struct PadNumbers {
  Numbers low, high, interior;
};
InferredShape inferPad(Dims x, const PadNumbers &numbers);

InferredShape inferConcatenate(llvm::ArrayRef<Dims> inputs, int64_t dim);

/// Windows: element w of window o is o * stride + w * dilation, for w below
/// size.
struct WindowNumbers {
  Numbers dims, sizes, strides, dilations;
};
InferredShape inferWindows(Dims x, const WindowNumbers &numbers);

//===----------------------------------------------------------------------===//
// Reductions and contractions (ContractionRules.cpp)
//===----------------------------------------------------------------------===//

/// The result has the dims that are not reduced. `chooses`: the result is one
/// of the elements or its index, so there must be at least one element.
InferredShape inferReduction(Dims x, Numbers dims, bool chooses);

struct DotNumbers {
  Numbers xBatch, yBatch, xContracting, yContracting;
};
InferredShape inferDot(Dims x, Dims y, const DotNumbers &numbers);

//===----------------------------------------------------------------------===//
// Ops whose indices are tensors (IndexingRules.cpp)
//===----------------------------------------------------------------------===//

/// Dimension numbers of a gather or scatter, as in StableHLO.
struct IndexNumbers {
  /// Dims of a gather's result (offset_dims) or a scatter's updates
  /// (update_window_dims).
  Numbers window;
  /// Dims of x: collapsed_slice_dims of a gather, inserted_window_dims of a
  /// scatter.
  Numbers dropped;
  /// Dims of x: start_index_map of a gather, scatter_dims_to_operand_dims of a
  /// scatter.
  Numbers mapped;
  int64_t vectorDim = 0;
};

/// Infers the shape of a gather. A slice size of -1 represents the whole
/// dimension.
InferredShape inferGather(Dims x, Dims indices, const IndexNumbers &numbers,
                          Numbers sliceSizes);
InferredShape inferScatter(Dims x, Dims indices, Dims updates,
                           const IndexNumbers &numbers);
InferredShape inferDynamicSlice(Dims x, Numbers sizes);
InferredShape inferDynamicUpdateSlice(Dims x, Dims update);

} // namespace tensorc::shape

#endif // TENSORC_IR_SHAPE_RULES_H
