//===- Random.cpp - Recording random numbers ------------------------------===//

#include "compiler/graph/random/Random.h"

#include "compiler/graph/ops/Composites.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

namespace tensorc::graph {

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

bool checkKey(Recorder &r, const char *op, const NodeRef &key) {
  if (!key)
    r.fail(op, "the key is undefined");
  else if (key->dtype() != DType::UI32 || key->shape() != Ints(2))
    r.fail(op, llvm::Twine("a key is ui32[2], not ") + dtypeName(key->dtype()) +
                   shapeString(key->shape()));
  return r.error.empty();
}

static NodeRef draw(Recorder &r, const char *op, const NodeRef &key,
                    DType dtype, Ints shape, RandomAlgorithm algorithm,
                    const NodeRef &counter = {}) {
  if (!checkKey(r, op, key) || !checkShape(r, op, dtype, shape))
    return {};
  llvm::SmallVector<Node *, 2> inputs{key.get()};
  if (counter)
    inputs.push_back(counter.get());
  return NodeRef::take(Node::create(OpKind::RandomBits, dtype, shape, inputs,
                                    tx::RandomBitsAttributes{algorithm},
                                    r.location));
}

/// Returns the two 32-bit words of an integer modulo 2^64, the low one first.
static NodeRef wordsOf(Recorder &r, const char *op, const Operand &value) {
  NodeRef number;
  if (!value.isScalar) {
    if (!value.node)
      return r.fail(op, "the operand is an undefined tensor");
    if (!isIn(value.node->dtype(), integerMask) || value.node->rank() != 0)
      return r.fail(op, llvm::Twine("needs one integer, not ") +
                            dtypeName(value.node->dtype()) +
                            shapeString(value.node->shape()));
    number = astype(r, value.node, DType::UI64);
  } else if (value.scalar.kind == Scalar::Int ||
             value.scalar.kind == Scalar::UInt) {
    number = NodeRef::take(Node::create(
        OpKind::Full, DType::UI64, {}, {},
        FullAttributes{static_cast<uint64_t>(value.scalar.i)}, r.location));
  } else {
    return r.fail(op, "needs an integer, not " + toString(value.scalar));
  }
  return bitcast(r, reshape(r, number, 1), DType::UI32);
}

NodeRef randomKey(Recorder &r, const Operand &seed) {
  if (seed.isScalar &&
      (seed.scalar.kind == Scalar::Int || seed.scalar.kind == Scalar::UInt)) {
    // Both words as scalars, so that evaluations store the key without code
    // (isOfScalars).
    auto bits = static_cast<uint64_t>(seed.scalar.i);
    NodeRef low = full(r, DType::UI32, 1, Scalar::of(int64_t(uint32_t(bits))));
    NodeRef high = full(r, DType::UI32, 1, Scalar::of(int64_t(bits >> 32)));
    return concatenate(r, {low, high}, 0);
  }
  return wordsOf(r, "random_key", seed);
}

NodeRef splitKey(Recorder &r, const NodeRef &key, int64_t count) {
  return draw(r, "split", key, DType::UI32, {count, 2},
              RandomAlgorithm::Threefry2x32);
}

NodeRef foldIn(Recorder &r, const NodeRef &key, const Operand &data) {
  NodeRef words = wordsOf(r, "fold_in", data);
  if (!words)
    return {};
  return draw(r, "fold_in", key, DType::UI32, 2, RandomAlgorithm::Threefry2x32,
              words);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

NodeRef randomBits(Recorder &r, const NodeRef &key, DType dtype, Ints shape,
                   RandomAlgorithm algorithm) {
  if (dtype != DType::UI32 && dtype != DType::UI64)
    return r.fail("random_bits",
                  llvm::Twine("dtype must be ui32 or ui64, not ") +
                      dtypeName(dtype));
  return draw(r, "random_bits", key, dtype, shape, algorithm);
}

static bool checkFloat(Recorder &r, const char *op, DType dtype) {
  if (!isIn(dtype, floatMask))
    r.fail(op, llvm::Twine("dtype must be a float, not ") + dtypeName(dtype));
  return r.error.empty();
}

/// Returns multiples of 2^-p in [0, 1), where p is the number of bits of the
/// dtype's significand. Narrow floats are computed in f32.
static NodeRef unit(Recorder &r, const char *op, const NodeRef &key,
                    DType dtype, Ints shape) {
  bool isDouble = dtype == DType::F64;
  int64_t precision = isDouble              ? 53
                      : dtype == DType::F32 ? 24
                      : dtype == DType::F16 ? 11
                                            : 8;
  int64_t width = isDouble ? 64 : 32;
  NodeRef bits = draw(r, op, key, isDouble ? DType::UI64 : DType::UI32, shape,
                      RandomAlgorithm::Philox4x32_10);
  if (!bits)
    return {};
  NodeRef high =
      elementwise(r, OpKind::ShrLogical, {bits, Scalar::of(width - precision)});
  // Converts from signed integers, because that is faster. They are not
  // negative here.
  high = bitcast(r, high, isDouble ? DType::I64 : DType::I32);
  return elementwise(r, OpKind::Mul,
                     {astype(r, high, wideOf(dtype)),
                      Scalar::of(std::ldexp(1.0, -precision))});
}

static llvm::APFloat rounded(double value, DType dtype) {
  llvm::APFloat result(value);
  bool lost;
  result.convert(semanticsOf(dtype), llvm::APFloat::rmNearestTiesToEven, &lost);
  return result;
}

static double toDouble(llvm::APFloat value) {
  bool lost;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &lost);
  return value.convertToDouble();
}

NodeRef uniform(Recorder &r, const NodeRef &key, DType dtype, Ints shape,
                double low, double high) {
  if (!checkFloat(r, "uniform", dtype))
    return {};
  NodeRef x = unit(r, "uniform", key, dtype, shape);
  if (!x || (low == 0 && high == 1))
    return astype(r, x, dtype);
  llvm::APFloat below = rounded(high, dtype);
  low = toDouble(rounded(low, dtype));
  high = toDouble(below);
  double range = toDouble(rounded(high - low, wideOf(dtype)));
  if (!std::isfinite(range) || range < 0)
    return r.fail("uniform", "no " + llvm::Twine(dtypeName(dtype)) +
                                 " range from " + std::to_string(low) + " to " +
                                 std::to_string(high));
  if (low < high)
    below.next(/*nextDown=*/true);
  x = elementwise(r, OpKind::Mul, {x, Scalar::of(range)});
  x = elementwise(r, OpKind::Add, {x, Scalar::of(low)});
  // The sum may round up to the upper bound, which is excluded.
  return elementwise(r, OpKind::Min,
                     {astype(r, x, dtype), Scalar::of(toDouble(below))});
}

NodeRef randn(Recorder &r, const NodeRef &key, DType dtype, Ints shape) {
  if (!checkFloat(r, "randn", dtype) || !checkShape(r, "randn", dtype, shape))
    return {};
  NodeRef bits =
      draw(r, "randn", key, dtype == DType::F64 ? DType::UI64 : DType::UI32,
           shape, RandomAlgorithm::Philox4x32_10);
  return bits ? composite(r, OpKind::Randn, dtype, bits) : bits;
}

/// Returns the upper 64 bits of x * y, from products of their halves.
static NodeRef upperProduct(Recorder &r, const NodeRef &x, const Operand &y) {
  Operand half = Scalar::of(int64_t(32));
  auto binary = [&](OpKind op, const Operand &a, const Operand &b) {
    return elementwise(r, op, {a, b});
  };
  auto low = [&](const Operand &a) {
    return binary(OpKind::And, a, Scalar::of(int64_t(0xffffffff)));
  };
  auto high = [&](const Operand &a) {
    return binary(OpKind::ShrLogical, a, half);
  };
  NodeRef x0 = low(x), x1 = high(x), y0 = low(y), y1 = high(y);
  NodeRef middle = binary(OpKind::Add, binary(OpKind::Mul, x1, y0),
                          high(binary(OpKind::Mul, x0, y0)));
  NodeRef lower = binary(OpKind::Add, binary(OpKind::Mul, x0, y1), low(middle));
  return binary(OpKind::Add,
                binary(OpKind::Add, binary(OpKind::Mul, x1, y1), high(middle)),
                high(lower));
}

/// Returns floor(bits * count / 2^n), where n is 64 for counts up to 2^32, else
/// 128. A count of 0 means 2^64, for which any bits are valid.
static NodeRef scaled(Recorder &r, const NodeRef &key, Ints shape,
                      uint64_t count) {
  NodeRef first = draw(r, "randint", key, DType::UI64, shape,
                       RandomAlgorithm::Philox4x32_10);
  if (count == 0)
    return first;
  NodeRef factor = NodeRef::take(Node::create(
      OpKind::Full, DType::UI64, {}, {}, FullAttributes{count}, r.location));
  if (count <= uint64_t(1) << 32)
    return upperProduct(r, first, factor);
  // Draws a second time, with a counter whose last word is 1, so that its
  // blocks differ from those of the first draw.
  NodeRef isLast = elementwise(
      r, OpKind::Eq, {iota(r, DType::UI32, 4, 0), Scalar::of(int64_t(3))});
  NodeRef second =
      draw(r, "randint", key, DType::UI64, shape,
           RandomAlgorithm::Philox4x32_10, astype(r, isLast, DType::UI32));
  NodeRef lower = elementwise(r, OpKind::Mul, {first, factor});
  NodeRef sum =
      elementwise(r, OpKind::Add, {lower, upperProduct(r, second, factor)});
  NodeRef carry =
      astype(r, elementwise(r, OpKind::Lt, {sum, lower}), DType::UI64);
  return elementwise(r, OpKind::Add, {upperProduct(r, first, factor), carry});
}

/// Compares bounds that may be signed, unsigned, or out of the range of i64 and
/// ui64.
static bool isLess(Scalar a, Scalar b) {
  if (a.kind == b.kind)
    return a.kind == Scalar::UInt
               ? static_cast<uint64_t>(a.i) < static_cast<uint64_t>(b.i)
               : a.i < b.i;
  return b.kind == Scalar::UInt;
}

NodeRef randint(Recorder &r, const NodeRef &key, DType dtype, Ints shape,
                Scalar low, Scalar high) {
  if (!isIn(dtype, integerMask))
    return r.fail("randint", llvm::Twine("dtype must be an integer, not ") +
                                 dtypeName(dtype));
  for (Scalar bound : {low, high})
    if (bound.kind != Scalar::Int && bound.kind != Scalar::UInt)
      return r.fail("randint", "needs integers, not " + toString(bound));
  if (!isLess(low, high))
    return r.fail("randint", "no integers from " + toString(low) +
                                 " to below " + toString(high));
  // high is above low, so high - 1 exists.
  Scalar last = high.i == INT64_MIN ? Scalar::of(INT64_MAX)
                : high.kind == Scalar::UInt
                    ? Scalar::of(static_cast<uint64_t>(high.i) - 1)
                    : Scalar::of(high.i - 1);
  for (Scalar bound : {low, last})
    if (!encode(bound, dtype))
      return r.fail("randint",
                    toString(bound) + " is outside " + dtypeName(dtype));
  if (!checkKey(r, "randint", key) ||
      !checkShape(r, "randint", DType::UI64, shape))
    return {};
  uint64_t count = static_cast<uint64_t>(high.i) - static_cast<uint64_t>(low.i);
  NodeRef offset = NodeRef::take(
      Node::create(OpKind::Full, DType::UI64, {}, {},
                   FullAttributes{static_cast<uint64_t>(low.i)}, r.location));
  NodeRef x =
      elementwise(r, OpKind::Add, {scaled(r, key, shape, count), offset});
  return astype(r, x, dtype);
}

NodeRef bernoulli(Recorder &r, const NodeRef &key, Ints shape,
                  const Operand &p) {
  NodeRef x = unit(r, "bernoulli", key, DType::F32, shape);
  if (!x)
    return {};
  if (p.isScalar) {
    double value = p.scalar.kind == Scalar::Float
                       ? p.scalar.f
                       : static_cast<double>(p.scalar.i);
    if (!(value >= 0 && value <= 1))
      return r.fail("bernoulli",
                    "p must be in [0, 1], not " + toString(p.scalar));
    return elementwise(r, OpKind::Lt, {x, Scalar::of(value)});
  }
  if (!p.node)
    return r.fail("bernoulli", "p is an undefined tensor");
  if (!isIn(p.node->dtype(), floatMask))
    return r.fail("bernoulli", llvm::Twine("p must be a float, not ") +
                                   dtypeName(p.node->dtype()));
  return elementwise(r, OpKind::Lt, {x, broadcastTo(r, p.node, shape)});
}

NodeRef dropout(Recorder &r, const NodeRef &x, const NodeRef &key,
                double rate) {
  if (!x)
    return r.fail("dropout", "the operand is an undefined tensor");
  if (!checkFloat(r, "dropout", x->dtype()))
    return {};
  if (!(rate >= 0 && rate <= 1))
    return r.fail("dropout",
                  "rate must be in [0, 1], not " + std::to_string(rate));
  NodeRef u = unit(r, "dropout", key, DType::F32, x->shape());
  NodeRef limit = number(r, DType::F32, rate);
  NodeRef factor = number(r, x->dtype(), rate == 1 ? 0.0 : 1 / (1 - rate));
  if (!u)
    return {};
  return composite(r, OpKind::Dropout, x->dtype(), {x, u, limit, factor});
}

NodeRef permutation(Recorder &r, const NodeRef &key, int64_t count) {
  NodeRef bits = draw(r, "permutation", key, DType::UI64, count,
                      RandomAlgorithm::Philox4x32_10);
  return bits ? sort(r, OpKind::Argsort, bits, 0, /*descending=*/false) : bits;
}

} // namespace tensorc::graph
