"""Random layers of torch.nn for torch_layers.py.

Arguments are chosen by the names of the parameters of a layer's constructor and of its forward method. Five sizes are
drawn for each layer, so that a tensor has about 4 Ki, 16 Ki, 64 Ki, 256 Ki and 1 Mi elements. There is no list of
layers: a new layer of PyTorch is included if the names of its parameters are known.
"""

import dataclasses
import inspect
import math
import random
import re
import typing

import torch
from torch import nn

LEVELS = 5
# Layers of images whose names do not contain the number of dims of an image.
IMAGES = {"GroupNorm", "LocalResponseNorm", "PixelShuffle", "PixelUnshuffle", "ChannelShuffle", "Upsample", "Fold", "Unfold"}
# Losses whose targets do not have the shape of the input.
CLASSES = {"CrossEntropyLoss", "NLLLoss", "MultiMarginLoss", "AdaptiveLogSoftmaxWithLoss", "LinearCrossEntropyLoss"}
SIGNS = {"HingeEmbeddingLoss", "SoftMarginLoss", "MarginRankingLoss", "CosineEmbeddingLoss"}
RATES = {"BCELoss", "BCEWithLogitsLoss", "MultiLabelSoftMarginLoss", "PoissonNLLLoss", "KLDivLoss"}
PROBABILITIES = {"BCELoss"}


@dataclasses.dataclass
class Layer:
    name: str
    sizes: str
    make: typing.Callable  # -> (module, arguments)


