"""Runs models of torchvision, timm and transformers with random weights by torch.compile(backend="tensorc") and by
eager PyTorch, and prints the table of docs/torch.md.

    PYTHONPATH=build/python python3 benchmarks/torch_models.py [NAME ...] [--verbose] [--time]

The columns are the number of ATen nodes of the graphs, the number of nodes that PyTorch runs, the largest difference
divided by the largest element, and the CPU seconds of the backend (the conversion, and the first call without Dynamo
and AOTAutograd).

With --time the columns are the milliseconds of an inference call by tensorc and by eager PyTorch, and their ratio. The
times are CPU times on one thread, medians of three rounds of alternating calls. The geometric mean of the ratios
follows the table. Dynamo's part of a call is included in tensorc's time.
"""

import math
import os
import statistics
import sys
import time
import warnings

if "--time" in sys.argv:
    os.environ["TENSORC_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import torch

import tensorc as tc
import tensorc.torch as backend

warnings.filterwarnings("ignore")


def image(size=64, batch=2):
    return lambda: (torch.randn(batch, 3, size, size),)


def vision(name, size=64, **kwargs):
    def make():
        import torchvision

        return getattr(torchvision.models, name)(weights=None, **kwargs)

    return make, image(size)


def timm_model(name, size=64, **kwargs):
    def make():
        import timm

        return timm.create_model(name, pretrained=False, **kwargs)

    return make, image(size)


def tokens(batch=2, length=16, count=100):
    return lambda: (torch.randint(0, count, (batch, length)),)


def transformer(config, model, given=None, **sizes):
    def make():
        import transformers

        return getattr(transformers, model)(getattr(transformers, config)(**sizes))

    return make, given or tokens()


def whisper():
    return torch.randn(1, 80, 3000), torch.randint(0, 100, (1, 6))


class Whisper(torch.nn.Module):
    def __init__(self):
        super().__init__()
        import transformers

        self.model = transformers.WhisperModel(transformers.WhisperConfig(
            vocab_size=100, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2,
            encoder_ffn_dim=64, decoder_ffn_dim=64, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
            suppress_tokens=None, begin_suppress_tokens=None))  # fmt: skip

    def forward(self, features, ids):
        return self.model(input_features=features, decoder_input_ids=ids).last_hidden_state


class Seq2Seq(torch.nn.Module):
    def __init__(self):
        super().__init__()
        import transformers

        self.model = transformers.T5Model(transformers.T5Config(
            vocab_size=100, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4))  # fmt: skip

    def forward(self, ids, decoder_ids):
        return self.model(input_ids=ids, decoder_input_ids=decoder_ids).last_hidden_state


class Clip(torch.nn.Module):
    def __init__(self):
        super().__init__()
        import transformers

        small = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4)
        self.model = transformers.CLIPModel(transformers.CLIPConfig(
            text_config=dict(vocab_size=100, max_position_embeddings=32, eos_token_id=99, **small),
            vision_config=dict(image_size=32, patch_size=8, **small)))  # fmt: skip

    def forward(self, ids, pixels):
        return self.model(input_ids=ids, pixel_values=pixels).logits_per_image


MODELS = {
    "torchvision resnet18": vision("resnet18"),
    "torchvision resnet50": vision("resnet50"),
    "torchvision mobilenet_v3_small": vision("mobilenet_v3_small"),
    "torchvision efficientnet_b0": vision("efficientnet_b0"),
    "torchvision convnext_tiny": vision("convnext_tiny"),
    "torchvision vit_b_16": vision("vit_b_16", 32, image_size=32),
    "torchvision swin_t": vision("swin_t"),
    "timm resnet26d": timm_model("resnet26d"),
    "timm mobilenetv2_100": timm_model("mobilenetv2_100"),
    "timm densenet121": timm_model("densenet121"),
    "timm regnetx_002": timm_model("regnetx_002"),
    "timm mixer_s32_224": timm_model("mixer_s32_224", 224),
    "timm deit_tiny_patch16_224": timm_model("deit_tiny_patch16_224", 64, img_size=64),
    "timm ghostnet_100": timm_model("ghostnet_100"),
    "timm mobilevit_xxs": timm_model("mobilevit_xxs"),
    "timm levit_128s": timm_model("levit_128s", 224),
    "timm convnextv2_atto": timm_model("convnextv2_atto"),
    "transformers BERT": transformer("BertConfig", "BertModel", vocab_size=100, hidden_size=32, num_hidden_layers=2,
                                     num_attention_heads=4, intermediate_size=64),
    "transformers GPT-2": transformer("GPT2Config", "GPT2LMHeadModel", vocab_size=100, n_embd=32, n_layer=2, n_head=4),
    "transformers Llama": transformer("LlamaConfig", "LlamaForCausalLM", vocab_size=100, hidden_size=32, num_hidden_layers=2,
                                      num_attention_heads=4, num_key_value_heads=2, intermediate_size=64),
    "transformers T5": (Seq2Seq, lambda: (torch.randint(0, 100, (2, 12)), torch.randint(0, 100, (2, 6)))),
    "transformers Whisper": (Whisper, whisper),
    "transformers CLIP": (Clip, lambda: (torch.randint(0, 99, (2, 8)), torch.randn(2, 3, 32, 32))),
}  # fmt: skip
TRAINED = ["torchvision resnet18", "transformers BERT", "transformers GPT-2"]


