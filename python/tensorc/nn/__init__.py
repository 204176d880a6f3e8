"""Layers and losses.

A module is a dict of arrays, modules and lists of them, so that functions of trees, gradients and optimizers work on
it; what is not an array is an ordinary attribute.

>>> from tensorc import nn
>>> model = nn.Sequential(nn.Linear(4, 8, key=tc.random.key(0)), nn.ReLU(), nn.Linear(8, 2, key=tc.random.key(1)))
>>> model(tc.ones((3, 4))).shape
(3, 2)
>>> gradient = tc.grad(lambda m: tc.mean(tc.square(m(tc.ones((3, 4))))))(model)
>>> gradient.layers[0].weight.shape
(8, 4)
"""

from . import init
from .functional import (
    adaptive_avg_pool, adaptive_max_pool, attention, avg_pool, batch_norm, conv, conv_transpose, dropout, embedding, gelu, group_norm,
    hardtanh, instance_norm, interpolate, layer_norm, leaky_relu, linear, log_softmax, max_pool, normalize, reduce_window, relu, relu6,
    rms_norm, silu, softmax, unfold,
)  # fmt: skip
from .layers import (
    GELU, LSTM, AvgPool2d, BatchNorm, Conv1d, Conv2d, Conv3d, Dropout, Embedding, Flatten, GroupNorm, LayerNorm, Linear, MaxPool2d,
    MultiHeadAttention, ReLU, RMSNorm, Sequential, SiLU,
)  # fmt: skip
from .losses import (
    binary_cross_entropy, binary_cross_entropy_with_logits, cosine_embedding_loss, cosine_similarity, cross_entropy, huber_loss,
    kl_div, l1_loss, mse_loss, nll_loss, smooth_l1_loss, triplet_margin_loss,
)  # fmt: skip
from .module import Module, cast

__all__ = [
    "GELU", "LSTM", "AvgPool2d", "BatchNorm", "Conv1d", "Conv2d", "Conv3d", "Dropout", "Embedding", "Flatten", "GroupNorm", "LayerNorm",
    "Linear", "MaxPool2d", "Module", "MultiHeadAttention", "RMSNorm", "ReLU", "Sequential", "SiLU", "adaptive_avg_pool",
    "adaptive_max_pool", "attention", "avg_pool", "batch_norm", "binary_cross_entropy", "binary_cross_entropy_with_logits", "cast",
    "conv", "conv_transpose", "cosine_embedding_loss", "cosine_similarity", "cross_entropy", "dropout", "embedding", "gelu",
    "group_norm", "hardtanh", "huber_loss", "init", "instance_norm", "interpolate", "kl_div", "l1_loss", "layer_norm", "leaky_relu",
    "linear", "log_softmax", "max_pool", "mse_loss", "nll_loss", "normalize", "reduce_window", "relu", "relu6", "rms_norm", "silu",
    "smooth_l1_loss", "softmax", "triplet_margin_loss", "unfold",
]  # fmt: skip


def __dir__():
    return __all__

