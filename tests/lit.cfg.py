"""lit's configuration, shared by the main suite and by tests/ops on each target.

Substitutions, besides lit's own:
  %tensorc, %tensorc-opt, %tensorc-lsp-server  the tools of this build
  %run_op                 `tensorc run %s` on the suite's target (tests/ops only)
  %exits                  checks a status: %exits 2 %tensorc run
  %lavapipe               the file that names Mesa's driver of Vulkan, if it has the feature lavapipe
  %opencl                 runs a tool with Intel's driver of OpenCL, if there is the feature intel-opencl
  %npy                    writes a .npy from values: %npy %t.npy f32 '[1, nan, -0.0]'
  %fake_gpus              runs a tool with tests/runtime/fakes in place of GPUs' libraries
  %python, %root, %bin    the tests' Python; the folders of the project and of the tools
  %lit_modules            where Python finds lit
Features: avx512_bf16 x86-64 x86-64-v4 node fish zsh mandoc ptxas nvrtc pocl intel-opencl lavapipe gdb asan tsan aarch64 qemu-aarch64, target-NAME in tests/ops, gdb-calls in
tests/tools/gdb.
"""

import ctypes
import os
import pathlib
import platform
import shutil
import sys

import lit

# A module of its own, because lit sends test formats to its workers by pickle.
sys.path.insert(0, os.path.dirname(__file__))
import lit_format  # noqa: E402

config.name = "tensorc"
config.test_source_root = os.path.dirname(__file__)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "seeds"]
config.test_format = lit_format.ToolTest(config.tools_missing.split(";"))

target = getattr(config, "test_target", None)
tool = lambda name: os.path.join(config.tensorc_bin, name)
fakes = f"env LD_LIBRARY_PATH={os.path.join(config.tensorc_bin, '..', 'fakes')} TENSORC_EMBED_SIMULATED=1"
# The simulator looks at these kernels in the suites of the chips themselves.
through = f"{fakes} TENSORC_SIM_CHECKS=0 " if getattr(config, "test_fakes", False) else ""
npy = [config.python, f"{config.source_dir}/tests/write_npy.py"]
# What emitters shape by the chip: contractions, reductions, scans, sorts.
shaped = {"argmax", "argsort", "cummax", "cumsum", "dot_general", "dot_general_tiles",
          "dot_general_tiles_bytes", "dot_general_tiles_tf32", "prod", "reduce_max", "sort", "sum",
          "transpose", "windows"}
# What host programs are made of: these run through the drivers, all others are compiled for their targets only. The
# kernels themselves run in the simulator's suites, which checks them.
driven = shaped | {"add", "attention", "bitcast", "concatenate", "constant", "conv", "convert-i4", "cumprod", "dequantize",
                   "dropout", "dynamic_slice", "dynamic_update_slice", "gather", "if", "iota", "layer_norm", "outputs", "pad",
                   "random_bits", "reshape", "scan", "scatter", "searchsorted", "slice", "softmax", "storage", "while"}
config.substitutions += [
    (r"%run_op\b", f"{through}{tool('tensorc')} run %s --device={target}"),
    (r"%tensorc-opt\b", tool("tensorc-opt")),
    (r"%tensorc-lsp-server\b", tool("tensorc-lsp-server")),
    (r"%tensorc(?![\w-])", tool("tensorc")),
    (r"%exits\b", f"{config.python} {config.source_dir}/tests/exits.py"),
    (r"%npy\b", " ".join(npy)),
    (r"%onnx\b", f"{config.python} {config.source_dir}/tests/write_onnx.py %s"),
    (r"%python\b", config.python),
    (r"%lavapipe\b", config.vulkan_driver or ""),
    (r"%opencl\b", f"env OCL_ICD_VENDORS={config.opencl_folder}/vendors LD_LIBRARY_PATH={config.opencl_folder}/lib"),
    (r"%fake_gpus\b", fakes),
    (r"%fakes\b", os.path.join(config.tensorc_bin, "..", "fakes")),
    (r"%root\b", config.source_dir),
    (r"%lit_modules\b", os.path.dirname(os.path.dirname(lit.__file__))),
    (r"%bin\b", config.tensorc_bin),
]

# Tests see no TENSORC_* variable of the person who runs them but TENSORC_CHECK and TENSORC_TEST_CPU, under which all of
# them pass.
path = [config.tensorc_bin, config.llvm_bin, config.environment["PATH"]]
path += [os.path.join(os.environ[name], "bin") for name in ("CUDA_PATH", "CUDA_HOME") if name in os.environ]
config.environment["PATH"] = os.pathsep.join(path)
# Nor do they see a driver of OpenCL or Vulkan but those that they name. None: the machine's own drivers are tested
# (scripts/gpu_tests.py).
if config.opencl_folder is not None:
    config.environment.update(OCL_ICD_VENDORS="/dev/null", VK_ICD_FILENAMES="/dev/null")
for name in ("HOME", "CUDA_PATH", "CUDA_HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "TENSORC_CHECK",
             "TENSORC_TEST_CPU"):
    if name in os.environ:
        config.environment[name] = os.environ[name]


def loads(*names):
    """Whether one of CUDA's libraries is where the compiler looks for it."""
    roots = [os.environ[name] for name in ("CUDA_PATH", "CUDA_HOME") if name in os.environ] + ["/usr/local/cuda"]
    folders = [""] + [os.path.join(root, lib) for root in roots for lib in ("lib64", "lib")]
    for path in (os.path.join(folder, name) for folder in folders for name in names):
        try:
            ctypes.CDLL(path)
            return True
        except OSError:
            pass
    return False



