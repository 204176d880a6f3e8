// --emit=cubin and ptx of a kernel alone; ptxas takes the PTX.
// REQUIRES: nvrtc, ptxas
// RUN: sed -e 's/FLAGS/-arch=sm_90/' %s >%t.mlir
// RUN: %tensorc compile %t.mlir --target=cuda:sm_90 --emit=cubin -o %t.cubin
// RUN: llvm-readobj --file-headers --symbols %t.cubin | FileCheck %s --check-prefix=CUBIN
// RUN: not %tensorc compile %t.mlir --target=cuda:sm_90 --emit=ptx 2>&1 | FileCheck %s --check-prefix=BINARY
// RUN: sed -e 's/FLAGS/-lineinfo/' %s >%t.ptx.mlir
// RUN: %tensorc compile %t.ptx.mlir --target=cuda:sm_90 --emit=ptx -o %t.ptx
// RUN: FileCheck %s <%t.ptx
// RUN: %python %root/tests/codegen/targets/Inputs/check_ptx.py --no-spills sm_90 %t.ptx
// RUN: not %tensorc compile %t.ptx.mlir --target=cuda:sm_90 --emit=cubin -o %t.no.cubin 2>&1 | FileCheck %s --check-prefix=TEXT

// CUBIN: Machine: EM_CUDA
// CUBIN: Name: two
// BINARY: the kernel 'two' is a cubin: its flag -arch=sm_... asks for a cubin
// TEXT: the kernel 'two' is PTX: its flag -arch=sm_... asks for a cubin
// CHECK: .target sm_90
// CHECK: .visible .entry two(
// The lines are those of the text.
// CHECK: .loc

txp.kernel_source @two "cuda" kernel "two" flags ["FLAGS"] source "extern \22C\22 __global__ void two(float *y) { y[threadIdx.x] = 2; }"

func.func @main() -> tensor<64xf32> {
  %y = tx.kernel_call @two() grid <[1]> block [64] : () -> tensor<64xf32>
  return %y : tensor<64xf32>
}
