//===- Arrays.cpp - tensorc/arrays.h --------------------------------------===//

#include "compiler/graph/Arrays.h"
#include "compiler/api/Api.h"

#include "tensorc/arrays.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::Ints;
using graph::NodeRef;
using graph::Recorder;

tensorc_status *tensorc_einsum(const char *subscripts,
                               const tensorc_tensor *const *tensors,
                               int32_t count, tensorc_location at,
                               tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!subscripts)
          return r.fail("einsum", "the subscripts are NULL");
        return graph::einsum(r, subscripts, refsOf(r, count, tensors));
      },
      "einsum");
}

tensorc_status *tensorc_tensordot(const tensorc_tensor *x,
                                  const tensorc_tensor *y, int32_t count,
                                  const int64_t *x_axes, const int64_t *y_axes,
                                  tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::tensordot(r, refOf(x), refOf(y),
                                intsOf(r, "x_axes", count, x_axes),
                                intsOf(r, "y_axes", count, y_axes));
      },
      "tensordot");
}

tensorc_status *tensorc_kron(const tensorc_tensor *x, const tensorc_tensor *y,
                             tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out, [&](Recorder &r) { return graph::kron(r, refOf(x), refOf(y)); },
      "kron");
}

tensorc_status *tensorc_triangle(const tensorc_tensor *x, int64_t diagonal,
                                 int32_t upper, tensorc_location at,
                                 tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::triangle(r, refOf(x), diagonal, upper);
      },
      upper ? "triu" : "tril");
}

tensorc_status *tensorc_diag(const tensorc_tensor *x, int64_t diagonal,
                             tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out, [&](Recorder &r) { return graph::diag(r, refOf(x), diagonal); },
      "diag");
}

tensorc_status *tensorc_roll(const tensorc_tensor *x, int32_t shift_count,
                             const int64_t *shifts, int32_t axis_count,
                             const int64_t *axes, tensorc_location at,
                             tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::roll(r, refOf(x),
                           intsOf(r, "shifts", shift_count, shifts),
                           intsOf(r, "axes", axis_count, axes));
      },
      "roll");
}

tensorc_status *tensorc_tile(const tensorc_tensor *x, int32_t count,
                             const int64_t *repetitions, tensorc_location at,
                             tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::tile(r, refOf(x),
                           intsOf(r, "repetitions", count, repetitions));
      },
      "tile");
}

tensorc_status *tensorc_repeat(const tensorc_tensor *x, int64_t count,
                               int64_t axis, tensorc_location at,
                               tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) { return graph::repeat(r, refOf(x), count, axis); },
      "repeat");
}

tensorc_status *tensorc_stack(const tensorc_tensor *const *tensors,
                              int32_t count, int64_t axis, tensorc_location at,
                              tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::stack(r, refsOf(r, count, tensors), axis);
      },
      "stack");
}

tensorc_status *tensorc_meshgrid(const tensorc_tensor *const *tensors,
                                 int32_t count, int32_t xy, tensorc_location at,
                                 tensorc_tensor **out) {
  Recorder r(locationOf(at), "meshgrid");
  if (!checkList(r, "results", count, out))
    return refusal(r);
  std::fill_n(out, count, nullptr);
  llvm::SmallVector<NodeRef> grids =
      graph::meshgrid(r, refsOf(r, count, tensors), xy);
  if (!r.error.empty())
    return refusal(r);
  for (auto [node, handle] :
       llvm::zip(grids, llvm::MutableArrayRef(out, count))) {
    handle = giveHandle(r, std::move(node));
  }
  return r.error.empty() ? nullptr : refuseAll(r, out, count);
}

tensorc_status *tensorc_pad_with(const tensorc_tensor *x, const int64_t *low,
                                 const int64_t *high, tensorc_pad_mode mode,
                                 tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!x)
          return r.fail("pad", "the operand is an empty tensor");
        if (mode < TENSORC_PAD_EDGE || mode > TENSORC_PAD_WRAP)
          return r.fail("pad", "unknown mode");
        int32_t rank = nodeOf(x)->rank();
        Ints before = intsOf(r, "low", rank, low);
        Ints after = intsOf(r, "high", rank, high);
        if (!r.error.empty())
          return {};
        return graph::padWith(r, refOf(x), before, after,
                              static_cast<graph::PadMode>(mode));
      },
      "pad");
}
