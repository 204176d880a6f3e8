//===- NormalizationOps.cpp - ONNX's normalizations and losses ------------===//

#include "compiler/frontends/onnx/NodeImport.h"

#include "llvm/ADT/Sequence.h"

namespace tensorc::onnx {

static SmallVector<int64_t> allFrom(int64_t first, int64_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(first, std::max(first, rank)));
}

/// Checks that x has channels, in dim 1.
static bool hasChannels(NodeImport &n, Value x) {
  if (!n.isRefused() && rankOf(x) < 2)
    n.refuse("the input has no channels");
  return !n.isRefused();
}

/// Mean and variance over some dims, which are kept with size 1, and x minus
/// the mean.
struct Moments {
  Value mean, center, variance;
};

static Moments momentsOf(NodeImport &n, Value x, ArrayRef<int64_t> dims) {
  Value mean = n.mean(x, dims, true), center = n.sub(x, mean);
  return {mean, center, n.mean(n.mul(center, center), dims, true)};
}

static void batchNormalization(NodeImport &n) {
  Value x = n.in(0), scale = n.in(1), bias = n.in(2), mean = n.in(3),
        variance = n.in(4);
  if (!hasChannels(n, x))
    return;
  DType wide = builder::wideOf(dtypeOf(x));
  Value epsilon = n.full(n.real("epsilon", 1e-5f), wide);
  bool trains = n.opset >= 14 ? n.flag("training_mode")
                : n.opset < 7 ? !n.integer("is_test", 0) && n.wants(1)
                              : n.wants(1);
  if (!trains) {
    n.set(n.make<tx::BatchNormOp>(dtypeOf(x), x, mean, variance, epsilon, scale,
                                  bias, 1));
    return;
  }
  // In training mode, computes statistics of the batch, and updates the running
  // statistics with them.
  SmallVector<int64_t> dims{0};
  llvm::append_range(dims, allFrom(2, rankOf(x)));
  Moments moments = momentsOf(n, n.convert(x, wide), dims);
  if (n.isRefused())
    return;
  SmallVector<Dim> channels{dimsOf(x)[1]};
  Value center = n.reshape(moments.mean, channels),
        spread = n.reshape(moments.variance, channels);
  n.set(n.make<tx::BatchNormOp>(dtypeOf(x), x, n.convertLike(center, mean),
                                n.convertLike(spread, mean), epsilon, scale,
                                bias, 1));
  double momentum = n.real("momentum", 0.9f);
  auto running = [&](Value old, Value now) {
    return n.add(n.mul(old, momentum),
                 n.mul(n.convertLike(now, old), 1 - momentum));
  };
  if (n.wants(1))
    n.set(1, running(mean, center));
  if (n.wants(2))
    n.set(2, running(variance, spread));
}

static void instanceNormalization(NodeImport &n) {
  Value x = n.in(0), scale = n.in(1), bias = n.in(2);
  if (!hasChannels(n, x))
    return;
  int64_t channels = n.numberOf(dimsOf(x)[1], "the number of channels");
  Value epsilon = n.full(n.real("epsilon", 1e-5f), builder::wideOf(dtypeOf(x)));
  n.set(n.make<tx::GroupNormOp>(dtypeOf(x), x, epsilon, scale, bias, channels));
}

static void groupNormalization(NodeImport &n) {
  Value x = n.in(0), scale = n.in(1), bias = n.in(2);
  int64_t groups = n.integer("num_groups", 0);
  if (n.isRefused())
    return;
  if (rankOf(x) < 2 || groups < 1) {
    n.refuse("the input has no channels, or there are no groups");
    return;
  }
  Value epsilon = n.full(n.real("epsilon", 1e-5f), builder::wideOf(dtypeOf(x)));
  // Until opset 20 there was one scale and one bias per group.
  if (n.opset < 21) {
    Value y = n.make<tx::GroupNormOp>(dtypeOf(x), x, epsilon, Value(), Value(),
                                      groups);
    if (n.isRefused())
      return;
    SmallVector<Dim> dims(dimsOf(x)), split(dims);
    split[1] = shape::floorDiv(dims[1], groups);
    split.insert(split.begin() + 1, Dim(groups));
    y = n.reshape(y, split);
    y = n.add(n.mul(y, n.alongDim(scale, 1, rankOf(x) + 1)),
              n.alongDim(bias, 1, rankOf(x) + 1));
    n.set(n.reshape(y, dims));
    return;
  }
  n.set(n.make<tx::GroupNormOp>(dtypeOf(x), x, epsilon, scale, bias, groups));
}

