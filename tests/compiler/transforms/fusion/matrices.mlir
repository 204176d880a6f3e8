// On a grid, factorizations of small matrices are kernels, with work before and behind; elsewhere, and of others, they are calls.
//
// RUN: %tensorc compile %s --entry=small --target=cuda:sm_90 --stop-after=fuse | FileCheck %s --check-prefix=GRID
// RUN: %tensorc compile %s --entry=small --target=rocm:gfx942 --stop-after=fuse | FileCheck %s --check-prefix=GRID
// RUN: %tensorc compile %s --entry=small --target=cpu --stop-after=fuse | FileCheck %s --check-prefix=CALL
// RUN: %tensorc compile %s --entry=others --target=cuda:sm_90 --stop-after=fuse | FileCheck %s --check-prefix=OTHERS
// RUN: %tensorc compile %s --entry=pairs --target=rocm:gfx942 --stop-after=fuse | FileCheck %s --check-prefix=PAIRS
// RUN: %tensorc compile %s --entry=pairs --target=cpu --stop-after=fuse | FileCheck %s --check-prefix=HOST
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

// Too many rows, sizes that are not known, other functions.
// OTHERS-NOT: tx.fusion "matrices"
// OTHERS-COUNT-4: tx.custom_call
func.func @others(%a: tensor<3x33x33xf32>, %b: tensor<?x?xf32, #tx.dims<[n, n]>>, %c: tensor<40x4xcomplex<f32>>, %d: tensor<4x4xf32>)
    -> (tensor<3x33x33xf32>, tensor<?x?xf32, #tx.dims<[n, n]>>, tensor<40x8xcomplex<f32>>, tensor<5x4xf32>) {
  %0 = tx.cholesky %a : (tensor<3x33x33xf32>) -> tensor<3x33x33xf32>
  %1 = tx.cholesky %b : (tensor<?x?xf32, #tx.dims<[n, n]>>) -> tensor<?x?xf32, #tx.dims<[n, n]>>
  %2 = tx.qr %c : (tensor<40x4xcomplex<f32>>) -> tensor<40x8xcomplex<f32>>
  %3 = tx.eigh %d : (tensor<4x4xf32>) -> tensor<5x4xf32>
  return %0, %1, %2, %3 : tensor<3x33x33xf32>, tensor<?x?xf32, #tx.dims<[n, n]>>, tensor<40x8xcomplex<f32>>, tensor<5x4xf32>
}

// Complex numbers are pairs, which a call in a kernel reads as they are computed. Behind it, parts are another kernel's.
// PAIRS:     tx.fusion "matrices"
// PAIRS:     tx.exp
// PAIRS:     tx.custom_call "linalg.qr"(%{{[0-9]+}}) config "pairs" : (tensor<100x8x3x2xf32>) -> tensor<100x8x6x2xf32>
// PAIRS:     tx.yield
// PAIRS-NOT: tx.custom_call
// HOST:      tx.custom_call "linalg.qr"(%{{[0-9]+}}){{.*}} : (tensor<100x8x3xcomplex<f32>>) -> tensor<100x8x6xcomplex<f32>>
func.func @pairs(%a: tensor<100x8x3xcomplex<f32>>) -> tensor<100x8x6xf32> {
  %0 = tx.exp %a : tensor<100x8x3xcomplex<f32>>
  %1 = tx.qr %0 : (tensor<100x8x3xcomplex<f32>>) -> tensor<100x8x6xcomplex<f32>>
  %2 = tx.real %1 : tensor<100x8x6xcomplex<f32>> -> tensor<100x8x6xf32>
  return %2 : tensor<100x8x6xf32>
}

// One to a kernel.
// TWICE-COUNT-2: (matrices)
// TWICE: a factorization's kernel holds no other factorizations
func.func @twice(%a: tensor<10x8x8xf32>, %b: tensor<10x8x2xf32>) -> tensor<10x8x2xf32> {
  %0 = tx.cholesky %a : (tensor<10x8x8xf32>) -> tensor<10x8x8xf32>
  %1 = tx.triangular_solve %0, %b : (tensor<10x8x8xf32>, tensor<10x8x2xf32>) -> tensor<10x8x2xf32>
  return %1 : tensor<10x8x2xf32>
}
