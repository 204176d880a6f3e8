//===- Normalizations.cpp - Batch normalization of StableHLO --------------===//

#include "compiler/frontends/stablehlo/Words.h"

using namespace mlir;

namespace tensorc::stablehlo {

namespace {
/// The attributes that all three ops have.
struct Normalization {
  double epsilon;
  int64_t dim;
};
} // namespace

static std::optional<Normalization> normalizationOf(Call &call) {
  auto epsilon = dyn_cast_if_present<FloatAttr>(call.attribute("epsilon"));
  auto dim = call.number("feature_index");
  if (!epsilon || !dim || *dim < 0 || *dim >= rankOf(call.x[0]))
    return call.refuse() << "needs an epsilon and a feature_index",
           std::nullopt;
  Dim features = dimsOf(call.x[0])[*dim];
  for (Value value : call.x)
    if (dtypeOf(value) != dtypeOf(call.x[0]) || !tx::isFloat(dtypeOf(value)) ||
        (dimsOf(value) != dimsOf(call.x[0]) &&
         (rankOf(value) != 1 || dimsOf(value)[0] != features)))
      return call.refuse() << "needs floats, and one per feature", std::nullopt;
  return Normalization{epsilon.getValueAsDouble(), *dim};
}

/// Returns (x - mean) / sqrt(variance + epsilon) * scale + offset.
static Value normalize(TensorBuilder &b, Value x, Value scale, Value offset,
                       Value mean, Value variance, const Normalization &of) {
  int64_t rank = rankOf(x);
  auto along = [&](Value value) { return b.alongDim(value, of.dim, rank); };
  Value inverse = b.rsqrt(b.add(variance, of.epsilon));
  Value unit = b.mul(b.sub(x, along(mean)), along(inverse));
  return b.add(b.mul(unit, along(scale)), along(offset));
}

static Results inference(Call &call) {
  auto of = normalizationOf(call);
  if (!of)
    return failure();
  return Values{normalize(call.b, call.x[0], call.x[1], call.x[2], call.x[3],
                          call.x[4], *of)};
}

static Value meanOf(TensorBuilder &b, Value x, ArrayRef<int64_t> dims) {
  Dim count = 1;
  for (int64_t dim : dims)
    count = count * dimsOf(x)[dim];
  return b.div(b.sum(x, dims), b.size(count, dtypeOf(x)));
}

static Results training(Call &call) {
  auto of = normalizationOf(call);
  if (!of)
    return failure();
  TensorBuilder &b = call.b;
  Value x = call.x[0];
  auto dims = builder::allDimsBut(rankOf(x), of->dim);
  Value mean = meanOf(b, x, dims);
  Value centered = b.sub(x, b.alongDim(mean, of->dim, rankOf(x)));
  Value variance = meanOf(b, b.mul(centered, centered), dims);
  return Values{normalize(b, x, call.x[1], call.x[2], mean, variance, *of),
                mean, variance};
}

void addNormalizations(Table &table) {
  table["stablehlo.batch_norm_inference"] = Row{inference, 5, 5};
  table["stablehlo.batch_norm_training"] = Row{training, 3, 3};
}

} // namespace tensorc::stablehlo
