//===- Matrices.cpp - Skeleton around small matrices, for a grid ----------===//
//
// A block takes a few matrices, each of which has a thread for each row:
//   a = matrix, y = right-hand sides, into shared memory; barrier
//   for each column: what the method does with the rows; barrier
//   for each element of the result: epilogue, store
//
// Threads of one matrix are a power of two. Where the batch ends, a block's
// other threads work on its last matrix and store nothing.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simt/Grid.h"
#include "codegen/emitters/simt/Skeletons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tensorc::codegen::simt {

/// Of a block, as a rule: several blocks share what a processor has.
static constexpr int64_t mostThreads = 128, mostSharedBytes = 32 << 10;

namespace {
class MatricesSkeleton {
public:
  explicit MatricesSkeleton(KernelBuilder &kernel)
      : kernel(kernel), b(kernel.b) {}

  FailureOr<Offers> offer();
  FailureOr<KernelSpec> emit();

private:
  /// A matrix in shared memory, for each slot of a block. Rows are an odd
  /// number of elements apart, so that those of a column are in different
  /// banks.
  struct Shared {
    int64_t rows = 0, columns = 0;
    Value memory, base;

    int64_t stride() const { return columns | 1; }
    int64_t elements() const { return rows * stride(); }
  };

  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
  tx::CustomCallOp call;
  FloatType element;
  int64_t n = 0, lanes = 0;
  Shared a, y;
  /// The thread's row of its matrix, and an i1: whether there is such a row.
  Value row, isRow;

  LogicalResult find();
  bool has(StringRef option);
  int64_t mostPerBlock();
  AffineExpr count();
  LogicalResult emitBlock(Value block, int64_t perBlock);
  LogicalResult load(Value v, const Shared &to, ValueRange batch);
  LogicalResult store(ValueRange batch, function_ref<Value(Value, Value)> of);
  LogicalResult cholesky(ValueRange batch, Value inside);
  void eliminate(Value k);
  Value pivotOf(Value k);
  void exchange(const Shared &of, Value first, Value i, Value j);
  void substitute(bool upper, bool transposed, bool unit);

  Value index(int64_t v) { return indexConstant(kernel, v); }
  Value number(double v) { return constantOf(b, b.getLoc(), element, v); }
  Value place(const Shared &of, Value i, Value j) {
    return add(kernel, of.base,
               add(kernel, mul(kernel, i, index(of.stride())), j));
  }
  Value get(const Shared &of, Value i, Value j) {
    return memref::LoadOp::create(b, of.memory, place(of, i, j));
  }
  void set(const Shared &of, Value i, Value j, Value v) {
    memref::StoreOp::create(b, v, of.memory, place(of, i, j));
  }
  /// sum - x z, rounded once.
  Value lessProduct(Value sum, Value x, Value z) {
    return math::FmaOp::create(b, arith::NegFOp::create(b, x), z, sum);
  }
  Value magnitude(Value x) { return math::AbsFOp::create(b, x); }
  Value both(Value p, Value q) { return arith::AndIOp::create(b, p, q); }
  Value compare(arith::CmpFPredicate predicate, Value x, Value z) {
    return arith::CmpFOp::create(b, predicate, x, z);
  }
  Value select(Value condition, Value x, Value z) {
    return arith::SelectOp::create(b, condition, x, z);
  }
  Value isBelow(Value i, Value j) { return less(kernel, i, j); }
  /// Loops whose bodies cannot fail.
  Values loop(Value lower, Value upper, int64_t step, ValueRange carried,
              function_ref<Values(Value, ValueRange)> body) {
    return *forStrided(kernel, lower, upper, index(step), carried,
                       [&](Value i, ValueRange values) -> FailureOr<Values> {
                         return body(i, values);
                       });
  }
  void each(Value lower, Value upper, int64_t step,
            function_ref<void(Value)> body) {
    loop(lower, upper, step, {}, [&](Value i, ValueRange) {
      body(i);
      return Values();
    });
  }
  void where(Value condition, function_ref<void()> body) {
    (void)when(kernel, condition, [&] { return body(), success(); });
  }
};
} // namespace

