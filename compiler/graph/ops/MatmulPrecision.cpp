//===- MatmulPrecision.cpp - Rounding of operands of f32 products ---------===//
//
// The precision is encoded in the operand types of dot_general: a product of
// f32 matrices by bf16 multiplications is (bf16, bf16) -> f32. There is no
// dtype tf32, so operands rounded to tf32 are stored as f32.
//
//===----------------------------------------------------------------------===//

#include "compiler/graph/ops/MatmulPrecision.h"

namespace tensorc::graph {

static thread_local MatmulPrecision current = MatmulPrecision::Highest;

MatmulPrecision matmulPrecision() { return current; }
void setMatmulPrecision(MatmulPrecision precision) { current = precision; }

static constexpr const char *names[] = {"highest", "tf32", "bf16"};

const char *nameOf(MatmulPrecision precision) {
  return names[static_cast<unsigned>(precision)];
}

std::optional<MatmulPrecision> matmulPrecisionFrom(llvm::StringRef name) {
  for (auto [i, known] : llvm::enumerate(names))
    if (name == known)
      return static_cast<MatmulPrecision>(i);
  return std::nullopt;
}

/// Rounds to the nearest number with 10 fraction bits, ties to even.
static NodeRef toTF32(Recorder &r, const NodeRef &x) {
  constexpr int64_t dropped = 13, unit = int64_t(1) << dropped;
  auto on = [&](OpKind op, const NodeRef &bits, int64_t number) {
    return elementwise(r, op, {bits, Scalar::of(number)});
  };
  NodeRef bits = bitcast(r, x, DType::UI32);
  NodeRef last = on(OpKind::And, on(OpKind::ShrLogical, bits, dropped), 1);
  NodeRef half = on(OpKind::Add, last, unit / 2 - 1);
  constexpr int64_t low = unit - 1, high = int64_t(UINT32_MAX) - low;
  NodeRef kept =
      on(OpKind::And, elementwise(r, OpKind::Add, {bits, half}), high);
  // Integer bits have no gradient. To attach one, x - own is added, where `own`
  // has the value of x but no gradient, so that the difference is 0. `own` is
  // assembled from two masked parts: if x were only cast to bits and back, second
  // derivatives would treat the result as x.
  NodeRef own = elementwise(
      r, OpKind::Or, {on(OpKind::And, bits, high), on(OpKind::And, bits, low)});
  NodeRef zero = elementwise(r, OpKind::Sub, {x, bitcast(r, own, DType::F32)});
  NodeRef rounded =
      elementwise(r, OpKind::Add, {bitcast(r, kept, DType::F32), zero});
  // Rounding could carry from the bits of a NaN into its sign. The sum quiets a
  // NaN, because one whose only fraction bits are dropped would be an infinity.
  NodeRef special =
      elementwise(r, OpKind::Add, {x, bitcast(r, own, DType::F32)});
  NodeRef isFinite = elementwise(r, OpKind::IsFinite, {x});
  return elementwise(r, OpKind::Select, {isFinite, rounded, special});
}

NodeRef asFactor(Recorder &r, const NodeRef &x) {
  if (!x || x->dtype() != DType::F32)
    return x;
  switch (current) {
  case MatmulPrecision::Highest:
    return x;
  case MatmulPrecision::TF32:
    return toTF32(r, x);
  case MatmulPrecision::BF16:
    return astype(r, x, DType::BF16);
  }
}

} // namespace tensorc::graph
