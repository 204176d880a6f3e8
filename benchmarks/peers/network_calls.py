"""The calls of a network by each library, for networks.py."""

import os

import numpy as np


def onnxruntime_call(path, feeds):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options)
    used = {i.name for i in session.get_inputs()}
    feeds = {n: v for n, v in feeds.items() if n in used}
    return lambda: session.run(None, feeds)


def package_call(path, feeds):
    import tensorc as tc

    program = tc.load_package(path)
    arrays = [tc.asarray(v).eval() for v in feeds.values()]

    def call():
        result = program(*arrays)
        tc.eval(result)
        return result

    return call


def made(name, batch):
    """Returns the model and its inputs, with the same weights in every process."""
    import torch

    from peers.networks import networks

    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    torch.manual_seed(0)
    model, inputs = next(n for n in networks() if n.name == name).make(batch)
    return model.eval(), inputs


def model_call(side, model, inputs):
    import torch

    if side == "jax":
        from peers.jax_networks import jax_call

        return jax_call(model, inputs)
    if side == "backend":
        import tensorc.torch  # noqa: F401, which adds the backend
    torch._dynamo.reset()
    compiled = torch.compile(model, backend="tensorc" if side == "backend" else side)
    return lambda: compiled(*inputs)


def first_of(result):
    while isinstance(result, (tuple, list)):
        result = result[0]
    return result


def prepare(side, name, batch, folder):
    """Returns a call and the first array that it returns. The folder has the network as m.onnx and m.tcpkg, and its
    inputs as inputs.npz."""
    at = lambda file: os.path.join(folder, file)
    if side in ("package", "onnxruntime"):
        feeds = dict(np.load(at("inputs.npz")))
        call = package_call(at("m.tcpkg"), feeds) if side == "package" else onnxruntime_call(at("m.onnx"), feeds)
    else:
        call = model_call(side, *made(name, batch))
    call()
    return call, np.asarray(first_of(call()))
