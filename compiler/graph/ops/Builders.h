//===- Builders.h - Recording ops -----------------------------------------===//
//
// Each function checks its arguments as the op's definition requires, inserts
// the broadcasts and conversions of NumPy and the array API, and returns the
// new node. On an error it returns null, and the Recorder has the message. A
// function with a null operand returns null and keeps the first error, so calls
// can be nested without checks.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_OPS_BUILDERS_H
#define TENSORC_COMPILER_GRAPH_OPS_BUILDERS_H

#include "compiler/graph/Recorder.h"

#include <optional>
#include <vector>

namespace tensorc::graph {

/// A tensor, which the caller keeps alive, or a number.
struct Operand {
  Node *node = nullptr;
  Scalar scalar;
  bool isScalar = false;

  Operand(Node *node) : node(node) {}
  Operand(const NodeRef &ref) : node(ref.get()) {}
  Operand(Scalar scalar) : scalar(scalar), isScalar(true) {}
};

//===----------------------------------------------------------------------===//
// Making tensors
//===----------------------------------------------------------------------===//

/// Refuses dtypes that are for storage only.
bool checkComputed(Recorder &r, const char *op, DType dtype);
/// Checks that the op's first operand may have this dtype.
bool checkTaken(Recorder &r, OpKind op, DType dtype);
NodeRef full(Recorder &r, DType dtype, Ints shape, Scalar value);
NodeRef iota(Recorder &r, DType dtype, Ints shape, int64_t dim);
/// Returns start, start + step, ... up to but excluding stop.
NodeRef arange(Recorder &r, DType dtype, double start, double stop,
               double step);
NodeRef linspace(Recorder &r, DType dtype, double start, double stop,
                 int64_t count);
/// Returns a matrix with ones where the column equals the row plus `diagonal`.
NodeRef eye(Recorder &r, DType dtype, int64_t rows, int64_t columns,
            int64_t diagonal);
/// An argument of a traced function.
NodeRef placeholder(Recorder &r, DType dtype, Ints shape);

//===----------------------------------------------------------------------===//
// Element-wise
//===----------------------------------------------------------------------===//

NodeRef elementwise(Recorder &r, OpKind op, llvm::ArrayRef<Operand> operands);
NodeRef astype(Recorder &r, const NodeRef &x, DType dtype);
/// Returns re + i im; the parts are promoted and broadcast.
NodeRef complex(Recorder &r, const Operand &re, const Operand &im);
/// Return the real part and the imaginary part. For a real x these are x itself
/// and zeros.
NodeRef real(Recorder &r, const NodeRef &x);
NodeRef imag(Recorder &r, const NodeRef &x);
NodeRef conj(Recorder &r, const NodeRef &x);
/// Returns the angle from -pi to pi. For a real x it is 0 or pi, depending on
/// the sign.
NodeRef angle(Recorder &r, const NodeRef &x);
/// Returns complex numbers with these absolute values and angles.
NodeRef polar(Recorder &r, const Operand &magnitude, const Operand &angle);
/// Reinterprets the bits, little-endian: a narrower dtype gives more elements
/// along the last dim, a wider one fewer.
NodeRef bitcast(Recorder &r, const NodeRef &x, DType dtype);

//===----------------------------------------------------------------------===//
// Shapes. Axes may be negative.
//===----------------------------------------------------------------------===//

/// Converts axes to sorted, distinct ones that are counted from the front. If
/// there are none and `allIfEmpty` is set, returns all axes.
bool normalizeAxes(Recorder &r, const char *op, const Node &x, Ints axes,
                   bool allIfEmpty, Shape &result);
/// Computes the common shape by NumPy's broadcasting rule.
bool broadcastShapes(Recorder &r, const char *op, Ints a, Ints b,
                     Shape &result);
NodeRef broadcastTo(Recorder &r, const NodeRef &x, Ints shape);
/// One dim may be -1; it is computed from the others.
NodeRef reshape(Recorder &r, const NodeRef &x, Ints shape);
/// An empty permutation reverses the dims.
NodeRef transpose(Recorder &r, const NodeRef &x, Ints permutation);
/// Like Python's x[start:stop:step] per dim: negative positions count from the
/// end, and positions outside are clamped. `openEnd` means no stop.
constexpr int64_t openEnd = INT64_MIN;
NodeRef slice(Recorder &r, const NodeRef &x, Ints starts, Ints stops,
              Ints steps);
/// Slices one dim; a negative dim counts from the end. Returns null if x is
/// null.
NodeRef sliceInDim(Recorder &r, const NodeRef &x, int64_t dim, int64_t start,
                   int64_t stop, int64_t step = 1);
/// The start, stop and step of a slice along one dim, as the user gave them,
/// and the size of the dim.
struct SliceRange {
  SourceLocation at;
  size_t axis;
  int64_t size, start, stop, step;
};
/// While an object of this class exists, it collects the ranges of all slices
/// that this thread records.
/// `hasNames`: a size of an argument has a name.
class SliceRanges {
public:
  SliceRanges(std::vector<SliceRange> &ranges, bool hasNames);
  ~SliceRanges();
  SliceRanges(const SliceRanges &) = delete;
  SliceRanges &operator=(const SliceRanges &) = delete;

private:
  std::vector<SliceRange> *former;
  bool hadNames;
};
/// True while this thread records a function whose arguments have named sizes.
/// What it records must hold for all sizes, also for 0.
bool recordsNamedSizes();
NodeRef pad(Recorder &r, const NodeRef &x, Ints low, Ints high, Ints interior,
            const Operand &value);
NodeRef concatenate(Recorder &r, llvm::ArrayRef<NodeRef> inputs, int64_t axis);
/// Returns sliding windows of `sizes[i]` elements over dims[i]. Dims are
/// counted from the front.
NodeRef windows(Recorder &r, const NodeRef &x, Ints dims, Ints sizes,
                Ints strides, Ints dilations);
NodeRef expandDims(Recorder &r, const NodeRef &x, int64_t axis);
NodeRef squeeze(Recorder &r, const NodeRef &x, Ints axes);

/// Records an op that its definition describes completely: the operands are
/// converted to their common dtype, and the shape rule gives the shape.
NodeRef defined(Recorder &r, OpKind op, llvm::ArrayRef<NodeRef> operands,
                Ints words);
template <typename Attributes>
NodeRef defined(Recorder &r, OpKind op, llvm::ArrayRef<NodeRef> operands,
                const Attributes &attributes) {
  llvm::SmallVector<int64_t, 16> words(attributes.numWords());
  attributes.write(words.data());
  return defined(r, op, operands, Ints(words));
}

/// Reverses the elements along the axes, or along all if there are none.
NodeRef flip(Recorder &r, const NodeRef &x, Ints axes);

//===----------------------------------------------------------------------===//
// Ops whose indices are tensors (Gather.cpp), and NumPy's indexing
// (Indexing.cpp)
//===----------------------------------------------------------------------===//

using tx::UpdateKind;

NodeRef gather(Recorder &r, const NodeRef &x, const NodeRef &indices,
               tx::GatherAttributes attributes);
NodeRef scatter(Recorder &r, const NodeRef &x, const NodeRef &indices,
                const NodeRef &updates,
                const tx::ScatterAttributes &attributes);
/// Starts are rank-0 integers, one per dim, and are clamped so that the slice
/// is within x. A size of -1 means the whole dimension.
NodeRef dynamicSlice(Recorder &r, const NodeRef &x,
                     llvm::ArrayRef<Operand> starts, Ints sizes);
NodeRef dynamicUpdateSlice(Recorder &r, const NodeRef &x, const NodeRef &update,
                           llvm::ArrayRef<Operand> starts);
/// Replaces a slice of x by `update`.
NodeRef dynamicUpdateSlice(Recorder &r, const NodeRef &x, const NodeRef &update,
                           llvm::ArrayRef<NodeRef> starts);

/// One item of x[...]. A negative index counts from the end, once. An index out
/// of bounds is an error if it is a number; in a tensor it reads the nearest
/// element and writes nothing.
struct IndexItem {
  enum Kind : uint8_t { Integer, Range, Ellipsis, NewAxis, Tensor };
  Kind kind = Ellipsis;
  /// Limits of a range; `start` is also the value of an integer.
  int64_t start = openEnd, stop = openEnd, step = 1;
  NodeRef tensor = {};
};
using IndexItems = llvm::ArrayRef<IndexItem>;

/// NumPy's x[items].
NodeRef index(Recorder &r, const NodeRef &x, IndexItems items);
/// Returns x with x[items] replaced by the value or combined with it, like
/// JAX's x.at[items].
NodeRef indexUpdate(Recorder &r, const NodeRef &x, IndexItems items,
                    UpdateKind kind, const Operand &value);
/// Checks that the dtype can represent this number, or that a tensor's dtype is
/// of the same kind (NumPy's "same kind").
bool checkKeepsKind(Recorder &r, const char *op, const Operand &value,
                    DType dtype);
/// Checks that the dtype supports this kind of update; reports an error
/// otherwise.
bool checkUpdates(Recorder &r, const char *op, UpdateKind kind, DType dtype);
/// Returns `value`, or the combination of `before` and `value` for the kind.
NodeRef applyUpdate(Recorder &r, const char *op, UpdateKind kind,
                    const NodeRef &before, const NodeRef &value);
/// Like indexUpdate, with a boolean mask among the items. The value is one
/// element for all true positions, or one for each of them in order; the number
/// is checked when the result is computed (Masks.cpp).
NodeRef maskUpdate(Recorder &r, const NodeRef &x, IndexItems items,
                   UpdateKind kind, const Operand &value);
/// Returns the indices along each dim of the first `size` nonzero elements,
/// padded with `fill`. Empty after an error.
llvm::SmallVector<NodeRef> nonzero(Recorder &r, const NodeRef &x, int64_t size,
                                   int64_t fill);
/// Returns the first `size` elements of x[mask], padded with `fill`. The mask
/// covers the first dims of x.
NodeRef maskedSelect(Recorder &r, const NodeRef &x, const NodeRef &mask,
                     int64_t size, const Operand &fill);
/// Returns the flat indices of a mask's true elements in order, padded with -1
/// to the size of the mask, and the number of true elements.
std::pair<NodeRef, NodeRef> maskPlaces(Recorder &r, const NodeRef &mask);
/// Returns the rank of x[items] with a mask among the items; the mask's values
/// need not be known. Returns nullopt after an error.
std::optional<unsigned> maskIndexRank(Recorder &r, const NodeRef &x,
                                      IndexItems items);
/// Returns x[items], where one item is a mask. `places` are the flat indices of
/// the mask's true elements.
NodeRef maskIndex(Recorder &r, const NodeRef &x, IndexItems items,
                  const NodeRef &places);
/// Converts flat indices into a tensor of this shape to indices along one of
/// its dims.
NodeRef indexAlong(Recorder &r, const NodeRef &places, Ints shape, size_t dim);
/// Returns x[indices] along the axis. Without an axis, x is flattened first.
NodeRef take(Recorder &r, const NodeRef &x, const NodeRef &indices,
             std::optional<int64_t> axis);
NodeRef takeAlongAxis(Recorder &r, const NodeRef &x, const NodeRef &indices,
                      int64_t axis);
/// One-hot encoding along a new last axis of this size.
NodeRef oneHot(Recorder &r, const NodeRef &indices, int64_t size, DType dtype);

//===----------------------------------------------------------------------===//
// Reductions and contractions
//===----------------------------------------------------------------------===//

/// Reduces over the axes, or over all axes if there are none. i1 is summed as
/// i64.
NodeRef reduce(Recorder &r, OpKind op, const NodeRef &x, Ints axes,
               bool keepDims);
NodeRef matmul(Recorder &r, const NodeRef &x, const NodeRef &y);
NodeRef dotGeneral(Recorder &r, const NodeRef &x, const NodeRef &y, Ints xBatch,
                   Ints yBatch, Ints xContracting, Ints yContracting);

//===----------------------------------------------------------------------===//
// Scans and sorting (Scans.cpp)
//===----------------------------------------------------------------------===//

/// Records a cumulative op: cumsum and cumprod (i1 as i64), cummax, cummin.
NodeRef scan(Recorder &r, OpKind op, const NodeRef &x, int64_t axis,
             bool reverse, bool exclusive);
/// sort or argsort.
NodeRef sort(Recorder &r, OpKind op, const NodeRef &x, int64_t axis,
             bool descending);
/// The first k results of a sort and of an argsort; both are null after an
/// error.
struct TopK {
  NodeRef values, indices;
};
TopK topK(Recorder &r, const NodeRef &x, int64_t k, int64_t axis, bool largest);

/// The nodes that compute the indices of a top-k: `order` is an argsort, and
/// `slice` takes its first elements (null if it takes all of them).
struct FirstOfSort {
  const Node *order, *slice;
};
/// Returns the indices at which the node gathers the first elements of a sort
/// order, unless they are stored already. The caller must hold graphMutex().
std::optional<FirstOfSort> firstOfSort(const Node &node);

//===----------------------------------------------------------------------===//
// Functions made of other ops (compiler/graph/nn)
//===----------------------------------------------------------------------===//

NodeRef relu(Recorder &r, const NodeRef &x);
/// tx.sigmoid; floats only.
NodeRef sigmoid(Recorder &r, const NodeRef &x);
/// Returns 0.5 x (1 + erf(x / sqrt 2)), or the tanh approximation.
NodeRef gelu(Recorder &r, const NodeRef &x, bool approximate);
NodeRef softmax(Recorder &r, const NodeRef &x, int64_t axis);
NodeRef logSoftmax(Recorder &r, const NodeRef &x, int64_t axis);
NodeRef mean(Recorder &r, const NodeRef &x, Ints axes, bool keepDims);
/// Returns the variance: squared distances divided by the number of elements
/// minus `correction`.
NodeRef var(Recorder &r, const NodeRef &x, Ints axes, double correction,
            bool keepDims);
/// Records a layer norm over the last axis. Scale and bias are optional.
NodeRef layerNorm(Recorder &r, const NodeRef &x, const NodeRef &scale,
                  const NodeRef &bias, double epsilon);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_BUILDERS_H
