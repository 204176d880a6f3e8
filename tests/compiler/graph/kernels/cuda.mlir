// CUDA C++ of the user's own becomes an image of the package: PTX, or a cubin where the flags name a GPU.
// REQUIRES: nvrtc
// RUN: %tensorc compile %s --target=cuda:sm_90 --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --target=cuda:sm_90 --stop-after=lower | FileCheck %s --check-prefix=LOWER
// RUN: %tensorc compile %s --target=cuda:sm_80 --stop-after=emit -o %t.emit.mlir
// RUN: %tensorc compile %t.emit.mlir --start-from=emit -o %t.emit.tcpkg
// RUN: %tensorc compile %s --target=cuda:sm_75,cuda:sm_90a -o %t.tcpkg
// RUN: %tensorc explain %t.tcpkg | FileCheck %s --check-prefix=EXPLAIN
// The device without memory runs the program, if not the kernel.
// RUN: %tensorc run %t.tcpkg --device=null --random-inputs | FileCheck %s --check-prefix=NULL

// CHECK: txp.kernel_source @saxpy "cuda" kernel "axpy<float>" flags ["-DFACTOR=2"] source "
// CHECK: txp.launch_grid @saxpy grid(%[[BLOCKS:.*]]) block [256] shared(%{{.*}}) ins(%{{.*}}, %{{.*}}) outs(%{{.*}}) scalars(%[[N:.*]] : i64)
// LOWER: txp.image @saxpy kernel "_Z4axpyIfEvPKT_S2_PS0_i" bytes "{{.*}}.target sm_90
// LOWER: txp.launch_grid @saxpy
// EXPLAIN: axpy
// NULL: out0: f32[

txp.kernel_source @saxpy "cuda" kernel "axpy<float>" flags ["-DFACTOR=2"] source
  "template <typename T> __global__ void axpy(const T *x, const T *y, T *z, int n) {\0A  int i = blockIdx.x * blockDim.x + threadIdx.x;\0A  if (i < n) z[i] = FACTOR * x[i] + y[i];\0A}\0A"

func.func @main(%x: tensor<?xf32, #tx.dims<[n]>>, %y: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %d = tx.exp %x : tensor<?xf32, #tx.dims<[n]>>
  %z = tx.kernel_call @saxpy(%d, %y) grid <[n ceildiv 256]> block [256] shared <[n * 0 + 1024]> scalars <[n]> zeroed
      : (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>>
  return %z : tensor<?xf32, #tx.dims<[n]>>
}
