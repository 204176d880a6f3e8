//===- RecurrentOps.cpp - ONNX's recurrent networks -----------------------===//
//
// The products with the inputs do not depend on earlier steps and are computed
// for all steps at once. The remaining work is a tx.scan for each direction.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/onnx/GraphImport.h"
#include "ir/tx/Control.h"

using namespace mlir;

namespace tensorc::onnx {

namespace {
/// The activation function of a gate and its parameters.
struct Activation {
  std::string name;
  double alpha, beta;
};

/// A recurrent node's inputs and attributes, for one direction.
struct Layer {
  int64_t gates;
  Value x, w, r, wBias, rBias, peepholes, lengths, h, c;
  SmallVector<Activation> activations;
  double clip = 0;
  bool hasClip = false, reverse = false, hasInputForget = false,
       resetsAfter = false;
  Dim steps, batch, hidden;
};

/// The results of a direction.
struct Outcome {
  Value all, h, c;
};
} // namespace

static Value activate(NodeImport &n, const Activation &f, Value x) {
  if (n.isRefused())
    return Value();
  std::string name = StringRef(f.name).lower();
  if (name == "sigmoid")
    return n.sigmoid(x);
  if (name == "tanh")
    return n.tanh(x);
  if (name == "relu")
    return n.max(x, 0);
  if (name == "affine")
    return n.add(n.mul(x, f.alpha), f.beta);
  if (name == "leakyrelu")
    return n.select(n.less(x, 0), n.mul(x, f.alpha), x);
  if (name == "thresholdedrelu")
    return n.select(n.greater(x, f.alpha), x, 0);
  if (name == "scaledtanh")
    return n.mul(n.tanh(n.mul(x, f.beta)), f.alpha);
  if (name == "hardsigmoid")
    return n.max(n.min(n.add(n.mul(x, f.alpha), f.beta), 1), 0);
  if (name == "elu")
    return n.select(n.less(x, 0), n.mul(n.map<tx::Expm1Op>({x}), f.alpha), x);
  if (name == "softsign")
    return n.div(x, n.add(n.abs(x), 1));
  if (name == "softplus")
    return n.make<tx::SoftplusOp>(dtypeOf(x), x, Value());
  return n.refuse("the activation " + f.name + " is unknown");
}

static Value clipped(NodeImport &n, const Layer &layer, Value x) {
  return layer.hasClip && !n.isRefused()
             ? n.max(n.min(x, layer.clip), -layer.clip)
             : x;
}

/// Returns gate i of a tensor whose last dim is gates times the hidden size.
static Value gate(NodeImport &n, Value x, int64_t i, int64_t hidden) {
  return n.isRefused() ? Value() : n.part(x, rankOf(x) - 1, i * hidden, hidden);
}

/// Returns x times the transposed matrix.
static Value timesTransposed(NodeImport &n, Value x, Value w) {
  return n.isRefused() ? Value()
                       : n.dot(x, w, {{}, {}, rankOf(x) - 1, int64_t(1)});
}

namespace {
/// One step of a recurrence: the product with the step's input, the state, and
/// the layer's constants, as values inside of the scan.
struct Step {
  Value x, h, c, r, rBias, peepholes;
};
} // namespace

static std::pair<Value, Value> stepRnn(NodeImport &n, const Layer &layer,
                                       const Step &s) {
  Value sum = n.add(n.add(s.x, timesTransposed(n, s.h, s.r)), s.rBias);
  return {activate(n, layer.activations[0], clipped(n, layer, sum)), Value()};
}

/// One step of a GRU, whose gates are z, r, h.
static std::pair<Value, Value> stepGru(NodeImport &n, const Layer &layer,
                                       const Step &s) {
  int64_t hidden = *layer.hidden.number();
  auto part = [&](Value value, int64_t i) { return gate(n, value, i, hidden); };
  auto rows = [&](int64_t i, int64_t count) {
    return n.isRefused() ? Value() : n.part(s.r, 0, i * hidden, count * hidden);
  };
  Value products = timesTransposed(n, s.h, rows(0, 2));
  auto sum = [&](int64_t i) {
    Value own = n.add(part(s.x, i), part(products, i));
    return clipped(n, layer, n.add(own, part(s.rBias, i)));
  };
  Value z = activate(n, layer.activations[0], sum(0));
  Value reset = activate(n, layer.activations[0], sum(1));
  Value inner;
  if (layer.resetsAfter)
    inner = n.mul(reset,
                  n.add(timesTransposed(n, s.h, rows(2, 1)), part(s.rBias, 2)));
  else
    inner = n.add(timesTransposed(n, n.mul(reset, s.h), rows(2, 1)),
                  part(s.rBias, 2));
  Value candidate = activate(n, layer.activations[1],
                             clipped(n, layer, n.add(part(s.x, 2), inner)));
  Value next = n.add(n.mul(n.sub(1, z), candidate), n.mul(z, s.h));
  return {next, Value()};
}

/// One step of an LSTM, whose gates are i, o, f, c, and whose peepholes are i,
/// o, f.
static std::pair<Value, Value> stepLstm(NodeImport &n, const Layer &layer,
                                        const Step &s) {
  int64_t hidden = *layer.hidden.number();
  Value sums = n.add(n.add(s.x, timesTransposed(n, s.h, s.r)), s.rBias);
  auto sum = [&](int64_t i, Value c) {
    Value own = gate(n, sums, i, hidden);
    if (s.peepholes && c)
      own = n.add(own, n.mul(gate(n, s.peepholes, i, hidden), c));
    return clipped(n, layer, own);
  };
  Value input = activate(n, layer.activations[0], sum(0, s.c));
  Value forget = layer.hasInputForget
                     ? n.sub(1, input)
                     : activate(n, layer.activations[0], sum(2, s.c));
  Value cell = activate(n, layer.activations[1], sum(3, Value()));
  Value c = n.add(n.mul(forget, s.c), n.mul(input, cell));
  Value output = activate(n, layer.activations[0], sum(1, c));
  Value h = n.mul(output, activate(n, layer.activations[2], c));
  return {h, c};
}

static Outcome runLayer(NodeImport &n, const Layer &layer) {
  // Computes the products with the inputs of all steps: [steps, batch, gates *
  // hidden].
  Value products = timesTransposed(n, layer.x, layer.w);
  products = n.add(products, layer.wBias);
  if (n.isRefused())
    return {};
  SmallVector<Value> inputs{layer.h};
  if (layer.c)
    inputs.push_back(layer.c);
  size_t carried = inputs.size();
  inputs.push_back(products);
  llvm::append_values(inputs, layer.r, layer.rBias);
  for (Value each : {layer.peepholes, layer.lengths})
    if (each)
      inputs.push_back(each);
  Region region;
  Block *block = &region.emplaceBlock();
  Value step =
      block->addArgument(RankedTensorType::get({}, n.b.getI64Type()), n.loc);
  for (auto [i, input] : llvm::enumerate(inputs)) {
    Type type = input.getType();
    if (i == carried)
      type = tx::tensorType(SmallVector<Dim>(dimsOf(input).drop_front()),
                            cast<RankedTensorType>(type).getElementType());
    block->addArgument(type, n.loc);
  }
  n.b.setInsertionPointToEnd(block);
  unsigned next = 1;
  auto take = [&](bool isThere) {
    return isThere ? Value(block->getArgument(next++)) : Value();
  };
  Step s;
  s.h = take(true), s.c = take(bool(layer.c)), s.x = take(true);
  s.r = take(true), s.rBias = take(true);
  s.peepholes = take(bool(layer.peepholes));
  Value lengths = take(bool(layer.lengths));
  auto [h, c] = layer.gates == 1   ? stepRnn(n, layer, s)
                : layer.gates == 3 ? stepGru(n, layer, s)
                                   : stepLstm(n, layer, s);
  Value shown = h;
  if (lengths) {
    // After the end of its sequence, a row keeps its state, and its output is
    // zero.
    Value runs = n.unsqueeze(n.less(step, n.convert(lengths, DType::I64)), {1});
    shown = n.isRefused() ? Value() : n.select(runs, h, 0);
    h = n.isRefused() ? Value() : n.select(runs, h, s.h);
    if (c)
      c = n.isRefused() ? Value() : n.select(runs, c, s.c);
  }
  if (n.isRefused()) {
    n.b.setInsertionPointToEnd(n.graph.scope().block);
    return {};
  }
  SmallVector<Value> results{h};
  if (c)
    results.push_back(c);
  results.push_back(shown);
  SmallVector<Type> types;
  for (Value input : ArrayRef(inputs).take_front(carried))
    types.push_back(input.getType());
  SmallVector<Dim> all(dimsOf(shown));
  all.insert(all.begin(), layer.steps);
  types.push_back(
      tx::tensorType(all, tx::elementType(n.b.getContext(), dtypeOf(shown))));
  bool fits = true;
  for (size_t i = 0; i < carried; ++i)
    fits &= results[i].getType() == types[i];
  tx::ReturnOp::create(n.b, n.loc, results);
  n.b.setInsertionPointToEnd(n.graph.scope().block);
  if (!fits)
    return n.refuse("the initial state has another shape than the states"),
           Outcome();
  auto op = tx::ScanOp::create(n.b, n.loc, types,
                               tx::DimsAttr::get(n.b.getContext(), layer.steps),
                               carried, 1, inputs, layer.reverse);
  op.getBody().takeBody(region);
  return {op.getResults().back(), op.getResult(0),
          c ? Value(op.getResult(1)) : Value()};
}

static double alphaOf(StringRef name) {
  std::string lower = name.lower();
  return lower == "leakyrelu" ? 0.01f : lower == "hardsigmoid" ? 0.2f : 1.0;
}

/// Reads the activation functions of a direction. The lists of parameters have
/// elements only for functions that have parameters.
static void readActivations(NodeImport &n, Layer &layer, int64_t direction,
                            ArrayRef<StringRef> defaults) {
  const auto *given = n.attribute("activations");
  auto alphas = n.reals("activation_alpha").value_or(std::vector<float>()),
       betas = n.reals("activation_beta").value_or(std::vector<float>());
  size_t first = direction * defaults.size();
  if (given && given->strings.size() < first + defaults.size())
    return void(n.refuse("there are too few activations"));
  size_t alpha = 0, beta = 0;
  auto takesAlpha = [](StringRef name) {
    std::string lower = name.lower();
    return lower == "affine" || lower == "leakyrelu" || lower == "elu" ||
           lower == "thresholdedrelu" || lower == "scaledtanh" ||
           lower == "hardsigmoid";
  };
  auto takesBeta = [](StringRef name) {
    std::string lower = name.lower();
    return lower == "affine" || lower == "scaledtanh" || lower == "hardsigmoid";
  };
  for (size_t i = 0; i < first + defaults.size(); ++i) {
    StringRef name = given ? given->strings[i] : defaults[i % defaults.size()];
    Activation f{name.str(), alphaOf(name),
                 name.lower() == "hardsigmoid" ? 0.5 : 0.0};
    if (takesAlpha(name) && alpha < alphas.size())
      f.alpha = alphas[alpha++];
    if (takesBeta(name) && beta < betas.size())
      f.beta = betas[beta++];
    if (i >= first)
      layer.activations.push_back(f);
  }
}

/// Returns slice i along the first dim and drops this dim.
static Value directionOf(NodeImport &n, Value x, int64_t i) {
  if (n.isRefused() || !x)
    return Value();
  return n.squeeze(n.part(x, 0, i, 1), {0});
}

/// The expected rank and dtype of an input.
struct ExpectedInput {
  Value value; // null if the input is omitted
  int64_t rank;
  StringRef what;
};

/// Checks the ranks of all inputs that are given, and that all floats have the
/// same dtype.
static bool checkInputs(NodeImport &n, ArrayRef<ExpectedInput> inputs) {
  DType dtype = dtypeOf(inputs.front().value);
  for (const ExpectedInput &input : inputs) {
    if (!input.value)
      continue;
    if (rankOf(input.value) != input.rank)
      return n.refuse(input.what + " has rank " + Twine(rankOf(input.value)) +
                      ", not " + Twine(input.rank)),
             false;
    if (input.rank > 1 && dtypeOf(input.value) != dtype)
      return n.refuse(input.what + " has another dtype than the input"), false;
  }
  return true;
}

template <int64_t gates> static void recurrent(NodeImport &n) {
  static constexpr StringRef rnn[] = {"Tanh"}, gru[] = {"Sigmoid", "Tanh"},
                             lstm[] = {"Sigmoid", "Tanh", "Tanh"};
  ArrayRef<StringRef> defaults = gates == 1   ? ArrayRef<StringRef>(rnn)
                                 : gates == 3 ? ArrayRef<StringRef>(gru)
                                              : ArrayRef<StringRef>(lstm);
  Value x = n.in(0), w = n.in(1), r = n.in(2), bias = n.optional(3),
        lengths = n.optional(4), h = n.optional(5);
  Value c = gates == 4 ? n.optional(6) : Value(),
        peepholes = gates == 4 ? n.optional(7) : Value();
  if (n.isRefused())
    return;
  const ExpectedInput inputs[] = {{x, 3, "the input"},
                                  {w, 3, "the tensor of weights"},
                                  {r, 3, "the tensor of recurrent weights"},
                                  {bias, 2, "the bias"},
                                  {lengths, 1, "the list of lengths"},
                                  {h, 3, "the initial state"},
                                  {c, 3, "the initial cell"},
                                  {peepholes, 2, "the tensor of peepholes"}};
  if (!checkInputs(n, inputs))
    return;
  StringRef direction = n.text("direction", "forward");
  int64_t directions = direction == "bidirectional" ? 2 : 1;
  bool batchFirst = n.flag("layout");
  auto swapped = [&](Value value) {
    return value && batchFirst && !n.isRefused() ? n.transpose(value, {1, 0, 2})
                                                 : value;
  };
  x = swapped(x), h = swapped(h), c = swapped(c);
  if (n.isRefused())
    return;
  Dim steps = dimsOf(x)[0], batch = dimsOf(x)[1],
      hidden = n.numberOf(dimsOf(r)[2], "the hidden size");
  DType dtype = dtypeOf(x);
  if (!n.isRefused() && (!dimsOf(w)[0].isNumber(directions) ||
                         dimsOf(w)[1] != Dim(gates) * hidden))
    n.refuse("the weights have a wrong shape");
  SmallVector<Value> all, lastH, lastC;
  for (int64_t d = 0; d < directions && !n.isRefused(); ++d) {
    Layer layer;
    layer.gates = gates;
    layer.x = x, layer.lengths = lengths;
    layer.w = directionOf(n, w, d), layer.r = directionOf(n, r, d);
    SmallVector<Dim> state{batch, hidden}, wide{Dim(gates) * hidden};
    layer.h = h ? directionOf(n, h, d) : n.full(0, dtype, state);
    if (gates == 4)
      layer.c = c ? directionOf(n, c, d) : n.full(0, dtype, state);
    layer.peepholes = directionOf(n, peepholes, d);
    Value both = directionOf(n, bias, d);
    int64_t width = gates * *hidden.number();
    layer.wBias = both ? n.part(both, 0, 0, width) : n.full(0, dtype, wide);
    layer.rBias = both ? n.part(both, 0, width, width) : n.full(0, dtype, wide);
    layer.steps = steps, layer.batch = batch, layer.hidden = hidden;
    layer.reverse = d == 1 || direction == "reverse";
    layer.hasClip = n.attribute("clip");
    layer.clip = n.real("clip", 0);
    layer.hasInputForget = n.flag("input_forget");
    layer.resetsAfter = n.flag("linear_before_reset");
    readActivations(n, layer, d, defaults);
    if (n.isRefused())
      return;
    Outcome outcome = runLayer(n, layer);
    all.push_back(n.unsqueeze(outcome.all, {1}));
    lastH.push_back(n.unsqueeze(outcome.h, {0}));
    if (gates == 4)
      lastC.push_back(n.unsqueeze(outcome.c, {0}));
  }
  Value y = n.concatenate(all, 1); // [steps, directions, batch, hidden]
  if (batchFirst && !n.isRefused())
    y = n.transpose(y, {2, 0, 1, 3});
  n.set(0, y);
  n.set(1, swapped(n.concatenate(lastH, 0)));
  if (gates == 4)
    n.set(2, swapped(n.concatenate(lastC, 0)));
}

ArrayRef<OpVersion> recurrentOps() {
  static constexpr OpVersion ops[] = {
      {"GRU", 7, recurrent<3>},
      {"LSTM", 7, recurrent<4>},
      {"RNN", 7, recurrent<1>},
  };
  return ops;
}

} // namespace tensorc::onnx
