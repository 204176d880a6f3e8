//===- FftSkeleton.cpp - Fourier transforms on CPUs -----------------------===//
//
// Lanes are independent transforms: a vector holds the same element of several
// rows (or of several columns of a row's matrix). Each step is the scalar
// algorithm applied to vectors, and needs no shuffles.
//
// Short rows:
//
// for each group of rows, one per lane:
//   load the rows to the thread's scratch memory and transpose them: a vector
//   then holds the same element of each row
//   for each step: butterflies
//   transpose back, store
//
// Long rows are handled as matrices (ir/fourier/Plan.h):
//
// for each row:
//   for each group of columns: load, all steps, multiply by roots, to scratch
//   for each group of rows of the matrix: transpose, all steps, store
//
// FftAcross.cpp emits transforms along a dim that is not innermost in memory.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/fft/FftSkeleton.h"
#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/TransposedBlock.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using Values = SmallVector<Value>;

LogicalResult FftSkeleton::loop(Value lower, Value upper, int64_t step,
                                function_ref<LogicalResult(Value i)> body) {
  return success(succeeded(
      forRange(kernel, lower, upper, step, {},
               [&](Value i, ValueRange) -> FailureOr<SmallVector<Value>> {
                 if (failed(body(i)))
                   return failure();
                 return SmallVector<Value>();
               })));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Planes FftSkeleton::takeScratch(int64_t count) {
  Planes planes;
  for (Value &part : planes.part) {
    part = memref::ViewOp::create(
        b, MemRefType::get({count}, vector.getElementType()), kernel.scratch(),
        index(scratchBytes), ValueRange());
    // The buffers are padded by a cache line, because with a power of two real
    // and imaginary parts would map to the same L1 set.
    scratchBytes += count * vector.getElementTypeBitWidth() / 8 + 64;
  }
  return planes;
}

Complex FftSkeleton::loadVector(const Planes &from, Value at) {
  return {vector::LoadOp::create(b, vector, from.part[0], at),
          vector::LoadOp::create(b, vector, from.part[1], at)};
}

void FftSkeleton::storeVector(Complex x, const Planes &to, Value at) {
  vector::StoreOp::create(b, x.re, to.part[0], at);
  vector::StoreOp::create(b, x.im, to.part[1], at);
}

/// Loads a number from the table of roots and broadcasts it to all lanes.
Value FftSkeleton::root(Value at) {
  return vector::BroadcastOp::create(b, vector,
                                     memref::LoadOp::create(b, table(), at));
}

FailureOr<Complex> FftSkeleton::emitOperand(ArrayRef<Value> row, Value at,
                                            Value mask) {
  analysis::IterationSpace space(kernel.names, shape);
  Values dims{index(0)}, parts(2);
  llvm::append_range(dims, row);
  dims.push_back(at);
  analysis::Index position = space.identity();
  ExpressionEmitter elements(kernel, space, dims,
                             ExpressionEmitter::Lanes{laneDim, lanes}, mask);
  for (int64_t part : {0, 1}) {
    position[0] = kernel.names.constant(part);
    FailureOr<Value> x = elements.emitLanes(op.getX(), position);
    if (failed(x))
      return failure();
    parts[partIn(part)] = *x;
  }
  return Complex{parts[0], parts[1]};
}

/// Determines how the outputs read the transform, and sets `read` and the dims
/// below it. The fusion rule (compiler/transforms/fusion/FftRule.cpp)
/// guarantees that each output reads one row, either both of its parts or only
/// one.
void FftSkeleton::findRead() {
  SmallVector<AffineExpr> sizes = kernel.dims(kernel.yield().getValues()[0]);
  analysis::IterationSpace space(kernel.names, sizes);
  dimOf.resize(sizes.size());
  bool isArbitrary = false;
  std::optional<unsigned> positionDim;
  auto onRead = [&](Value v, const analysis::Index &at) {
    if (v != op.getResult())
      return;
    read = at;
    for (auto [i, e] : llvm::enumerate(ArrayRef(at).drop_back()))
      if (auto dim = dyn_cast<AffineDimExpr>(e))
        dimOf[dim.getPosition()] = i;
    for (unsigned d = 0; d < sizes.size(); ++d)
      if (at.back().isFunctionOfDim(d))
        positionDim = d;
    isArbitrary |=
        !isa<AffineDimExpr>(at.back()) || sizes[*positionDim] != shape.back();
  };
  for (Value root : kernel.yield().getValues())
    analysis::walkReads(
        root, space.identity(), space,
        [&](Value s) { return kernel.symbolOf(s); },
        [&](Value v) { return v == op.getResult(); }, onRead,
        [](const analysis::Guard &) {});
  if (positionDim)
    dimOf[*positionDim] = shape.size() - 1;
  if (isArbitrary)
    arbitraryDim = positionDim;
  for (auto [d, size] : llvm::enumerate(sizes))
    if (dimOf[d].value_or(0) == 0 && size == kernel.names.constant(2))
      partDim = d;
}

LogicalResult FftSkeleton::storeResult(Complex x, ArrayRef<Value> row, Value at,
                                       Value mask) {
  if (op.getInverse())
    std::swap(x.re, x.im);
  if (!arbitraryDim)
    return storeOutputs(row, at, mask, [&](ExpressionEmitter &elements) {
      analysis::Index from = read;
      for (int64_t p : {0, 1}) {
        from[0] = kernel.names.constant(p);
        elements.bindElement(op.getResult(), from, p == 0 ? x.re : x.im);
      }
    });
  const Value parts[] = {x.re, x.im};
  for (auto [part, to] : llvm::zip(parts, spectrum.part))
    if (mask)
      vector::MaskedStoreOp::create(b, to, at, mask, part);
    else
      vector::StoreOp::create(b, part, to, at);
  return success();
}

LogicalResult
FftSkeleton::storeOutputs(ArrayRef<Value> row, Value at, Value mask,
                          function_ref<void(ExpressionEmitter &)> bindElement) {
  SmallVector<AffineExpr> sizes = kernel.dims(kernel.yield().getValues()[0]);
  analysis::IterationSpace space(kernel.names, sizes);
  auto store = [&](std::optional<int64_t> part) -> LogicalResult {
    Values dims;
    unsigned lane = 0;
    analysis::Index position = space.identity();
    for (auto [d, of] : llvm::enumerate(dimOf)) {
      unsigned dim = of.value_or(0);
      if (dim == laneDim)
        lane = d;
      dims.push_back(dim == 0                  ? index(0)
                     : dim + 1 == shape.size() ? at
                                               : row[dim - 1]);
    }
    if (part)
      position[*partDim] = kernel.names.constant(*part);
    ExpressionEmitter elements(kernel, space, dims,
                               ExpressionEmitter::Lanes{lane, lanes}, mask);
    bindElement(elements);
    return partDim && !part ? elements.storeShortRows(position, 2)
                            : elements.storeOutputs(position);
  };
  if (!partDim || *partDim + 1 == sizes.size())
    return store(std::nullopt);
  return success(succeeded(store(0)) && succeeded(store(1)));
}

LogicalResult FftSkeleton::storeRow(ArrayRef<Value> row, const Planes &from,
                                    Value offset) {
  for (Value part : from.part)
    memref::StoreOp::create(b, memref::LoadOp::create(b, part, offset), part,
                            add(offset, index(plan.length)));
  AffineExpr size = kernel.dims(kernel.yield().getValues()[0])[*arbitraryDim];
  return success(succeeded(forLanes(
      kernel, index(0), kernel.size(size), lanes, size, {},
      [&](Value at, Value mask, ValueRange) -> FailureOr<Values> {
        auto bindElement = [&](ExpressionEmitter &elements) {
          elements.bindRows(op.getResult(), from.part, offset);
        };
        if (failed(storeOutputs(row, at, mask, bindElement)))
          return failure();
        return Values();
      },
      /*mayRepeat=*/false)));
}

//===----------------------------------------------------------------------===//
// Transforms of vectors
//===----------------------------------------------------------------------===//

/// Emits one transform by the Stockham algorithm. A step of radix r combines r
/// elements that are left * done apart, and stores its results `done` apart.
LogicalResult FftSkeleton::transform(ArrayRef<int64_t> radices, int64_t length,
                                     int64_t roots, Load load, Store store) {
  int64_t done = 1, left = length;
  for (auto [number, radix] : llvm::enumerate(radices)) {
    left /= radix;
    bool isFirst = number == 0, isLast = left == 1;
    Planes &from = planes[(number + 1) % 2], &to = planes[number % 2];
    auto step = [&](Value p, Value q, ArrayRef<Complex> w) -> LogicalResult {
      SmallVector<Complex> x;
      for (int64_t k = 0; k < radix; ++k) {
        Value position = add(mul(p, done), add(q, index(k * left * done)));
        FailureOr<Complex> element =
            isFirst ? load(position) : loadVector(from, mul(position, lanes));
        if (failed(element))
          return failure();
        x.push_back(*element);
      }
      x = math.transform(x);
      for (int64_t j = 0; j < radix; ++j) {
        if (j > 0 && !w.empty())
          x[j] = math.multiply(x[j], w[j - 1]);
        Value position = add(mul(p, done * radix), add(q, index(j * done)));
        if (!isLast)
          storeVector(x[j], to, mul(position, lanes));
        else if (failed(store(position, x[j])))
          return failure();
      }
      return success();
    };
    auto steps = [&](Value p) -> LogicalResult {
      SmallVector<Complex> w;
      for (int64_t j = 0; j + 1 < radix && !isLast; ++j) {
        Value at = add(mul(p, 2 * (radix - 1)), index(roots + 2 * j));
        w.push_back({root(at), root(add(at, index(1)))});
      }
      if (done == 1)
        return step(p, index(0), w);
      return loop(done, 1, [&](Value q) { return step(p, q, w); });
    };
    if (failed(isLast ? steps(index(0)) : loop(left, 1, steps)))
      return failure();
    if (!isLast)
      roots += 2 * left * (radix - 1);
    done *= radix;
  }
  return success();
}

/// Transposes `count` squares of `lanes` x `lanes` elements. In `from`, the
/// rows of a square are `stride` elements apart, and squares are `advance`
/// elements apart. In `to`, these distances are `toStride` and `toAdvance`.
LogicalResult FftSkeleton::transpose(const Planes &from, Value at,
                                     int64_t stride, int64_t advance,
                                     const Planes &to, int64_t toStride,
                                     int64_t toAdvance, int64_t count) {
  return loop(count, 1, [&](Value square) {
    for (int64_t part : {0, 1}) {
      SmallVector<Value> rows;
      Value first = add(at, mul(square, advance));
      for (int64_t i = 0; i < lanes; ++i)
        rows.push_back(vector::LoadOp::create(b, vector, from.part[part],
                                              add(first, index(i * stride))));
      rows = transposed(b, rows);
      for (auto [i, row] : llvm::enumerate(rows))
        vector::StoreOp::create(
            b, row, to.part[part],
            add(mul(square, toAdvance), index(i * toStride)));
    }
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Transforms a group of rows, one per lane. Lanes past the last row repeat it.
LogicalResult FftSkeleton::emitRows(Value item) {
  int64_t length = plan.length, stride = padded(length);
  int64_t toStride = arbitraryDim ? padded(length + 1) : stride;
  SmallVector<AffineExpr> sizes = rowSizes();
  Value last = b.createOrFold<arith::SubIOp>(
      kernel.size(kernel.names.product(sizes)), index(1));
  auto rowOf = [&](Value lane) {
    Value row = add(mul(item, lanes), lane);
    return delinearize(kernel, b.createOrFold<arith::MinSIOp>(row, last),
                       sizes);
  };
  auto overLanes = [&](function_ref<LogicalResult(Value, Value)> body) {
    return success(succeeded(forLanes(
        kernel, index(0), index(length), lanes, kernel.names.constant(length),
        {},
        [&](Value i, Value mask, ValueRange) -> FailureOr<SmallVector<Value>> {
          if (failed(body(i, mask)))
            return failure();
          return SmallVector<Value>();
        })));
  };
  // planes[0] holds the rows one after the other, planes[1] their transpose.
  if (failed(loop(lanes, 1, [&](Value lane) {
        Values row = rowOf(lane);
        return overLanes([&](Value i, Value mask) -> LogicalResult {
          FailureOr<Complex> x = emitOperand(row, i, mask);
          if (failed(x))
            return failure();
          storeVector(*x, planes[0], add(mul(lane, stride), i));
          return success();
        });
      })))
    return failure();
  int64_t squares = stride / lanes;
  (void)transpose(planes[0], index(0), stride, lanes, planes[1], lanes,
                  lanes * lanes, squares);
  fourier::Radices radices = plan.rowRadices();
  Planes &result = planes[(radices.size() + 1) % 2],
         &rows = planes[radices.size() % 2];
  if (failed(transform(
          radices, length, plan.rowTable(),
          [&](Value position) -> FailureOr<Complex> {
            return loadVector(planes[1], mul(position, lanes));
          },
          [&](Value position, Complex x) {
            storeVector(x, result, mul(position, lanes));
            return success();
          })))
    return failure();
  (void)transpose(result, index(0), lanes, lanes * lanes, rows, toStride, lanes,
                  squares);
  return loop(lanes, 1, [&](Value lane) {
    Values row = rowOf(lane);
    if (arbitraryDim) // the parts of an inverse transform are swapped
      return storeRow(row, {{rows.part[partIn(0)], rows.part[partIn(1)]}},
                      mul(lane, toStride));
    return overLanes([&](Value i, Value mask) {
      return storeResult(loadVector(rows, add(mul(lane, stride), i)), row, i,
                         mask);
    });
  });
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// Transforms the columns of a row's matrix and multiplies them by roots.
/// Column c consists of elements c, c + columns, c + 2 * columns, ... of the
/// row.
LogicalResult FftSkeleton::transformColumns(ArrayRef<Value> row,
                                            const Planes &matrix) {
  int64_t stride = padded(plan.columns);
  int64_t imaginary = plan.rows * plan.crossStride();
  auto column = [&](Value c, Value mask) {
    auto load = [&](Value position) {
      return emitOperand(row, add(mul(position, plan.columns), c), mask);
    };
    auto store = [&](Value position, Complex x) {
      Value at = add(add(mul(position, plan.crossStride()), c),
                     index(plan.crossTable()));
      Complex w{vector::LoadOp::create(b, vector, table(), at),
                vector::LoadOp::create(b, vector, table(),
                                       add(at, index(imaginary)))};
      storeVector(math.multiply(x, w), matrix, add(mul(position, stride), c));
      return success();
    };
    return transform(plan.rowRadices(), plan.rows, plan.rowTable(), load,
                     store);
  };
  return success(succeeded(forLanes(
      kernel, index(0), index(plan.columns), lanes,
      kernel.names.constant(plan.columns), {},
      [&](Value c, Value mask, ValueRange) -> FailureOr<SmallVector<Value>> {
        if (failed(column(c, mask)))
          return failure();
        return SmallVector<Value>();
      },
      /*mayRepeat=*/false)));
}

/// Transforms the rows of the matrix. Element k of the transformed row j is
/// element k * rows + j of the result.
LogicalResult FftSkeleton::transformMatrixRows(ArrayRef<Value> row,
                                               const Planes &matrix) {
  int64_t stride = padded(plan.columns);
  auto rows = [&](Value j, Value mask) {
    if (failed(transpose(matrix, mul(j, stride), stride, lanes, planes[1],
                         lanes, lanes * lanes, stride / lanes)))
      return failure();
    return transform(
        plan.columnRadices(), plan.columns, plan.columnTable(),
        [&](Value position) -> FailureOr<Complex> {
          return loadVector(planes[1], mul(position, lanes));
        },
        [&](Value position, Complex x) {
          return storeResult(x, row, add(mul(position, plan.rows), j), mask);
        });
  };
  return success(succeeded(forLanes(
      kernel, index(0), index(plan.rows), lanes,
      kernel.names.constant(plan.rows), {},
      [&](Value j, Value mask, ValueRange) -> FailureOr<SmallVector<Value>> {
        if (failed(rows(j, mask)))
          return failure();
        return SmallVector<Value>();
      },
      /*mayRepeat=*/false)));
}

FailureOr<KernelSpec> FftSkeleton::emitAlong() {
  int64_t maxLength = std::max(padded(plan.rows + (arbitraryDim ? 1 : 0)),
                               padded(plan.columns));
  for (Planes &each : planes)
    each = takeScratch(maxLength * lanes);
  Planes matrix;
  if (plan.isMatrix())
    matrix = takeScratch(padded(plan.rows) * padded(plan.columns));
  if (plan.isMatrix() && arbitraryDim)
    spectrum = takeScratch(padded(plan.length + 1));
  AffineExpr count = kernel.names.product(rowSizes());
  auto item = [&](Value i) -> LogicalResult {
    if (!plan.isMatrix())
      return emitRows(i);
    Values row = delinearize(kernel, i, rowSizes());
    if (failed(transformColumns(row, matrix)) ||
        failed(transformMatrixRows(row, matrix)))
      return failure();
    return arbitraryDim ? storeRow(row, spectrum, index(0)) : success();
  };
  if (failed(loop(kernel.begin(), kernel.end(), 1, item)))
    return failure();
  int64_t together = plan.isMatrix() ? 1 : lanes;
  return kernel.finish(
      count.ceilDiv(together),
      kernel.names.constant(llvm::divideCeil(kernel.costs().transformGrain,
                                             plan.length * together)),
      kernel.names.constant(scratchBytes));
}

static tx::DftOp findDft(KernelBuilder &kernel) {
  for (Operation &op : kernel.body().without_terminator())
    if (auto dft = dyn_cast<tx::DftOp>(op))
      return dft;
  return {};
}

static FailureOr<EmittedKernels> emitFft(KernelBuilder &kernel) {
  if (tx::DftOp dft = findDft(kernel))
    return single(FftSkeleton(kernel, dft).emitAlong());
  return kernel.fusion.emitOpError("has no Fourier transform");
}

static bool matchFftAcross(KernelBuilder &fusion, tx::OrderAttr) {
  tx::DftOp dft = findDft(fusion);
  return dft && FftSkeleton(fusion, dft).isAcross();
}

static FailureOr<EmittedKernels> emitFftAcross(KernelBuilder &kernel) {
  FftSkeleton skeleton(kernel, findDft(kernel));
  bool matched = skeleton.isAcross();
  (void)matched;
  assert(matched && "was offered");
  return single(skeleton.emitAcross());
}

const Skeleton fft = {"rows", tx::kinds::fft, matchAll, offerNothing, emitFft};
const Skeleton fftAcross = {"columns", tx::kinds::fft, matchFftAcross,
                            offerNothing, emitFftAcross};

} // namespace tensorc::codegen::simd
