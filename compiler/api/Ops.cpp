//===- Ops.cpp - Operations of the C interface ----------------------------===//

#include "compiler/api/Api.h"
#include "compiler/graph/nn/NeuralNetworks.h"

#include "tensorc/ops.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::Ints;
using graph::NodeRef;
using graph::OpKind;
using graph::Recorder;

static tensorc_status *
recordElementwise(OpKind op, std::initializer_list<tensorc_arg> args,
                  tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        assert(args.size() <= 3 && "no op has more operands");
        graph::Operand operands[3] = {{nullptr}, {nullptr}, {nullptr}};
        for (auto [i, arg] : llvm::enumerate(args))
          operands[i] = operandOf(r, arg);
        return graph::elementwise(r, op, {operands, args.size()});
      },
      graph::traits(op).apiName);
}

#include "compiler/api/CApiOps.inc"

/// Refuses what no enumerator names.
static bool check(Recorder &r, const char *op, tensorc_dtype dtype) {
  if (dtypeOf(dtype) == graph::DType::None)
    r.fail(op, "unknown dtype " + llvm::Twine(static_cast<int>(dtype)));
  return r.error.empty();
}

/// Refuses NULL.
static bool check(Recorder &r, const char *op, const tensorc_tensor *x) {
  if (!x)
    r.fail(op, "the operand is an empty tensor");
  return r.error.empty();
}

tensorc_status *tensorc_full(tensorc_dtype dtype, int32_t rank,
                             const int64_t *dims, tensorc_arg value,
                             tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!check(r, "full", dtype) || !checkKind(r, value))
          return {};
        if (value.kind == TENSORC_ARG_TENSOR &&
            !check(r, "full", value.value.tensor))
          return {};
        if (value.kind != TENSORC_ARG_TENSOR)
          return graph::full(r, dtypeOf(dtype), intsOf(r, "dims", rank, dims),
                             scalarOf(value));
        NodeRef x = graph::astype(r, refOf(value.value.tensor), dtypeOf(dtype));
        return graph::broadcastTo(r, x, intsOf(r, "dims", rank, dims));
      },
      "full");
}

tensorc_status *tensorc_arange(tensorc_dtype dtype, double start, double stop,
                               double step, tensorc_location at,
                               tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!check(r, "arange", dtype))
          return {};
        return graph::arange(r, dtypeOf(dtype), start, stop, step);
      },
      "arange");
}

tensorc_status *tensorc_linspace(tensorc_dtype dtype, double start, double stop,
                                 int64_t count, tensorc_location at,
                                 tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!check(r, "linspace", dtype))
          return {};
        return graph::linspace(r, dtypeOf(dtype), start, stop, count);
      },
      "linspace");
}

tensorc_status *tensorc_eye(tensorc_dtype dtype, int64_t rows, int64_t columns,
                            int64_t diagonal, tensorc_location at,
                            tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!check(r, "eye", dtype))
          return {};
        return graph::eye(r, dtypeOf(dtype), rows, columns, diagonal);
      },
      "eye");
}

tensorc_status *tensorc_astype(const tensorc_tensor *x, tensorc_dtype dtype,
                               tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!check(r, "astype", dtype) || !check(r, "astype", x))
          return {};
        return graph::astype(r, refOf(x), dtypeOf(dtype));
      },
      "astype");
}

tensorc_status *tensorc_bitcast(const tensorc_tensor *x, tensorc_dtype dtype,
                                tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!check(r, "bitcast", dtype) || !check(r, "bitcast", x))
          return {};
        return graph::bitcast(r, refOf(x), dtypeOf(dtype));
      },
      "bitcast");
}

tensorc_status *tensorc_broadcast_to(const tensorc_tensor *x, int32_t rank,
                                     const int64_t *dims, tensorc_location at,
                                     tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!check(r, "broadcast_to", x))
          return {};
        return graph::broadcastTo(r, refOf(x), intsOf(r, "dims", rank, dims));
      },
      "broadcast_to");
}

