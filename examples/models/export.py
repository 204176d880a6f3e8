"""Exports a small convolutional network of PyTorch as net.onnx. Its weights are random; a real application would train
them."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 14 * 14, 10), nn.Softmax(1))
torch.onnx.export(net.eval(), (torch.zeros(2, 1, 28, 28),), "net.onnx", input_names=["image"], output_names=["probabilities"],
                  dynamic_axes={"image": {0: "n"}, "probabilities": {0: "n"}}, dynamo=False)
