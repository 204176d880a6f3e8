// On a grid, factorizations of small real matrices are kernels, with work before and behind; elsewhere, and of others, they are calls.
//
// RUN: %tensorc compile %s --entry=small --target=cuda:sm_90 --stop-after=fuse | FileCheck %s --check-prefix=GRID
// RUN: %tensorc compile %s --entry=small --target=rocm:gfx942 --stop-after=fuse | FileCheck %s --check-prefix=GRID
// RUN: %tensorc compile %s --entry=small --target=cpu --stop-after=fuse | FileCheck %s --check-prefix=CALL
// RUN: %tensorc compile %s --entry=others --target=cuda:sm_90 --stop-after=fuse | FileCheck %s --check-prefix=OTHERS
// RUN: %tensorc explain %s --entry=twice --target=cuda:sm_90 | FileCheck %s --check-prefix=TWICE

// GRID:     tx.fusion "matrices"
// GRID:     tx.exp
// GRID:     tx.custom_call "linalg.solve"
// GRID:     tx.neg
// GRID-NOT: tx.fusion
// CALL:     tx.fusion "loop"
// CALL:     tx.custom_call "linalg.solve"
// CALL:     tx.fusion "loop"
func.func @small(%a: tensor<100x8x8xf32>, %b: tensor<100x8x2xf32>) -> tensor<100x8x2xf32> {
  %0 = tx.exp %a : tensor<100x8x8xf32>
  %1 = tx.solve %0, %b : (tensor<100x8x8xf32>, tensor<100x8x2xf32>) -> tensor<100x8x2xf32>
  %2 = tx.neg %1 : tensor<100x8x2xf32>
  return %2 : tensor<100x8x2xf32>
}

// Too many rows, sizes that are not known, complex numbers, other functions.
// OTHERS-NOT: tx.fusion "matrices"
// OTHERS-COUNT-4: tx.custom_call
func.func @others(%a: tensor<3x33x33xf32>, %b: tensor<?x?xf32, #tx.dims<[n, n]>>, %c: tensor<4x4xcomplex<f32>>, %d: tensor<4x4xf32>)
    -> (tensor<3x33x33xf32>, tensor<?x?xf32, #tx.dims<[n, n]>>, tensor<4x4xcomplex<f32>>, tensor<4x8xf32>) {
  %0 = tx.cholesky %a : (tensor<3x33x33xf32>) -> tensor<3x33x33xf32>
  %1 = tx.cholesky %b : (tensor<?x?xf32, #tx.dims<[n, n]>>) -> tensor<?x?xf32, #tx.dims<[n, n]>>
  %2 = tx.cholesky %c : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  %3 = tx.qr %d : (tensor<4x4xf32>) -> tensor<4x8xf32>
  return %0, %1, %2, %3 : tensor<3x33x33xf32>, tensor<?x?xf32, #tx.dims<[n, n]>>, tensor<4x4xcomplex<f32>>, tensor<4x8xf32>
}

// One to a kernel.
// TWICE-COUNT-2: (matrices)
// TWICE: a factorization's kernel holds no other factorizations
func.func @twice(%a: tensor<10x8x8xf32>, %b: tensor<10x8x2xf32>) -> tensor<10x8x2xf32> {
  %0 = tx.cholesky %a : (tensor<10x8x8xf32>) -> tensor<10x8x8xf32>
  %1 = tx.triangular_solve %0, %b : (tensor<10x8x8xf32>, tensor<10x8x2xf32>) -> tensor<10x8x2xf32>
  return %1 : tensor<10x8x2xf32>
}
