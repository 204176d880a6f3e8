// Triangular factors with row exchanges. Small matrices are worked on by kernels on grids, others by calls.
//
// RUN: %npy %t.x.npy f64 '[[[1, 2, 4], [2, 4, 2], [4, 4, 4]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 1, 1], [0, 2, 4], [0, 4, 8]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=complex --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs=1 --shape=x:300,6,4 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:0,6,4 --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference

func.func @main(%x: tensor<4x3x3xf64>) -> tensor<4x3x4xf64> {
  %0 = tx.lu %x : (tensor<4x3x3xf64>) -> tensor<4x3x4xf64>
  return %0 : tensor<4x3x4xf64>
}
// Below a pivot of 0 all is 0, and stays.
// CHECK:      out0: f64[4,3,4]
// CHECK-NEXT: {{\[\[\[}}4, 4, 4, 2],
// CHECK-NEXT:   [0.5, 2, 0, 1],
// CHECK-NEXT:   [0.25, 0.5, 3, 0]],
// CHECK-NEXT:  {{\[\[}}0, 0, 0, 0],
// CHECK-NEXT:   [0, 0, 0, 1],
// CHECK-NEXT:   [0, 0, 0, 2]],
// CHECK-NEXT:  {{\[\[}}0, 1, 1, 0],
// CHECK-NEXT:   [0, 4, 8, 2],
// CHECK-NEXT:   [0, 0.5, 0, 1]],
// CHECK-NEXT:  {{\[\[}}1, 0, 0, 0],
// CHECK-NEXT:   [0, 1, 0, 1],
// CHECK-NEXT:   [0, 0, 1, 2]]]

// As small as they are, wide and tall ones, as large as a kernel takes them, and larger.
func.func @sizes(%x: tensor<9x1x1xf64>, %y: tensor<5x32x33xf64>, %z: tensor<3x7xf64>, %v: tensor<2x3x12x5xf64>, %w: tensor<2x33x33xf64>, %u: tensor<3x1x6xf64>)
    -> (tensor<9x1x2xf64>, tensor<5x32x34xf64>, tensor<3x8xf64>, tensor<2x3x12x6xf64>, tensor<2x33x34xf64>, tensor<3x1x7xf64>) {
  %0 = tx.lu %x : (tensor<9x1x1xf64>) -> tensor<9x1x2xf64>
  %1 = tx.lu %y : (tensor<5x32x33xf64>) -> tensor<5x32x34xf64>
  %2 = tx.lu %z : (tensor<3x7xf64>) -> tensor<3x8xf64>
  %3 = tx.lu %v : (tensor<2x3x12x5xf64>) -> tensor<2x3x12x6xf64>
  %4 = tx.lu %w : (tensor<2x33x33xf64>) -> tensor<2x33x34xf64>
  %5 = tx.lu %u : (tensor<3x1x6xf64>) -> tensor<3x1x7xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<9x1x2xf64>, tensor<5x32x34xf64>, tensor<3x8xf64>, tensor<2x3x12x6xf64>, tensor<2x33x34xf64>, tensor<3x1x7xf64>
}

func.func @complex(%x: tensor<9x1x1xcomplex<f64>>, %y: tensor<5x32x32xcomplex<f64>>, %z: tensor<7x3xcomplex<f64>>, %v: tensor<20x4x4xcomplex<f32>>)
    -> (tensor<9x1x2xcomplex<f64>>, tensor<5x32x33xcomplex<f64>>, tensor<7x4xcomplex<f64>>, tensor<20x4x5xcomplex<f32>>) {
  %0 = tx.lu %x : (tensor<9x1x1xcomplex<f64>>) -> tensor<9x1x2xcomplex<f64>>
  %1 = tx.lu %y : (tensor<5x32x32xcomplex<f64>>) -> tensor<5x32x33xcomplex<f64>>
  %2 = tx.lu %z : (tensor<7x3xcomplex<f64>>) -> tensor<7x4xcomplex<f64>>
  %3 = tx.lu %v : (tensor<20x4x4xcomplex<f32>>) -> tensor<20x4x5xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<9x1x2xcomplex<f64>>, tensor<5x32x33xcomplex<f64>>, tensor<7x4xcomplex<f64>>, tensor<20x4x5xcomplex<f32>>
}

func.func @named(%x: tensor<?x6x4xf64, #tx.dims<[n, 6, 4]>> {tx.name = "x"}) -> tensor<?x6x5xf64, #tx.dims<[n, 6, 5]>> {
  %0 = tx.lu %x : (tensor<?x6x4xf64, #tx.dims<[n, 6, 4]>>) -> tensor<?x6x5xf64, #tx.dims<[n, 6, 5]>>
  return %0 : tensor<?x6x5xf64, #tx.dims<[n, 6, 5]>>
}

// With work before and behind it.
func.func @fused(%x: tensor<6x4x4xf64>) -> (tensor<6x4x5xf64>, tensor<6x4x4xf64>) {
  %e = tx.sin %x : tensor<6x4x4xf64>
  %y = tx.lu %e : (tensor<6x4x4xf64>) -> tensor<6x4x5xf64>
  %n = tx.neg %y : tensor<6x4x5xf64>
  %s = tx.slice %y offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<6x4x5xf64> -> tensor<6x4x4xf64>
  return %n, %s : tensor<6x4x5xf64>, tensor<6x4x4xf64>
}
