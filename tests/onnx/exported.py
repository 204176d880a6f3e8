#!/usr/bin/env python3
"""Models with random weights, exported by PyTorch now, judged by ONNX Runtime.

    exported.py TENSORC-TEST-SERVER [--only=WORD] [--families] [--dynamo]

Skipped where torch, torchvision, onnx or onnxruntime is not installed; models of transformers are tried where that is
installed. Outputs must be the same within 1e-4 of the largest element. None of them may be refused; of `--families`
(families.py) any may, if it says why.
"""

import argparse
import collections
import contextlib
import os
import re
import shutil
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


def transformers_models(torch, transformers):
    """Families of transformers, small: (name, model, inputs)."""
    t, nn = transformers, torch.nn
    small = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64, "vocab_size": 99,
             "max_position_embeddings": 64, "attn_implementation": "eager"}
    tokens, mask = torch.randint(3, 99, (2, 7)), torch.ones(2, 7, dtype=torch.int64)
    image = torch.randn(1, 3, 32, 32)

    class First(nn.Module):
        """Tensors only, and the first output alone."""

        def __init__(self, inner, names, **fixed):
            super().__init__()
            self.inner, self.names, self.fixed = inner, names, fixed

        def forward(self, *values):
            return self.inner(**dict(zip(self.names, values)), **self.fixed, return_dict=False)[0]

    def encoder(kind, config=None, **more):
        settings = {**small, **more}
        return lambda: First(getattr(t, kind + "Model")(getattr(t, (config or kind) + "Config")(**settings)), ("input_ids", "attention_mask"))

    def decoder(kind, **more):
        settings = {**small, "num_key_value_heads": 2, **more}
        return lambda: First(getattr(t, kind + "ForCausalLM")(getattr(t, kind + "Config")(**settings)), ("input_ids", "attention_mask"), use_cache=False)

    def vision(kind, **more):
        settings = {**small, "image_size": 32, "patch_size": 8, **more}
        return lambda: First(getattr(t, kind + "Model")(getattr(t, kind + "Config")(**settings)), ("pixel_values",))

    for name in ("Bert", "Roberta", "Electra", "MPNet", "Camembert", "Ernie", "LayoutLM"):
        yield name.lower(), encoder(name), (tokens, mask)
    yield "albert", encoder("Albert", embedding_size=16), (tokens, mask)
    yield "distilbert", encoder("DistilBert", dim=32, n_layers=2, n_heads=4, hidden_dim=64), (tokens, mask)
    yield "gpt2", lambda: First(t.GPT2LMHeadModel(t.GPT2Config(vocab_size=99, n_positions=64, n_embd=32, n_layer=2, n_head=4, attn_implementation="eager")),
                                ("input_ids", "attention_mask"), use_cache=False), (tokens, mask)
    for name in ("Llama", "Mistral", "Qwen2", "GPTNeoX", "Phi", "OPT"):
        more = {"ffn_dim": 64, "word_embed_proj_dim": 32} if name == "OPT" else {}
        yield name.lower(), decoder(name, **more), (tokens, mask)
    yield "t5", lambda: First(t.T5Model(t.T5Config(vocab_size=99, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4)),
                              ("input_ids", "attention_mask", "decoder_input_ids"), use_cache=False), (tokens, mask, tokens[:, :5])
    yield "bart", lambda: First(t.BartModel(t.BartConfig(vocab_size=99, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
                                                         decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=64,
                                                         attn_implementation="eager")),
                                ("input_ids", "attention_mask", "decoder_input_ids"), use_cache=False), (tokens, mask, tokens[:, :5])
    yield "whisper", lambda: First(t.WhisperModel(t.WhisperConfig(vocab_size=99, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
                                                                  decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, num_mel_bins=16,
                                                                  max_source_positions=20, max_target_positions=20, pad_token_id=0,
                                                                  attn_implementation="eager")),
                                   ("input_features", "decoder_input_ids", "decoder_attention_mask"), use_cache=False), (torch.randn(1, 16, 40), tokens[:1, :5], mask[:1, :5])
    yield "vit-transformers", vision("ViT"), (image,)
    yield "deit", vision("DeiT"), (image,)
    yield "dinov2", vision("Dinov2"), (image,)
    yield "clip-vision", vision("CLIPVision"), (image,)
    yield "segformer", lambda: First(t.SegformerModel(t.SegformerConfig(depths=[1, 1], hidden_sizes=[16, 32], num_attention_heads=[1, 2], sr_ratios=[4, 2],
                                                                        num_encoder_blocks=2, strides=[4, 2], patch_sizes=[7, 3], mlp_ratios=[2, 2])),
                                     ("pixel_values",)), (image,)
    yield "wav2vec2", lambda: First(t.Wav2Vec2Model(t.Wav2Vec2Config(hidden_size=32, num_hidden_layers=1, num_attention_heads=4, intermediate_size=64,
                                                                     conv_dim=(16, 16), conv_stride=(5, 2), conv_kernel=(10, 3), num_conv_pos_embeddings=4,
                                                                     num_conv_pos_embedding_groups=2, attn_implementation="eager")),
                                    ("input_values",)), (torch.randn(1, 400),)


