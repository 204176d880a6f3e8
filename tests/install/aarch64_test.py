"""The runtime, cross-built by Debian's g++ for aarch64, runs a package under qemu. Skipped where one of these is missing:
scripts/install-deps.sh --optional installs them."""

import shutil
import unittest

import prefix
from prefix import PREFIX, SCRATCH, SOURCE

EXAMPLES = PREFIX / "share/tensorc/examples"
SYSROOT, QEMU, CROSS = SOURCE / ".arm64", shutil.which("qemu-aarch64-static"), "aarch64-linux-gnu-"


@unittest.skipUnless(QEMU and shutil.which(CROSS + "g++") and SYSROOT.exists(), "no cross-compiler, qemu or .arm64")
class Aarch64(unittest.TestCase):
    def test_runs_a_package(self):
        build, tree, sysroot = SCRATCH / "aarch64-build", SCRATCH / "aarch64", SCRATCH / "aarch64-sysroot"
        shutil.copytree(SYSROOT, sysroot, symlinks=True)
        options = {
            "CMAKE_BUILD_TYPE": "",
            "TENSORC_RUNTIME_ONLY": "ON",
            "TENSORC_UNITY": "ON",
            "CMAKE_COMPILE_WARNING_AS_ERROR": "ON",
            "CMAKE_SYSTEM_NAME": "Linux",
            "CMAKE_SYSTEM_PROCESSOR": "aarch64",
            "CMAKE_C_COMPILER": CROSS + "gcc",
            "CMAKE_CXX_COMPILER": CROSS + "g++",
            "CMAKE_CXX_FLAGS": f"-isystem{sysroot}/usr/include",
            "TBB_DIR": sysroot / "usr/lib/aarch64-linux-gnu/cmake/TBB",
        }
        prefix.run(prefix.CMAKE, "-G", "Ninja", "-S", SOURCE, "-B", build, *(f"-D{k}={v}" for k, v in options.items()),
                   hidden=[prefix.LLVM])
        prefix.run(prefix.CMAKE, "--build", build, hidden=[prefix.LLVM])
        prefix.run(prefix.CMAKE, "--install", build, "--prefix", tree, hidden=[prefix.LLVM])

        prefix.run("tensorc", "compile", EXAMPLES / "embed-cmake/scale.mlir", "--target=cpu:aarch64", "-o", SCRATCH / "arm.tcpkg")
        libraries = f"{tree}/lib:{sysroot}/usr/lib/aarch64-linux-gnu"
        output = prefix.run(f"{CROSS}gcc {EXAMPLES}/c-api/package.c -o package-arm -I{tree}/include -L{tree}/lib -ltensorc_rt"
                            f" -Wl,--allow-shlib-undefined && {QEMU} -L /usr/aarch64-linux-gnu"
                            f" -E LD_LIBRARY_PATH={libraries} ./package-arm arm.tcpkg")
        self.assertEqual(output, "x: f32[n, 3]\n0.6 0 0.8\n0 0 1\n")


unittest.main()
