//===- Fourier.cpp - Recording Fourier transforms -------------------------===//

#include "compiler/graph/fourier/Fourier.h"
#include "compiler/graph/DefaultFloat.h"
#include "compiler/graph/ops/Arrays.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace tensorc::graph {

static const char *nameOf(Transform transform) {
  static constexpr const char *names[] = {"fft",   "ifft", "rfft",
                                          "irfft", "hfft", "ihfft"};
  return names[static_cast<int>(transform)];
}

static tx::FourierKind kindOf(Transform transform) {
  switch (transform) {
  case Transform::Fft:
  case Transform::Ifft:
    return tx::FourierKind::Complex;
  case Transform::Rfft:
  case Transform::Ihfft:
    return tx::FourierKind::Real;
  case Transform::Irfft:
  case Transform::Hfft:
    return tx::FourierKind::Hermitian;
  }
  llvm_unreachable("all transforms are listed");
}

/// Keeps the given order of the axes, because the last one is halved.
static bool findAxes(Recorder &r, const char *name, const NodeRef &x,
                     Ints sizes, Ints axes, Shape &result) {
  auto rank = static_cast<int64_t>(x->rank());
  if (!axes.empty() && !sizes.empty() && sizes.size() != axes.size()) {
    r.fail(name, llvm::Twine(sizes.size()) + " sizes for " +
                     llvm::Twine(axes.size()) + " axes");
    return false;
  }
  int64_t count = sizes.empty() ? rank : static_cast<int64_t>(sizes.size());
  if (axes.empty() && count > rank) {
    r.fail(name, llvm::Twine(count) + " sizes for " + shapeString(x->shape()));
    return false;
  }
  if (axes.empty())
    result.append(llvm::seq(rank - count, rank).begin(),
                  llvm::seq(rank - count, rank).end());
  for (int64_t axis : axes) {
    Shape one;
    if (!normalizeAxes(r, name, *x.get(), axis, false, one))
      return false;
    if (llvm::is_contained(result, one[0])) {
      r.fail(name, "axis " + llvm::Twine(axis) + " is listed twice");
      return false;
    }
    result.push_back(one[0]);
  }
  if (result.empty())
    r.fail(name, "needs at least one axis, of " + shapeString(x->shape()));
  return !result.empty();
}

/// Crops x to the first elements along an axis, or pads it with zeros.
static NodeRef fitted(Recorder &r, const NodeRef &x, int64_t axis,
                      int64_t size) {
  if (!x || x->shape()[axis] == size)
    return x;
  if (size < x->shape()[axis]) {
    Shape starts(axis + 1, openEnd), stops(axis + 1, openEnd),
        steps(axis + 1, 1);
    stops[axis] = size;
    return slice(r, x, starts, stops, steps);
  }
  Shape none(x->rank(), 0), after(x->rank(), 0);
  after[axis] = size - x->shape()[axis];
  return pad(r, x, none, after, none, Scalar::of(0.0));
}

/// Maximum length of a transform. The program contains a table of its roots of
/// unity with 16 bytes per element.
constexpr int64_t longest = int64_t(1) << 31;

NodeRef fourier(Recorder &r, Transform transform, const NodeRef &x, Ints sizes,
                Ints axes, llvm::StringRef norm) {
  const char *name = nameOf(transform);
  if (!x)
    return r.fail(name, "the operand is an undefined tensor");
  if (!checkComputed(r, name, x->dtype()))
    return {};
  auto scale = llvm::StringSwitch<std::optional<tx::FourierNorm>>(norm)
                   .Case("backward", tx::FourierNorm::Backward)
                   .Case("ortho", tx::FourierNorm::Ortho)
                   .Case("forward", tx::FourierNorm::Forward)
                   .Default(std::nullopt);
  if (!scale)
    return r.fail(name, "the norm is 'backward', 'ortho' or 'forward', not '" +
                            norm + "'");
  tx::FourierKind kind = kindOf(transform);
  bool isReal = kind == tx::FourierKind::Real;
  bool isHermitian = kind == tx::FourierKind::Hermitian;
  if (isReal && isComplex(x->dtype()))
    return r.fail(name, llvm::Twine("needs real numbers, not ") +
                            dtypeName(x->dtype()));
  Shape dims;
  if (!findAxes(r, name, x, sizes, axes, dims))
    return {};
  DType plane = isComplex(x->dtype())      ? planeOf(x->dtype())
                : x->dtype() == DType::F64 ? DType::F64
                : isFloat(x->dtype())      ? DType::F32
                                           : defaultFloat();
  NodeRef value = astype(r, x, isReal ? plane : complexOf(plane));
  Shape lengths;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    bool isHalf = isHermitian && i + 1 == dims.size();
    int64_t has = x->shape()[dim];
    int64_t length = sizes.empty() || sizes[i] == -1
                         ? (isHalf ? 2 * (has - 1) : has)
                         : sizes[i];
    if (length < 1)
      return r.fail(name, "a transform has at least one element, not " +
                              llvm::Twine(length) + ", of " +
                              shapeString(x->shape()));
    if (length > longest)
      return r.fail(name, "a transform of " + llvm::Twine(length) +
                              " elements needs a table of " +
                              llvm::Twine(length >> 26) +
                              " GiB: it has at most " + llvm::Twine(longest));
    lengths.push_back(length);
    value = fitted(r, value, dim, isHalf ? length / 2 + 1 : length);
  }
  if (!value)
    return {};
  bool isInverse = transform == Transform::Ifft ||
                   transform == Transform::Irfft ||
                   transform == Transform::Ihfft;
  return composite(
      r, OpKind::Fourier, isHermitian ? plane : complexOf(plane), value,
      tx::FourierAttributes{kind, isInverse, lengths, dims, *scale});
}

NodeRef frequencies(Recorder &r, int64_t n, double spacing, DType dtype,
                    bool half) {
  const char *name = half ? "rfftfreq" : "fftfreq";
  if (n < 1)
    return r.fail(name, "needs at least one element, not " + llvm::Twine(n));
  if (!isIn(dtype, floatMask))
    return r.fail(name, llvm::Twine("dtype must be a float, not ") +
                            dtypeName(dtype));
  int64_t count = half ? n / 2 + 1 : n;
  // The first half of the frequencies counts up from 0, the second half up from
  // -(n / 2).
  NodeRef k = iota(r, DType::I64, count, 0);
  if (!half)
    k = elementwise(r, OpKind::Select,
                    {elementwise(r, OpKind::Lt, {k, Scalar::of((n + 1) / 2)}),
                     k, elementwise(r, OpKind::Sub, {k, Scalar::of(n)})});
  // Rounds once, as NumPy does.
  double step = static_cast<double>(n) * spacing;
  NodeRef wide = astype(r, k, DType::F64);
  return astype(r, elementwise(r, OpKind::Div, {wide, Scalar::of(step)}),
                dtype);
}

NodeRef fftshift(Recorder &r, const NodeRef &x, Ints axes, bool back) {
  const char *name = back ? "ifftshift" : "fftshift";
  if (!x)
    return r.fail(name, "the operand is an undefined tensor");
  Shape all, shifts;
  if (!normalizeAxes(r, name, *x.get(), axes, true, all))
    return {};
  if (all.empty())
    return x;
  for (int64_t axis : all) {
    int64_t size = x->shape()[axis];
    shifts.push_back(back ? size - size / 2 : size / 2);
  }
  return roll(r, x, shifts, all);
}

} // namespace tensorc::graph
