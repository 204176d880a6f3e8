//===- Functions.cpp - Operations of the C interface ----------------------===//
//
// The adapters are generated from ir/tx and Api.td. This file contains the
// helpers that they call, and the functions with several results.
//
//===----------------------------------------------------------------------===//

#include "compiler/api/Api.h"
#include "compiler/graph/fourier/Fourier.h"
#include "compiler/graph/linalg/LinearAlgebra.h"
#include "compiler/graph/nn/NeuralNetworks.h"
#include "compiler/graph/nn/Quantization.h"
#include "compiler/graph/ops/Arrays.h"
#include "compiler/graph/ops/Collectives.h"
#include "compiler/graph/random/Distributions.h"
#include "compiler/graph/statistics/Curves.h"
#include "compiler/graph/statistics/MissingValues.h"
#include "compiler/graph/statistics/Statistics.h"
#include "compiler/session/derive/FakeQuantize.h"
#include "compiler/session/derive/GammaNumbers.h"
#include "compiler/session/derive/Multinomial.h"

#include "tensorc/arrays.h"
#include "tensorc/indexing.h"
#include "tensorc/nn.h"
#include "tensorc/ops.h"
#include "tensorc/random.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::Ints;
using graph::NodeRef;
using graph::OpKind;
using graph::Recorder;

template <size_t N>
static tensorc_status *
recordElementwise(OpKind op, const tensorc_arg *const (&args)[N],
                  tensorc_location at, tensorc_tensor **out) {
  static_assert(N <= 3, "no op has more operands");
  const graph::OpTraits &info = graph::traits(op);
  return record(
      at, out,
      [&](Recorder &r) {
        auto of = [&](const auto &...arg) {
          graph::Operand operands[] = {operandOf(r, arg)...};
          return info.category == graph::Category::Composite
                     ? graph::activation(r, op, operands)
                     : graph::elementwise(r, op, operands);
        };
        if constexpr (N == 1)
          return of(args[0]);
        else if constexpr (N == 2)
          return of(args[0], args[1]);
        else
          return of(args[0], args[1], args[2]);
      },
      info.apiName);
}

//===----------------------------------------------------------------------===//
// C functions that record one of several ops
//===----------------------------------------------------------------------===//

static NodeRef reduceBy(Recorder &r, OpKind op, const NodeRef &x, Ints axes,
                        bool keepDims) {
  return op == OpKind::Mean ? graph::mean(r, x, axes, keepDims)
                            : graph::reduce(r, op, x, axes, keepDims);
}

static NodeRef activateBy(Recorder &r, tensorc_activation activation,
                          const NodeRef &x, double parameter) {
  graph::Scalar number = graph::Scalar::of(parameter);
  switch (activation) {
  case TENSORC_RELU:
    return graph::relu(r, x);
  case TENSORC_SIGMOID:
    return graph::sigmoid(r, x);
  case TENSORC_SILU:
    return graph::activation(r, OpKind::Silu, {x});
  case TENSORC_GELU:
  case TENSORC_GELU_TANH:
    return graph::gelu(r, x, activation == TENSORC_GELU_TANH);
  case TENSORC_ELU:
    return graph::activation(r, OpKind::Elu, {x, number});
  case TENSORC_LEAKY_RELU:
    return graph::activation(r, OpKind::LeakyRelu, {x, number});
  case TENSORC_SOFTPLUS:
    return graph::softplus(r, x, parameter);
  case TENSORC_MISH:
    return graph::activation(r, OpKind::Mish, {x});
  case TENSORC_HARDSWISH:
    return graph::activation(r, OpKind::Hardswish, {x});
  }
  return r.fail("activate", "unknown activation");
}

static NodeRef fourierBy(Recorder &r, tensorc_fourier_transform transform,
                         const NodeRef &x, Ints sizes, Ints axes,
                         llvm::StringRef norm) {
  if (transform < TENSORC_FFT || transform > TENSORC_IHFFT)
    return r.fail("fourier", "unknown transform");
  return graph::fourier(r, static_cast<graph::Transform>(transform), x, sizes,
                        axes, norm);
}

#include "compiler/api/CApiFunctions.inc"
#include "compiler/api/CApiOps.inc"

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

tensorc_status *tensorc_full(tensorc_dtype dtype, int32_t rank,
                             const int64_t *dims, const tensorc_arg *value,
                             tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        graph::DType checked = dtypeOf(r, dtype);
        Ints shape = intsOf(r, "dims", rank, dims);
        graph::Operand operand = operandOf(r, value);
        if (!r.error.empty())
          return {};
        if (operand.isScalar)
          return graph::full(r, checked, shape, operand.scalar);
        return graph::broadcastTo(r, graph::astype(r, operand.node, checked),
                                  shape);
      },
      "full");
}

tensorc_status *tensorc_top_k(const tensorc_tensor *x, int64_t k, int64_t axis,
                              int32_t largest, tensorc_location at,
                              tensorc_tensor **values,
                              tensorc_tensor **indices) {
  Recorder r(locationOf(at), "top_k");
  if (!values || !indices) {
    r.fail("top_k", "an out parameter is NULL");
    return refusal(r);
  }
  graph::TopK top = graph::topK(r, refOf(x), k, axis, largest);
  *indices = nullptr;
  tensorc_status *status = finish(r, std::move(top.values), values);
  return status ? status : finish(r, std::move(top.indices), indices);
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

/// Returns the positions of all nonzero elements. Their number is read on first
/// use.
static tensorc_status *nonzeroByCount(Recorder &r, const tensorc_tensor *x,
                                      tensorc_tensor **out) {
  NodeRef from = refOf(x), mask;
  if (!from)
    r.fail("", "the operand is an undefined tensor");
  else if (from->rank() == 0)
    r.fail(
        "",
        "a scalar has no dimension that indices are along; reshape it to [1]");
  else
    mask = graph::astype(r, from, graph::DType::I1);
  if (!mask || !checkCountable(r, mask))
    return refusal(r);
  graph::Shape shape(mask->shape());
  auto selection = std::make_shared<Selection>(mask);
  for (size_t dim = 0; dim < shape.size(); ++dim)
    out[dim] =
        (new Deferred("nonzero", r.location, graph::DType::I64, 1, selection,
                      [shape, dim](Recorder &r, const NodeRef &places) {
                        return graph::indexAlong(r, places, shape, dim);
                      }))
            ->handle();
  return nullptr;
}

tensorc_status *tensorc_nonzero(const tensorc_tensor *x, int64_t size,
                                int64_t fill, tensorc_location at,
                                tensorc_tensor **out) {
  Recorder r(locationOf(at), "nonzero");
  int32_t rank = tensorc_tensor_rank(x);
  if (!checkList(r, "results", rank, out))
    return refusal(r);
  if (out)
    std::fill_n(out, x ? rank : 1, nullptr);
  if (size == TENSORC_NONE)
    return nonzeroByCount(r, x, out);
  llvm::SmallVector<NodeRef> indices = graph::nonzero(r, refOf(x), size, fill);
  if (!r.error.empty())
    return refusal(r);
  for (auto [node, handle] :
       llvm::zip(indices, llvm::MutableArrayRef(out, rank))) {
    node->becomeHandle();
    handle = handleOf(node.leak());
  }
  return nullptr;
}