tensorc_status *tensorc_reshape(const tensorc_tensor *x, int32_t rank,
                                const int64_t *dims, tensorc_location at,
                                tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::reshape(r, refOf(x), intsOf(r, "dims", rank, dims));
      },
      "reshape");
}

tensorc_status *tensorc_transpose(const tensorc_tensor *x, int32_t count,
                                  const int64_t *axes, tensorc_location at,
                                  tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::transpose(r, refOf(x), intsOf(r, "axes", count, axes));
      },
      "transpose");
}

tensorc_status *tensorc_expand_dims(const tensorc_tensor *x, int64_t axis,
                                    tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) { return graph::expandDims(r, refOf(x), axis); },
      "expand_dims");
}

tensorc_status *tensorc_squeeze(const tensorc_tensor *x, int32_t count,
                                const int64_t *axes, tensorc_location at,
                                tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::squeeze(r, refOf(x), intsOf(r, "axes", count, axes));
      },
      "squeeze");
}

tensorc_status *tensorc_slice(const tensorc_tensor *x, int32_t count,
                              const int64_t *starts, const int64_t *stops,
                              const int64_t *steps, tensorc_location at,
                              tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::slice(r, refOf(x), intsOf(r, "starts", count, starts),
                            intsOf(r, "stops", count, stops),
                            intsOf(r, "steps", count, steps));
      },
      "slice");
}

tensorc_status *tensorc_pad(const tensorc_tensor *x, const int64_t *low,
                            const int64_t *high, const int64_t *interior,
                            tensorc_arg value, tensorc_location at,
                            tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!check(r, "pad", x))
          return {};
        int32_t rank = nodeOf(x)->rank();
        return graph::pad(r, refOf(x), intsOf(r, "low", rank, low),
                          intsOf(r, "high", rank, high),
                          intsOf(r, "interior", interior ? rank : 0, interior),
                          operandOf(r, value));
      },
      "pad");
}

tensorc_status *tensorc_concatenate(const tensorc_tensor *const *tensors,
                                    int32_t count, int64_t axis,
                                    tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::concatenate(r, refsOf(r, count, tensors), axis);
      },
      "concatenate");
}

static const char *reductionName(tensorc_reduction reduction) {
  static constexpr const char *names[] = {
      "sum", "prod", "max", "min", "any", "all", "argmax", "mean", "argmin"};
  return static_cast<unsigned>(reduction) < std::size(names) ? names[reduction]
                                                             : "reduce";
}

tensorc_status *tensorc_reduce(tensorc_reduction reduction,
                               const tensorc_tensor *x, int32_t count,
                               const int64_t *axes, int32_t keepdims,
                               tensorc_location at, tensorc_tensor **out) {
  static constexpr OpKind kinds[] = {
      OpKind::Sum,   OpKind::Prod, OpKind::ReduceMax, OpKind::ReduceMin,
      OpKind::Any,   OpKind::All,  OpKind::Argmax,    OpKind::Sum /* mean */,
      OpKind::Argmin};
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        Ints dims = intsOf(r, "axes", count, axes);
        if (reduction == TENSORC_MEAN)
          return graph::mean(r, refOf(x), dims, keepdims);
        if (static_cast<unsigned>(reduction) >= std::size(kinds))
          return r.fail("reduce", "unknown reduction");
        return graph::reduce(r, kinds[reduction], refOf(x), dims, keepdims);
      },
      reductionName(reduction));
}

tensorc_status *tensorc_var(const tensorc_tensor *x, int32_t count,
                            const int64_t *axes, double correction,
                            int32_t keepdims, tensorc_location at,
                            tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::var(r, refOf(x), intsOf(r, "axes", count, axes),
                          correction, keepdims);
      },
      "var");
}

static const char *scanName(tensorc_scan scan) {
  static constexpr const char *names[] = {"cumsum", "cumprod", "cummax",
                                          "cummin"};
  return static_cast<unsigned>(scan) < std::size(names) ? names[scan]
                                                        : "cumulate";
}

