//===- PlainAttention.cpp - Attention by multiply-adds on GPUs ------------===//
//
// Operands are in shared memory as [step][row, key or column], in the
// type of the accumulators. For the first product, the threads form a grid with
// 16 of them along the keys, and each computes a few rows and keys. For the
// results, each thread has four columns of a few rows.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simt/attention/StoredScores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using Values = SmallVector<Value>;

/// Number of threads along the keys in the first product.
static constexpr int64_t keyThreads = 16;

namespace {
class PlainAttention : public StoredScores {
public:
  PlainAttention(KernelBuilder &kernel, AttentionPattern pattern)
      : StoredScores(kernel, std::move(pattern)),
        rowsPerThread(rows * columns / (plainColumns * threads)) {}

private:
  int64_t rowsPerThread;

  Type operandType(const Operand &) override { return accumulator; }
  void planMemory() override;
  void multiplyScores() override;
  void storeWeights(Value row, Value key, Value weights) override;
  Values zeroSums() override;
  FailureOr<Values> multiplyValues(ValueRange sums) override;
  void storeSums(ValueRange sums) override;

  VectorType vectorOf(int64_t count) {
    return VectorType::get({count}, accumulator);
  }
  Value load(Value memory, Value at, int64_t count) {
    return loadAccumulators(memory, at, vectorOf(count));
  }
  void store(Value vector, Value memory, Value at) {
    int64_t count = cast<VectorType>(vector.getType()).getNumElements();
    vector::StoreOp::create(b, vector, memory, at, /*nontemporal=*/false,
                            alignment(count));
  }
  /// Returns the thread's first row and first column of the results.
  std::pair<Value, Value> firstElement();
};
} // namespace

void PlainAttention::planMemory() {
  for (Operand *o : {&q, &k, &v})
    planOperand(*o, /*alwaysByPlaces=*/true, accumulatorPadding);
  int64_t factors = arrayBytes(rows, accumulator);
  int64_t either = std::max(k.elements(), v.elements());
  int64_t slices = arrayBytes(q.elements(), accumulator) +
                   arrayBytes(either, accumulator) +
                   arrayBytes(rows * scoreStride, accumulator);
  int64_t results = arrayBytes(rows * patchStride, accumulator);
  shared = kernel.addWorkgroupMemory(factors + std::max(slices, results),
                                     b.getI8Type());
  rowFactors = array(rows, accumulator);
  patch = view(shared, nextByte, rows * patchStride, accumulator);
  q.memory = array(q.elements(), accumulator);
  k.memory = v.memory = array(either, accumulator);
  scores = array(rows * scoreStride, accumulator);
}

void PlainAttention::multiplyScores() {
  int64_t rowPart = rows / (threads / keyThreads), keyPart = keys / keyThreads;
  Value size = indexConstant(kernel, keyThreads);
  Value row =
      mul(kernel, div(kernel, thread, size), indexConstant(kernel, rowPart));
  Value key =
      mul(kernel, rem(kernel, thread, size), indexConstant(kernel, keyPart));
  auto part = [&](const Operand &o, Value step, Value at, int64_t count) {
    Value line = mul(kernel, step, indexConstant(kernel, o.stride()));
    return load(o.memory, add(kernel, line, at), count);
  };
  Values zeros(rowPart, constantOf(b, b.getLoc(), vectorOf(keyPart), 0));
  auto sums = forRange(
      kernel, indexConstant(kernel, 0), indexConstant(kernel, depth), 1, zeros,
      [&](Value step, ValueRange carried) -> FailureOr<Values> {
        Value xs = part(q, step, row, rowPart);
        Value ys = part(k, step, key, keyPart);
        Values next;
        for (auto [r, sum] : llvm::enumerate(carried)) {
          Value x =
              vector::ExtractOp::create(b, xs, ArrayRef<int64_t>{int64_t(r)});
          next.push_back(multiplyAdd(
              vector::BroadcastOp::create(b, ys.getType(), x), ys, sum));
        }
        return next;
      });
  for (auto [r, sum] : llvm::enumerate(*sums)) {
    Value line = mul(kernel, add(kernel, row, indexConstant(kernel, r)),
                     indexConstant(kernel, scoreStride));
    store(sum, scores, add(kernel, line, key));
  }
}

/// Stores the weights in place of their scores.
void PlainAttention::storeWeights(Value row, Value key, Value weights) {
  Value at =
      add(kernel, mul(kernel, row, indexConstant(kernel, scoreStride)), key);
  store(widen(weights), scores, at);
}

Values PlainAttention::zeroSums() {
  return Values(rowsPerThread,
                constantOf(b, b.getLoc(), vectorOf(plainColumns), 0));
}

std::pair<Value, Value> PlainAttention::firstElement() {
  Value across = indexConstant(kernel, columns / plainColumns);
  return {mul(kernel, div(kernel, thread, across),
              indexConstant(kernel, rowsPerThread)),
          mul(kernel, rem(kernel, thread, across),
              indexConstant(kernel, plainColumns))};
}

FailureOr<Values> PlainAttention::multiplyValues(ValueRange sums) {
  auto [row, column] = firstElement();
  Values scaled, lines;
  for (auto [r, sum] : llvm::enumerate(sums)) {
    Value at = add(kernel, row, indexConstant(kernel, r));
    Value factor = memref::LoadOp::create(b, rowFactors, at);
    scaled.push_back(arith::MulFOp::create(
        b, sum, vector::BroadcastOp::create(b, sum.getType(), factor)));
    lines.push_back(mul(kernel, at, indexConstant(kernel, scoreStride)));
  }
  return forRange(
      kernel, indexConstant(kernel, 0), indexConstant(kernel, keys), 1, scaled,
      [&, column = column](Value key, ValueRange carried) -> FailureOr<Values> {
        Value line = mul(kernel, key, indexConstant(kernel, v.stride()));
        Value ys = load(v.memory, add(kernel, line, column), plainColumns);
        Values next;
        for (auto [begin, sum] : llvm::zip(lines, carried)) {
          Value weight =
              memref::LoadOp::create(b, scores, add(kernel, begin, key));
          next.push_back(multiplyAdd(
              vector::BroadcastOp::create(b, ys.getType(), weight), ys, sum));
        }
        return next;
      });
}

void PlainAttention::storeSums(ValueRange sums) {
  auto [row, column] = firstElement();
  for (auto [r, sum] : llvm::enumerate(sums)) {
    Value line = mul(kernel, add(kernel, row, indexConstant(kernel, r)),
                     indexConstant(kernel, patchStride));
    store(sum, patch, add(kernel, line, column));
  }
}

FailureOr<KernelSpec> emitPlainAttention(KernelBuilder &kernel,
                                         AttentionPattern pattern) {
  return PlainAttention(kernel, std::move(pattern)).emit();
}

} // namespace tensorc::codegen::simt
