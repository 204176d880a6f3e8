"""Families of models beyond those of exported.py, small and with random weights: (name, model, inputs).

Torchvision's detectors, videos and newer networks, timm's, transformers' (texts, images, sounds, series), and programs
whose sizes depend on values: what people export, whether or not it can be compiled.
"""

TIMM = ("resnet10t", "mobilenetv4_conv_small_050", "efficientnet_lite0", "tf_efficientnetv2_b0", "convnext_atto", "convnextv2_atto",
        "ghostnet_050", "hardcorenas_a", "regnetz_005", "levit_128s", "mobilevit_xxs", "mobilevitv2_050", "edgenext_xx_small",
        "xcit_nano_12_p16_224", "poolformer_s12", "cait_xxs24_224", "mixer_s32_224", "gmlp_ti16_224", "resmlp_12_224",
        "beit_base_patch16_224", "eva02_tiny_patch14_224", "efficientformer_l1", "fastvit_t8", "repvgg_a0", "dla34",
        "hrnet_w18_small", "dm_nfnet_f0", "tinynet_e", "visformer_tiny", "twins_svt_small", "pvt_v2_b0", "nest_tiny", "crossvit_tiny_240",
        "sequencer2d_s", "inception_next_atto", "starnet_s1", "swinv2_cr_tiny_ns_224", "halonet26t", "lambda_resnet26t", "botnet26t_256")


def timm_models(torch, timm):
    for name in TIMM:
        keywords = {}
        size = timm.get_pretrained_cfg(name).input_size[-1] if timm.is_model_pretrained(name) else 224
        # A depth of 24 says no more than one of 2.
        if name.startswith(("beit", "cait", "eva02", "xcit")):
            keywords["depth"] = 2
        yield "timm " + name, lambda name=name, keywords=keywords: timm.create_model(name, pretrained=False, num_classes=10, **keywords), (torch.randn(1, 3, size, size),)


