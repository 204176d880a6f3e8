"""Losses. Names, formulas and defaults are PyTorch's; `reduction` is "mean", "sum" or "none"."""

from .. import _core
from .._dtypes import is_float


def cross_entropy(logits, labels, *, weight=None, reduction="mean", ignore_index=-100, label_smoothing=0.0):
    """-log softmax(logits)[label]. Classes are axis 1; labels are integers. The loss of an invalid label is NaN.

    Labels that are floats of the logits' shape are the probabilities of the classes.

    >>> float(tc.nn.cross_entropy(tc.zeros((2, 4)), tc.asarray([0, 3]))) - 1.3862944 < 1e-6
    True
    """
    kind = "loss_" + reduction
    if kind not in _core.loss_reduction:
        raise ValueError(f"no reduction '{reduction}': mean, sum, none")
    labels = _core.as_array(labels)
    if is_float(labels.dtype):
        return _core.soft_cross_entropy(logits, labels, reduction, weight, label_smoothing)
    return _core.cross_entropy(logits, labels, weight, _core.loss_reduction[kind], ignore_index, label_smoothing)


def nll_loss(x, labels, *, reduction="mean", ignore_index=-100):
    """-x[i, label], where x are log probabilities; labels equal to `ignore_index` are excluded.

    >>> tc.nn.nll_loss(tc.asarray([[-1.0, -3.0], [-2.0, -4.0]]), tc.asarray([0, 1]))
    array(2.5, dtype=float32)
    """
    return _core.nll_loss(x, labels, reduction, ignore_index)


def mse_loss(x, y, *, reduction="mean"):
    """(x - y)^2

    >>> tc.nn.mse_loss(tc.ones(2), tc.zeros(2))
    array(1.0, dtype=float32)
    """
    return _core.mse_loss(x, y, reduction)


def l1_loss(x, y, *, reduction="mean"):
    """|x - y|"""
    return _core.l1_loss(x, y, reduction)


def huber_loss(x, y, *, delta=1.0, reduction="mean"):
    """(x - y)^2 / 2 for distances |x - y| up to delta, and delta (|x - y| - delta / 2) for larger distances."""
    return _core.huber_loss(x, y, delta, reduction)


def smooth_l1_loss(x, y, *, beta=1.0, reduction="mean"):
    """huber_loss divided by beta. A beta of 0 gives l1_loss.

    >>> tc.nn.smooth_l1_loss(tc.asarray([0.0, 3.0]), tc.zeros(2), reduction="none")
    array([0.0, 2.5], dtype=float32)
    """
    return _core.smooth_l1_loss(x, y, beta, reduction)


def kl_div(x, target, *, reduction="batchmean", log_target=False):
    """target (log target - x), where x are log probabilities; 0 where the target is 0.

    With `log_target` the targets are log probabilities. "mean" is over all elements, "batchmean" is the sum divided
    by the first size.

    >>> tc.nn.kl_div(tc.log(tc.asarray([[0.5, 0.5]])), tc.asarray([[1.0, 0.0]]))
    array(0.693147, dtype=float32)
    """
    return _core.kl_div(x, target, reduction, log_target)


def binary_cross_entropy(x, target, *, reduction="mean"):
    """The binary cross entropy of probabilities x and targets from 0 to 1. Logarithms are clamped to at least -100.

    >>> tc.nn.binary_cross_entropy(tc.asarray([0.0]), tc.asarray([1.0]))
    array(100.0, dtype=float32)
    """
    return _core.binary_cross_entropy(x, target, reduction)


def binary_cross_entropy_with_logits(x, target, *, reduction="mean", pos_weight=None):
    """The same for logits, without overflow. `pos_weight` weights the targets of 1."""
    return _core.binary_cross_entropy_with_logits(x, target, reduction, pos_weight)


def cosine_similarity(x, y, axis=1, epsilon=1e-8):
    """The cosine of the angle between vectors along an axis. Lengths are clamped to at least epsilon.

    >>> tc.nn.cosine_similarity(tc.asarray([3.0, 4.0]), tc.asarray([3.0, 4.0]), axis=0)
    array(1.0, dtype=float32)
    """
    return _core.cosine_similarity(x, y, axis, epsilon)


def cosine_embedding_loss(x, y, labels, *, margin=0.0, reduction="mean"):
    """1 - cos(x, y) where the label is 1, max(0, cos(x, y) - margin) where it is -1."""
    return _core.cosine_embedding_loss(x, y, labels, margin, reduction)


def triplet_margin_loss(anchor, positive, negative, *, margin=1.0, epsilon=1e-6, reduction="mean"):
    """max(0, |anchor - positive| - |anchor - negative| + margin), by distances along the last axis."""
    return _core.triplet_margin_loss(anchor, positive, negative, margin, epsilon, reduction)
