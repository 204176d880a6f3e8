// Ops over several ranks that are refused.
//
// RUN: %tensorc-opt %s --split-input-file --verify-diagnostics

func.func @bits(%x: tensor<4xf32>) {
  // expected-error @+1 {{no and of f32}}
  %0 = tx.all_reduce %x and ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @bool(%x: tensor<4xi1>) {
  // expected-error @+1 {{no sum of i1}}
  %0 = tx.all_reduce %x sum ranks = 2 : (tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @order(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{no max of c64}}
  %0 = tx.reduce_scatter %x max dim = 0 ranks = 2 : (tensor<4xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @ranks(%x: tensor<4xf32>) {
  // expected-error @+1 {{needs at least one rank, not 0}}
  %0 = tx.all_gather %x dim = 0 ranks = 0 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @dim(%x: tensor<4xf32>) {
  // expected-error @+1 {{dimension 1 is out of range for [4]}}
  %0 = tx.all_gather %x dim = 1 ranks = 2 : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @uneven(%x: tensor<5x3xf32>) {
  // expected-error @+1 {{2 ranks do not divide dimension 0 of [5,3]: pad it to a multiple}}
  %0 = tx.reduce_scatter %x sum dim = 0 ranks = 2 : (tensor<5x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @root(%x: tensor<4xf32>) {
  // expected-error @+1 {{rank 2 is not one of the 2 ranks}}
  %0 = tx.collective_broadcast %x root = 2 ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @pairs(%x: tensor<4xf32>) {
  // expected-error @+1 {{rank 1 is a target twice}}
  %0 = tx.collective_permute %x pairs = [0, 1, 1, 1] ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @uneven_groups(%x: tensor<4xf32>) {
  // expected-error @+1 {{groups of 3 ranks have not 2 each}}
  %0 = tx.all_reduce %x sum ranks = 2 groups = [0, 1, 2] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @groups(%x: tensor<4xf32>) {
  // expected-error @+1 {{the groups do not name each of the ranks 0 to 3 once: 1}}
  %0 = tx.all_gather %x dim = 0 ranks = 2 groups = [0, 1, 1, 3] : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @position(%x: tensor<4xf32>) {
  // expected-error @+1 {{rank 2 is not one of the 2 ranks}}
  %0 = tx.collective_broadcast %x root = 2 ranks = 2 groups = [0, 1, 2, 3] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
