//===- Activations.cpp - ONNX's activation functions ----------------------===//

#include "compiler/frontends/onnx/NodeImport.h"

#include <cmath>
#include <numbers>

namespace tensorc::onnx {

template <typename Op> static void composite(NodeImport &n) {
  Value x = n.in(0);
  if (!n.isRefused())
    n.set(n.make<Op>(dtypeOf(x), x));
}

static void sigmoid(NodeImport &n) { n.set(n.sigmoid(n.in(0))); }

static void leakyRelu(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  Value slope = n.full(n.real("alpha", 0.01f), dtypeOf(x));
  n.set(n.make<tx::LeakyReluOp>(dtypeOf(x), x, slope));
}

/// The slope has one element per channel, or is any tensor that broadcasts to
/// x. Integers are allowed, too.
static void pRelu(NodeImport &n) {
  Value x = n.in(0), slope = n.in(1);
  if (n.isRefused())
    return;
  // Until opset 6 the slope was a single number or one per channel.
  if (n.opset < 7 && rankOf(slope) == 1 && rankOf(x) > 2 &&
      dimsOf(slope)[0] != 1)
    slope = n.alongDim(slope, 1, rankOf(x));
  n.set(n.select(n.less(x, 0), n.mul(x, slope), x));
}

static void elu(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  Value alpha = n.full(n.real("alpha", 1), dtypeOf(x));
  n.set(n.make<tx::EluOp>(dtypeOf(x), x, alpha));
}

static void celu(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  Value alpha = n.full(n.real("alpha", 1), dtypeOf(x));
  n.set(n.make<tx::CeluOp>(dtypeOf(x), x, alpha));
}

static void selu(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  bool isOld = n.opset < 6;
  double alpha = n.real("alpha", isOld ? 1.6732 : 1.67326319217681884765625),
         gamma = n.real("gamma", isOld ? 1.0507 : 1.05070102214813232421875);
  Value below = n.mul(n.map<tx::Expm1Op>({x}), alpha);
  n.set(n.mul(n.select(n.greater(x, 0), x, below), gamma));
}

static void softplus(NodeImport &n) {
  Value x = n.in(0);
  if (!n.isRefused())
    n.set(n.make<tx::SoftplusOp>(dtypeOf(x), x, Value()));
}

static void gelu(NodeImport &n) {
  Value x = n.in(0);
  if (!n.isRefused())
    n.set(n.make<tx::GeluOp>(dtypeOf(x), x,
                             n.text("approximate", "none") == "tanh"));
}

static void hardSigmoid(NodeImport &n) {
  Value x = n.in(0);
  Value line = n.add(n.mul(x, n.real("alpha", 0.2f)), n.real("beta", 0.5));
  n.set(n.isRefused() ? Value() : n.max(n.min(line, 1), 0));
}

/// Computes x max(0, min(1, x / 6 + 1 / 2)), which is ONNX's definition.
static void hardSwish(NodeImport &n) {
  Value x = n.in(0);
  Value line = n.add(n.mul(x, 1.0f / 6.0f), 0.5);
  n.set(n.isRefused() ? Value() : n.mul(x, n.max(n.min(line, 1), 0)));
}

static void swish(NodeImport &n) {
  Value x = n.in(0);
  double alpha = n.real("alpha", 1);
  if (!n.isRefused())
    n.set(n.mul(x, n.sigmoid(alpha == 1 ? x : n.mul(x, alpha))));
}

static void thresholdedRelu(NodeImport &n) {
  Value x = n.in(0);
  n.set(n.isRefused() ? Value()
                      : n.select(n.greater(x, n.real("alpha", 1)), x, 0));
}

static void shrink(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  DType dtype = dtypeOf(x);
  double lambda = n.real("lambd", 0.5), bias = n.real("bias", 0);
  // Converts the constants to the dtype; for integers this truncates them.
  auto number = [&](double value) { return Operand(n.full(value, dtype)); };
  Value above =
      n.select(n.greater(x, number(lambda)), n.sub(x, number(bias)), 0);
  n.set(n.isRefused() ? Value()
                      : n.select(n.less(x, number(-lambda)),
                                 n.add(x, number(bias)), above));
}

/// Until opset 12 the dims from the axis on are treated as one, and the default
/// axis is 1.
template <typename Op, bool isOld> static void softmax(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  if (rankOf(x) == 0) {
    n.refuse("a scalar has no axis");
    return;
  }
  int64_t axis = n.integer("axis", isOld ? 1 : -1);
  SmallVector<Dim> dims(dimsOf(x));
  // An axis one beyond the last dim is also allowed: a dim of size 1 is
  // appended for it.
  if (isOld && axis == rankOf(x)) {
    dims.push_back(1);
    x = n.reshape(x, dims);
  }
  axis = n.axis(axis, rankOf(x));
  if (n.isRefused())
    return;
  SmallVector<Dim> flat{product(ArrayRef(dims).take_front(axis)),
                        product(ArrayRef(dims).drop_front(axis))};
  bool flattens = isOld && axis != rankOf(x) - 1;
  Value result = flattens ? n.reshape(x, flat) : x;
  if (!n.isRefused())
    result = n.make<Op>(dtypeOf(x), result, flattens ? 1 : axis);
  Value original = n.in(0);
  n.set(n.isRefused() ? Value() : n.reshape(result, dimsOf(original)));
}

/// Returns 1 at the first of the largest elements, and 0 elsewhere.
template <bool isOld> static void hardmax(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  SmallVector<Dim> dims(dimsOf(x));
  int64_t axis = n.axis(n.integer("axis", isOld ? 1 : -1), rankOf(x));
  if (n.isRefused())
    return;
  if (isOld) {
    SmallVector<Dim> flat{product(ArrayRef(dims).take_front(axis)),
                          product(ArrayRef(dims).drop_front(axis))};
    x = n.reshape(x, flat), axis = 1;
  }
  if (n.isRefused())
    return;
  SmallVector<Dim> own(dimsOf(x));
  Value place = n.make<tx::ArgmaxOp>(DType::I64, x, ArrayRef<int64_t>(axis));
  if (n.isRefused())
    return;
  own[axis] = 1;
  Value at =
      n.equal(n.iota(DType::I64, dimsOf(x), axis), n.reshape(place, own));
  n.set(n.reshape(n.convertLike(at, x), dims));
}

ArrayRef<OpVersion> activationOps() {
  static constexpr OpVersion ops[] = {
      {"Celu", 12, celu},
      {"Elu", 1, elu},
      {"Gelu", 20, gelu},
      {"HardSigmoid", 1, hardSigmoid},
      {"HardSwish", 14, hardSwish},
      {"Hardmax", 1, hardmax<true>},
      {"Hardmax", 13, hardmax<false>},
      {"LeakyRelu", 1, leakyRelu},
      {"LogSoftmax", 1, softmax<tx::LogSoftmaxOp, true>},
      {"LogSoftmax", 13, softmax<tx::LogSoftmaxOp, false>},
      {"Mish", 18, composite<tx::MishOp>},
      {"PRelu", 1, pRelu},
      {"Relu", 1, composite<tx::ReluOp>},
      {"Selu", 1, selu},
      {"Shrink", 9, shrink},
      {"Sigmoid", 1, sigmoid},
      {"Softmax", 1, softmax<tx::SoftmaxOp, true>},
      {"Softmax", 13, softmax<tx::SoftmaxOp, false>},
      {"Softplus", 1, softplus},
      {"Softsign", 1, composite<tx::SoftsignOp>},
      {"Swish", 24, swish},
      {"ThresholdedRelu", 1, thresholdedRelu},
  };
  return ops;
}

} // namespace tensorc::onnx
