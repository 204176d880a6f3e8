#!/usr/bin/env python3
"""Models with random weights, exported by PyTorch now, judged by ONNX Runtime.

    exported.py TENSORC-TEST-SERVER [--only=WORD]

Skipped where torch, torchvision, onnx or onnxruntime is not installed. Outputs must be the same within 1e-4 of the
largest element.
"""

import argparse
import os
import sys
import warnings

import numpy as np
import server

warnings.filterwarnings("ignore")


def models(torch, torchvision):
    """(name, model, inputs)."""
    nn, vision = torch.nn, torchvision.models
    image = torch.randn(1, 3, 64, 64)
    for name in ("resnet18", "resnet50", "mobilenet_v2", "mobilenet_v3_small", "squeezenet1_1", "shufflenet_v2_x0_5",
                 "efficientnet_b0", "mnasnet0_5", "regnet_y_400mf", "densenet121", "vgg11", "alexnet", "googlenet",
                 "convnext_tiny"):
        keywords = {"weights": None}
        if name == "googlenet":
            keywords.update(aux_logits=False, init_weights=False)
        x = torch.randn(1, 3, 224, 224) if name in ("alexnet", "vgg11", "googlenet") else image
        yield name, lambda name=name, keywords=keywords: getattr(vision, name)(**keywords), (x,)
    yield "vit", lambda: vision.VisionTransformer(32, 8, 2, 4, 64, 128, num_classes=10), (torch.randn(2, 3, 32, 32),)
    yield "swin", lambda: vision.swin_t(weights=None), (image,)
    yield "fcn-like", lambda: vision.segmentation.fcn_resnet50(weights=None, weights_backbone=None), (image,)

    class Tagger(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed, self.rnn, self.out = nn.Embedding(50, 16), nn.LSTM(16, 24, 2, bidirectional=True, batch_first=True), nn.Linear(48, 7)

        def forward(self, x):
            return self.out(self.rnn(self.embed(x))[0])

    yield "lstm-tagger", Tagger, (torch.randint(0, 50, (2, 9)),)

    class Gated(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = nn.GRU(8, 12, batch_first=True)

        def forward(self, x):
            return self.rnn(x)[0]

    yield "gru", Gated, (torch.randn(2, 6, 8),)

    def encoder():
        return nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True, activation="gelu"), 2)

    yield "bert-like", encoder, (torch.randn(2, 7, 32),)

    class Translator(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Transformer(32, 4, 1, 1, 64, batch_first=True)

        def forward(self, x, y):
            return self.inner(x, y)

    yield "encoder-decoder", Translator, (torch.randn(1, 6, 32), torch.randn(1, 4, 32))

    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Conv2d(4, 16, 3, padding=1), nn.Conv2d(16, 32, 3, 2, 1)
            self.n, self.c = nn.GroupNorm(4, 32), nn.Conv2d(48, 4, 3, padding=1)

        def forward(self, x):
            a = nn.functional.silu(self.a(x))
            b = nn.functional.silu(self.n(self.b(a)))
            return self.c(torch.cat([nn.functional.interpolate(b, scale_factor=2.0), a], 1))

    yield "unet-block", UNet, (torch.randn(1, 4, 16, 16),)

    class Detector(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.c = nn.Conv2d(3, 16, 3, 2, 1), nn.Conv2d(16, 32, 3, 2, 1), nn.Conv2d(48, 18, 1)

        def forward(self, x):
            a = nn.functional.silu(self.a(x))
            b = nn.functional.max_pool2d(nn.functional.silu(self.b(a)), 5, 1, 2)
            y = self.c(torch.cat([nn.functional.interpolate(b, scale_factor=2.0, mode="nearest"), a], 1))
            return y.view(y.shape[0], 3, 6, -1).permute(0, 1, 3, 2).sigmoid()

    yield "yolo-like", Detector, (image,)

    class Listener(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Conv1d(8, 32, 3, padding=1), nn.Conv1d(32, 32, 3, 2, 1)
            self.inner = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 1)

        def forward(self, x):
            return self.inner(nn.functional.gelu(self.b(nn.functional.gelu(self.a(x)))).transpose(1, 2))

    yield "whisper-like", Listener, (torch.randn(1, 8, 20),)
    yield "mlp", lambda: nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.LayerNorm(16), nn.Linear(16, 4), nn.Softmax(-1)), (torch.randn(3, 8),)


def export(torch, make, inputs, path):
    torch.manual_seed(0)
    model = make().eval()
    names = [f"x{i}" for i in range(len(inputs))]
    torch.onnx.export(model, inputs, path, input_names=names, output_names=["y"], opset_version=17, dynamo=False)
    return names


def judge(tool, torch, runtime, make, inputs):
    path = tool.path("model.onnx")
    names = export(torch, make, inputs, path)
    session = runtime.InferenceSession(path)
    want = session.run(None, {name: value.numpy() for name, value in zip(names, inputs)})[0]
    words = ["run", path, f"--output-dir={tool.path('out.d')}"]
    for name, value in zip(names, inputs):
        np.save(tool.path(name + ".npy"), value.numpy())
        words.append(f"--input={name}={tool.path(name + '.npy')}")
    os.makedirs(tool.path("out.d"), exist_ok=True)
    status, text = tool.run(words, seconds=300)
    if status != 0:
        return f"{'refused' if status == 1 else 'crashed'}: {text[-300:]}"
    got = np.load(tool.path(os.path.join("out.d", "y.npy")))
    error = np.abs(got - want).max() / max(1e-6, np.abs(want).max())
    return "" if error < 1e-4 else f"differs by {error:.3g} of the largest element"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--only")
    arguments = parser.parse_args()
    try:
        import onnxruntime
        import torch
        import torchvision
    except ImportError as error:
        print(f"exported: skipped, {error}")
        return 77
    torch.set_num_threads(1)
    tool, passed, bad = server.Server(arguments.server), 0, 0
    for name, make, inputs in models(torch, torchvision):
        if arguments.only and arguments.only not in name:
            continue
        try:
            why = judge(tool, torch, onnxruntime, make, inputs)
        except Exception as error:
            why = f"the judge failed: {str(error)[:200]}"
        passed, bad = passed + (not why), bad + bool(why)
        print(f"{name}: {' '.join(why.split()) or 'ok'}", flush=True)
    print(f"exported: {passed} passed, {bad} failed")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
