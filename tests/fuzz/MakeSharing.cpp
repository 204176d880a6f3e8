//===- MakeSharing.cpp - Values that several kernels want -----------------===//
//
// Single ops rarely make two values of one shape that different kinds of kernel
// compute, one of which reads a third under another shape. These makers do.
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Generator.h"

#include <cmath>

using namespace mlir;

namespace tensorc::fuzz {

Generator::Maybe Generator::newArgument(const Dims &dims, Type element) {
  // The block of a branch has no op yet.
  auto function =
      dyn_cast_or_null<func::FuncOp>(builder.getBlock()->getParentOp());
  if (!function || elementsOf(dims) > 20000)
    return std::nullopt;
  // Named sizes come from the first argument, offsets from the last.
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, tx::tensorType(dims, element), {}, loc);
  return Entry{function.getArgument(index), isa<FloatType>(element) ? 6.0 : 9.0,
               0};
}

/// A value of the same dims and dtype that a kernel of some kind computes.
Generator::Maybe Generator::companion(const Entry &like) {
  Dims dims = dimsOf(like), longer = dims;
  Type element = elementOf(like), type = tx::tensorType(dims, element);
  double eps = epsilonOf(element);
  int64_t kind = pick(dims.empty() ? 2 : 5);
  if (kind == 2) { // a scan
    Maybe x = newArgument(dims, element);
    if (!x)
      return std::nullopt;
    return finish(tx::CummaxOp::create(builder, loc, type, x->value,
                                       pick(dims.size()), chance(50), false),
                  x->limit, 0, false);
  }
  int64_t size = chance(20) ? 1 : 2 + pick(6);
  if (kind == 3) { // a contraction
    Dims left = dims;
    left.back() = Dim(size);
    Maybe x = newArgument(left, element);
    Maybe y = newArgument({left.back(), dims.back()}, element);
    if (!x || !y)
      return std::nullopt;
    double limit = size * x->limit * y->limit;
    int64_t last = dims.size() - 1;
    return finish(tx::DotGeneralOp::create(
                      builder, loc, type, x->value, y->value,
                      ArrayRef<int64_t>(), ArrayRef<int64_t>(),
                      ArrayRef<int64_t>(last), ArrayRef<int64_t>(int64_t(0))),
                  limit, 4 * eps * limit, true);
  }
  // A reduction along the rows, along the columns or between.
  int64_t dim = chance(50) ? dims.size() : pick(dims.size() + 1);
  longer.insert(longer.begin() + dim, Dim(size));
  Maybe x = newArgument(longer, element);
  if (!x)
    return std::nullopt;
  ArrayRef<int64_t> reduced(dim);
  if (kind == 0 && isFloat(*x))
    return finish(tx::SumOp::create(builder, loc, type, x->value, reduced),
                  size * x->limit, 4 * eps * size * x->limit, true);
  return finish(tx::ReduceMaxOp::create(builder, loc, type, x->value, reduced),
                x->limit, 0, false);
}

/// x and a companion in one op.
Generator::Maybe Generator::meet(const Entry &x) {
  if (isBool(x) || !(x.limit < 1e3))
    return std::nullopt;
  Maybe y = companion(x);
  if (!y)
    return std::nullopt;
  Type type = x.value.getType();
  bool isRounded = !isExact(x) || !isExact(*y);
  if (chance(50))
    return finish(tx::AddOp::create(builder, loc, type, x.value, y->value),
                  x.limit + y->limit, x.error + y->error, isRounded);
  return finish(tx::MulOp::create(builder, loc, type, x.value, y->value),
                x.limit * y->limit,
                x.error * y->limit + y->error * x.limit + x.error * y->error,
                isRounded);
}

/// A value that is an output, and that a kernel of another shape reads too.
Generator::Maybe Generator::makeSharing() {
  Maybe shared = chance(70) ? makeExactBinary() : meet(any());
  if (!shared || dimsOf(*shared).empty())
    return std::nullopt;
  pool.push_back(*shared);
  held.push_back(shared->value);
  Maybe read;
  switch (pick(4)) {
  case 0:
    read = sliceOf(*shared);
    break;
  case 1:
    read = padOf(*shared);
    break;
  case 2:
    read = concatenationOf(*shared);
    break;
  default:
    read = shared;
  }
  if (!read)
    return std::nullopt;
  pool.push_back(*read);
  return meet(*read);
}

} // namespace tensorc::fuzz