class Sizes:
    """The sizes that were drawn for one layer and one level."""

    def __init__(self, name, level):
        self.name, self.level = name, level
        self.random = random.Random(f"{name} {level}")
        pick = self.random.choice
        elements = 4096 << 2 * level
        found = re.search(r"([123])d", name)
        self.dims = int(found.group(1)) if found else 2 if name in IMAGES else 0
        self.batch, self.channels = pick([1, 2, 4, 8]), pick([16, 32, 64, 128])
        while self.dims and elements / self.batch / self.channels < 6**self.dims:
            self.batch, self.channels = max(1, self.batch // 2), max(4, self.channels // 2)
        side = max(4, round((elements / self.batch / self.channels) ** (1 / max(self.dims, 1))))
        side += side % 2 if re.search("huffle|Unpool", name) else 0
        self.spatial = (side,) * self.dims
        self.features = min(pick([64, 128, 256, 512, 1024]), 32 << level)
        self.rows = elements // self.features
        self.kernel = pick([1, 3, 5] if self.dims < 3 else [1, 3]) if "Conv" in name else pick([2, 3])
        if re.search("Fold|Unfold", name):
            self.kernel = 3
        if "Unpool" in name:
            self.kernel = 2
        # Matrix products: the weights are as large as the tensor.
        if re.search("Linear|Bilinear|Attention|Transformer|RNN|LSTM|GRU", name):
            self.features = 32 << level
            self.rows = pick([1, 8, 32, 128])
        self.length = 16 << level // 2

    def shape(self):
        if self.dims:
            return (self.batch, self.channels, *self.spatial)
        if re.search("Attention|Transformer|RNN|LSTM|GRU", self.name) and "Cell" not in self.name:
            return (self.batch, self.length, self.features)
        return (self.rows, self.features)


def required(s):
    """Returns values of required constructor parameters by their names."""
    pick, c, f = s.random.choice, s.channels, s.features
    heads = max(1, f // 32)
    encoder = lambda: nn.TransformerEncoderLayer(f, heads, 4 * f, batch_first=True)
    decoder = lambda: nn.TransformerDecoderLayer(f, heads, 4 * f, batch_first=True)
    return {
        "num_features": c, "num_channels": c, "in_channels": c, "out_channels": pick([c // 2, c, 2 * c]), "kernel_size": s.kernel,
        "output_size": s.spatial if s.name == "Fold" else pick([1, 3, 4]), "num_groups": pick([g for g in (1, 4, 8, 16, 32) if c % g == 0]),
        "normalized_shape": f, "in_features": f, "input_size": f, "hidden_size": f, "embed_dim": f, "d_model": f,
        "out_features": 32 if s.name == "Bilinear" else pick([f // 2, f, 2 * f]), "in1_features": min(f, 64), "in2_features": min(f, 64),
        "num_heads": heads, "nhead": heads, "num_embeddings": 1000 << s.level, "embedding_dim": f, "groups": 4, "padding": pick([1, 2]),
        "value": 0.5, "threshold": 0.1, "size": 5, "norm_type": 2, "upscale_factor": 2, "downscale_factor": 2, "dim": 1,
        "unflattened_size": (2, f // 2), "n_classes": 4 * f, "cutoffs": [f, 2 * f], "num_classes": 4 * f, "encoder_layer": encoder,
        "decoder_layer": decoder, "num_layers": 2,
    }  # fmt: skip


def optional(s, parameters):
    """Returns values of constructor parameters with a default that is not the usual value."""
    pick, chosen = s.random.choice, {}
    if "Conv" in s.name:
        chosen["stride"], chosen["padding"] = pick([1, 1, 2]), s.kernel // 2
        if pick([False, False, False, True]):
            chosen["groups"] = chosen["out_channels"] = s.channels
    if re.match("Max(Pool|Unpool)|AvgPool|LPPool", s.name):
        chosen["stride"] = pick([1, 2]) if "Unpool" not in s.name else 2
        if "padding" in parameters and "Unpool" not in s.name:
            chosen["padding"] = pick([0, s.kernel // 2])
    if s.name in ("Softmax", "LogSoftmax", "Softmin", "GLU"):
        chosen["dim"] = -1
    if s.name.startswith("Upsampl"):
        chosen["scale_factor"] = 2
        if s.name == "Upsample":
            chosen["mode"] = pick(["nearest", "bilinear"])
    if s.name == "Transformer":
        chosen |= dict(d_model=s.features, nhead=max(1, s.features // 32), num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=4 * s.features)
    if s.name.startswith("Transformer") and "dim_feedforward" in parameters:
        chosen["dim_feedforward"] = 4 * s.features
    if "affine" in parameters:
        chosen["affine"] = True
    if "batch_first" in parameters or s.name in ("RNN", "LSTM", "GRU"):
        chosen["batch_first"] = True
    return chosen


def target(s, shape):
    if s.name in CLASSES:
        return torch.randint(0, shape[-1], shape[:1])
    if s.name == "CosineEmbeddingLoss":
        shape = shape[:1]
    if s.name in SIGNS:
        return torch.randint(0, 2, shape) * 2.0 - 1
    if s.name == "MultiLabelMarginLoss":
        return torch.stack([torch.randperm(shape[-1]) for _ in range(shape[0])])
    return torch.rand(shape) if s.name in RATES else torch.randn(shape)


def arguments(s, cls, module):
    """Returns values of those parameters of forward that are needed."""
    shape, given = s.shape(), []
    if s.name == "Fold":
        shape = (s.batch, s.channels * 9, math.prod(n - 2 for n in s.spatial))
    if "Shuffle" == s.name[-7:] and s.name == "PixelShuffle":
        shape = (s.batch, 4 * max(1, s.channels // 4), *s.spatial)
    if s.name == "Bilinear":
        shape = (s.rows, min(s.features, 64))
    if "Unpool" in s.name:
        pool = getattr(nn, s.name.replace("Unpool", "Pool"))(2, return_indices=True)
        return pool(torch.randn(shape))
    for p in inspect.signature(cls.forward).parameters.values():
        known = p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "self"
        if not known:
            if s.name in ("RNN", "LSTM", "GRU") and p.name == "hx":
                break
            continue
        if p.name.startswith("target"):
            given.append(target(s, (s.rows, 4 * s.features) if s.name in CLASSES and "in_features" in inspect.signature(cls).parameters else shape))
        elif s.name in ("Embedding", "EmbeddingBag"):
            given.append(torch.randint(0, module.num_embeddings, (max(1, s.rows // 8), 8)))
        elif p.name == "var":
            given.append(torch.rand(shape) + 0.1)
        else:
            given.append(torch.rand(shape) if s.name in PROBABILITIES else torch.randn(shape))
    return given


def classes():
    """Returns the layers of torch.nn, except containers, base classes, and layers that infer their sizes from a
    call."""
    for name in sorted(set(nn.modules.__all__)):
        cls = getattr(nn, name)
        if inspect.isclass(cls) and issubclass(cls, nn.Module) and cls.forward is not nn.Module.forward and not name.startswith("Lazy"):
            if not re.search("Base$|^Container$|^Sequential$|^ModuleList$|^ModuleDict$|^Parameter|^SyncBatchNorm$|^NLLLoss2d$", name):
                yield name, cls


def layer(name, cls, level):
    s = Sizes(name, level)
    parameters = {p.name: p for p in inspect.signature(cls).parameters.values()}
    words = {n: v for n, v in required(s).items() if n in parameters and parameters[n].default is inspect.Parameter.empty or n in ("input_size", "hidden_size") and name in ("RNN", "LSTM", "GRU")}
    words |= optional(s, parameters)

    def make():
        torch.manual_seed(level)
        module = cls(**{n: v() if n.endswith("coder_layer") else v for n, v in words.items()}).eval()
        return module, list(arguments(s, cls, module))

    said = [f"{n}={v}" for n, v in words.items() if not callable(v) and n not in ("in_channels", "num_features", "num_channels", "batch_first", "value", "threshold")]
    return Layer(name, f"{'×'.join(map(str, s.shape()))} {' '.join(said)}".strip(), make)


def layers():
    """Returns all rows in random order, so that the first ones are a sample."""
    rows = [layer(name, cls, level) for name, cls in classes() for level in range(LEVELS)]
    random.Random(0).shuffle(rows)
    return rows
