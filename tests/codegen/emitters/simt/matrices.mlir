// Small matrices in shared memory, a thread for each row. Numbers are those of tests/ops.
//
// RUN: %tensorc compile %s --entry=cholesky --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=CHOLESKY
// RUN: %tensorc compile %s --entry=solve --target=rocm:gfx942 --stop-after=emit | FileCheck %s --check-prefix=SOLVE
// RUN: %tensorc compile %s --entry=large --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=LARGE
// RUN: %tensorc compile %s --entry=complex --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=COMPLEX
// RUN: %tensorc compile %s --entry=qr --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=QR
// RUN: %tensorc compile %s --entry=determinant --target=rocm:gfx942 --stop-after=emit | FileCheck %s --check-prefix=DETERMINANT
// RUN: %tensorc compile %s --entry=complex --target=rocm:gfx942 --emit=asm -o %t.s
// RUN: %tensorc compile %s --entry=qr --target=cuda:sm_90 --emit=ptx -o %t.ptx
// RUN: %tensorc compile %s --entry=determinant --target=cuda:sm_90 --emit=ptx -o %t.ptx
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

// The parts of complex numbers are in two arrays, and a thread has both. One barrier behind the loads, and three in a step.
// COMPLEX-LABEL:   gpu.func @lu(
// COMPLEX-SAME:    workgroup(%{{.*}} : memref<1152xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<1152xf32, #gpu.address_space<workgroup>>)
// COMPLEX-COUNT-4: gpu.barrier
// COMPLEX-NOT:     gpu.barrier
// COMPLEX:         gpu.return
func.func @complex(%x: tensor<1000x8x8xcomplex<f32>>) -> tensor<1000x8x9xcomplex<f32>> {
  %0 = tx.lu %x : (tensor<1000x8x8xcomplex<f32>>) -> tensor<1000x8x9xcomplex<f32>>
  return %0 : tensor<1000x8x9xcomplex<f32>>
}

// Reflectors have a column for their factors beside the matrix; three barriers in a step, and none where Q is made of them.
// QR-LABEL:   gpu.func @qr(
// QR-SAME:    workgroup(%{{.*}} : memref<1152xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<1152xf32, #gpu.address_space<workgroup>>)
// QR-COUNT-5: gpu.barrier
// QR-NOT:     gpu.barrier
// QR:         gpu.return
func.func @qr(%x: tensor<1000x8x8xf32>) -> tensor<1000x8x16xf32> {
  %0 = tx.qr %x : (tensor<1000x8x8xf32>) -> tensor<1000x8x16xf32>
  return %0 : tensor<1000x8x16xf32>
}

// One number of each matrix, of which its first thread stores what is made.
// DETERMINANT-LABEL: gpu.func @custom_call_neg(
// DETERMINANT-NOT:   txp.custom_call
// DETERMINANT:       txp.launch
// DETERMINANT-NOT:   txp.launch
func.func @determinant(%x: tensor<1000x8x8xf32>) -> tensor<1000xf32> {
  %0 = tx.determinant %x : (tensor<1000x8x8xf32>) -> tensor<1000xf32>
  %1 = tx.neg %0 : tensor<1000xf32>
  return %1 : tensor<1000xf32>
}
