//===- MakeComplex.cpp - Random complex numbers and transforms ------------===//
//
// Complex values have a pool of their own, as other makers take none: they are
// made of two floats, go through these ops, and are outputs or become floats.
// The limit of one bounds its absolute value.
//
//===----------------------------------------------------------------------===//

#include "ir/library/Library.h"
#include "ir/tx/Complex.h"
#include "tests/fuzz/Generator.h"

#include <cmath>

using namespace mlir;

namespace tensorc::fuzz {

static Type planeType(Value z) {
  auto element = cast<ComplexType>(getElementTypeOrSelf(z));
  return tx::withElementType(z.getType(), element.getElementType());
}

Generator::Maybe Generator::complexOf(const Entry &re, const Entry &im) {
  Type element = ComplexType::get(elementOf(re));
  Type type = tx::withElementType(re.value.getType(), element);
  return finish(tx::ComplexOp::create(builder, loc, type, re.value, im.value),
                re.limit + im.limit, re.error + im.error, false);
}

/// Of two floats of the pool.
Generator::Maybe Generator::makeComplex() {
  Entry x = any();
  for (int tries = 0; tries < 8 && !isFloat(x); ++tries)
    x = any();
  if (!isFloat(x) || !(x.limit < 100))
    return std::nullopt;
  Maybe re = x;
  if (!elementOf(x).isF64())
    re = fitDType(x, floatOr64(builder.getF32Type()));
  Maybe im = re ? fit(partner(*re), *re) : std::nullopt;
  if (!im || !(im->limit < 100))
    return std::nullopt;
  return complexOf(*re, *im);
}

/// One of the same type, if need be of a float.
Generator::Maybe Generator::complexLike(const Entry &z) {
  for (int tries = 0; tries < 3; ++tries) {
    const Entry &other = complexes[pick(complexes.size())];
    if (tx::sameShape(other.value.getType(), z.value.getType()) &&
        elementOf(other) == elementOf(z) && other.value != z.value)
      return other;
  }
  auto plane = cast<ComplexType>(elementOf(z)).getElementType();
  Maybe re = isBool(any()) ? std::nullopt : fitDType(any(), plane);
  re = re ? fitDims(*re, dimsOf(z)) : re;
  return re && re->limit < 100 ? complexOf(*re, *re) : Maybe(z);
}

/// |re| + c + i im, which is away from 0 and from branch cuts.
Generator::Maybe Generator::rightOf(const Entry &z, double c) {
  Type plane = planeType(z.value);
  Value re = tx::RealOp::create(builder, loc, plane, z.value);
  Value im = tx::ImagOp::create(builder, loc, plane, z.value);
  re = tx::AbsOp::create(builder, loc, plane, re);
  re = tx::AddOp::create(builder, loc, plane, re, splat(c, plane).value);
  return finish(tx::ComplexOp::create(builder, loc, z.value.getType(), re, im),
                z.limit + c, z.error, true);
}

/// Functions whose slopes are at most 1 at |re| + 1.5.
Generator::Maybe Generator::makeComplexRoot(const Entry &z) {
  Maybe w = rightOf(z, 1.5);
  if (!w)
    return std::nullopt;
  Type type = z.value.getType();
  auto made = [&]<typename Op>() {
    return finish(Op::create(builder, loc, type, w->value), w->limit + 4,
                  2 * w->error, true);
  };
  switch (pick(8)) {
  case 0:
    return made.operator()<tx::LogOp>();
  case 1:
    return made.operator()<tx::Log2Op>();
  case 2:
    return made.operator()<tx::Log10Op>();
  case 3:
    return made.operator()<tx::SqrtOp>();
  case 4:
    return made.operator()<tx::RsqrtOp>();
  case 5:
    return made.operator()<tx::SignOp>();
  case 6:
    return made.operator()<tx::AcoshOp>();
  default:
    return made.operator()<tx::Log1pOp>();
  }
}

/// Functions of z / (2 limit), where none is near a pole or a cut.
Generator::Maybe Generator::makeComplexBounded(const Entry &z) {
  Type type = z.value.getType();
  double scale = std::exp2(-1 - std::ceil(std::log2(z.limit + 1)));
  Maybe w = finish(
      tx::MulOp::create(builder, loc, type, z.value, splat(scale, type).value),
      0.5, scale * z.error, true);
  if (!w)
    return std::nullopt;
  auto made = [&]<typename Op>() {
    return finish(Op::create(builder, loc, type, w->value), 2, 2 * w->error,
                  true);
  };
  switch (pick(13)) {
  case 0:
    return made.operator()<tx::ExpOp>();
  case 1:
    return made.operator()<tx::Expm1Op>();
  case 2:
    return made.operator()<tx::SinOp>();
  case 3:
    return made.operator()<tx::CosOp>();
  case 4:
    return made.operator()<tx::TanOp>();
  case 5:
    return made.operator()<tx::AsinOp>();
  case 6:
    return made.operator()<tx::AcosOp>();
  case 7:
    return made.operator()<tx::AtanOp>();
  case 8:
    return made.operator()<tx::SinhOp>();
  case 9:
    return made.operator()<tx::CoshOp>();
  case 10:
    return made.operator()<tx::TanhOp>();
  case 11:
    return made.operator()<tx::AsinhOp>();
  default:
    return made.operator()<tx::AtanhOp>();
  }
}

Generator::Maybe Generator::makeComplexArithmetic(const Entry &z) {
  Maybe w = complexLike(z);
  if (!w)
    return std::nullopt;
  Type type = z.value.getType();
  double product = z.limit * w->limit;
  double spread = z.error * w->limit + w->error * z.limit + z.error * w->error;
  switch (pick(6)) {
  case 0:
    return finish(tx::AddOp::create(builder, loc, type, z.value, w->value),
                  z.limit + w->limit, z.error + w->error, true);
  case 1:
    return finish(tx::SubOp::create(builder, loc, type, z.value, w->value),
                  z.limit + w->limit, z.error + w->error, true);
  case 2:
  case 3:
    return finish(tx::MulOp::create(builder, loc, type, z.value, w->value),
                  product, spread, true);
  case 4: {
    Maybe divisor = rightOf(*w, 1);
    if (!divisor)
      return std::nullopt;
    return finish(
        tx::DivOp::create(builder, loc, type, z.value, divisor->value), z.limit,
        z.error + z.limit * divisor->error, true);
  }
  default:
    return finish(tx::NegOp::create(builder, loc, type, z.value), z.limit,
                  z.error, false);
  }
}

/// Along one dim whose size has no name, or two.
Generator::Maybe Generator::makeFourier(const Entry &z) {
  Dims dims = dimsOf(z);
  SmallVector<int64_t> along, lengths;
  double n = 1;
  for (int64_t d = 0, rank = dims.size(); d < rank; ++d)
    if (dims[d].isNumber() && dims[d].constant() > 0 && along.size() < 2 &&
        chance(60)) {
      along.push_back(d);
      lengths.push_back(dims[d].constant());
      n *= lengths.back();
    }
  if (along.empty())
    return std::nullopt;
  auto plane = cast<ComplexType>(elementOf(z)).getElementType();
  Value x = z.value;
  Type type = x.getType();
  auto kind = tx::FourierKind(pick(3));
  if (kind == tx::FourierKind::Real) {
    x = tx::RealOp::create(builder, loc, planeType(x), x);
    dims[along.back()] = Dim(lengths.back() / 2 + 1);
    type = tx::tensorType(dims, elementOf(z));
  } else if (kind == tx::FourierKind::Hermitian) {
    // An even length or an odd one; twice the elements count.
    lengths.back() = std::max<int64_t>(2 * lengths.back() - 1 - pick(2), 1);
    n *= 2;
    dims[along.back()] = Dim(lengths.back());
    type = tx::tensorType(dims, plane);
  }
  double limit = n * z.limit;
  return finish(tx::FourierOp::create(builder, loc, type, x, kind, chance(50),
                                      lengths, along, tx::FourierNorm(pick(3))),
                limit, n * z.error + 4 * epsilonOf(plane) * limit, true);
}

/// The parts before one another, as tx.fft has them.
Generator::Maybe Generator::makeFft(const Entry &z) {
  Dims dims = dimsOf(z);
  if (dims.empty() || !dims.back().isNumber() || dims.back().constant() < 1)
    return std::nullopt;
  auto plane = cast<ComplexType>(elementOf(z)).getElementType();
  int64_t length = dims.back().constant();
  dims.insert(dims.begin(), Dim(1));
  Type single = tx::tensorType(dims, plane);
  dims[0] = Dim(2);
  Value re = tx::RealOp::create(builder, loc, planeType(z.value), z.value);
  Value im = tx::ImagOp::create(builder, loc, planeType(z.value), z.value);
  re = tx::ReshapeOp::create(builder, loc, single, re);
  im = tx::ReshapeOp::create(builder, loc, single, im);
  Type type = tx::tensorType(dims, plane);
  Value parts =
      tx::ConcatenateOp::create(builder, loc, type, ValueRange{re, im}, 0);
  double limit = length * z.limit;
  return finish(
      tx::FftOp::create(builder, loc, type, parts, length, chance(50)), limit,
      length * z.error + 4 * epsilonOf(plane) * limit, true);
}

/// A float or a bool of it, which other makers take.
Generator::Maybe Generator::makeOfComplex(const Entry &z) {
  Type plane = planeType(z.value);
  Value re = tx::RealOp::create(builder, loc, plane, z.value);
  switch (pick(isExact(z) ? 5 : 3)) {
  case 0:
    return finish(re, z.limit, z.error, false);
  case 1:
    return finish(tx::ImagOp::create(builder, loc, plane, z.value), z.limit,
                  z.error, false);
  case 2: {
    Value im = tx::ImagOp::create(builder, loc, plane, z.value);
    return finish(tx::HypotOp::create(builder, loc, plane, re, im), z.limit,
                  z.error, true);
  }
  default: {
    Maybe w = complexLike(z);
    if (!w || !isExact(*w))
      return std::nullopt;
    if (chance(50))
      return Entry{tx::EqOp::create(builder, loc, z.value, w->value), 1, 0};
    return Entry{tx::NeOp::create(builder, loc, z.value, w->value), 1, 0};
  }
  }
}

/// Sums, products with another one, and parts.
Generator::Maybe Generator::makeComplexMoved(const Entry &z) {
  Dims dims = dimsOf(z);
  switch (pick(5)) {
  case 0:
    return sliceOf(z);
  case 1:
    return padOf(z);
  case 2: {
    Maybe w = complexLike(z);
    return w && w->limit < 1e3 ? dotOf(z, *w) : std::nullopt;
  }
  case 3: {
    if (dims.empty())
      return std::nullopt;
    int64_t dim = pick(dims.size());
    double n = sizeOf(dims[dim]);
    dims.erase(dims.begin() + dim);
    return finish(
        tx::SumOp::create(builder, loc, tx::tensorType(dims, elementOf(z)),
                          z.value, ArrayRef<int64_t>(dim)),
        n * z.limit, n * z.error + 4 * epsilonOf(elementOf(z)) * n * z.limit,
        true);
  }
  default: {
    Maybe w = complexLike(z);
    Entry chosen = any();
    Maybe p =
        isExact(chosen) ? fitDType(chosen, builder.getI1Type()) : std::nullopt;
    p = p ? fitDims(*p, dims) : p;
    if (!w || !p)
      return std::nullopt;
    return finish(tx::SelectOp::create(builder, loc, z.value.getType(),
                                       p->value, z.value, w->value),
                  std::max(z.limit, w->limit), std::max(z.error, w->error),
                  false);
  }
  }
}

Generator::Maybe Generator::makeComplexStep() {
  if (complexes.empty())
    return makeComplex();
  Entry z = chance(60) ? complexes.back() : complexes[pick(complexes.size())];
  if (!(z.limit < 1e3))
    return makeComplex();
  switch (pick(10)) {
  case 0:
  case 1:
    return makeComplexArithmetic(z);
  case 2:
    return makeComplexRoot(z);
  case 3:
    return makeComplexBounded(z);
  case 4:
  case 5:
    return makeFourier(z);
  case 6:
    return makeFft(z);
  case 7:
    return makeComplexMoved(z);
  case 8:
    return makeComplex();
  default:
    return makeOfComplex(z);
  }
}

} // namespace tensorc::fuzz
