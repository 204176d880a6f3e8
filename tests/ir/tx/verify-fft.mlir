// Transforms that are refused.
//
// RUN: %tensorc-opt %s --split-input-file --verify-diagnostics

func.func @named(%x: tensor<2x?xf32, #tx.dims<[2, n]>>) {
  // expected-error @+1 {{the last dimension is to be 8, of [2,n]: a transform's length is known when it is compiled}}
  %0 = tx.fft %x length = 8 : tensor<2x?xf32, #tx.dims<[2, n]>>
  return
}

// -----

func.func @empty(%x: tensor<2x3x0xf32>) {
  // expected-error @+1 {{a transform has at least one element, not 0}}
  %0 = tx.fft %x length = 0 : tensor<2x3x0xf32>
  return
}

// -----

func.func @other_length(%x: tensor<2x3x9xf32>) {
  // expected-error @+1 {{the last dimension is to be 8, of [2,3,9]}}
  %0 = tx.fft %x length = 8 : tensor<2x3x9xf32>
  return
}

// -----

func.func @parts(%x: tensor<3x8xf32>) {
  // expected-error @+1 {{the first dimension is real and imaginary parts, so 2, of [3,8]}}
  %0 = tx.fft %x length = 8 : tensor<3x8xf32>
  return
}

// -----

func.func @vector(%x: tensor<8xf32>) {
  // expected-error @+1 {{needs real and imaginary parts, so at least two dimensions, not [8]}}
  %0 = tx.fft %x length = 8 : tensor<8xf32>
  return
}

// -----

func.func @integers(%x: tensor<2x8xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of f16, bf16, f32 or f64}}
  %0 = tx.fft %x length = 8 : tensor<2x8xi32>
  return
}

// -----

func.func @table(%x: tensor<2x8xf32>, %t: tensor<4xf32>) {
  // expected-error @+1 {{needs a table of 2 'f32'}}
  %0 = tx.dft %x, %t : tensor<2x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @prime(%x: tensor<2x17xf32>, %t: tensor<4xf32>) {
  // expected-error @+1 {{has no kernel for rows of 17}}
  %0 = tx.dft %x, %t : tensor<2x17xf32>, tensor<4xf32>
  return
}
