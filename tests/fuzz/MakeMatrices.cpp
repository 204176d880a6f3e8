//===- MakeMatrices.cpp - Random factorizations and solutions -------------===//
//
// Of matrices near 1: off the diagonal the magnitudes of a row, and of a
// column, add up to a half at most. So no pivot is small, no row is exchanged,
// and what is left to the method, signs and orders, is taken away.
//
//===----------------------------------------------------------------------===//

#include "ir/library/Library.h"
#include "ir/tx/Complex.h"
#include "tests/fuzz/Generator.h"

#include <cmath>

using namespace mlir;

namespace tensorc::fuzz {

/// A general one and a symmetric one of the same shape, [..., n, n].
struct Generator::Matrix {
  Entry general, symmetric;
  Dim size;
  int64_t rank, most; // of all runs
  double error;       // what a factorization loses
};

/// A float of the pool as f32 or f64 of these dims, at most 1 in magnitude.
Generator::Maybe Generator::unitOf(ArrayRef<Dim> dims) {
  Entry x = any();
  for (int tries = 0; tries < 8 && !isFloat(x); ++tries)
    x = any();
  if (!isFloat(x) || !(x.limit < 1e3))
    return std::nullopt;
  Maybe wide = x;
  if (!elementOf(x).isF64())
    wide = fitDType(x, floatOr64(builder.getF32Type()));
  wide = wide ? fitDims(*wide, dims) : wide;
  if (!wide || !(wide->limit < 1e3))
    return std::nullopt;
  double scale = std::exp2(-std::ceil(std::log2(wide->limit + 1)));
  Type type = wide->value.getType();
  return finish(tx::MulOp::create(builder, loc, type, wide->value,
                                  splat(scale, type).value),
                1, scale * wide->error, false);
}

std::optional<Generator::Matrix> Generator::drawMatrix() {
  Matrix a{{}, {}, programDims[pick(programDims.size())], 0, 0, 0};
  Dims dims;
  if (chance(50))
    dims.push_back(programDims[pick(programDims.size())]);
  dims.append({a.size, a.size});
  a.rank = dims.size();
  a.most = sizeOf(a.size);
  if (elementsOf(dims) * a.most > 100000)
    return std::nullopt;
  Maybe x = unitOf(dims);
  if (!x)
    return std::nullopt;
  Type type = x->value.getType();
  double scale = std::exp2(-1 - std::ceil(std::log2(a.most + 1.0)));
  Value small =
      tx::MulOp::create(builder, loc, type, x->value, splat(scale, type).value);
  auto places = cast<RankedTensorType>(type).clone(builder.getI32Type());
  Value row = tx::IotaOp::create(builder, loc, places, a.rank - 2);
  Value column = tx::IotaOp::create(builder, loc, places, a.rank - 1);
  Value isDiagonal = tx::EqOp::create(builder, loc, row, column);
  Value one = tx::SelectOp::create(builder, loc, type, isDiagonal,
                                   splat(1, type).value, splat(0, type).value);
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, a.rank));
  std::swap(order[a.rank - 1], order[a.rank - 2]);
  Value turned = tx::TransposeOp::create(builder, loc, type, small, order);
  Value both = tx::AddOp::create(builder, loc, type, small, turned);
  both = tx::MulOp::create(builder, loc, type, both, splat(0.5, type).value);
  Maybe general = finish(tx::AddOp::create(builder, loc, type, small, one), 1.5,
                         scale * x->error, true);
  Maybe symmetric = finish(tx::AddOp::create(builder, loc, type, both, one),
                           1.5, scale * x->error, true);
  if (!general || !symmetric)
    return std::nullopt;
  a.general = *general;
  a.symmetric = *symmetric;
  a.error = 8 * (a.most + 1.0) *
            (general->error + epsilonOf(getElementTypeOrSelf(type)));
  return a;
}

/// [..., n, columns]
Generator::Maybe Generator::rightHandSide(const Matrix &a) {
  Dims dims = dimsOf(a.general);
  dims.back() = programDims[pick(programDims.size())];
  Maybe b = elementsOf(dims) * a.most <= 100000 ? unitOf(dims) : std::nullopt;
  return b ? fitDType(*b, elementOf(a.general)) : b;
}

/// Of the last but one dim, whose size has no name.
Generator::Maybe Generator::rowOf(Value x, int64_t row) {
  Dims dims(tx::dimsOf(cast<RankedTensorType>(x.getType())));
  SmallVector<int64_t> offsets(dims.size(), 0), strides(dims.size(), 1);
  offsets[dims.size() - 2] = row;
  dims[dims.size() - 2] = Dim(1);
  Type type = tx::tensorType(dims, getElementTypeOrSelf(x));
  return Entry{tx::SliceOp::create(builder, loc, type, x, ValueRange(), offsets,
                                   strides),
               0, 0};
}