static void layerNormalization(NodeImport &n) {
  Value x = n.in(0), scale = n.in(1), bias = n.optional(2);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x), axis = n.axis(n.integer("axis", -1), rank);
  if (n.isRefused())
    return;
  double epsilon = n.real("epsilon", 1e-5f);
  DType wide = builder::wideOf(dtypeOf(x));
  bool isPlain = axis == rank - 1 && !n.wants(1) && !n.wants(2) &&
                 rankOf(scale) == 1 && (!bias || rankOf(bias) == 1) &&
                 dimsOf(scale)[0] == dimsOf(x)[axis] &&
                 (!bias || dimsOf(bias)[0] == dimsOf(x)[axis]);
  if (isPlain) {
    n.set(n.make<tx::LayerNormOp>(dtypeOf(x), x, n.full(epsilon, wide), scale,
                                  bias));
    return;
  }
  Moments moments = momentsOf(n, n.convert(x, wide), allFrom(axis, rank));
  Value factor = n.map<tx::RsqrtOp>({n.add(moments.variance, epsilon)});
  Value y = n.convertLike(n.mul(moments.center, factor), x);
  y = n.mul(y, scale);
  if (bias)
    y = n.add(y, bias);
  n.set(y);
  if (n.wants(1))
    n.set(1, moments.mean);
  if (n.wants(2))
    n.set(2, factor);
}

static void rmsNormalization(NodeImport &n) {
  Value x = n.in(0), scale = n.in(1);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x), axis = n.axis(n.integer("axis", -1), rank);
  if (n.isRefused())
    return;
  double epsilon = n.real("epsilon", 1e-5f);
  DType wide = builder::wideOf(dtypeOf(x));
  Value y = n.convert(x, wide);
  Value square = n.mean(n.mul(y, y), allFrom(axis, rank), true);
  y = n.mul(y, n.map<tx::RsqrtOp>({n.add(square, epsilon)}));
  n.set(n.mul(n.convertLike(y, x), scale));
}

static void lpNormalization(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  int64_t axis = n.axis(n.integer("axis", -1), rankOf(x)),
          p = n.integer("p", 2);
  Value length = p == 1 ? n.sum(n.abs(x), {axis}, true)
                        : n.sqrt(n.sum(n.mul(x, x), {axis}, true));
  // If the length is 0, all elements are 0, and the result is 0.
  n.set(n.select(n.equal(length, 0), n.full(0, dtypeOf(x)), n.div(x, length)));
}

static void meanVarianceNormalization(NodeImport &n) {
  Value x = n.in(0);
  auto given = n.integers("axes").value_or(std::vector<int64_t>{0, 2, 3});
  if (n.isRefused())
    return;
  Moments moments = momentsOf(n, x, n.axes(given, rankOf(x)));
  n.set(n.div(moments.center, n.add(n.sqrt(moments.variance), 1e-9)));
}

/// Divides each element by a power of the sum of squares in neighboring
/// channels.
static void lrn(NodeImport &n) {
  Value x = n.in(0);
  int64_t size = n.integer("size", 1);
  if (n.isRefused())
    return;
  if (rankOf(x) < 2 || size < 1) {
    n.refuse("the input has no channels, or the size is not positive");
    return;
  }
  SmallVector<int64_t> one{1}, sizes{size}, low{(size - 1) / 2}, high{size / 2};
  Value squares = n.make<tx::ReduceWindowOp>(dtypeOf(x), n.mul(x, x),
                                             tx::WindowReduction::Sum, one,
                                             sizes, one, one, low, high);
  double alpha = n.real("alpha", 1e-4f) / static_cast<double>(size);
  Value base = n.add(n.mul(squares, alpha), n.real("bias", 1));
  n.set(n.div(x, n.pow(base, n.full(n.real("beta", 0.75), dtypeOf(x)))));
}

