// Small matrices in shared memory, a thread for each row. Numbers are those of tests/ops.
//
// RUN: %tensorc compile %s --entry=cholesky --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=CHOLESKY
// RUN: %tensorc compile %s --entry=solve --target=rocm:gfx942 --stop-after=emit | FileCheck %s --check-prefix=SOLVE
// RUN: %tensorc compile %s --entry=large --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=LARGE
// RUN: %tensorc compile %s --entry=cholesky --target=cuda:sm_90 --emit=ptx -o %t.ptx
// RUN: %tensorc compile %s --entry=solve --target=rocm:gfx942 --emit=asm -o %t.s

// Sixteen matrices of eight threads, whose rows are nine elements apart. One barrier per column.
// CHOLESKY-LABEL: gpu.func @cholesky(
// CHOLESKY-SAME:  workgroup(%{{.*}} : memref<1152xf32, #gpu.address_space<workgroup>>)
// CHOLESKY:       gpu.barrier
// CHOLESKY:       scf.for
// CHOLESKY:       math.sqrt
// CHOLESKY:       gpu.barrier
// CHOLESKY:       gpu.barrier
// CHOLESKY-NOT:   gpu.barrier
// CHOLESKY:       gpu.return
// CHOLESKY:       txp.launch
func.func @cholesky(%x: tensor<1000x8x8xf32>) -> tensor<1000x8x8xf32> {
  %0 = tx.cholesky %x : (tensor<1000x8x8xf32>) -> tensor<1000x8x8xf32>
  return %0 : tensor<1000x8x8xf32>
}

// One launch, and nothing is copied to the host.
// SOLVE:     gpu.func @solve(
// SOLVE-NOT: txp.custom_call
// SOLVE:     txp.launch
// SOLVE-NOT: txp.custom_call
func.func @solve(%a: tensor<1000x5x5xf32>, %b: tensor<1000x5x1xf32>) -> tensor<1000x5x1xf32> {
  %0 = tx.solve %a, %b : (tensor<1000x5x5xf32>, tensor<1000x5x1xf32>) -> tensor<1000x5x1xf32>
  return %0 : tensor<1000x5x1xf32>
}

// A block holds one of these: shared memory has no room for more.
// LARGE: workgroup(%{{.*}} : memref<1056xf64, #gpu.address_space<workgroup>>, %{{.*}} : memref<1056xf64, #gpu.address_space<workgroup>>)
func.func @large(%a: tensor<1000x32x32xf64>, %b: tensor<1000x32x32xf64>) -> tensor<1000x32x32xf64> {
  %0 = tx.solve %a, %b : (tensor<1000x32x32xf64>, tensor<1000x32x32xf64>) -> tensor<1000x32x32xf64>
  return %0 : tensor<1000x32x32xf64>
}