Generator::Maybe Generator::makeFactor(const Matrix &a) {
  Dims dims = dimsOf(a.general), longer = dims;
  Type element = elementOf(a.general), type = a.general.value.getType();
  longer.back() = longer.back() + 1;
  Value x = a.general.value;
  switch (pick(5)) {
  case 0: {
    bool info = chance(40);
    Type result = info ? tx::tensorType(longer, element) : type;
    return finish(tx::CholeskyOp::create(builder, loc, result,
                                         a.symmetric.value, chance(50), info),
                  2, a.error, true);
  }
  case 1:
    return finish(
        tx::LuOp::create(builder, loc, tx::tensorType(longer, element), x),
        a.most + 2.0, a.error, true);
  case 2: {
    // A column of Q, and its row of R, may have the other sign.
    longer.back() = a.size + a.size;
    Type result = tx::tensorType(longer, element);
    Value y = tx::QrOp::create(builder, loc, result, x, chance(50));
    return finish(tx::AbsOp::create(builder, loc, result, y), 2, 4 * a.error,
                  true);
  }
  case 3: {
    bool logarithm = chance(60);
    double limit = logarithm ? a.most + 1 : std::pow(1.5, a.most);
    Dims result(ArrayRef<Dim>(dims).drop_back(2));
    if (logarithm)
      result.push_back(Dim(2));
    return finish(tx::DeterminantOp::create(builder, loc,
                                            tx::tensorType(result, element), x,
                                            logarithm),
                  limit, 2 * a.error * limit, true);
  }
  default: {
    double limit = std::pow(1.5, a.most);
    return finish(tx::CofactorsOp::create(builder, loc, type, x), 2 * limit,
                  8 * a.error * limit, true);
  }
  }
}

Generator::Maybe Generator::makeSolution(const Matrix &a) {
  Maybe b = rightHandSide(a);
  if (!b)
    return std::nullopt;
  Type type = b->value.getType();
  double error = 4 * (a.error + b->error);
  if (chance(50))
    return finish(
        tx::SolveOp::create(builder, loc, type, a.general.value, b->value), 2,
        error, true);
  bool upper = chance(50), transposed = chance(50), unit = chance(30);
  return finish(tx::TriangularSolveOp::create(builder, loc, type,
                                              a.general.value, b->value, upper,
                                              transposed, unit),
                2, error, true);
}

/// Singular values and eigenvalues, which have no signs; in order.
Generator::Maybe Generator::makeSpectrum(const Matrix &a) {
  if (!a.size.isNumber() || a.size.constant() < 1)
    return std::nullopt;
  int64_t n = a.size.constant();
  Type element = elementOf(a.general);
  Dims dims = dimsOf(a.general);
  Maybe values;
  switch (pick(3)) {
  case 0:
    dims[dims.size() - 2] = Dim(2 * n + 1);
    values =
        rowOf(tx::SvdOp::create(builder, loc, tx::tensorType(dims, element),
                                a.general.value),
              n);
    break;
  case 1:
    dims[dims.size() - 2] = Dim(n + 1);
    values =
        rowOf(tx::EighOp::create(builder, loc, tx::tensorType(dims, element),
                                 a.symmetric.value),
              0);
    break;
  default: {
    dims[dims.size() - 2] = Dim(n + 1);
    values =
        rowOf(tx::EigOp::create(builder, loc,
                                tx::tensorType(dims, ComplexType::get(element)),
                                a.symmetric.value),
              0);
    dims[dims.size() - 2] = Dim(1);
    Type real = tx::tensorType(dims, element);
    Value re = tx::RealOp::create(builder, loc, real, values->value);
    values->value =
        tx::SortOp::create(builder, loc, real, re, dims.size() - 1, false);
  }
  }
  return finish(values->value, 2, 4 * a.error, true);
}

Generator::Maybe Generator::makeTridiagonal() {
  Dim n = programDims[pick(programDims.size())];
  Maybe x = unitOf({Dim(3), n});
  Maybe b = x ? unitOf({n, programDims[pick(programDims.size())]}) : x;
  b = b ? fitDType(*b, elementOf(*x)) : b;
  if (!b)
    return std::nullopt;
  Type type = x->value.getType();
  Value quarter =
      tx::MulOp::create(builder, loc, type, x->value, splat(0.25, type).value);
  auto places = cast<RankedTensorType>(type).clone(builder.getI32Type());
  Value row = tx::IotaOp::create(builder, loc, places, 0);
  Value isMain = tx::EqOp::create(builder, loc, row, splat(1, places).value);
  Value main =
      tx::AddOp::create(builder, loc, type, quarter, splat(1, type).value);
  Value diagonals =
      tx::SelectOp::create(builder, loc, type, isMain, main, quarter);
  double eps = epsilonOf(elementOf(*x));
  return finish(tx::TridiagonalSolveOp::create(builder, loc, b->value.getType(),
                                               diagonals, b->value),
                4, 16 * (x->error + b->error + 4 * eps), true);
}

Generator::Maybe Generator::makeMatrices() {
  if (chance(15))
    return makeTridiagonal();
  std::optional<Matrix> a = drawMatrix();
  if (!a)
    return std::nullopt;
  switch (pick(3)) {
  case 0:
    return makeFactor(*a);
  case 1:
    return makeSolution(*a);
  default:
    return makeSpectrum(*a);
  }
}

} // namespace tensorc::fuzz
