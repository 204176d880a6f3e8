//===- Rules.h - The shape rule of each op --------------------------------===//
//
// One rule per op says what its result's dims are, what must hold of the
// operands' dims, and with which words it is refused. The recorder asks it with
// numbers, the solver, the verifier and the checks of a run with names, the
// interpreter with the numbers of a run. A rule knows neither graph nodes nor
// MLIR: dims come as lists, attributes as lists of numbers.
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

/// A condition on sizes that cannot be decided yet.
struct Condition {
  enum Relation : uint8_t {
    Equal, // the names must say so: the solver makes it so, a verifier refuses
    EqualInRun, // a run finds out: two products may be equal for all that
                // occurs
    AtMost      // a <= b: a run finds out
  };
  Relation relation;
  Dim a, b;
  /// The op's error if the condition does not hold.
  std::string text;
};

/// The result of a rule. If `refusal` is not empty, everything else is
/// meaningless.
struct InferredShape {
  llvm::SmallVector<Dim, 6> dims;
  llvm::SmallVector<Condition, 0> conditions;
  std::string refusal;

  bool isRefused() const { return !refusal.empty(); }

  using Text = llvm::function_ref<std::string()>;
  /// Refuses. Returns false, as the functions below do when they refuse.
  bool refuse(const llvm::Twine &text);
  /// Refuses different sizes, and adds a condition for undecided ones.
  bool requireEqual(Dim a, Dim b, Text text);
  /// The same for a <= b.
  bool requireAtMost(Dim a, Dim b, Text text);
  bool requireAllEqual(Dims a, Dims b, Text text);
  /// Requires equality. What cannot be decided yet is checked in a run.
  bool requireEqualInRun(Dim a, Dim b, Text text);

private:
  bool require(Condition::Relation relation, Dim a, Dim b, Text text);
};

/// Returns `[n,64]` for messages.
std::string shapeText(Dims dims);

//===----------------------------------------------------------------------===//
// Ops that move elements (Rules.cpp)
//===----------------------------------------------------------------------===//

/// Checks whether the op can have the requested shape, and returns it.
InferredShape inferBroadcast(Dims x, Numbers dims, Dims result);
InferredShape inferReshape(Dims x, Dims result);
/// An offset of `dynamicOffset` is unknown; a run checks it.
InferredShape inferSlice(Dims x, Numbers offsets, Numbers strides, Dims result);
constexpr int64_t dynamicOffset = INT64_MIN;

InferredShape inferTranspose(Dims x, Numbers permutation);

struct PadNumbers {
  Numbers low, high, interior;
};
InferredShape inferPad(Dims x, const PadNumbers &numbers);

InferredShape inferConcatenate(llvm::ArrayRef<Dims> inputs, int64_t dim);

/// Window o takes the elements o * stride + w * dilation for w below size.
struct WindowNumbers {
  Numbers dims, sizes, strides, dilations;
};
InferredShape inferWindows(Dims x, const WindowNumbers &numbers);

//===----------------------------------------------------------------------===//
// Reductions and contractions (ContractionRules.cpp)
//===----------------------------------------------------------------------===//

/// The result has the remaining dims. `chooses`: one of the elements is the
/// result.
InferredShape inferReduction(Dims x, Numbers dims, bool chooses);

struct DotNumbers {
  Numbers xBatch, yBatch, xContracting, yContracting;
};
InferredShape inferDot(Dims x, Dims y, const DotNumbers &numbers);

//===----------------------------------------------------------------------===//
// Ops whose indices are tensors (IndexingRules.cpp)
//===----------------------------------------------------------------------===//

/// StableHLO's dimension numbers, of a gather or scatter.
struct IndexNumbers {
  /// Dims of the result or the updates: offset_dims, update_window_dims.
  Numbers window;
  /// Dims of x: collapsed_slice_dims, inserted_window_dims.
  Numbers dropped;
  /// Dims of x: start_index_map, scatter_dims_to_operand_dims.
  Numbers mapped;
  int64_t vectorDim = 0;
};

/// A slice size of -1 is the whole dimension.
InferredShape inferGather(Dims x, Dims indices, const IndexNumbers &numbers,
                          Numbers sliceSizes);
InferredShape inferScatter(Dims x, Dims indices, Dims updates,
                           const IndexNumbers &numbers);
InferredShape inferDynamicSlice(Dims x, Numbers sizes);
InferredShape inferDynamicUpdateSlice(Dims x, Dims update);

} // namespace tensorc::shape

#endif // TENSORC_IR_SHAPE_RULES_H
