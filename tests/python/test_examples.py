"""The programs of examples/python."""

import importlib.util
import json
import pathlib

import numpy as np
import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "examples/python"


def load(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the package is tested without the project")
class TestExamples:
    def test_devices(self, capsys):
        load("devices").main()
        text = capsys.readouterr().out
        assert "equal: True" in text and "memory: True" in text
        line = next(line for line in text.splitlines() if line.startswith("sum of squares"))
        first, second = (float(part.split()[0]) for part in line.split(":")[1:])
        assert abs(first - second) < 1e-5 * second

    def test_sharded(self, capsys):
        load("sharded").main()
        assert capsys.readouterr().out.count("as one device: True") == 3

    @pytest.mark.parametrize("name", ["tensor_parallel", "ring_attention", "heat_halo"])
    def test_split_over_devices(self, name, capsys):
        load(name).main()
        assert capsys.readouterr().out.endswith(": True\n")

    def test_pipeline(self, capsys):
        load("pipeline").main(["cpu:0", "sim:0"])
        assert capsys.readouterr().out.endswith(": True\n")

    def test_data_parallel(self, capsys):
        load("data_parallel").main(["cpu"] * 4)
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) == 4 and all(line.endswith("as one device: True") for line in lines), lines

    def test_devices_by_names_of_pytorch(self, capsys):
        load("torch_devices").main("sim:0")
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "the best is one that computes: True, an unknown one does not: False"
        for begin, kind, index in ((1, "cpu", -1), (8, "sim", 0)):
            assert lines[begin : begin + 7] == [
                f"created on {kind}: 27.0, index {index}",
                f"moved to {kind}, float64 on {kind}, float64 on {kind}, back on cpu: True", "is_cuda: True",
                f"within the guard on {kind}", "within another one on cpu", "behind the guards as before: True",
                "between two events: True, done: True"]  # fmt: skip
        assert lines[15].startswith("add: the operands are on different devices: f32[2] on cpu:0")
        assert "torch_devices.py:" in lines[15] and lines[16] == "moved first: [2.0, 2.0]"
        assert lines[17:19] == [f"{name}: type cpu, index 0, available True" for name in ("cpu", "cpu:0")]
        assert lines[19].startswith("cuda:1: ") and lines[20].startswith("mps: ") and "cuda:-1" in lines[21]

    def test_picture(self, capsys):
        load("picture").main()
        text = capsys.readouterr().out
        assert text.count("\n") == 16 and "#" in text and " " in text

    def test_density(self, capsys, tmp_path):
        load("density").main(tmp_path)
        assert capsys.readouterr().out == "relative difference below 1e-5: True\n"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["fast.mlir", "slow.mlir"]

    def test_classifier(self, capsys):
        assert load("classifier").main() > 0.9
        assert "('n', 2)" in capsys.readouterr().out

    def test_kalman(self, capsys):
        measured, states, covariances, likelihood = (x.numpy() for x in load("kalman").main())
        assert "better True" in capsys.readouterr().out
        # The same in NumPy, for one track.
        step, push, noise = 0.1, 0.5, 0.8
        move, h = np.eye(4) + step * np.eye(4, k=2), np.eye(2, 4)
        g = np.concatenate([step**2 / 2 * np.eye(2), step * np.eye(2)])
        q, r = push**2 * g @ g.T, noise**2 * np.eye(2)
        x, p, total = np.zeros(4), 100 * np.eye(4), 0.0
        for i, z in enumerate(measured[:, 3].astype(np.float64)):
            x, p = move @ x, move @ p @ move.T + q
            s, d = h @ p @ h.T + r, z - h @ x
            k = p @ h.T @ np.linalg.inv(s)
            total -= (d @ np.linalg.inv(s) @ d + np.linalg.slogdet(2 * np.pi * s)[1]) / 2
            x, p = x + k @ d, p - k @ h @ p
            np.testing.assert_allclose(states[i, 3], x, rtol=1e-3, atol=2e-3)
            np.testing.assert_allclose(covariances[i, 3], p, rtol=1e-3, atol=2e-3)
        np.testing.assert_allclose(likelihood[3], total, rtol=1e-4)
        # What the covariance tends to, by SciPy's equation of Riccati.
        linalg = pytest.importorskip("scipy.linalg")
        before = linalg.solve_discrete_are(move.T, h.T, q, r)
        after = before - before @ h.T @ np.linalg.inv(h @ before @ h.T + r) @ h @ before
        np.testing.assert_allclose(covariances[-1, 0], after, rtol=1e-2, atol=1e-3)

    def test_principal_components(self, capsys, tmp_path):
        images, rows, variance = (x.numpy() for x in load("principal_components").main(tmp_path / "out.pgm"))
        assert "85% of the variance" in capsys.readouterr().out
        picture = (tmp_path / "out.pgm").read_bytes()
        assert picture.startswith(b"P5 160 30 255\n") and len(picture) == 14 + 160 * 30
        values, vectors = np.linalg.eigh(np.cov(images.astype(np.float64), rowvar=False))
        np.testing.assert_allclose(variance, values[::-1], atol=1e-5 * values[-1])
        np.testing.assert_allclose(np.abs(np.sum(rows[:16] * vectors.T[::-1][:16], axis=1)), 1, atol=1e-3)
        decomposition = pytest.importorskip("sklearn.decomposition")
        judge = decomposition.PCA(16, svd_solver="full").fit(images)
        np.testing.assert_allclose(variance[:16], judge.explained_variance_, rtol=1e-4)
        np.testing.assert_allclose(np.abs(np.sum(rows[:16] * judge.components_, axis=1)), 1, atol=1e-3)

    def test_break_even(self, capsys):
        load("break_even").main((8, 16))
        assert len(capsys.readouterr().out.splitlines()) == 3

    def test_programs_of_jax(self, capsys):
        for name in ("flax", "sklearn"):
            pytest.importorskip(name)
        right, path = load("jax_programs").main()
        assert right > 0.9 and "right: True" in capsys.readouterr().out
        # Kepler's third law: the angle after 1,000 steps of 0.01.
        radius = np.asarray([1.0, 1.5, 2.0])
        angle = np.arctan2(path[-1, :, 1], path[-1, :, 0])
        np.testing.assert_allclose(np.exp(1j * angle), np.exp(10j * radius**-1.5), atol=2e-3)

    def test_the_notebook(self):
        notebook = json.loads((FOLDER / "tour.ipynb").read_text(encoding="utf-8"))
        names = {}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)
        assert abs(names["w"][0].item() - 3) < 1e-2 and abs(names["w"][1].item() + 1) < 1e-2
        assert names["z"].device == "sim:0" and names["z"].item() == 499500
