//===- Quantization.cpp - Expansions of quantization ----------------------===//

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

#include <cmath>

using namespace mlir;

namespace tensorc::tx {

using builder::Dim;
using builder::Dims;
using builder::dimsOf;
using builder::dtypeOf;
using builder::TensorBuilder;

namespace {

/// The dims of x and of the scale after splitting each dim of x that is divided
/// into groups. For example, for a dim of 12 and a scale of 3 these are 3, 4 in
/// x and 3, 1 in the scale.
struct Groups {
  SmallVector<Dim> split, scale;
};

Groups groupsOf(Dims x, Dims scale) {
  Groups groups;
  for (auto [dim, count] : llvm::zip(x, scale)) {
    groups.split.push_back(count == 1 || count == dim ? dim : count);
    groups.scale.push_back(count);
    if (count == 1 || count == dim)
      continue;
    groups.split.push_back(*dim.number() / *count.number());
    groups.scale.push_back(1);
  }
  return groups;
}

/// Returns the scale, or the zero point, for each element of x.
Value spread(TensorBuilder &b, Value scale, Value x) {
  Dims dims = dimsOf(scale);
  if (dims.empty())
    return scale;
  SmallVector<Dim> all(dimsOf(x));
  Groups groups = groupsOf(all, SmallVector<Dim>(dims));
  if (groups.split.size() == all.size())
    return scale; // it broadcasts without a reshape
  Value parts = b.broadcast(b.reshape(scale, groups.scale), groups.split);
  return b.reshape(parts, all);
}

/// Returns the lowest and the highest number of an integer dtype.
std::pair<double, double> rangeOf(DType dtype) {
  unsigned bits = bitWidth(dtype);
  if (isUnsigned(dtype))
    return {0.0, std::ldexp(1.0, bits) - 1};
  return {-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1};
}

} // namespace

Value QuantizeOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = b.widen(getX());
  DType to = dtypeOf(getResult()), in = dtypeOf(x);
  // i32 has more bits than f32.
  if (to == DType::I32)
    x = b.convert(x, in = DType::F64);
  Value scaled = b.div(x, b.convert(spread(b, getScale(), x), in));
  if (isFloat(to)) {
    double most = to == DType::F8E5M2 ? 57344.0 : 448.0;
    return b.convert(b.map<ClampOp>({-most, scaled, most}), to);
  }
  Value rounded = b.map<RoundEvenOp>({scaled});
  if (Value zero = getZeroPoint())
    rounded = b.add(rounded, b.convert(spread(b, zero, x), in));
  auto [low, high] = rangeOf(to);
  return b.convert(b.map<ClampOp>({low, rounded, high}), to);
}

Value DequantizeOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value x = getX(), scale = getScale(), zero = getZeroPoint();
  DType from = dtypeOf(x), to = dtypeOf(getResult());
  // Differences of i32 are exact only in f64. Differences of narrower integers
  // are also exact in f32.
  DType in = from == DType::I32 || to == DType::F64 ? DType::F64 : DType::F32;
  SmallVector<Dim> dims(dimsOf(x));
  // Splits each dim into a dim of groups and a dim of the elements of a group,
  // along which the scale is broadcast. This avoids dividing indices (see
  // DotOfGroups in SimplifyTensors.cpp).
  if (!dimsOf(scale).empty()) {
    Groups groups = groupsOf(dims, SmallVector<Dim>(dimsOf(scale)));
    x = b.reshape(x, groups.split);
    scale = b.reshape(scale, groups.scale);
    zero = zero ? b.reshape(zero, groups.scale) : zero;
  }
  Value wide = b.convert(x, in);
  if (zero)
    wide = b.sub(wide, b.convert(zero, in));
  wide = b.mul(wide, b.convert(scale, in));
  return b.reshape(b.convert(wide, to), dims);
}

} // namespace tensorc::tx
