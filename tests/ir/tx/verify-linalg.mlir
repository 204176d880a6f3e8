// Matrices that are refused.
//
// RUN: %tensorc-opt %s --split-input-file --verify-diagnostics

func.func @integers(%x: tensor<4x4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of}}
  %0 = tx.cholesky %x : (tensor<4x4xi32>) -> tensor<4x4xi32>
  return
}

// -----

func.func @width(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{does not make 'complex<f64>' of 'f32'}}
  %0 = tx.eig %x : (tensor<4x4xf32>) -> tensor<5x4xcomplex<f64>>
  return
}

// -----

func.func @parts(%x: tensor<4x4xcomplex<f32>>) {
  // expected-error @+1 {{result dtype 'f32' differs from the operand's 'complex<f32>'}}
  %0 = tx.eigh %x : (tensor<4x4xcomplex<f32>>) -> tensor<5x4xf32>
  return
}

// -----

func.func @square(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{the last two dimensions differ: [4,3]; matrices must be square}}
  %0 = tx.determinant %x logarithm : (tensor<4x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @info(%x: tensor<2x4x4xf32>) {
  // expected-error @+1 {{dimension 2 of the result is 4 but must be 5}}
  %0 = tx.cholesky %x info : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return
}
