// CUDA C++ on what is not CUDA: an error at the call that names the kernel and the device.
// RUN: not %tensorc run %s --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not %tensorc run %s --device=cpu --random-inputs 2>&1 | FileCheck %s
// RUN: not %tensorc compile %s --target=rocm:gfx942 -o %t.tcpkg 2>&1 | FileCheck %s
// RUN: not %tensorc run %s --device=reference --random-inputs 2>&1 | FileCheck %s --check-prefix=REFERENCE

// CHECK: cuda-elsewhere.mlir:[[#@LINE+6]]:{{.*}}error: twice: is CUDA C++, which cuda devices run, and not {{(sim:sm_90a|cpu|rocm:gfx942)}}
// REFERENCE: cuda-elsewhere.mlir:[[#@LINE+5]]:{{.*}}error: double: the kernel is for GPUs, not for the interpreter

txp.kernel_source @double "cuda" kernel "twice" source "extern \22C\22 __global__ void twice(const float *x, float *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }"

func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = tx.kernel_call @double(%x) grid <[1]> block [64] : (tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}