tensorc_status *tensorc_cumulate(tensorc_scan scan, const tensorc_tensor *x,
                                 int64_t axis, int32_t reverse,
                                 int32_t exclusive, tensorc_location at,
                                 tensorc_tensor **out) {
  static constexpr OpKind kinds[] = {OpKind::Cumsum, OpKind::Cumprod,
                                     OpKind::Cummax, OpKind::Cummin};
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (static_cast<unsigned>(scan) >= std::size(kinds))
          return r.fail("cumulate", "unknown scan");
        return graph::scan(r, kinds[scan], refOf(x), axis, reverse, exclusive);
      },
      scanName(scan));
}

tensorc_status *tensorc_sort(const tensorc_tensor *x, int64_t axis,
                             int32_t descending, tensorc_location at,
                             tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::sort(r, OpKind::Sort, refOf(x), axis, descending);
      },
      "sort");
}

tensorc_status *tensorc_argsort(const tensorc_tensor *x, int64_t axis,
                                int32_t descending, tensorc_location at,
                                tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::sort(r, OpKind::Argsort, refOf(x), axis, descending);
      },
      "argsort");
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

tensorc_status *tensorc_matmul(const tensorc_tensor *x, const tensorc_tensor *y,
                               tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) { return graph::matmul(r, refOf(x), refOf(y)); },
      "matmul");
}

static const char *activationName(tensorc_activation activation) {
  static constexpr const char *names[] = {
      "relu", "sigmoid",    "silu",     "gelu", "gelu",
      "elu",  "leaky_relu", "softplus", "mish", "hardswish"};
  return static_cast<unsigned>(activation) < std::size(names)
             ? names[activation]
             : "activate";
}

tensorc_status *tensorc_activate(tensorc_activation activation,
                                 const tensorc_tensor *x, tensorc_location at,
                                 tensorc_tensor **out) {
  double parameter = activation == TENSORC_LEAKY_RELU ? 0.01 : 1.0;
  return tensorc_activate_with(activation, x, parameter, at, out);
}

tensorc_status *tensorc_activate_with(tensorc_activation activation,
                                      const tensorc_tensor *x, double parameter,
                                      tensorc_location at,
                                      tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        switch (activation) {
        case TENSORC_RELU:
          return graph::relu(r, refOf(x));
        case TENSORC_SIGMOID:
          return graph::sigmoid(r, refOf(x));
        case TENSORC_SILU:
          return graph::silu(r, refOf(x));
        case TENSORC_GELU:
        case TENSORC_GELU_TANH:
          return graph::gelu(r, refOf(x), activation == TENSORC_GELU_TANH);
        case TENSORC_ELU:
          return graph::elu(r, refOf(x), parameter);
        case TENSORC_LEAKY_RELU:
          return graph::leakyRelu(r, refOf(x), parameter);
        case TENSORC_SOFTPLUS:
          return graph::softplus(r, refOf(x), parameter);
        case TENSORC_MISH:
          return graph::mish(r, refOf(x));
        case TENSORC_HARDSWISH:
          return graph::hardswish(r, refOf(x));
        }
        return r.fail("activate", "unknown activation");
      },
      activationName(activation));
}

tensorc_status *tensorc_softmax(const tensorc_tensor *x, int64_t axis,
                                tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out, [&](Recorder &r) { return graph::softmax(r, refOf(x), axis); },
      "softmax");
}

tensorc_status *tensorc_log_softmax(const tensorc_tensor *x, int64_t axis,
                                    tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) { return graph::logSoftmax(r, refOf(x), axis); },
      "log_softmax");
}

tensorc_status *tensorc_layer_norm(const tensorc_tensor *x,
                                   const tensorc_tensor *scale,
                                   const tensorc_tensor *bias, double epsilon,
                                   tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::layerNorm(r, refOf(x), refOf(scale), refOf(bias),
                                epsilon);
      },
      "layer_norm");
}