def values(result):
    """Returns the tensors in a model's result."""
    if isinstance(result, torch.Tensor):
        return [result]
    if hasattr(result, "to_tuple"):
        result = result.to_tuple()
    return [t for part in result for t in values(part)] if isinstance(result, (tuple, list)) else []


def difference(made, expected):
    """Returns the largest difference between two lists of tensors, divided by the largest element of each tensor, or by
    0.1 % of the largest element of all tensors. The latter is needed because some gradients, such as that of a key's
    bias, are 0 except for rounding. NaN differs from everything."""
    worst = 0.0
    assert len(made) == len(expected) > 0
    floor = 1e-3 * max(b.detach().double().abs().max().item() for b in expected if b.numel())
    for a, b in zip(made, expected):
        assert a.shape == b.shape and a.dtype == b.dtype, (a.shape, b.shape, a.dtype, b.dtype)
        a, b = a.detach().double(), b.detach().double()
        assert not a.isnan().any(), "a NaN"
        if b.numel():
            worst = max(worst, ((a - b).abs().max() / b.abs().max().clamp_min(floor)).item())
    return worst


def gradients(model, run, args):
    model.zero_grad()
    sum(v.square().mean() for v in values(run(*args)) if v.is_floating_point()).backward()
    return [p.grad.clone() for p in model.parameters() if p.grad is not None]


def made(name):
    """Returns the model, compiled and not compiled, and its arguments."""
    torch.manual_seed(0)
    torch._dynamo.reset()
    make, given = MODELS[name]
    model = make().eval()
    for module in model.modules():
        if hasattr(module, "config") and hasattr(module.config, "use_cache"):
            module.config.use_cache = False
    for p in model.parameters():
        if not p.any():  # the last layer of a ViT is initialized to 0, and its results would all be equal
            torch.nn.init.normal_(p, std=0.02)
    return torch.compile(model, backend="tensorc"), model, given()


def per_call(call, count):
    begin = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - begin) / count


def timed(name):
    """Returns the seconds of a call by tensorc and by PyTorch."""
    compiled, model, args = made(name)
    with torch.no_grad():
        calls = [lambda: compiled(*args), lambda: model(*args)]
        for call in calls:
            call()
        counts = [max(1, math.ceil(0.03 / max(per_call(call, 1), 1e-6))) for call in calls]
        rounds = [[per_call(call, count) for call, count in zip(calls, counts)] for _ in range(3)]
    return [statistics.median(side) for side in zip(*rounds)]


def time_all(names):
    torch.set_num_threads(1)
    print("| model | ours, ms | eager, ms | eager ÷ ours |\n|---|---|---|---|")
    ratios = []
    for name in names:
        try:
            ours, eager = timed(name)
        except Exception as error:  # a model that cannot run is reported, and the others continue
            print(f"| {name} | | | {type(error).__name__}: {str(error).splitlines()[0][:100]} |", flush=True)
            continue
        ratios.append(eager / ours)
        print(f"| {name} | {ours * 1e3:.2f} | {eager * 1e3:.2f} | {eager / ours:.2f} |", flush=True)
    if ratios:
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        print(f"\n{len(ratios)} models: geometric mean {mean:.2f}, at least 1.0 in {sum(r >= 1 for r in ratios)}; "
              f"load {os.getloadavg()[0]:.1f}")  # fmt: skip


def measure(name, trains):
    backend.reset_report()
    compiled, model, args = made(name)
    before = tc.compile_stats()["seconds"]
    if trains:
        error = difference(gradients(model, compiled, args), gradients(model, model, args))
    else:
        with torch.no_grad():
            error = difference(values(compiled(*args)), values(model(*args)))
    report = backend.report()
    seconds = report.seconds + tc.compile_stats()["seconds"] - before
    return report, error, seconds


def main():
    wanted = [a for a in sys.argv[1:] if not a.startswith("-")]
    if "--time" in sys.argv:
        return time_all([name for name in MODELS if not wanted or any(w in name for w in wanted)])
    print("| model | graphs | nodes | left to PyTorch | largest difference | seconds |\n|---|---|---|---|---|---|")
    for trains, names in ((False, MODELS), (True, TRAINED)):
        for name in names:
            if wanted and not any(w in name for w in wanted):
                continue
            label = name + (", gradients" if trains else "")
            try:
                report, error, seconds = measure(name, trains)
                print(f"| {label} | {len(report.graphs)} | {report.nodes} | {report.fallbacks} | {error:.1e} | {seconds:.1f} |",
                      flush=True)  # fmt: skip
                if "--verbose" in sys.argv:
                    print(report, file=sys.stderr)
            except Exception as error:
                text = str(error).strip().split("\n")[0][:200]
                print(f"| {label} | | | | {type(error).__name__}: {text} | |", flush=True)
                if "--verbose" in sys.argv:
                    import traceback

                    traceback.print_exc()


if __name__ == "__main__":
    main()
