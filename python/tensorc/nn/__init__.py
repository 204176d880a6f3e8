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

from .functional import (
    attention, avg_pool, binary_cross_entropy_with_logits, conv, conv_transpose, cross_entropy, gelu, group_norm, huber_loss,
    interpolate, l1_loss, layer_norm, leaky_relu, linear, log_softmax, max_pool, mse_loss, nll_loss, relu, rms_norm, silu,
    softmax,
)  # fmt: skip
from .layers import (
    GELU, LSTM, AvgPool2d, BatchNorm, Conv1d, Conv2d, Conv3d, Dropout, Embedding, GroupNorm, LayerNorm, Linear, MaxPool2d,
    MultiHeadAttention, ReLU, RMSNorm, Sequential, SiLU,
)  # fmt: skip
from .module import Module

__all__ = [
    "GELU", "LSTM", "AvgPool2d", "BatchNorm", "Conv1d", "Conv2d", "Conv3d", "Dropout", "Embedding", "GroupNorm", "LayerNorm",
    "Linear", "MaxPool2d", "Module", "MultiHeadAttention", "RMSNorm", "ReLU", "Sequential", "SiLU", "attention", "avg_pool",
    "binary_cross_entropy_with_logits", "conv", "conv_transpose", "cross_entropy", "gelu", "group_norm", "huber_loss",
    "interpolate", "l1_loss", "layer_norm", "leaky_relu", "linear", "log_softmax", "max_pool", "mse_loss", "nll_loss", "relu",
    "rms_norm", "silu", "softmax",
]  # fmt: skip
