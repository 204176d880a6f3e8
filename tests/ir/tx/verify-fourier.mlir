// Transforms along dims that are refused.
//
// RUN: %tensorc-opt %s --split-input-file --verify-diagnostics

func.func @named(%x: tensor<3x?xf32, #tx.dims<[3, n]>>) {
  // expected-error @+1 {{dimension 1 is to be 8, of [3,n]: a transform's length is known when it is compiled}}
  %0 = tx.fourier %x real lengths = [8] dims = [1] norm = backward : tensor<3x?xf32, #tx.dims<[3, n]>> -> tensor<3x5xcomplex<f32>>
  return
}

// -----

func.func @half(%x: tensor<3x6xcomplex<f32>>) {
  // expected-error @+1 {{dimension 1 is to be 5, of [3,6]}}
  %0 = tx.fourier %x hermitian lengths = [8] dims = [1] norm = backward : tensor<3x6xcomplex<f32>> -> tensor<3x8xf32>
  return
}

// -----

func.func @twice(%x: tensor<3x8xcomplex<f32>>) {
  // expected-error @+1 {{the dimensions must be different ones of [3,8]}}
  %0 = tx.fourier %x complex lengths = [8, 8] dims = [1, 1] norm = backward : tensor<3x8xcomplex<f32>> -> tensor<3x8xcomplex<f32>>
  return
}

// -----

func.func @lists(%x: tensor<3x8xcomplex<f32>>) {
  // expected-error @+1 {{needs a length for each of at least one dimension, not 1 for 2}}
  %0 = tx.fourier %x complex lengths = [8] dims = [0, 1] norm = backward : tensor<3x8xcomplex<f32>> -> tensor<3x8xcomplex<f32>>
  return
}

// -----

func.func @empty(%x: tensor<3x0xcomplex<f32>>) {
  // expected-error @+1 {{a transform has at least one element, not 0}}
  %0 = tx.fourier %x complex lengths = [0] dims = [1] norm = backward : tensor<3x0xcomplex<f32>> -> tensor<3x0xcomplex<f32>>
  return
}

// -----

func.func @dtype(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{does not make 'f32' of 'f32': `real` makes complex numbers of f32 or f64}}
  %0 = tx.fourier %x real lengths = [8] dims = [1] norm = backward : tensor<3x8xf32> -> tensor<3x5xf32>
  return
}

// -----

func.func @width(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{does not make 'complex<f64>' of 'f32'}}
  %0 = tx.fourier %x real lengths = [8] dims = [1] norm = backward : tensor<3x8xf32> -> tensor<3x5xcomplex<f64>>
  return
}
