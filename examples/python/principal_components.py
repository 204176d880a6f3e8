"""Computes principal components of handwritten digits by a singular value decomposition. Writes a picture of the
components and of some digits approximated by a few of them: principal_components.py OUT.pgm"""

import pathlib
import sys

import tensorc as tc

IMAGES = pathlib.Path(__file__).parents[1] / "digits/data/train_images.npy"


@tc.jit
def components(images):
    """Returns the mean, the components as rows, and the variance along each component."""
    mean = tc.mean(images, axis=0)
    _, s, vh = tc.linalg.svd(images - mean, full_matrices=False)
    return mean, vh, s * s / (images.shape[0] - 1)


def mosaic(rows):
    """Returns images [rows, columns, 8, 8] as one picture, each scaled to 0...255 and with a border."""
    low, high = tc.min(rows, axis=(-2, -1), keepdims=True), tc.max(rows, axis=(-2, -1), keepdims=True)
    scaled = tc.pad((rows - low) / (high - low), [(0, 0), (0, 0), (1, 1), (1, 1)])
    m, n, h, w = scaled.shape
    return (tc.reshape(tc.permute_dims(scaled, (0, 2, 1, 3)), (m * h, n * w)) * 255).astype(tc.uint8)


def main(path=None, kept=16):
    images = tc.load(IMAGES)
    mean, rows, variance = components(images)
    share = variance / tc.sum(variance)
    print(f"{kept} of {len(rows)} components have {float(tc.sum(share[:kept])):.0%} of the variance")
    basis = rows[:kept]
    again = mean + (images - mean) @ basis.T @ basis
    lost = tc.sum((images - again) ** 2) / tc.sum((images - mean) ** 2)
    print(f"images made of them lose {float(lost):.0%}")
    # Plots the images by their first two components, one character per image.
    labels = tc.load(IMAGES.parent / "train_labels.npy").tolist()
    plane = [[" "] * 64 for _ in range(24)]
    for (x, y), label in zip(((images - mean) @ rows[:2].T).tolist(), labels):
        plane[min(max(int(y * 5 + 12), 0), 23)][min(max(int(x * 14 + 32), 0), 63)] = str(label)
    print("\n".join("".join(line).rstrip() for line in plane))
    if path:
        picture = mosaic(tc.reshape(tc.concat([rows[:16], images[:16], again[:16]]), (3, 16, 8, 8)))
        height, width = picture.shape
        pathlib.Path(path).write_bytes(b"P5 %d %d 255\n" % (width, height) + picture.numpy().tobytes())
    return images, rows, variance


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
