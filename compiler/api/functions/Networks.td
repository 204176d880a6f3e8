//===- Networks.td - Activations, norms, losses, attention ----------------===//
//
// Included by Api.td. The place of the include matters, because headers declare
// functions in the order of their definitions.
//
//===----------------------------------------------------------------------===//

class ActivationOf<string function, string constant, string comment>
    : Wrapper<function, (params Tensor:$x), ["TENSORC_" # constant, "x"], comment>;

let section = "Activations, norms, losses" in {
let methods = 1 in {
def Activate : Function<"activate", (params Selector<ActivationEnum>:$activation, Tensor:$x)> {
  let examples = ["activate(relu, [-1, 2]) == [0, 2]"];
  let composites = ["relu", "silu", "gelu", "mish", "hardswish"];
  let builder = "activateBy";
  let builderArguments = "activation, x, activation == TENSORC_LEAKY_RELU ? 0.01 : 1.0";
  let wrappers = [
    ActivationOf<"relu", "RELU", "max(x, 0).">, ActivationOf<"silu", "SILU", "x sigmoid(x).">,
    ActivationOf<"mish", "MISH", "x tanh(softplus(x)).">,
    ActivationOf<"hardswish", "HARDSWISH", "x clip(x + 3, 0, 6) / 6.">,
    Wrapper<"gelu", (params Tensor:$x, Flag<"false">:$approximate),
            ["approximate ? TENSORC_GELU_TANH : TENSORC_GELU", "x"],
            "x (1 + erf(x / sqrt 2)) / 2. With `approximate`, erf is approximated by tanh.">];
}
def ActivateWith : Function<"activate_with",
    (params Selector<ActivationEnum>:$activation, Tensor:$x, Real<>:$parameter)> {
  let examples = ["activate_with(leaky_relu, [-1, 2], 0.1) == [-0.1, 2]"];
  let composites = ["elu", "leaky_relu", "softplus"];
  let comment = "An activation with its parameter given.";
  let builder = "activateBy";
  let called = "activate";
  let wrappers = [
    Wrapper<"elu", (params Tensor:$x, Real<"1">:$alpha), ["TENSORC_ELU", "x", "alpha"],
            "x if x >= 0, else alpha (e^x - 1).">,
    Wrapper<"leaky_relu", (params Tensor:$x, Real<"0.01">:$slope), ["TENSORC_LEAKY_RELU", "x", "slope"],
            "x if x >= 0, else slope x.">,
    Wrapper<"softplus", (params Tensor:$x, Real<"1">:$beta), ["TENSORC_SOFTPLUS", "x", "beta"],
            "log(1 + e^(beta x)) / beta, without overflow.">];
}
def Softmax : Function<"softmax", (params Tensor:$x, Int<"-1">:$axis)> {
  let examples = ["softmax([[0, 0, 0, 0]], -1) == [[0.25, 0.25, 0.25, 0.25]]"];
  let comment = "e^x / sum(e^x) along the axis, computed without overflow.";
  let composites = ["softmax"];
}
def LogSoftmax : Function<"log_softmax", (params Tensor:$x, Int<"-1">:$axis)> {
  let examples = ["log_softmax([1, 2, 3], -1) == [-2.4076059, -1.4076059, -0.4076059]"];
  let comment = "The logarithm of softmax, without overflow.";
  let composites = ["log_softmax"];
  let builder = "graph::logSoftmax";
}
} // methods
def LayerNorm : Function<"layer_norm",
    (params Tensor:$x, OptionalTensor:$scale, OptionalTensor:$bias, Real<"1e-5">:$epsilon)> {
  let examples = [
    "layer_norm([-1, 1], epsilon=0) == [-1, 1]",
    "layer_norm([-1, 1], [2, 3], [10, 20], 0) == [8, 23]"];
  let composites = ["layer_norm"];
  let comment = "Normalizes over the last axis; scale and bias may be NULL.";
  let builder = "graph::layerNorm";
}

let header = "nn" in {
let methods = 1 in {
def Logsumexp : Function<"logsumexp", (params Tensor:$x, Axes<"{}">:$axes, Flag<"false">:$keepdims)> {
  let examples = ["logsumexp([0, 0]) == 0.69314718"];
  let composites = ["logsumexp"];
  let comment = "log of the sum of e^x, computed without overflow. Without axes, all elements are reduced.";
  let builder = "graph::logSumExp";
}
def Std : Function<"std", (params Tensor:$x, Axes<>:$axes, Real<>:$correction, Flag<>:$keepdims)> {
  let examples = ["std([1, 3], correction=0) == 1"];
  let composites = ["stddev"];
  let comment = "The root of tensorc_var.";
  let builder = "graph::standardDeviation";
  let wrappers = [Wrapper<"stddev",
      (params Tensor:$x, Axes<"{}">:$axes, Real<"0">:$correction, Flag<"false">:$keepdims), [],
      "The root of var; NumPy's std.">];
}
def Norm : Function<"norm",
    (params Tensor:$x, Real<"2">:$order, Axes<"{}">:$axes, Flag<"false">:$keepdims)> {
  let examples = ["norm([3, 4], 2) == 5", "norm([3, -4], inf, keepdims=1) == [4]"];
  let composites = ["norm"];
  let comment = [{
    The vector norm (sum |x|^order)^(1 / order). Order inf and -inf give the largest and the smallest magnitude, order 0 the
    number of elements that are not 0. Without axes, all elements are reduced.
  }];
}
} // methods
def RmsNorm : Function<"rms_norm", (params Tensor:$x, OptionalTensor:$scale, Real<"1e-5">:$epsilon)> {
  let examples = ["rms_norm([3, 3], [1, 2], 0) == [1, 2]"];
  let composites = ["rms_norm"];
  let comment = "x / sqrt(mean(x^2) + epsilon) scale, over the last axis. `scale` may be NULL.";
  let builder = "graph::rmsNorm";
}
def GroupNorm : Function<"group_norm",
    (params Tensor:$x, Int<>:$groups, OptionalTensor:$scale, OptionalTensor:$bias, Real<"1e-5">:$epsilon)> {
  let examples = ["group_norm([[[1], [3]]], 1, epsilon=0) == [[[-1], [1]]]"];
  let composites = ["group_norm"];
  let comment = [{
    Normalizes each of `groups` groups of channels (axis 1) of each image; scale and bias, one per channel, may be
    NULL.
  }];
  let builder = "graph::groupNorm";
}
def InstanceNorm : Function<"instance_norm",
    (params Tensor:$x, OptionalTensor:$scale, OptionalTensor:$bias, Real<"1e-5">:$epsilon)> {
  let examples = ["instance_norm([[[1, 3], [2, 6]]], epsilon=0) == [[[-1, 1], [-1, 1]]]"];
  let comment = [{
    Normalizes each channel (axis 1) of each image; scale and bias, one per channel, may be NULL.
  }];
  let builder = "graph::instanceNorm";
}
def LayerNormOver : Function<"layer_norm_over",
    (params Tensor:$x, Int<>:$axes, OptionalTensor:$scale, OptionalTensor:$bias, Real<"1e-5">:$epsilon)> {
  let examples = ["layer_norm_over([[1, 3], [1, 3]], 2, epsilon=0) == [[-1, 1], [-1, 1]]"];
  let comment = "Normalizes over the last `axes` axes. Scale and bias have the sizes of these axes and may be NULL.";
  let called = "layer_norm";
  let builder = "graph::layerNormOver";
}
def BatchNorm : Function<"batch_norm",
    (params Tensor:$x, Handle:$mean, Handle:$variance, OptionalTensor:$scale, OptionalTensor:$bias,
            Real<"1e-5">:$epsilon, Int<"1">:$axis)> {
  let examples = ["batch_norm([[1, 2]], [0, 1], [4, 1], [1, 3], None, 0, 1) == [[0.5, 3]]"];
  let composites = ["batch_norm"];
  let comment = [{
    (x - mean) / sqrt(variance + epsilon) scale + bias, with the given mean and variance. Each of the four has one number per
    channel; channels lie along `axis` (1 in PyTorch). Scale and bias may be NULL.
  }];
  let builder = "graph::batchNorm";
}
def CrossEntropy : Function<"cross_entropy",
    (params Tensor:$logits, Handle:$labels, OptionalTensor:$weight, Choice<LossReductionEnum>:$reduction,
            Int<>:$ignore_index, Real<>:$label_smoothing)> {
  let examples = ["cross_entropy([[0, 0], [0, 0]], i64([0, -100]), None, loss_sum, -100, 0) == 0.69314718"];
  let comment = [{
    The loss of logits for integer labels. Classes are axis 1 of the logits, or axis 0 of a vector. Labels equal to
    `ignore_index` (-100 in PyTorch) are left out; another label that is not a class gives NaN. `weight` has one number per
    class and may be NULL. The share `label_smoothing` of each label is spread evenly over all classes.
  }];
  let builder = "graph::crossEntropy";
  let builderArguments = "logits, labels, weight, {reduction, ignore_index, label_smoothing}";
  let wrapperByHand = 1;
}
def Attention : Function<"attention",
    (params Tensor:$q, Handle:$k, Handle:$v, OptionalTensor:$mask, Flag<>:$causal, OptionalReal:$scale)> {
  let examples = ["attention([[[0, 0]]], [[[1, 2], [3, 4]]], [[[2], [4]]]) == [[[3]]]"];
  let comment = [{
    softmax(q k^T scale + mask) v. q is [..., heads, L, E], k [..., heads, S, E], v [..., heads, S, F]. k and v may have fewer
    heads: each then serves equally many neighbouring heads of q. `mask` may be NULL; an i1 mask is true where a key takes
    part, any other mask is added. `causal`: query i sees keys 0 to i. A query that sees no key gives 0. A NULL scale stands
    for 1 / sqrt(E).
  }];
  let wrapperByHand = 1;
}
def Interpolate : Function<"interpolate",
    (params Tensor:$x, Ints<"count">:$sizes, Choice<InterpolationEnum>:$mode)> {
  let examples = ["interpolate([[[1, 2]]], [4], nearest) == [[[1, 1, 2, 2]]]"];
  let comment = "Images [N, C, `count` (1 to 3) spatial dimensions], resized to these spatial sizes.";
  let builderArguments = "x, sizes, {mode != TENSORC_NEAREST, mode == TENSORC_LINEAR_CORNERS}";
  let wrapperByHand = 1;
}
} // header = "nn"
} // section