LogicalResult MatricesSkeleton::find() {
  for (Operation &op : kernel.body().without_terminator())
    if (tx::isOfSmallMatrices(&op))
      call = cast<tx::CustomCallOp>(op);
  if (!call)
    return kernel.fusion.emitOpError("has no factorization of small matrices");
  auto matrices = cast<RankedTensorType>(call.getInputs()[0].getType());
  element = cast<FloatType>(matrices.getElementType());
  n = matrices.getShape().back();
  lanes = llvm::PowerOf2Ceil(n);
  a.rows = a.columns = n;
  if (call.getInputs().size() > 1) {
    y.rows = n;
    y.columns =
        cast<RankedTensorType>(call.getInputs()[1].getType()).getShape().back();
  }
  Value result = call.getResult(0);
  SmallVector<AffineExpr> shape = kernel.dims(result);
  analysis::Index all =
      analysis::IterationSpace(kernel.names, shape).identity();
  SmallVector<std::pair<Value, analysis::Index>> roots;
  for (Value root : kernel.yield().getValues()) {
    if (kernel.dims(root) != shape)
      return call.emitError("is of another shape than its fusion's outputs");
    roots.push_back({root, all});
  }
  return verifyReadInPlace(
      kernel, shape, roots, [&](Value v) { return v == result; }, all);
}

bool MatricesSkeleton::has(StringRef option) {
  SmallVector<StringRef> options;
  call.getConfig().value_or("").split(options, ' ');
  return llvm::is_contained(options, option);
}

AffineExpr MatricesSkeleton::count() {
  SmallVector<AffineExpr> batch = kernel.dims(call.getResult(0));
  return kernel.names.product(ArrayRef(batch).drop_back(2));
}

/// A power of two.
int64_t MatricesSkeleton::mostPerBlock() {
  int64_t bytes = (a.elements() + y.elements()) * (element.getWidth() / 8);
  auto all = dyn_cast<AffineConstantExpr>(count());
  int64_t most = 1;
  while (2 * most * lanes <= mostThreads &&
         2 * most * bytes <= mostSharedBytes && (!all || most < all.getValue()))
    most *= 2;
  return most;
}

FailureOr<Offers> MatricesSkeleton::offer() {
  if (failed(find()))
    return failure();
  Offers offers;
  for (int64_t matrices = mostPerBlock(); matrices > 0; matrices /= 2)
    offers.push_back({{"matrices", matrices}});
  return offers;
}

/// Shared out over the threads of the matrix, neighbours side by side.
LogicalResult MatricesSkeleton::load(Value v, const Shared &to,
                                     ValueRange batch) {
  analysis::IterationSpace space(kernel.names, kernel.dims(v));
  auto body = [&](Value e, ValueRange) -> FailureOr<Values> {
    Value i = div(kernel, e, index(to.columns));
    Value j = rem(kernel, e, index(to.columns));
    Values dims(batch);
    dims.append({i, j});
    ExpressionEmitter elements(kernel, space, dims);
    FailureOr<Value> loaded = elements.emit(v, space.identity());
    if (failed(loaded))
      return failure();
    set(to, i, j, *loaded);
    return Values();
  };
  return success(succeeded(forStrided(kernel, row, index(to.rows * to.columns),
                                      index(lanes), {}, body)));
}

/// The outputs, where the result has what `of` gives.
LogicalResult MatricesSkeleton::store(ValueRange batch,
                                      function_ref<Value(Value, Value)> of) {
  Value result = call.getResult(0);
  analysis::IterationSpace space(kernel.names, kernel.dims(result));
  int64_t columns = cast<RankedTensorType>(result.getType()).getShape().back();
  auto body = [&](Value e, ValueRange) -> FailureOr<Values> {
    Value i = div(kernel, e, index(columns));
    Value j = rem(kernel, e, index(columns));
    Values dims(batch);
    dims.append({i, j});
    ExpressionEmitter elements(kernel, space, dims);
    elements.bind(result, of(i, j));
    if (failed(elements.storeOutputs(space.identity())))
      return failure();
    return Values();
  };
  return success(succeeded(
      forStrided(kernel, row, index(n * columns), index(lanes), {}, body)));
}

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

