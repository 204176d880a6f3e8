//===- MakeComposite.cpp - Random composites ------------------------------===//

#include "ir/library/Library.h"
#include "tests/fuzz/Generator.h"

#include <cmath>

using namespace mlir;

namespace tensorc::fuzz {

Generator::Maybe Generator::makeSoftmax() { return softmaxOf(any()); }

/// softmax(q kT s) v, now and then under a mask; nothing else reads the scores.
Generator::Maybe Generator::makeAttention() {
  Entry q = any();
  for (int tries = 0; tries < 8 && (!isFloat(q) || dimsOf(q).size() < 2);
       ++tries)
    q = any();
  Dims rows = dimsOf(q);
  if (!isFloat(q) || rows.size() < 2 || rows.size() > 4 || !(q.limit < 1e3))
    return std::nullopt;
  int64_t batch = rows.size() - 2;
  Dims keys(rows), columns(rows), scores(rows);
  Dim key = programDims[pick(programDims.size())];
  keys[batch] = columns[batch] = scores[batch + 1] = key;
  if (chance(50))
    columns[batch + 1] = programDims[pick(programDims.size())];
  double steps = sizeOf(rows[batch + 1]);
  if (elementsOf(scores) * steps > 100000 ||
      elementsOf(scores) * sizeOf(columns[batch + 1]) > 100000)
    return std::nullopt;
  Maybe k = fitDType(any(), elementOf(q)), v = fitDType(any(), elementOf(q));
  k = k ? fitDims(*k, keys) : k;
  v = v ? fitDims(*v, columns) : v;
  double limit = k ? steps * q.limit * k->limit : 0;
  if (!k || !v || !(limit < 1e4) || !(v->limit < 1e3))
    return std::nullopt;
  // A power of two, so that scores stay small and nothing is rounded.
  double scale = limit < 8 ? 1 : std::exp2(-std::ceil(std::log2(limit / 8)));
  auto batchDims = llvm::to_vector(llvm::seq<int64_t>(0, batch));
  auto dot = [&](Value x, Value y, const Dims &dims, int64_t yContracting) {
    return tx::DotGeneralOp::create(
               builder, loc, tx::tensorType(dims, elementOf(q)), x, y,
               batchDims, batchDims, ArrayRef<int64_t>(batch + 1),
               ArrayRef<int64_t>(yContracting))
        .getResult();
  };
  double eps = epsilonOf(elementOf(q));
  Maybe score = finish(dot(q.value, k->value, scores, batch + 1), limit,
                       steps * (q.error * k->limit + k->error * q.limit) +
                           4 * eps * limit,
                       true);
  if (score && scale < 1) {
    Type type = score->value.getType();
    Value product = tx::MulOp::create(builder, loc, type, score->value,
                                      splat(scale, type).value);
    score = finish(product, scale * score->limit, scale * score->error, false);
  }
  if (!score)
    return std::nullopt;
  Type type = score->value.getType();
  if (chance(40)) {
    auto positions = cast<RankedTensorType>(type).clone(builder.getI32Type());
    Value row = tx::IotaOp::create(builder, loc, positions, batch);
    Value column = tx::IotaOp::create(builder, loc, positions, batch + 1);
    Value sees = tx::GeOp::create(builder, loc, row, column);
    score->value = tx::SelectOp::create(builder, loc, type, sees, score->value,
                                        splat(-16, type).value);
    score->limit = 16;
  }
  Maybe weights = softmaxOf(*score);
  if (!weights)
    return std::nullopt;
  // The weights of a row add up to 1; theirs and the sums' errors are relative.
  double error =
      v->error + v->limit * (8 * score->error + 8 * eps * (score->limit + 8));
  Dims result(rows);
  result[batch + 1] = columns[batch + 1];
  return finish(dot(weights->value, v->value, result, batch), 1.1 * v->limit,
                error, true);
}

/// Over the last dim.
Generator::Maybe Generator::softmaxOf(Entry x) {
  Dims dims = dimsOf(x);
  if (!isFloat(x) || dims.empty() || !(x.limit < 20))
    return std::nullopt;
  int64_t last = dims.size() - 1;
  Value shares =
      tx::SoftmaxOp::create(builder, loc, x.value.getType(), x.value, last);
  double eps = epsilonOf(elementOf(x));
  return finish(shares, 1, 4 * x.error + 2 * eps * (x.limit + 4), true);
}

/// Of one scale, a power of two, so that devices agree on each half.
Generator::Maybe Generator::makeQuantized() {
  Maybe x = any();
  if (!isExact(*x) || kind == Kind::Smooth)
    return std::nullopt;
  auto scalar = [&](Type element) {
    return RankedTensorType::get({}, element);
  };
  Value scale =
      splat(std::exp2(pick(5) - 3.0), scalar(builder.getF32Type())).value;
  auto zeroOf = [&](Type element) {
    return chance(50) ? splat(pick(9), scalar(element)).value : Value();
  };
  Type element = elementOf(*x);
  if (element.isInteger(8) || element.isInteger(16) ||
      element.isSignlessInteger(32)) {
    Type type = tx::withElementType(x->value.getType(), builder.getF32Type());
    return finish(tx::DequantizeOp::create(builder, loc, type, x->value, scale,
                                           zeroOf(element)),
                  2 * x->limit + 32, 0, false);
  }
  x = isFloat(*x) ? fitDType(*x, builder.getF32Type()) : std::nullopt;
  if (!x)
    return std::nullopt;
  element = chance(50) ? builder.getIntegerType(8 << pick(2), false)
                       : builder.getIntegerType(8 << pick(3));
  return finish(
      tx::QuantizeOp::create(builder, loc,
                             tx::withElementType(x->value.getType(), element),
                             x->value, scale, zeroOf(element)),
      std::ldexp(1.0, element.getIntOrFloatBitWidth()), 0, false);
}

/// A function of single elements, which changes a distance by less than 2.
Value Generator::activationOf(Value x) {
  Type type = x.getType();
  auto make = [&]<typename Op>() -> Value {
    return Op::create(builder, loc, type, x);
  };
  auto half = [&] {
    return splat(0.5, RankedTensorType::get({}, builder.getF32Type())).value;
  };
  switch (pick(8)) {
  case 0:
    return make.operator()<tx::ReluOp>();
  case 1:
    return make.operator()<tx::SiluOp>();
  case 2:
    return make.operator()<tx::MishOp>();
  case 3:
    return make.operator()<tx::HardswishOp>();
  case 4:
    return tx::GeluOp::create(builder, loc, type, x, chance(50));
  case 5:
    return tx::EluOp::create(builder, loc, type, x, half());
  case 6:
    return tx::LeakyReluOp::create(builder, loc, type, x, half());
  default:
    return tx::SoftplusOp::create(builder, loc, type, x,
                                  chance(50) ? half() : Value());
  }
}

/// Of an element, or of rows.
Generator::Maybe Generator::makeComposite() {
  Entry x = any();
  for (int tries = 0; tries < 8 && !isFloat(x); ++tries)
    x = any();
  if (!isFloat(x) || !(x.limit < 1e3))
    return std::nullopt;
  double eps = epsilonOf(elementOf(x));
  Dims dims = dimsOf(x);
  int64_t last = static_cast<int64_t>(dims.size()) - 1;
  if (chance(70) || last < 0 || leastOf(dims[last]) < 1)
    return finish(activationOf(x.value), x.limit + 2,
                  2 * x.error + 16 * eps * (x.limit + 2), true);
  auto rows = tx::tensorType(ArrayRef<Dim>(dims).drop_back(), elementOf(x));
  Value mean = tx::MeanOp::create(builder, loc, rows, x.value,
                                  ArrayRef<int64_t>(last), false);
  return finish(mean, x.limit,
                x.error + 4 * eps * x.limit * (sizeOf(dims[last]) + 4.0), true);
}

} // namespace tensorc::fuzz