def export(torch, make, inputs, path, dynamo):
    torch.manual_seed(0)
    model = make().eval()
    names = [f"x{i}" for i in range(len(inputs))]
    # The exporters say on stdout what they do.
    with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing):
        if dynamo:
            torch.onnx.export(model, inputs, path, input_names=names, dynamo=True)
        else:
            torch.onnx.export(model, inputs, path, input_names=names, opset_version=17, dynamo=False)


def compare(got, want):
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype}{got.shape}, not {want.dtype}{want.shape}"
    if want.dtype.kind != "f":
        return "" if np.array_equal(got, want) else "other integers"
    if not np.array_equal(np.isnan(got), np.isnan(want)):
        return "other NaNs"
    error = np.nanmax(np.abs(got - want), initial=0) / max(1e-6, np.nanmax(np.abs(want), initial=0))
    return "" if error < 1e-4 else f"differs by {error:.3g} of the largest element"


def judge(tool, torch, runtime, make, inputs, dynamo):
    """`agrees`, `refused`, `crashed`, `differs`, or `not judged`, and why."""
    path = tool.path("model.onnx")
    for file in os.listdir(tool.folder):
        if file.endswith((".onnx", ".data")):
            os.remove(tool.path(file))
    try:
        export(torch, make, inputs, path, dynamo)
    except Exception as error:
        return "not judged", f"not exported: {type(error).__name__} {error}"
    try:
        options = runtime.SessionOptions()
        options.log_severity_level = 4
        session = runtime.InferenceSession(path, options)
        # The exporter drops what the model does not use.
        used = {each.name for each in session.get_inputs()}
        feeds = {f"x{i}": value.numpy() for i, value in enumerate(inputs) if f"x{i}" in used}
        want = session.run(None, feeds)
    except Exception as error:
        return "not judged", f"ONNX Runtime: {error}"
    shutil.rmtree(tool.path("out.d"), ignore_errors=True)
    os.makedirs(tool.path("out.d"))
    words = ["run", path, f"--output-dir={tool.path('out.d')}"]
    for name, value in feeds.items():
        np.save(tool.path(name + ".npy"), value)
        words.append(f"--input={name}={tool.path(name + '.npy')}")
    status, text = tool.run(words, seconds=300)
    if status != 0:
        return "refused" if status == 1 else "crashed", text.replace(tool.folder + "/", "")
    for each, array in zip(session.get_outputs(), want):
        name = re.sub(r"[^A-Za-z0-9_.$]", "_", each.name)
        if why := compare(np.load(tool.path(os.path.join("out.d", name + ".npy"))), np.asarray(array)):
            return "differs", f"{each.name}: {why}"
    return "agrees", ""


def listed(torch, torchvision, more):
    if more:
        import families

        yield from families.families(torch)
        return
    yield from models(torch, torchvision)
    try:
        import transformers
    except ImportError:
        print("exported: without transformers")
        return
    transformers.logging.set_verbosity_error()
    yield from transformers_models(torch, transformers)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--only")
    parser.add_argument("--families", action="store_true", help="the models of families.py, which may be refused")
    parser.add_argument("--dynamo", action="store_true", help="by torch.export; needs onnxscript")
    arguments = parser.parse_args()
    try:
        import onnxruntime
        import torch
        import torchvision
    except ImportError as error:
        print(f"exported: skipped, {error}")
        return 77
    torch.set_num_threads(1)
    tool, counts, bad = server.Server(arguments.server), collections.Counter(), 0
    torch.manual_seed(0)
    for name, make, inputs in listed(torch, torchvision, arguments.families):
        if arguments.only and arguments.only not in name:
            continue
        verdict, why = judge(tool, torch, onnxruntime, make, inputs, arguments.dynamo)
        lines = why.strip().splitlines()
        # A refusal is a line for each kind of fault, and what all have in common is not said again.
        faults = [line for line in lines if "error: " in line]
        bad += verdict in ("differs", "crashed") or (verdict == "refused" and not faults)
        bad += verdict == "refused" and not arguments.families
        counts[verdict] += 1
        print(f"{name}: {verdict}" + "".join(f"\n    {line[:300]}" for line in (lines if verdict == "refused" else lines[:1])), flush=True)
    print("exported:", ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
