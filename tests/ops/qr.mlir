// Orthogonal and triangular factors. Small matrices are worked on by kernels on grids, others by calls.
//
// RUN: %npy %t.x.npy f64 '[[[3, 5], [4, 10]], [[0, 1], [0, 2]], [[2, 0], [0, -2]], [[0, 0], [0, 0]]]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=complete --random-inputs --compare=reference
// RUN: %run_op --entry=complex --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs=1 --shape=x:300,6,4 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:0,6,4 --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference

// A column that is 0 below the diagonal stays as it is.
func.func @main(%x: tensor<4x2x2xf64>) -> tensor<4x2x4xf64> {
  %0 = tx.qr %x : (tensor<4x2x2xf64>) -> tensor<4x2x4xf64>
  %1 = tx.constant dense<1024.0> : tensor<4x2x4xf64>
  %2 = tx.mul %0, %1 : tensor<4x2x4xf64>
  %3 = tx.round_even %2 : tensor<4x2x4xf64>
  %4 = tx.div %3, %1 : tensor<4x2x4xf64>
  return %4 : tensor<4x2x4xf64>
}
// CHECK:      out0: f64[4,2,4]
// CHECK-NEXT: {{\[\[\[}}-0.599609375, -0.7998046875, -5, -11],
// CHECK-NEXT:   [-0.7998046875, 0.599609375, {{-?}}0, 2]],
// CHECK-NEXT:  {{\[\[}}1, 0, 0, 1],
// CHECK-NEXT:   [0, 1, 0, 2]],
// CHECK-NEXT:  {{\[\[}}1, 0, 2, 0],
// CHECK-NEXT:   [0, 1, 0, -2]],
// CHECK-NEXT:  {{\[\[}}1, 0, 0, 0],
// CHECK-NEXT:   [0, 1, 0, 0]]]

// As small as they are, wide and tall ones, as large as a kernel takes them, and larger.
func.func @sizes(%x: tensor<9x1x1xf64>, %y: tensor<5x32x32xf64>, %z: tensor<3x7xf64>, %v: tensor<2x3x12x5xf64>, %w: tensor<2x33x33xf64>, %u: tensor<3x6x1xf64>)
    -> (tensor<9x1x2xf64>, tensor<5x32x64xf64>, tensor<3x10xf64>, tensor<2x3x12x10xf64>, tensor<2x33x66xf64>, tensor<3x6x2xf64>) {
  %0 = tx.qr %x : (tensor<9x1x1xf64>) -> tensor<9x1x2xf64>
  %1 = tx.qr %y : (tensor<5x32x32xf64>) -> tensor<5x32x64xf64>
  %2 = tx.qr %z : (tensor<3x7xf64>) -> tensor<3x10xf64>
  %3 = tx.qr %v : (tensor<2x3x12x5xf64>) -> tensor<2x3x12x10xf64>
  %4 = tx.qr %w : (tensor<2x33x33xf64>) -> tensor<2x33x66xf64>
  %5 = tx.qr %u : (tensor<3x6x1xf64>) -> tensor<3x6x2xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<9x1x2xf64>, tensor<5x32x64xf64>, tensor<3x10xf64>, tensor<2x3x12x10xf64>, tensor<2x33x66xf64>, tensor<3x6x2xf64>
}

func.func @complete(%x: tensor<9x7x3xf64>, %y: tensor<3x7xf32>) -> (tensor<9x7x10xf64>, tensor<3x10xf32>) {
  %0 = tx.qr %x complete : (tensor<9x7x3xf64>) -> tensor<9x7x10xf64>
  %1 = tx.qr %y complete : (tensor<3x7xf32>) -> tensor<3x10xf32>
  return %0, %1 : tensor<9x7x10xf64>, tensor<3x10xf32>
}

func.func @complex(%x: tensor<9x1x1xcomplex<f64>>, %y: tensor<2x32x32xcomplex<f64>>, %z: tensor<7x3xcomplex<f64>>, %v: tensor<20x4x4xcomplex<f32>>)
    -> (tensor<9x1x2xcomplex<f64>>, tensor<2x32x64xcomplex<f64>>, tensor<7x10xcomplex<f64>>, tensor<20x4x8xcomplex<f32>>) {
  %0 = tx.qr %x : (tensor<9x1x1xcomplex<f64>>) -> tensor<9x1x2xcomplex<f64>>
  %1 = tx.qr %y : (tensor<2x32x32xcomplex<f64>>) -> tensor<2x32x64xcomplex<f64>>
  %2 = tx.qr %z complete : (tensor<7x3xcomplex<f64>>) -> tensor<7x10xcomplex<f64>>
  %3 = tx.qr %v : (tensor<20x4x4xcomplex<f32>>) -> tensor<20x4x8xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<9x1x2xcomplex<f64>>, tensor<2x32x64xcomplex<f64>>, tensor<7x10xcomplex<f64>>, tensor<20x4x8xcomplex<f32>>
}

func.func @named(%x: tensor<?x6x4xf64, #tx.dims<[n, 6, 4]>> {tx.name = "x"}) -> tensor<?x6x8xf64, #tx.dims<[n, 6, 8]>> {
  %0 = tx.qr %x : (tensor<?x6x4xf64, #tx.dims<[n, 6, 4]>>) -> tensor<?x6x8xf64, #tx.dims<[n, 6, 8]>>
  return %0 : tensor<?x6x8xf64, #tx.dims<[n, 6, 8]>>
}

// With work before and behind it.
func.func @fused(%x: tensor<6x4x4xf64>) -> (tensor<6x4x8xf64>, tensor<6x4x4xf64>) {
  %e = tx.sin %x : tensor<6x4x4xf64>
  %y = tx.qr %e : (tensor<6x4x4xf64>) -> tensor<6x4x8xf64>
  %n = tx.neg %y : tensor<6x4x8xf64>
  %s = tx.slice %y offsets = [0, 0, 4] strides = [1, 1, 1] : tensor<6x4x8xf64> -> tensor<6x4x4xf64>
  return %n, %s : tensor<6x4x8xf64>, tensor<6x4x4xf64>
}
