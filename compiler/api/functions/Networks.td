//===- Networks.td - Activations, norms, losses, attention ---------------===//
//
// A part of Api.td, which includes it at its place: headers declare functions in
// the order of their definitions.
//
//===----------------------------------------------------------------------===//

class ActivationOf<string function, string constant, string comment>
    : Wrapper<function, (params Tensor:$x), ["TENSORC_" # constant, "x"], comment>;

let section = "Activations, norms, losses" in {
let methods = 1 in {
def Activate : Function<"activate", (params Selector<ActivationEnum>:$activation, Tensor:$x)> {
  let composites = ["relu", "silu", "gelu", "mish", "hardswish"];
  let builder = "activateBy";
  let builderArguments = "activation, x, activation == TENSORC_LEAKY_RELU ? 0.01 : 1.0";
  let wrappers = [
    ActivationOf<"relu", "RELU", "x, or 0 below 0.">, ActivationOf<"silu", "SILU", "x sigmoid(x).">,
    ActivationOf<"mish", "MISH", "x tanh(softplus(x)).">,
    ActivationOf<"hardswish", "HARDSWISH", "x clip(x + 3, 0, 6) / 6.">,
    Wrapper<"gelu", (params Tensor:$x, Flag<"false">:$approximate),
            ["approximate ? TENSORC_GELU_TANH : TENSORC_GELU", "x"],
            "x (1 + erf(x / sqrt 2)) / 2; `approximate`: by tanh.">];
}
def ActivateWith : Function<"activate_with",
    (params Selector<ActivationEnum>:$activation, Tensor:$x, Real<>:$parameter)> {
  let composites = ["elu", "leaky_relu", "softplus"];
  let comment = "An activation with its parameter given.";
  let builder = "activateBy";
  let called = "activate";
  let wrappers = [
    Wrapper<"elu", (params Tensor:$x, Real<"1">:$alpha), ["TENSORC_ELU", "x", "alpha"],
            "x, or alpha (e^x - 1) below 0.">,
    Wrapper<"leaky_relu", (params Tensor:$x, Real<"0.01">:$slope), ["TENSORC_LEAKY_RELU", "x", "slope"],
            "x, or slope x below 0.">,
    Wrapper<"softplus", (params Tensor:$x, Real<"1">:$beta), ["TENSORC_SOFTPLUS", "x", "beta"],
            "log(1 + e^(beta x)) / beta, without overflow.">];
}
def Softmax : Function<"softmax", (params Tensor:$x, Int<"-1">:$axis)> {
  let comment = "e^x / sum(e^x) along the axis, by the distances to the maximum.";
  let composites = ["softmax"];
}
def LogSoftmax : Function<"log_softmax", (params Tensor:$x, Int<"-1">:$axis)> {
  let comment = "The logarithm of softmax, without overflow.";
  let composites = ["log_softmax"];
  let builder = "graph::logSoftmax";
}
} // methods
def LayerNorm : Function<"layer_norm",
    (params Tensor:$x, OptionalTensor:$scale, OptionalTensor:$bias, Real<"1e-5">:$epsilon)> {
  let composites = ["layer_norm"];
  let comment = "Normalizes over the last axis; scale and bias may be NULL.";
  let builder = "graph::layerNorm";
}

let header = "nn" in {
let methods = 1 in {
def Logsumexp : Function<"logsumexp", (params Tensor:$x, Axes<"{}">:$axes, Flag<"false">:$keepdims)> {
  let composites = ["logsumexp"];
  let comment = "log of the sum of e^x, by the distances to the maximum. No axes: over all.";
  let builder = "graph::logSumExp";
}
def Std : Function<"std", (params Tensor:$x, Axes<>:$axes, Real<>:$correction, Flag<>:$keepdims)> {
  let composites = ["stddev"];
  let comment = "The root of tensorc_var.";
  let builder = "graph::standardDeviation";
  let wrappers = [Wrapper<"stddev",
      (params Tensor:$x, Axes<"{}">:$axes, Real<"0">:$correction, Flag<"false">:$keepdims), [],
      "The root of var; NumPy's std.">];
}
def Norm : Function<"norm",
    (params Tensor:$x, Real<"2">:$order, Axes<"{}">:$axes, Flag<"false">:$keepdims)> {
  let composites = ["norm"];
  let comment = [{
    The vector norm (sum |x|^order)^(1 / order). Order inf and -inf give the largest and the smallest magnitude, order 0 the
    number of elements that are not 0. No axes: over all.
  }];
}
} // methods
def RmsNorm : Function<"rms_norm", (params Tensor:$x, OptionalTensor:$scale, Real<"1e-5">:$epsilon)> {
  let composites = ["rms_norm"];
  let comment = "x / sqrt(mean(x^2) + epsilon) scale, over the last axis. `scale` may be NULL.";
  let builder = "graph::rmsNorm";
}
def GroupNorm : Function<"group_norm",
    (params Tensor:$x, Int<>:$groups, OptionalTensor:$scale, OptionalTensor:$bias, Real<"1e-5">:$epsilon)> {
  let composites = ["group_norm"];
  let comment = [{
    Normalizes each of `groups` groups of channels (axis 1) of each image; scale and bias, one per channel, may be
    NULL.
  }];
  let builder = "graph::groupNorm";
}
def InstanceNorm : Function<"instance_norm",
    (params Tensor:$x, OptionalTensor:$scale, OptionalTensor:$bias, Real<"1e-5">:$epsilon)> {
  let comment = [{
    Normalizes each channel (axis 1) of each image; scale and bias, one per channel, may be NULL.
  }];
  let builder = "graph::instanceNorm";
}
def LayerNormOver : Function<"layer_norm_over",
    (params Tensor:$x, Int<>:$axes, OptionalTensor:$scale, OptionalTensor:$bias, Real<"1e-5">:$epsilon)> {
  let comment = "Normalizes over the last `axes` axes. Scale and bias have the sizes of these axes and may be NULL.";
  let called = "layer_norm";
  let builder = "graph::layerNormOver";
}
def BatchNorm : Function<"batch_norm",
    (params Tensor:$x, Handle:$mean, Handle:$variance, OptionalTensor:$scale, OptionalTensor:$bias,
            Real<"1e-5">:$epsilon, Int<"1">:$axis)> {
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
  let comment = "Images [N, C, `count` (1 to 3) spatial dimensions], resized to these spatial sizes.";
  let builderArguments = "x, sizes, {mode != TENSORC_NEAREST, mode == TENSORC_LINEAR_CORNERS}";
  let wrapperByHand = 1;
}
} // header = "nn"
} // section