def vision_models(torch, vision):
    image = torch.randn(1, 3, 64, 64)

    class Dictionary(torch.nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            y = self.inner(x)
            return tuple(y.values()) if isinstance(y, dict) else tuple(value for each in y for value in each.values())

    d, none = vision.detection, {"weights": None, "weights_backbone": None}
    yield "deeplabv3", lambda: Dictionary(vision.segmentation.deeplabv3_mobilenet_v3_large(**none)), (image,)
    yield "lraspp", lambda: Dictionary(vision.segmentation.lraspp_mobilenet_v3_large(**none)), (image,)
    yield "swin_v2_t", lambda: vision.swin_v2_t(weights=None), (image,)
    yield "maxvit_t", lambda: vision.maxvit_t(weights=None, input_size=(224, 224)), (torch.randn(1, 3, 224, 224),)
    yield "inception_v3", lambda: vision.inception_v3(weights=None, aux_logits=False, init_weights=False), (torch.randn(1, 3, 96, 96),)
    yield "r3d_18", lambda: vision.video.r3d_18(weights=None), (torch.randn(1, 3, 4, 32, 32),)
    yield "mc3_18", lambda: vision.video.mc3_18(weights=None), (torch.randn(1, 3, 4, 32, 32),)
    yield "raft_small", lambda: vision.optical_flow.raft_small(weights=None), (torch.randn(1, 3, 128, 128), torch.randn(1, 3, 128, 128))
    yield "fcos", lambda: Dictionary(d.fcos_resnet50_fpn(min_size=64, max_size=64, **none)), (image,)
    yield "retinanet", lambda: Dictionary(d.retinanet_resnet50_fpn(min_size=64, max_size=64, **none)), (image,)
    yield "ssdlite", lambda: Dictionary(d.ssdlite320_mobilenet_v3_large(**none)), (image,)
    yield "fasterrcnn", lambda: Dictionary(d.fasterrcnn_mobilenet_v3_large_320_fpn(min_size=64, max_size=64, **none)), (image,)
    yield "maskrcnn", lambda: Dictionary(d.maskrcnn_resnet50_fpn(min_size=64, max_size=64, **none)), (image,)


def program_models(torch, ops):
    """Ops and sizes that are seldom in networks."""
    nn = torch.nn

    def program(run, *inner):
        class Program(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = nn.ModuleList(inner)

            def forward(self, *x):
                return run(*self.inner, *x)

        return Program

    x = torch.randn(4, 6)
    boxes = torch.tensor([[0.0, 1, 1, 9, 9], [0, 2, 3, 12, 8], [0, 0, 0, 5, 15]])
    image = torch.randn(1, 4, 16, 16)
    yield "program roi_align", program(lambda a, b: ops.roi_align(a, b, (3, 3), 0.5, 2, True)), (image, boxes)
    yield "program roi_pool", program(lambda a, b: ops.roi_pool(a, b, (3, 3), 0.5)), (image, boxes)
    yield "program deform_conv", program(lambda inner, a, b: ops.deform_conv2d(a, b, inner.weight, inner.bias, padding=1), nn.Conv2d(4, 8, 3)), (image, torch.randn(1, 18, 16, 16))
    yield "program nms", program(lambda a, b: ops.nms(a, b, 0.5)), (boxes[:, 1:].contiguous(), torch.rand(3))
    yield "program boolean mask", program(lambda a: a[a > 0].sum()), (x,)
    yield "program nonzero", program(lambda a: torch.nonzero(a > 0)), (x,)
    yield "program unique", program(lambda a: torch.unique(a.to(torch.int64))), (x,)
    yield "program split", program(lambda a: torch.stack([each.sum(0) for each in torch.split(a, 2)])), (x,)
    yield "program tensor split", program(lambda a: torch.cat([each * 2 for each in torch.tensor_split(a, 3, 1)], 1)), (x,)
    yield "program unbind", program(lambda a: torch.stack([each.sin() for each in a.unbind(1)], 1)), (x,)
    yield "program loop", program(loop), (x,)
    yield "program multinomial", program(lambda a: torch.multinomial(a.softmax(-1), 2)), (x,)
    yield "program fft", program(lambda a: torch.fft.rfft(a).abs()), (x,)
    yield "program stft", program(lambda a: torch.stft(a, 16, 4, window=torch.hann_window(16), return_complex=False)), (torch.randn(1, 64),)
    yield "program cumsum sort topk", program(lambda a: a.cumsum(1).sort(1)[0] + a.topk(6, 1)[0]), (x,)
    yield "program one_hot", program(lambda a: nn.functional.one_hot(a.abs().to(torch.int64), 8)), (x,)
    yield "program einsum", program(lambda a, b: torch.einsum("ij,kj->ik", a, b)), (x, torch.randn(3, 6))
    yield "program grid_sample", program(lambda a, b: nn.functional.grid_sample(a, b, align_corners=False)), (image, torch.rand(1, 5, 5, 2) * 2 - 1)
    yield "program bucketize", program(lambda a: torch.bucketize(a, torch.tensor([-1.0, 0.0, 1.0]))), (x,)
    yield "program embedding_bag", program(lambda inner, a: inner(a), nn.EmbeddingBag(9, 4)), (torch.randint(0, 9, (3, 5)),)
    yield "program det inverse", program(lambda a: torch.det(a)), (torch.randn(2, 3, 3),)
    yield "program repeat_interleave", program(lambda a: a.repeat_interleave(3, 1)), (x,)
    yield "program pixel_shuffle", program(lambda a: nn.functional.pixel_shuffle(a, 2)), (image,)
    yield "program max_unpool", program(lambda a: nn.functional.max_unpool2d(*nn.functional.max_pool2d(a, 2, return_indices=True), 2)), (image,)
    yield "program index_put", program(lambda a: a.index_put((torch.tensor([1, 2]),), torch.ones(2, 6))), (x,)
    yield "program randn", program(lambda a: (a + torch.randn_like(a)).shape[0] + a.sum() * 0), (x,)


def loop(x):
    y = x
    for _ in range(x.shape[0]):
        y = y * 0.5 + x
    return y


def transformers_families(torch, t):
    nn = torch.nn
    small = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64, "vocab_size": 99,
             "max_position_embeddings": 64, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    tokens, mask = torch.randint(3, 99, (2, 8)), torch.ones(2, 8, dtype=torch.int64)
    image = torch.randn(1, 3, 32, 32)

    class First(nn.Module):
        def __init__(self, inner, names, **fixed):
            super().__init__()
            self.inner, self.names, self.fixed = inner, names, fixed

        def forward(self, *values):
            return self.inner(**dict(zip(self.names, values)), **self.fixed, return_dict=False)[0]

    def of(kind, names, suffix="Model", fixed=None, **more):
        def make():
            config = getattr(t, kind + "Config")(**more)
            return First(getattr(t, kind + suffix)(config), names, **(fixed or {}))
        return make

    text = ("input_ids", "attention_mask")
    for name, more in (("DebertaV2", {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]}), ("XLMRoberta", {}), ("ConvBert", {"embedding_size": 32}),
                       ("MobileBert", {"embedding_size": 16, "intra_bottleneck_size": 16, "num_feedforward_networks": 1}), ("SqueezeBert", {"embedding_size": 32}),
                       ("IBert", {}), ("Nystromformer", {"num_landmarks": 4, "segment_means_seq_len": 8}), ("FNet", {}), ("Roformer", {}),
                       ("MegatronBert", {}), ("Data2VecText", {}), ("BigBird", {"attention_type": "original_full"}), ("Longformer", {"attention_window": 4}),
                       ("RemBert", {"input_embedding_size": 16}), ("ModernBert", {}), ("Splinter", {}), ("Yoso", {"use_expectation": True}), ("Funnel", {}), ("XLNet", {})):
        kind = {"Roformer": "RoFormer"}.get(name, name)
        settings = {**small, **more}
        names = text[:1] if name == "FNet" else text
        if kind == "Funnel":
            settings = {"vocab_size": 99, "block_sizes": [1, 1], "num_decoder_layers": 1, "d_model": 32, "n_head": 4, "d_head": 8, "d_inner": 64}
        if kind == "XLNet":
            settings = {"vocab_size": 99, "d_model": 32, "n_layer": 1, "n_head": 4, "d_inner": 64}
        yield "transformers " + kind, of(kind, names, **settings), (tokens, mask)[:len(names)]
    causal = {**small, "num_key_value_heads": 2, "head_dim": 8}
    for kind, more in (("Gemma", {}), ("Gemma2", {}), ("Qwen3", {}), ("Phi3", {}), ("StableLm", {}), ("Mixtral", {"num_local_experts": 2}), ("Olmo2", {}), ("Cohere", {}),
                       ("Granite", {}), ("Starcoder2", {}), ("Bloom", {"n_layer": 2, "n_head": 4}), ("GPTJ", {"n_embd": 32, "n_layer": 2, "n_head": 4, "rotary_dim": 4}),
                       ("CodeGen", {"n_embd": 32, "n_layer": 2, "n_head": 4, "rotary_dim": 4}), ("GPTBigCode", {"n_embd": 32, "n_layer": 2, "n_head": 4}), ("Mamba", {"state_size": 4}),
                       ("Mpt", {"d_model": 32, "n_heads": 4, "n_layers": 2}), ("XGLM", {"d_model": 32, "num_layers": 2, "attention_heads": 4, "ffn_dim": 64}), ("GPTNeo", {"num_layers": 2, "attention_types": [[["global", "local"], 1]]})):
        suffix = "ForCausalLM"
        names = text[:1] if kind == "Mamba" else text
        config = kind
        yield "transformers " + kind, of(config, names, suffix, {"use_cache": False}, **{**causal, **more}), (tokens, mask)[:len(names)]
    both = {"vocab_size": 99, "d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
            "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "max_position_embeddings": 64, "pad_token_id": 0}
    for kind in ("Marian", "Pegasus", "MBart", "M2M100", "Blenderbot", "PLBart"):
        yield "transformers " + kind, of(kind, (*text, "decoder_input_ids"), fixed={"use_cache": False}, **both), (tokens, mask, tokens[:, :5])
    yield "transformers LongT5", of("LongT5", (*text, "decoder_input_ids"), fixed={"use_cache": False}, vocab_size=99, d_model=32, d_kv=8, d_ff=64, num_layers=1, num_heads=4), (tokens, mask, tokens[:, :5])
    picture = {**small, "image_size": 32, "patch_size": 8}
    for kind, more in (("Beit", {}), ("ViTMSN", {}), ("SiglipVision", {}), ("Yolos", {"image_size": [32, 32], "num_detection_tokens": 5}),
                       ("Data2VecVision", {}), ("Swinv2", {"embed_dim": 16, "depths": [1, 1], "num_heads": [2, 2], "window_size": 2, "patch_size": [4, 4]}),
                       ("Swin", {"embed_dim": 16, "depths": [1, 1], "num_heads": [2, 2], "window_size": 2, "patch_size": [4, 4]}),
                       ("ConvNextV2", {"hidden_sizes": [8, 16, 16, 16], "depths": [1, 1, 1, 1]}), ("PoolFormer", {}), ("Dinov2WithRegisters", {}), ("Hiera", {"image_size": [32, 32], "patch_size": [7, 7]}),
                       ("GLPN", {}), ("MobileViT", {"image_size": 64}), ("PvtV2", {}), ("ResNet", {"hidden_sizes": [8, 16], "depths": [1, 1], "embedding_size": 8}), ("RegNet", {"hidden_sizes": [8, 16], "depths": [1, 1], "groups_width": 8, "embedding_size": 8})):
        settings = more if kind in ("PoolFormer", "GLPN", "MobileViT", "PvtV2", "ResNet", "RegNet", "ConvNextV2", "Hiera") else {**picture, **more}
        size = 64 if kind in ("MobileViT", "PvtV2", "GLPN", "PoolFormer") else 32
        yield "transformers " + kind, of(kind, ("pixel_values",), **settings), (torch.randn(1, 3, size, size),)
    yield "transformers Dpt", of("DPT", ("pixel_values",), **picture), (image,)
    yield "transformers Detr", of("Detr", ("pixel_values",), "Model", use_timm_backbone=True, use_pretrained_backbone=False, backbone="resnet18", d_model=32, encoder_layers=1,
                                  decoder_layers=1, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, num_queries=5), (torch.randn(1, 3, 64, 64),)
    yield "transformers VideoMAE", of("VideoMAE", ("pixel_values",), **{**picture, "num_frames": 4}), (torch.randn(1, 4, 3, 32, 32),)
    yield "transformers TimeSformer", of("Timesformer", ("pixel_values",), **{**picture, "num_frames": 4}), (torch.randn(1, 4, 3, 32, 32),)
    sound = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 64, "conv_dim": (16, 16), "conv_stride": (5, 2),
             "conv_kernel": (10, 3), "num_conv_pos_embeddings": 4, "num_conv_pos_embedding_groups": 2}
    for kind in ("Hubert", "UniSpeech", "WavLM", "SEW", "Data2VecAudio"):
        yield "transformers " + kind, of(kind, ("input_values",), **sound), (torch.randn(1, 400),)
    yield "transformers AST", of("AST", ("input_values",), **{**small, "num_mel_bins": 16, "max_length": 32, "patch_size": 8}), (torch.randn(1, 32, 16),)
    yield "transformers Speech2Text", of("Speech2Text", ("input_features", "attention_mask", "decoder_input_ids"), fixed={"use_cache": False},
                                         **{**both, "input_feat_per_channel": 8, "conv_channels": 16, "max_source_positions": 64, "max_target_positions": 64}), (torch.randn(2, 16, 8), torch.ones(2, 16, dtype=torch.int64), tokens[:, :5])
    yield "transformers Encodec", of("Encodec", ("input_values",), num_filters=4, hidden_size=16, codebook_size=16, upsampling_ratios=[4, 2]), (torch.randn(1, 1, 320),)
    yield "transformers PatchTST", of("PatchTST", ("past_values",), num_input_channels=2, context_length=32, patch_length=8, patch_stride=8, d_model=16, num_attention_heads=2, ffn_dim=32, num_hidden_layers=1), (torch.randn(1, 32, 2),)


def families(torch):
    import torchvision

    yield from program_models(torch, torchvision.ops)
    yield from vision_models(torch, torchvision.models)
    try:
        import transformers

        transformers.logging.set_verbosity_error()
        yield from transformers_families(torch, transformers)
    except ImportError:
        pass
    try:
        import timm

        yield from timm_models(torch, timm)
    except ImportError:
        pass
