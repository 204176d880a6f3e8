"""Programs of JAX on four devices: shard_map and pmap, and jit with shardings, judged by JAX's own CPU backend.

The processes start once: pytest runs this file in a process of its own, with four devices of each backend.
"""

import os
import subprocess
import sys

import pytest

if "tensorc" not in os.environ.get("JAX_PLATFORMS", ""):
    pytest.skip("JAX_PLATFORMS does not name tensorc", allow_module_level=True)
jax = pytest.importorskip("jax", reason="no jax: see scripts/install-deps.sh")

if "TENSORC_TEST_RANKS" not in os.environ:

    @pytest.fixture(scope="module")
    def cache(tmp_path_factory):
        return tmp_path_factory.mktemp("cache")

    @pytest.mark.parametrize("source", ["compiled", "from the disk cache"])
    def test_four_devices(source, cache):
        environment = dict(
            os.environ,
            TENSORC_TEST_RANKS="4",
            TENSORC_TEST_SOURCE=source,
            TENSORC_CPU_DEVICES="4",
            XLA_FLAGS="--xla_force_host_platform_device_count=4",
            JAX_COMPILATION_CACHE_DIR=str(cache),
            JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS="0",
            JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES="-1",
        )
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__],
            env=environment,
            capture_output=True,
            text=True,
        )
        print(run.stdout, run.stderr)
        assert run.returncode == 0
        assert any(cache.iterdir())

