"""Creates data/ and weights/. It was run once, and its results are committed.

    python3 -m venv train && train/bin/pip install -r requirements.txt
    train/bin/python3 train.py

scikit-learn only provides the images. The network (64 -> 64 relu -> 10) is trained with NumPy by Adam on the
cross-entropy, with a learning rate that falls to zero. The training images are moved by up to half a pixel. The last
part of the shuffled set is not used for training.
"""

import pathlib

import numpy as np
from sklearn.datasets import load_digits

SEED = 1797
HELD_OUT = 449
HIDDEN = 64
EPOCHS = 200
BATCH = 64
RATE = 2e-3
DECAY = 1e-4
MOVE = 0.5

here = pathlib.Path(__file__).parent
random = np.random.default_rng(SEED)


def load():
    """Returns the images as f32 in [0, 1] and the labels as i32, shuffled and split."""
    images, labels = load_digits(return_X_y=True)
    order = random.permutation(len(labels))
    images = (images[order] / 16).astype(np.float32)
    labels = labels[order].astype(np.int32)
    return images[:-HELD_OUT], labels[:-HELD_OUT], images[-HELD_OUT:], labels[-HELD_OUT:]


def moved(images):
    """Returns each image moved by up to MOVE pixels in both directions, by bilinear interpolation."""
    padded = np.pad(images.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1)))
    for axis in (1, 2):
        share = random.uniform(-MOVE, MOVE, (len(images), 1, 1)).astype(np.float32)
        neighbour = np.where(share > 0, np.roll(padded, 1, axis), np.roll(padded, -1, axis))
        padded = padded + np.abs(share) * (neighbour - padded)
    return padded[:, 1:-1, 1:-1].reshape(-1, 64)


def logits(images, w1, b1, w2, b2):
    hidden = np.maximum(images @ w1 + b1, 0)
    return hidden, hidden @ w2 + b2


def gradients(images, labels, w1, b1, w2, b2):
    hidden, scores = logits(images, w1, b1, w2, b2)
    share = np.exp(scores - scores.max(1, keepdims=True))
    share /= share.sum(1, keepdims=True)
    share[np.arange(len(labels)), labels] -= 1
    share /= len(labels)
    back = share @ w2.T * (hidden > 0)
    return images.T @ back, back.sum(0), hidden.T @ share, share.sum(0)


def train(images, labels):
    weights = [
        random.standard_normal((64, HIDDEN)) * np.sqrt(2 / 64),
        np.zeros(HIDDEN),
        random.standard_normal((HIDDEN, 10)) * np.sqrt(2 / HIDDEN),
        np.zeros(10),
    ]
    mean = [np.zeros_like(w) for w in weights]
    square = [np.zeros_like(w) for w in weights]
    step = 0
    for epoch in range(EPOCHS):
        order = random.permutation(len(labels))
        inputs = moved(images)
        fall = 0.5 + 0.5 * np.cos(np.pi * epoch / EPOCHS)
        for start in range(0, len(order), BATCH):
            step += 1
            rows = order[start : start + BATCH]
            for i, g in enumerate(gradients(inputs[rows], labels[rows], *weights)):
                g = g + DECAY * weights[i]
                mean[i] = 0.9 * mean[i] + 0.1 * g
                square[i] = 0.999 * square[i] + 0.001 * g * g
                rate = RATE * fall * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
                weights[i] = weights[i] - rate * mean[i] / (np.sqrt(square[i]) + 1e-8)
    return [w.astype(np.float32) for w in weights]


def main():
    train_images, train_labels, test_images, test_labels = load()
    weights = train(train_images, train_labels)
    predicted = logits(test_images, *weights)[1].argmax(1)
    correct = int((predicted == test_labels).sum())
    print(f"held out: {correct} of {HELD_OUT} right, {correct / HELD_OUT:.4f}")

    for folder in ("data", "weights"):
        (here / folder).mkdir(exist_ok=True)
    np.save(here / "data/train_images.npy", train_images)
    np.save(here / "data/train_labels.npy", train_labels)
    np.save(here / "data/test_images.npy", test_images)
    np.save(here / "data/test_labels.npy", test_labels)
    for name, weight in zip(("w1", "b1", "w2", "b2"), weights):
        np.save(here / f"weights/{name}.npy", weight)


main()