/// Column by column. Each thread computes the pivot, which is one sum more, and
/// keeps that of its own row: so one barrier per column is enough.
LogicalResult MatricesSkeleton::cholesky(ValueRange batch, Value inside) {
  Value zero = index(0), one = index(1), rows = index(n);
  Value largest = constantOf(
      b, b.getLoc(), element,
      APFloat::getLargest(element.getFloatSemantics()).convertToDouble());
  // The pivot's root, and the rows of the block that is not positive definite.
  Values done = loop(
      zero, rows, 1, {number(1), number(0)}, [&](Value j, ValueRange carried) {
        Value mine = select(isRow, row, j); // no row that another writes
        Values sums =
            loop(zero, j, 1, {get(a, j, j), get(a, mine, j)},
                 [&](Value k, ValueRange sums) {
                   Value factor = get(a, j, k);
                   return Values{lessProduct(sums[0], factor, factor),
                                 lessProduct(sums[1], get(a, mine, k), factor)};
                 });
        Value isGood =
            both(compare(arith::CmpFPredicate::OGT, sums[0], number(0)),
                 compare(arith::CmpFPredicate::OLE, sums[0], largest));
        Value root =
            math::SqrtOp::create(b, select(isGood, sums[0], number(1)));
        where(both(isRow, isBelow(j, row)),
              [&] { set(a, row, j, arith::DivFOp::create(b, sums[1], root)); });
        barrier(kernel);
        Value block = arith::SIToFPOp::create(
            b, element,
            arith::IndexCastOp::create(b, b.getI32Type(), add(kernel, j, one)));
        Value isFirst = both(
            compare(arith::CmpFPredicate::OEQ, carried[1], number(0)),
            arith::XOrIOp::create(
                b, isGood, arith::ConstantIntOp::create(b, 1, /*width=*/1)));
        return Values{select(equal(kernel, row, j), root, carried[0]),
                      select(isFirst, block, carried[1])};
      });
  where(isRow, [&] { set(a, row, row, done[0]); });
  barrier(kernel);
  bool upper = has("upper");
  auto result = [&](Value i, Value j) {
    Value factorColumn = min(kernel, j, index(n - 1)); // that of info is beyond
    Value value = upper ? get(a, factorColumn, i) : get(a, i, factorColumn);
    Value isOutside = upper ? isBelow(j, i) : isBelow(i, j);
    value = select(isOutside, number(0), value);
    Value isWhole = compare(arith::CmpFPredicate::OEQ, done[1], number(0));
    value = select(isWhole, value,
                   number(std::numeric_limits<double>::quiet_NaN()));
    if (!has("info"))
      return value;
    Value info = select(equal(kernel, i, zero), done[1], number(0));
    return select(equal(kernel, j, rows), info, value);
  };
  return when(kernel, inside, [&] { return store(batch, result); });
}

//===----------------------------------------------------------------------===//
// Systems
//===----------------------------------------------------------------------===//

/// The row from k on that has column k's largest element; every thread looks
/// for itself.
Value MatricesSkeleton::pivotOf(Value k) {
  return loop(add(kernel, k, index(1)), index(n), 1,
              {k, magnitude(get(a, k, k))},
              [&](Value i, ValueRange best) {
                Value here = magnitude(get(a, i, k));
                Value isLarger =
                    compare(arith::CmpFPredicate::OGT, here, best[1]);
                return Values{select(isLarger, i, best[0]),
                              select(isLarger, here, best[1])};
              })
      .front();
}

/// Rows i and j, from the column `first` on.
void MatricesSkeleton::exchange(const Shared &of, Value first, Value i,
                                Value j) {
  each(add(kernel, first, row), index(of.columns), lanes, [&](Value c) {
    Value x = get(of, i, c), z = get(of, j, c);
    set(of, i, c, z);
    set(of, j, c, x);
  });
}