else:
    import jax.numpy as jnp
    import numpy as np
    from jax._src.lib import xla_client
    from jax.sharding import Mesh, NamedSharding
    from jax.sharding import PartitionSpec as P

    def meshes(shape, names, order=(0, 1, 2, 3)):
        """The mesh over the devices of both backends, in this order."""
        return [
            Mesh(np.array([jax.devices(platform)[i] for i in order]).reshape(shape), names)
            for platform in ("tensorc", "cpu")
        ]

    def check(make, *arguments, shape=(2, 2), names=("x", "y"), order=(0, 1, 2, 3), rtol=1e-6):
        """`make(mesh)` gives a function and the specs of its arguments; compares values and shardings of both backends."""
        results = []
        for mesh in meshes(shape, names, order):
            function, specs = make(mesh)
            placed = [jax.device_put(x, NamedSharding(mesh, spec)) for x, spec in zip(arguments, specs)]
            results.append(jax.tree.leaves(jax.jit(function)(*placed)))
        for ours, theirs in zip(*results, strict=True):
            np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=rtol, atol=1e-6)
            assert ours.dtype == theirs.dtype
            assert len(ours.sharding.device_set) == 4
            for shard in ours.addressable_shards:
                np.testing.assert_array_equal(np.asarray(shard.data), np.asarray(ours)[shard.index])
        return results

    A = np.arange(32, dtype=np.float32).reshape(4, 8)

    @pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 0, 2)])
    def test_psum(order):
        def make(mesh):
            def body(a, b):
                return jax.lax.psum(a * b, "x")

            specs = P("x", "y"), P(None, "y")
            return jax.shard_map(body, mesh=mesh, in_specs=specs, out_specs=P(None, "y")), specs

        ours, theirs = check(make, A, np.ones((2, 8), np.float32), order=order)
        assert ours[0].sharding.spec == theirs[0].sharding.spec

    def test_collectives():
        def make(mesh):
            def body(a):
                gathered = jax.lax.all_gather(a, "x", tiled=True)
                scattered = jax.lax.psum_scatter(gathered, "x", tiled=True)
                moved = jax.lax.ppermute(a, "y", [(0, 1), (1, 0)])
                exchanged = jax.lax.all_to_all(a, "x", 1, 0, tiled=True)
                index = jax.lax.axis_index("x") * 10 + jax.lax.axis_index("y")
                return scattered + moved, exchanged, jnp.full((1, 1), index), jax.lax.pmax(a, ("x", "y"))[None]

            out = P("x", "y"), P("x", "y"), P("x", "y"), P()
            return jax.shard_map(body, mesh=mesh, in_specs=P("x", "y"), out_specs=out, check_vma=False), [P("x", "y")]

        check(make, A)

    def test_in_loops_and_branches():
        def make(mesh):
            def body(a):
                step = lambda i, s: s * 0.5 + jax.lax.psum(s, "x")  # noqa: E731
                s = jax.lax.fori_loop(0, 3, step, a)
                return jax.lax.cond(s.sum() > 0, lambda v: jax.lax.pmean(v, "y"), lambda v: v, s)

            return jax.shard_map(body, mesh=mesh, in_specs=P("x", "y"), out_specs=P("x", "y"), check_vma=False), [P("x")]

        check(make, A)

    def test_gradient_of_a_sharded_loss():
        def make(mesh):
            def loss(w, x):
                part = jax.shard_map(
                    lambda w, x: jax.lax.psum(jnp.tanh(x @ w), "y"),
                    mesh=mesh,
                    in_specs=(P("y", None), P("x", "y")),
                    out_specs=P("x", None),
                )
                return jnp.sum(part(w, x) ** 2)

            return jax.value_and_grad(loss), (P("y"), P("x", "y"))

        check(make, A.reshape(8, 4) * 0.01, A * 0.1, rtol=1e-5)

    def test_jit_with_shardings_alone():
        def make(mesh):
            def f(a, b):
                c = jax.lax.with_sharding_constraint(jnp.sin(a) @ b, NamedSharding(mesh, P("x", None)))
                return c, c.sum(), {"whole": a[::-1]}

            return f, (P("x", "y"), P("y"))

        check(make, A, A.T.copy(), rtol=1e-5)

    def test_results_are_split_like_those_of_xla():
        def make(mesh):
            def f(a, b):
                c = jnp.tanh(a @ b)
                return c, c.T, c.sum(1), jnp.max(c), c[:, None] * 2, jax.nn.softmax(c)

            return f, (P("x"), P(None, "y"))

        for ours, theirs in zip(*check(make, A, A.T.copy(), rtol=1e-5), strict=True):
            places = [[shard.index for shard in x.addressable_shards] for x in (ours, theirs)]
            assert places[0] == places[1], (ours.sharding, theirs.sharding)

    def test_the_text_has_the_collectives():
        mesh = meshes((2, 2), ("x", "y"))[0]

        def text(f, spec):
            x = jax.ShapeDtypeStruct((8, 8), np.float32, sharding=NamedSharding(mesh, spec))
            return jax.jit(f).lower(x).compile().as_text()

        def collect(v):
            return (
                jax.lax.pmin(v.astype(jnp.int32), "x"),
                jax.lax.all_gather(v, "x"),
                jax.lax.psum_scatter(v, "y", scatter_dimension=1, tiled=True),
                jax.lax.all_to_all(v, "x", 1, 0, tiled=True),
                jax.lax.ppermute(v, "y", [(0, 1), (1, 0)]),
            )

        collectives = text(
            jax.shard_map(collect, mesh=mesh, in_specs=P("x", "y"), out_specs=P("x", "y"), check_vma=False), P("x", "y")
        )
        inserted = text(lambda a: a.sum(0), P("x"))
        if os.environ["TENSORC_TEST_SOURCE"] != "compiled":  # a package does not tell
            assert "all-" not in collectives + inserted
            return
        columns, rows = "replica_groups={{0,2},{1,3}}", "replica_groups={{0,1},{2,3}}"
        for kind, result, ranks in (
            ("all-reduce", "s32[4,4]", columns),
            ("all-gather", "f32[2,1,4,4]", columns),
            ("reduce-scatter", "f32[1,4,2]", rows),
            ("all-to-all", "f32[2,4,2]", columns),
            ("collective-permute", "f32[4,4]", "source_target_pairs={{0,1},{1,0},{2,3},{3,2}}"),
        ):
            (line,) = [line for line in collectives.splitlines() if f" {kind}(" in line]
            assert f"= {result}" in line and ranks in line, line
        assert " minimum(" in collectives
        assert inserted.count(" all-reduce(") == 1 and columns in inserted and " add(" in inserted

    def test_jit_is_split_over_the_devices():
        def costs(mesh, spec, f):
            x = jax.ShapeDtypeStruct((64, 32), np.float32, sharding=NamedSharding(mesh, spec))
            return jax.jit(f, out_shardings=NamedSharding(mesh, P())).lower(x).compile().cost_analysis()

        mesh = meshes((4,), ("x",))[0]
        layer = lambda x: jnp.sum(jax.nn.relu(x @ np.ones((32, 64), np.float32)) ** 2, axis=0)  # noqa: E731
        split, whole = costs(mesh, P("x"), layer), costs(mesh, P(), layer)
        sort = costs(mesh, P("x"), lambda x: jnp.sort(x, axis=0))
        if os.environ["TENSORC_TEST_SOURCE"] == "compiled":
            assert split["flops"] < 0.3 * whole["flops"]
            assert split["whole operations"] == 0 and sort["whole operations"] > 0
        else:  # a package does not tell
            assert split == whole == sort == {}

        def make(mesh):
            return layer, [P("x")]

        check(make, np.linspace(-1, 1, 2048, dtype=np.float32).reshape(64, 32), shape=(4,), names=("x",), rtol=1e-5)

    def test_a_part_of_the_axes_is_manual():
        def make(mesh):
            body = jax.shard_map(
                lambda a: jax.lax.psum(a, "x"), mesh=mesh, in_specs=P("x"), out_specs=P(), axis_names={"x"}
            )
            return lambda a: body(a) + 1, [P("x", "y")]

        check(make, A)

    def test_what_is_given_by_results():
        mesh = meshes((4,), ("x",))[0]
        out = NamedSharding(mesh, P("x"))
        y = jax.jit(lambda x: x * 2, out_shardings=out)(jax.device_put(A, NamedSharding(mesh, P())))
        assert y.sharding == out and y.addressable_shards[1].data.shape == (1, 8)
        np.testing.assert_array_equal(np.asarray(y), A * 2)
        assert np.asarray(jax.device_put(y, NamedSharding(mesh, P(None, "x")))).tolist() == (A * 2).tolist()

    def test_shardings_of_executables():
        specs = [P(), P("x"), P(None, "y"), P("y", "x"), P(("y", "x"))]
        for spec in specs:
            told = []
            for mesh in meshes((2, 2), ("x", "y"), (2, 0, 1, 3)):
                split, whole = NamedSharding(mesh, spec), NamedSharding(mesh, P())
                f = jax.jit(lambda a, b: (a + b, a.sum()), in_shardings=(split, whole), out_shardings=(split, whole))
                executable = f.lower(A, A).compile().runtime_executable()
                protos = executable.get_parameter_shardings() + executable.get_output_shardings()
                all_shardings = [xla_client.HloSharding.from_proto(proto) for proto in protos]
                told.append([
                    s.is_replicated() or (s.tile_assignment_dimensions(), s.tile_assignment_devices(), s.replicate_on_last_tile_dim())
                    for s in all_shardings
                ])  # fmt: skip
            assert told[0] == told[1]

    def test_shardings_of_addends():
        mesh = jax.make_mesh((4,), ("x",), (jax.sharding.AxisType.Explicit,), devices=jax.devices("tensorc"))
        with jax.set_mesh(mesh):
            a, b = jax.device_put(A, P(None, "x")), jax.device_put(A.T, P("x", None))
            addends = P(None, None, unreduced={"x"})
            y = jax.jit(lambda a, b: jnp.einsum("ab,bc->ac", a, b, out_sharding=addends))(a, b)
        assert y.sharding == NamedSharding(mesh, addends)
        np.testing.assert_array_equal(sum(np.asarray(shard.data) for shard in y.addressable_shards), A @ A.T)

    def test_constraint_in_a_partial_shard_map():
        mesh = meshes((2, 2), ("x", "y"))[0]
        split = NamedSharding(mesh, P("x"))
        part = jax.shard_map(lambda a: jax.lax.with_sharding_constraint(a * a, split), mesh=mesh, in_specs=P(), out_specs=P(),
                             check_vma=False, axis_names={"y"})  # fmt: skip
        y = jax.jit(part)(jax.device_put(A, split))
        assert y.sharding == split
        assert [shard.data.shape for shard in y.addressable_shards] == [(2, 8)] * 4
        np.testing.assert_array_equal(y, A * A)

    def test_pmap():
        devices = jax.devices("tensorc")
        f = jax.pmap(lambda x: x - jax.lax.pmean(x, "i"), axis_name="i", devices=devices)
        assert np.asarray(f(jnp.arange(4.0))).tolist() == [-1.5, -0.5, 0.5, 1.5]

    def test_groups_of_unequal_sizes():
        def f(x):
            groups = [[0, 3, 1], [2]]
            return jax.lax.psum(x, "i", axis_index_groups=groups), jax.lax.pmax(x, "i", axis_index_groups=groups)

        x = np.arange(8, dtype=np.float32).reshape(4, 2) - 3
        total, largest = jax.pmap(f, axis_name="i")(x)
        np.testing.assert_array_equal(total, [x[[0, 1, 3]].sum(0)] * 2 + [x[2], x[[0, 1, 3]].sum(0)])
        np.testing.assert_array_equal(largest, [x[3], x[3], x[2], x[3]])

    def test_many_steps():
        """Results of a step are the next one's arguments, and the host runs ahead."""
        mesh = meshes((4,), ("x",))[0]
        step = jax.jit(
            jax.shard_map(lambda s: s + jax.lax.psum(s, "x") / 4, mesh=mesh, in_specs=P("x"), out_specs=P("x")),
            donate_argnums=0,
        )
        s = jax.device_put(np.ones((4, 16), np.float32), NamedSharding(mesh, P("x")))
        for _ in range(60):
            s = step(s)
        assert np.asarray(s).tolist() == [[2.0**60] * 16] * 4

    def test_two_programs_on_two_meshes():
        """Ranks of two programs that use the same devices in other orders do not wait for each other."""
        programs = []
        for order in ((0, 1, 2, 3), (3, 2, 1, 0)):
            mesh = meshes((4,), ("x",), order)[0]
            f = jax.shard_map(lambda s: jax.lax.psum(s, "x"), mesh=mesh, in_specs=P("x"), out_specs=P())
            programs.append((jax.jit(f), jax.device_put(np.arange(4.0), NamedSharding(mesh, P("x")))))
        results = [f(x) for _ in range(20) for f, x in programs]
        assert {float(r[0]) for r in results} == {6.0}

    def test_a_callback_that_runs_programs():
        mesh = meshes((4,), ("x",))[0]
        double = jax.jit(lambda v: v * 2)

        def call(v):
            return np.asarray(double(v))

        def body(s):
            return jax.lax.psum(jax.pure_callback(call, jax.ShapeDtypeStruct(s.shape, s.dtype), s), "x")

        f = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("x"), out_specs=P(), check_vma=False))
        x = jax.device_put(np.arange(4, dtype=np.float32), NamedSharding(mesh, P("x")))
        assert np.asarray(f(x)).tolist() == [12]

    def test_refusals():
        mesh = meshes((4,), ("x",))[0]
        f = jax.shard_map(
            lambda s: jax.lax.psum(jax.ffi.ffi_call("app_missing", jax.ShapeDtypeStruct((1,), np.float32))(s), "x"),
            mesh=mesh,
            in_specs=P("x"),
            out_specs=P(),
        )
        with pytest.raises(jax.errors.JaxRuntimeError, match=r"app_missing.*test_devices.py:\d+"):
            jax.jit(f)(np.ones(4, np.float32))
