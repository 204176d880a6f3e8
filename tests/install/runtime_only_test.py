"""The runtime alone builds under g++ without LLVM, and runs a package by what it installs."""

import unittest

import prefix
from prefix import PREFIX, SCRATCH, SOURCE

EXAMPLES = PREFIX / "share/tensorc/examples"


class RuntimeOnly(unittest.TestCase):
    def test_runs_a_package(self):
        build, tree = SCRATCH / "runtime-build", SCRATCH / "runtime-only"
        compilers = ["-DCMAKE_C_COMPILER=gcc", "-DCMAKE_CXX_COMPILER=g++"]
        prefix.run(prefix.CMAKE, "-G", "Ninja", "-S", SOURCE, "-B", build, *compilers, "-DCMAKE_BUILD_TYPE=",
                   "-DTENSORC_RUNTIME_ONLY=ON", "-DTENSORC_UNITY=ON", "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON", hidden=[prefix.LLVM])
        prefix.run(prefix.CMAKE, "--build", build, hidden=[prefix.LLVM])
        prefix.run(prefix.CMAKE, "--install", build, "--prefix", tree, hidden=[prefix.LLVM])
        self.assertFalse((tree / "bin").exists())

        prefix.run("tensorc", "compile", EXAMPLES / "embed-cmake/scale.mlir", "-o", SCRATCH / "scale.tcpkg")
        output = prefix.run(f"gcc {EXAMPLES}/c-api/package.c -o package $(pkg-config --cflags --libs tensorc-runtime)"
                            f" -Wl,-rpath,{tree}/lib && ./package scale.tcpkg",
                            env={"PKG_CONFIG_PATH": f"{tree}/lib/pkgconfig"})
        self.assertEqual(output, "x: f32[n, 3]\n0.6 0 0.8\n0 0 1\n")
        self.assertIn(f"{tree}/lib/libtensorc_rt.so", "\n".join(prefix.loaded(SCRATCH / "package")))


unittest.main()
