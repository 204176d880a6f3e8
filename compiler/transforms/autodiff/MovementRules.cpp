//===- MovementRules.cpp - Gradients of ops that move elements ------------===//

#include "compiler/transforms/autodiff/Rules.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

LogicalResult pullBack(tx::BroadcastOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  Dims to = dimsOf(op.getResult()), from = dimsOf(op.getX());
  SmallVector<int64_t> repeated;
  for (int64_t dim : llvm::seq<int64_t>(0, to.size())) {
    auto place = llvm::find(op.getDims(), dim);
    bool isNew = place == op.getDims().end();
    if (isNew || (from[place - op.getDims().begin()] == 1 && to[dim] != 1))
      repeated.push_back(dim);
  }
  p.set(0, e.reshape(e.sum(g, repeated), from));
  return success();
}

LogicalResult pullBack(tx::ReshapeOp op, Value g, Pullback &p) {
  p.set(0, p.e.reshape(g, dimsOf(op.getX())));
  return success();
}

LogicalResult pullBack(tx::TransposeOp op, Value g, Pullback &p) {
  p.set(0, p.e.transpose(g, invertPermutationVector(op.getPermutation())));
  return success();
}

/// Returns the elements of g at the positions of x's elements, and 0 for
/// elements of x that negative padding removed.
static Value unpad(TensorBuilder &e, Value g, tx::PadOp op) {
  SmallVector<int64_t> low, high, offsets, strides;
  SmallVector<int64_t> none(rankOf(g), 0);
  for (auto [before, after, gap] :
       llvm::zip(op.getLow(), op.getHigh(), op.getInterior())) {
    low.push_back(std::max<int64_t>(-before, 0));
    high.push_back(std::max<int64_t>(-after, 0));
    offsets.push_back(std::max<int64_t>(before, 0));
    strides.push_back(gap + 1);
  }
  Value whole = e.pad(g, low, high, none, 0.0);
  return e.slice(whole, offsets, strides, dimsOf(op.getX()));
}

LogicalResult pullBack(tx::PadOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  p.give(0, [&] { return unpad(e, g, op); });
  p.give(1, [&] {
    DType dtype = dtypeOf(g);
    Value inner = e.full(0.0, dtype, dimsOf(op.getX()));
    Value outer =
        e.pad(inner, op.getLow(), op.getHigh(), op.getInterior(), 1.0);
    auto all = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(g)));
    // A product with 0 would be NaN where g is infinite.
    return e.sum(e.select(e.equal(outer, 1.0), g, 0.0), all);
  });
  return success();
}

LogicalResult pullBack(tx::ConcatenateOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  int64_t dim = op.getDim();
  Dim start = 0;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    Dim size = dimsOf(input)[dim];
    p.give(i, [&]() -> Value {
      std::optional<int64_t> offset = start.number();
      if (!offset) {
        Value places = e.iota(DType::I64, size, 0);
        return e.take(g, e.add(places, e.size(start, DType::I64)), dim);
      }
      return e.sliceAlong(g, dim, *offset, size);
    });
    start = start + size;
  }
  return success();
}

namespace {
/// Positions along one dim of `size` elements: element k belongs at position
/// offset + k * stride.
struct Places {
  int64_t dim, offset, stride;
  Dim size;
};
} // namespace

/// Spreads g's elements to their positions along a dim, with zeros elsewhere,
/// by padding. `high`: the number of positions after the last element.
static Value spreadByPadding(TensorBuilder &e, Value g, const Places &to,
                             int64_t high) {
  SmallVector<int64_t> low(rankOf(g), 0), above(rankOf(g), 0),
      interior(rankOf(g), 0);
  low[to.dim] = to.offset;
  above[to.dim] = high;
  interior[to.dim] = to.stride - 1;
  return e.pad(g, low, above, interior, 0.0);
}

/// Like spreadByPadding, for a symbolic number of positions after the last
/// element. Each position gathers the element that belongs to it, if there is
/// one.
static Value spreadByGathering(TensorBuilder &e, Value g, const Places &to) {
  Value place = e.sub(e.iota(DType::I64, to.size, 0), to.offset);
  Value element = tx::FloorDivOp::create(
      e.b, e.loc, place, e.full(to.stride, DType::I64, to.size));
  Value exact = e.equal(e.mul(element, to.stride), place);
  Value mask =
      tx::AndOp::create(e.b, e.loc, exact, e.greaterOrEqual(element, 0));
  // A 0 is appended as the last element, because indices beyond the end are
  // clamped to it. It also makes an empty g nonempty.
  SmallVector<int64_t> none(rankOf(g), 0), after(none);
  after[to.dim] = 1;
  Value taken = e.take(e.pad(g, none, after, none, 0.0), element, to.dim);
  return e.select(e.alongDim(mask, to.dim, rankOf(g)), taken, 0.0);
}

static Value spread(TensorBuilder &e, Value g, const Places &to) {
  if (dimsOf(g)[to.dim] == 0) {
    SmallVector<Dim> dims(dimsOf(g));
    dims[to.dim] = to.size;
    return e.full(0.0, dtypeOf(g), dims);
  }
  if (to.stride < 0) {
    // Reverses g if its last element has the lowest position.
    Dim count = dimsOf(g)[to.dim];
    Value places = e.iota(DType::I64, count, 0);
    Value back = e.sub(e.size(count - 1, DType::I64), places);
    std::optional<int64_t> number = count.number();
    if (!number)
      return {};
    return spread(
        e, e.take(g, back, to.dim),
        {to.dim, to.offset + (*number - 1) * to.stride, -to.stride, to.size});
  }
  Dim count = dimsOf(g)[to.dim];
  // The number of elements after the last position is a constant if the symbols
  // cancel.
  Dim high = to.size - to.offset - (count - 1) * to.stride - 1;
  if (std::optional<int64_t> number = high.number())
    return spreadByPadding(e, g, to, *number);
  return spreadByGathering(e, g, to);
}

LogicalResult pullBack(tx::SliceOp op, Value g, Pullback &p) {
  if (!op.getOffsets().empty())
    return op.emitOpError("has no gradient where an offset is a value; "
                          "tx.dynamic_slice has one");
  Dims dims = dimsOf(op.getX());
  for (auto [dim, offset, stride] :
       llvm::enumerate(op.getStaticOffsets(), op.getStrides())) {
    if (offset == 0 && stride == 1 && dims[dim] == dimsOf(g)[dim])
      continue;
    g = spread(p.e, g, {static_cast<int64_t>(dim), offset, stride, dims[dim]});
    if (!g)
      return op.emitOpError(
          "has no gradient where a dim of named size is reversed");
  }
  p.set(0, g);
  return success();
}

/// Handles one windowed dim after another. Element w of a window lies w *
/// dilation after the start of the window.
LogicalResult pullBack(tx::WindowsOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  int64_t rank = rankOf(op.getX());
  for (auto [i, dim] : llvm::enumerate(op.getDims())) {
    Value sum;
    for (int64_t w : llvm::seq<int64_t>(0, op.getSizes()[i])) {
      // The remaining windowed dims follow x's dims, this one's first.
      Value one = e.sliceAlong(g, rank, w, 1);
      SmallVector<Dim> dims(dimsOf(one));
      dims.erase(dims.begin() + rank);
      Value placed = spread(e, e.reshape(one, dims),
                            {dim, w * op.getDilations()[i], op.getStrides()[i],
                             dimsOf(op.getX())[dim]});
      sum = sum ? e.add(sum, placed) : placed;
    }
    g = sum;
  }
  p.set(0, g);
  return success();
}

} // namespace tensorc::compiler::autodiff
