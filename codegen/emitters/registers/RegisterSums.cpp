//===- RegisterSums.cpp - Reductions and contractions in registers --------===//

#include "codegen/emitters/registers/RegisterSums.h"
#include "codegen/emitters/Combiner.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace tensorc::codegen {

using Source = RegisterBuilder::Source;

/// Returns the offset of each index over `dims` in a row-major tensor of this
/// shape, in row-major order of the indices.
static SmallVector<int64_t> positionsOf(ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> dims) {
  SmallVector<int64_t> strides = computeStrides(shape), positions{0};
  for (int64_t d : dims) {
    SmallVector<int64_t> next;
    for (int64_t position : positions)
      for (int64_t i = 0; i < shape[d]; ++i)
        next.push_back(position + i * strides[d]);
    positions = std::move(next);
  }
  return positions;
}

/// Returns the dims that are in none of the lists.
static SmallVector<int64_t> otherDims(size_t rank,
                                      ArrayRef<ArrayRef<int64_t>> lists) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < static_cast<int64_t>(rank); ++d)
    if (llvm::none_of(lists, [&](ArrayRef<int64_t> list) {
          return llvm::is_contained(list, d);
        }))
      dims.push_back(d);
  return dims;
}

FailureOr<RegisterValue> reduceInRegisters(RegisterBuilder &r,
                                           const TargetInfo &target,
                                           Operation *op, tx::OrderAttr order,
                                           const RegisterValue &x) {
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  SmallVector<int64_t> dims(
      cast<DenseI64ArrayAttr>(op->getAttr("dims")).asArrayRef());
  llvm::sort(dims);
  SmallVector<int64_t> kept =
      positionsOf(shape, otherDims(shape.size(), {dims}));
  SmallVector<int64_t> steps = positionsOf(shape, dims);
  auto keptCount = static_cast<int64_t>(kept.size());
  auto count = static_cast<int64_t>(steps.size());
  Combiner combiner(r.b, target, op);
  auto combine = [&](const RegisterValue &p, const RegisterValue &q) {
    return r.map({&p, &q}, [&](ValueRange parts) -> FailureOr<Value> {
      auto state = combiner.combine(parts[0], parts[1]);
      if (failed(state))
        return failure();
      return (*state)[0];
    });
  };
  RegisterValue elements = x;
  for (Value &part : elements.parts)
    part = combiner.of(part, Value())[0];
  RegisterValue neutral{1, {combiner.neutral(0)[0]}};
  int64_t width = std::min(count, order.getLanes().front());
  auto atStep = [&](int64_t first) {
    return r.move(keptCount * width, [&](int64_t i) {
      int64_t step = first + i % width;
      return step < count ? Source{&elements, kept[i / width] + steps[step]}
                          : Source{&neutral, 0};
    });
  };
  FailureOr<RegisterValue> sum = atStep(0);
  for (int64_t first = width; first < count; first += width)
    if (failed(sum = combine(*sum, atStep(first))))
      return failure();
  for (; width > 1;) {
    auto half = static_cast<int64_t>(llvm::PowerOf2Ceil(width) / 2);
    RegisterValue last = *sum;
    auto halfAt = [&](int64_t first) {
      return r.move(keptCount * half, [&](int64_t i) {
        int64_t lane = first + i % half;
        return lane < width ? Source{&last, i / half * width + lane}
                            : Source{&neutral, 0};
      });
    };
    sum = combine(halfAt(0), halfAt(half));
    if (failed(sum))
      return failure();
    width = half;
  }
  sum = combine(*sum, r.splat(keptCount, neutral.parts[0]));
  if (failed(sum))
    return failure();
  for (Value &part : sum->parts)
    part = combiner.result(part);
  return sum;
}

RegisterValue contractInRegisters(RegisterBuilder &r, tx::DotGeneralOp op,
                                  const RegisterValue &xs,
                                  const RegisterValue &ys) {
  ImplicitLocOpBuilder &b = r.b;
  ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getY());
  SmallVector<int64_t> xSteps = positionsOf(x, op.getXContracting()),
                       ySteps = positionsOf(y, op.getYContracting()),
                       xBatch = positionsOf(x, op.getXBatch()),
                       yBatch = positionsOf(y, op.getYBatch()),
                       rows = positionsOf(
                           x, otherDims(x.size(), {op.getXBatch(),
                                                   op.getXContracting()})),
                       columns = positionsOf(
                           y, otherDims(y.size(), {op.getYBatch(),
                                                   op.getYContracting()}));
  auto numRows = static_cast<int64_t>(rows.size()),
       numColumns = static_cast<int64_t>(columns.size());
  int64_t count = elementsOf(op.getType());
  Type element = op.getType().getElementType();
  RegisterValue sum = r.splat(count, constantOf(b, b.getLoc(), element, 0));
  for (auto [xStep, yStep] : llvm::zip_equal(xSteps, ySteps)) {
    RegisterValue xAt = r.move(count, [&](int64_t i) {
      int64_t row = i / numColumns;
      return Source{&xs, xStep + xBatch[row / numRows] + rows[row % numRows]};
    });
    RegisterValue yAt = r.move(count, [&](int64_t i) {
      return Source{&ys, yStep + yBatch[i / (numRows * numColumns)] +
                             columns[i % numColumns]};
    });
    for (auto [part, p, q] : llvm::zip_equal(sum.parts, xAt.parts, yAt.parts))
      part = isa<VectorType>(part.getType())
                 ? Value(vector::FMAOp::create(b, p, q, part))
                 : Value(math::FmaOp::create(b, p, q, part));
  }
  return sum;
}

} // namespace tensorc::codegen