/// One step of the elimination with row exchanges.
void MatricesSkeleton::eliminate(Value k) {
  Value pivot = pivotOf(k);
  barrier(kernel);
  exchange(a, k, k, pivot);
  exchange(y, index(0), k, pivot);
  barrier(kernel);
  where(both(isRow, isBelow(k, row)), [&] {
    Value factor = arith::DivFOp::create(b, get(a, row, k), get(a, k, k));
    auto subtract = [&](const Shared &of, Value first) {
      each(first, index(of.columns), 1, [&](Value c) {
        set(of, row, c, lessProduct(get(of, row, c), factor, get(of, k, c)));
      });
    };
    subtract(a, add(kernel, k, index(1)));
    subtract(y, index(0));
  });
  barrier(kernel);
}

/// a's triangle, or that of its transpose, against y, which becomes the result.
void MatricesSkeleton::substitute(bool upper, bool transposed, bool unit) {
  upper ^= transposed;
  each(index(0), index(n), 1, [&](Value step) {
    Value i = upper ? sub(kernel, index(n - 1), step) : step;
    if (!unit) {
      each(row, index(y.columns), lanes, [&](Value c) {
        set(y, i, c, arith::DivFOp::create(b, get(y, i, c), get(a, i, i)));
      });
      barrier(kernel);
    }
    Value isLeft = upper ? isBelow(row, i) : isBelow(i, row);
    where(both(isRow, isLeft), [&] {
      Value factor = transposed ? get(a, i, row) : get(a, row, i);
      each(index(0), index(y.columns), 1, [&](Value c) {
        set(y, row, c, lessProduct(get(y, row, c), factor, get(y, i, c)));
      });
    });
    barrier(kernel);
  });
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

LogicalResult MatricesSkeleton::emitBlock(Value block, int64_t perBlock) {
  Value thread = threadId(kernel, perBlock * lanes);
  Value slot = div(kernel, thread, index(lanes));
  row = rem(kernel, thread, index(lanes));
  isRow = less(kernel, row, index(n));
  for (Shared *each : {&a, &y})
    each->base = mul(kernel, slot, index(each->elements()));
  Value matrix = add(kernel, mul(kernel, block, index(perBlock)), slot);
  Value all = kernel.size(count());
  Value inside = less(kernel, matrix, all);
  matrix = min(kernel, matrix, sub(kernel, all, index(1)));
  SmallVector<AffineExpr> shape = kernel.dims(call.getResult(0));
  Values batch = delinearize(kernel, matrix, ArrayRef(shape).drop_back(2));
  if (failed(load(call.getInputs()[0], a, batch)) ||
      (y.memory && failed(load(call.getInputs()[1], y, batch))))
    return failure();
  barrier(kernel);
  if (!y.memory)
    return cholesky(batch, inside);
  if (call.getName() == "linalg.triangular_solve") {
    substitute(has("upper"), has("transposed"), has("unit"));
  } else {
    each(index(0), index(n), 1, [&](Value k) { eliminate(k); });
    substitute(/*upper=*/true, /*transposed=*/false, /*unit=*/false);
  }
  return when(kernel, inside, [&] {
    return store(batch, [&](Value i, Value j) { return get(y, i, j); });
  });
}

FailureOr<KernelSpec> MatricesSkeleton::emit() {
  if (failed(find()))
    return failure();
  int64_t perBlock = kernel.scheduled("matrices"), threads = perBlock * lanes;
  for (Shared *each : {&a, &y})
    if (each->rows > 0)
      each->memory =
          kernel.addWorkgroupMemory(perBlock * each->elements(), element);
  AffineExpr blocks = kernel.names.simplify(count().ceilDiv(perBlock));
  auto body = [&](Value block) -> LogicalResult {
    if (failed(emitBlock(block, perBlock)))
      return failure();
    if (mayRepeat(blocks, threads))
      barrier(kernel);
    return success();
  };
  if (failed(forBlocks(kernel, blocks, threads, body)))
    return failure();
  return finish(kernel, blocks, threads);
}

const Skeleton matrices = {
    .name = "rows",
    .kind = tx::kinds::matrices,
    .match = matchAll,
    .schedules = [](KernelBuilder &fusion,
                    tx::OrderAttr) { return MatricesSkeleton(fusion).offer(); },
    .emit =
        [](KernelBuilder &kernel) {
          return single(MatricesSkeleton(kernel).emit());
        }};

} // namespace tensorc::codegen::simt