def permits_amx():
    """Whether the system lets a process use the registers of AMX (runtime/abi/MatrixTiles.h)."""
    arch_prctl, request_permission, tile_data = 158, 0x1023, 18
    return platform.machine() == "x86_64" and ctypes.CDLL(None).syscall(arch_prctl, request_permission, tile_data) == 0


cpuinfo = pathlib.Path("/proc/cpuinfo")
instructions = set(cpuinfo.read_text().split()) if cpuinfo.exists() else set()
features = {
    "avx512_bf16": "avx512_bf16" in instructions,
    # Its code runs here: TENSORC_CPU=x86-64-v4 fixes what a test depends on of the processor.
    "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= instructions,
    "x86-64-amx": {"avx512_vnni", "avx512vbmi", "avx512_bf16", "amx_tile", "amx_int8", "amx_bf16"} <= instructions and permits_amx(),
    "x86-64": platform.machine() == "x86_64",
    "ptxas": shutil.which("ptxas", path=config.environment["PATH"]),
    "pocl": os.path.exists("/etc/OpenCL/vendors/pocl.icd"),
    "intel-opencl": os.path.exists(f"{config.opencl_folder}/vendors/intel.icd"),
    "lavapipe": config.vulkan_driver,
    "nvrtc": loads("libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"),
    "gdb": shutil.which("gdb"),
    "node": shutil.which("node"),
    "doxygen": shutil.which("doxygen"),
    "fish": shutil.which("fish"),
    "zsh": shutil.which("zsh"),
    "mandoc": shutil.which("mandoc"),
    "spirv-tools": os.path.exists(tool("tensorc-validate-spirv")),
    "asan": "address" in config.sanitize,
    "tsan": "thread" in config.sanitize,
    "qemu-aarch64": shutil.which("qemu-aarch64-static") and shutil.which("aarch64-linux-gnu-gcc"),
    "aarch64": platform.machine() == "aarch64" or shutil.which("qemu-aarch64"),
}
config.available_features.update(name for name, has in features.items() if has)
if target:
    config.available_features.add("target-" + target.replace(":", "-"))
    # Programs of tests/ops share kernels, which LLVM compiles once for all suites. The tests of the compiler always compile,
    # also under sanitizers, which look at our own passes on LLVM IR.
    if "TENSORC_TEST_CODE" in os.environ:
        config.environment["TENSORC_TEST_CODE"] = os.environ["TENSORC_TEST_CODE"].removeprefix("fill:")
    served = (config.test_format.missing, tool("tensorc-test-server"), tool("tensorc"), npy)
    # Suites of drivers that run on a CPU see these alone. What they cannot run is named with its reason.
    skipped = {}
    if target in ("opencl:0", "vulkan:0"):
        skipped = {"qr": "a matrix of 32 x 32 complex f64 needs 32.5 KiB of workgroup memory, and a block is sure of 32"}
    if target == "opencl:0" and config.opencl_folder is not None:
        folder = config.opencl_folder
        if os.path.exists(f"{folder}/vendors/intel.icd"):
            config.environment.update(OCL_ICD_VENDORS=f"{folder}/vendors", LD_LIBRARY_PATH=f"{folder}/lib")
        else:
            skipped[""] = "Intel's OpenCL driver is not installed (scripts/install-deps.sh)"
    elif target == "vulkan:0" and config.vulkan_driver is not None:
        if config.vulkan_driver:
            # The driver compiles each kernel for one small input, without LLVM's optimizations: results stay the same.
            config.environment.update(VK_ICD_FILENAMES=config.vulkan_driver, GALLIVM_PERF="nopt")
        else:
            skipped[""] = "Mesa's lavapipe is not installed (scripts/install-deps.sh)"
    # The site of scripts/gpu_tests.py names the driver that its machine has.
    if target == "vulkan:0" and (config.vulkan_driver or "llvmpipe" in getattr(config, "test_driver", "")):
        loops = "refused: more than 65535 iterations of a thread (tests/runtime/spirv/loops.test)"
        skipped.update(dict.fromkeys(("searchsorted", "sort-first"), loops))
    config.test_format = lit_format.ServedTest(*served, skipped)
    if through:
        compiled = {"cuda:0": "cuda:sm_90a", "rocm:0": "rocm:gfx942"}[target]
        # What follows is LLVM, into which sanitizers do not see. codegen/targets has an ops.test for each vendor, which compiles
        # all of them for these chips; NVIDIA's needs ptxas. Without sanitizers only those that run on the fakes are left here.
        elsewhere = target == "rocm:0" or features["ptxas"]
        stage = "lower" if config.sanitize or elsewhere else None
        # The fakes run simulated kernels. What LLVM makes of the others for the chip, the same ops.test checks.
        if elsewhere:
            config.environment["TENSORC_SIMULATED_ONLY"] = "1"
        # What it lowers for ROCm differs from cuda:0 by the chip, as sim:gfx942 does.
        if elsewhere and (not config.sanitize or target == "rocm:0"):
            folder = os.path.join(config.test_source_root, "ops")
            config.excludes += [name for name in os.listdir(folder) if os.path.splitext(name)[0] not in driven]
        config.test_format = lit_format.CompiledTest(*served, compiled, driven, stage)

if getattr(config, "test_near", False):
    folder = os.path.join(config.test_source_root, "ops")
    config.excludes += [name for name in os.listdir(folder) if os.path.splitext(name)[0] not in shaped]
