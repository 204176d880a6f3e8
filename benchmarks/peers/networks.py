"""Whole networks with random weights, for networks.py. Each has a name, and a function from the batch size to a module
and its arguments."""

import dataclasses
import typing

import torch
from torch import nn


@dataclasses.dataclass
class Network:
    name: str
    make: typing.Callable  # batch -> (module, arguments)


class First(nn.Module):
    """Returns only the first result of a transformer, for arguments in this order."""

    def __init__(self, inner, *names, **fixed):
        super().__init__()
        self.inner, self.names, self.fixed = inner, names, fixed

    def forward(self, *values):
        return self.inner(**dict(zip(self.names, values)), **self.fixed, return_dict=False)[0]


class Decode(nn.Module):
    """Computes GPT-2's next token after a text whose keys and values are cached: [layers, batch, heads, length,
    features]."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, token, keys, values):
        from transformers import DynamicCache

        cache = DynamicCache()
        for layer in range(keys.shape[0]):
            cache.update(keys[layer], values[layer], layer)
        return self.inner(input_ids=token, past_key_values=cache, use_cache=True, return_dict=False)[0]


class UNet(nn.Module):
    """A U-Net with four levels of two convolutions and skip connections, as used for image segmentation."""

    def __init__(self, width=32):
        super().__init__()
        block = lambda a, b: nn.Sequential(nn.Conv2d(a, b, 3, 1, 1), nn.BatchNorm2d(b), nn.ReLU(), nn.Conv2d(b, b, 3, 1, 1), nn.BatchNorm2d(b), nn.ReLU())
        sizes = [width << i for i in range(4)]
        self.down = nn.ModuleList(block(a, b) for a, b in zip([3, *sizes], sizes))
        self.up = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, 2) for a, b in zip(sizes, sizes[1:]))
        self.join = nn.ModuleList(block(2 * a, a) for a in sizes[:-1])
        self.last = nn.Conv2d(width, 2, 1)

    def forward(self, x):
        kept = []
        for block in self.down[:-1]:
            kept.append(block(x))
            x = nn.functional.max_pool2d(kept[-1], 2)
        x = self.down[-1](x)
        for up, join, skip in zip(self.up[::-1], self.join[::-1], kept[::-1]):
            x = join(torch.cat([up(x), skip], 1))
        return self.last(x)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.LSTM(256, 256, 2, batch_first=True)

    def forward(self, x):
        return self.inner(x)[0]


def vision(name):
    def make(batch):
        import torchvision

        model = getattr(torchvision.models, name)(weights=None)
        for p in model.parameters():
            if not p.any():  # the last layer of a ViT is initialized to 0, and its results would all be equal
                nn.init.normal_(p, std=0.02)
        return model, (torch.randn(batch, 3, 224, 224),)

    return make


def bert(batch):
    import transformers as t

    ids = torch.randint(3, 1000, (batch, 128))
    return First(t.BertModel(t.BertConfig(attn_implementation="eager")), "input_ids", "attention_mask"), (ids, torch.ones_like(ids))


def gpt2():
    import transformers as t

    return t.GPT2LMHeadModel(t.GPT2Config(attn_implementation="eager"))


def prefill(batch):
    ids = torch.randint(3, 1000, (batch, 512))
    return First(gpt2(), "input_ids", "attention_mask", use_cache=False), (ids, torch.ones_like(ids))


def decode(batch):
    kept = lambda: torch.randn(12, batch, 12, 512, 64)
    return Decode(gpt2()), (torch.randint(3, 1000, (batch, 1)), kept(), kept())


def networks():
    for name in "resnet50", "vgg16", "mobilenet_v3_large", "efficientnet_b0":
        yield Network(name, vision(name))
    yield Network("bert-base, 128 tokens", bert)
    yield Network("gpt2, 512 tokens", prefill)
    yield Network("gpt2, a token after 512", decode)
    yield Network("vit_b_16", vision("vit_b_16"))
    yield Network("lstm 2 of 256, 128 steps", lambda batch: (Lstm(), (torch.randn(batch, 128, 256),)))
    yield Network("u-net, 128 x 128", lambda batch: (UNet(), (torch.randn(batch, 3, 128, 128),)))