/// Returns x, except in training mode.
static void dropout(NodeImport &n) {
  Value x = n.in(0);
  bool trains = false;
  if (n.opset >= 12 && n.has(2)) {
    auto mode = n.numbers(n.in(2), "training_mode");
    trains = !mode.empty() && mode[0];
    if (trains && n.has(1)) {
      auto ratio = n.realNumbers(n.in(1), "the ratio");
      trains = ratio.empty() || ratio[0] != 0;
    }
  }
  if (trains)
    n.refuse("draws random numbers in training; export the model for "
             "inference");
  if (n.isRefused())
    return;
  n.set(x);
  if (n.wants(1))
    n.set(1, n.opset < 10 ? n.full(1, dtypeOf(x), dimsOf(x))
                          : n.full(1, DType::I1, dimsOf(x)));
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// Returns for each label minus its log-probability, times its weight.
static Value losses(NodeImport &n, Value logs, Value labels, Value weight) {
  if (n.isRefused())
    return Value();
  int64_t rank = rankOf(logs);
  if (rank < 2 || rankOf(labels) != rank - 1)
    return n.refuse("the labels have no place in the scores");
  Value ignored = n.attribute("ignore_index")
                      ? n.equal(labels, n.integer("ignore_index", 0))
                      : Value();
  Value label =
      ignored ? n.select(ignored, n.full(0, dtypeOf(labels)), labels) : labels;
  SmallVector<Dim> dims(dimsOf(logs)), one(dims);
  one[1] = 1;
  Value at = n.equal(n.iota(DType::I64, dims, 1),
                     n.reshape(n.convert(label, DType::I64), one));
  Value zero = n.full(0, dtypeOf(logs));
  Value chosen = n.sum(n.select(at, logs, zero), {1});
  Value factor = n.full(1, dtypeOf(logs), dimsOf(labels));
  if (weight)
    factor = n.sum(n.select(at, n.alongDim(weight, 1, rank), zero), {1});
  if (ignored)
    factor = n.select(ignored, zero, factor);
  Value result = n.neg(n.mul(chosen, factor));
  if (n.isRefused())
    return Value();
  SmallVector<int64_t> all = allFrom(0, rank - 1);
  StringRef reduction = n.text("reduction", "mean");
  if (reduction == "none")
    return result;
  Value total = n.sum(result, all);
  return reduction == "sum" ? total : n.div(total, n.sum(factor, all));
}

static void negativeLogLikelihood(NodeImport &n) {
  Value logs = n.in(0), labels = n.in(1), weight = n.optional(2);
  n.set(losses(n, logs, labels, weight));
}

static void softmaxCrossEntropy(NodeImport &n) {
  Value scores = n.in(0), labels = n.in(1), weight = n.optional(2);
  if (n.isRefused())
    return;
  if (rankOf(scores) < 2) {
    n.refuse("the scores have no classes");
    return;
  }
  Value logs = n.make<tx::LogSoftmaxOp>(dtypeOf(scores), scores, 1);
  n.set(0, losses(n, logs, labels, weight));
  if (n.wants(1))
    n.set(1, logs);
}

ArrayRef<OpVersion> normalizationOps() {
  static constexpr OpVersion ops[] = {
      {"BatchNormalization", 1, batchNormalization},
      {"Dropout", 1, dropout},
      {"GroupNormalization", 18, groupNormalization},
      {"InstanceNormalization", 1, instanceNormalization},
      {"LRN", 1, lrn},
      {"LayerNormalization", 17, layerNormalization},
      {"LpNormalization", 1, lpNormalization},
      {"MeanVarianceNormalization", 9, meanVarianceNormalization},
      {"NegativeLogLikelihoodLoss", 12, negativeLogLikelihood},
      {"RMSNormalization", 23, rmsNormalization},
      {"SoftmaxCrossEntropyLoss", 12, softmaxCrossEntropy},
  };
  return ops;
}

} // namespace tensorc::onnx
