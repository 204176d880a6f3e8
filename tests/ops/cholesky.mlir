// Factors of matrices of a batch. Small ones are worked on by kernels on grids, others by calls.
//
// RUN: %npy %t.x.npy f64 '[[[4, 9, 9], [2, 5, 9], [-2, 3, 14]], [[1, 0, 0], [2, 4, 0], [0, 0, 1]], [[nan, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 0], [inf, 0, 1]]]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=complex --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:300,8,16 --shape=y:2,3,5,9 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:0,8,16 --shape=y:2,0,5,9 --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference

func.func @main(%x: tensor<4x3x3xf64>) -> (tensor<4x3x3xf64>, tensor<4x3x4xf64>) {
  %0 = tx.cholesky %x : (tensor<4x3x3xf64>) -> tensor<4x3x3xf64>
  %1 = tx.cholesky %x upper info : (tensor<4x3x3xf64>) -> tensor<4x3x4xf64>
  return %0, %1 : tensor<4x3x3xf64>, tensor<4x3x4xf64>
}
// CHECK:      out0: f64[4,3,3]
// CHECK-NEXT: {{\[\[\[}}2, 0, 0],
// CHECK-NEXT:   [1, 2, 0],
// CHECK-NEXT:   [-1, 2, 3]],
// CHECK-NEXT:  {{\[\[}}nan, nan, nan],
// CHECK-NEXT:   [nan, nan, nan],
// CHECK-NEXT:   [nan, nan, nan]],
// CHECK-NEXT:  {{\[\[}}nan, nan, nan],
// CHECK-NEXT:   [nan, nan, nan],
// CHECK-NEXT:   [nan, nan, nan]],
// CHECK-NEXT:  {{\[\[}}nan, nan, nan],
// CHECK-NEXT:   [nan, nan, nan],
// CHECK-NEXT:   [nan, nan, nan]]]
// CHECK-NEXT: out1: f64[4,3,4]
// CHECK-NEXT: {{\[\[\[}}2, 1, -1, 0],
// CHECK-NEXT:   [0, 2, 2, 0],
// CHECK-NEXT:   [0, 0, 3, 0]],
// CHECK-NEXT:  {{\[\[}}nan, nan, nan, 2],
// CHECK-NEXT:   [nan, nan, nan, 0],
// CHECK-NEXT:   [nan, nan, nan, 0]],
// CHECK-NEXT:  {{\[\[}}nan, nan, nan, 1],
// CHECK-NEXT:   [nan, nan, nan, 0],
// CHECK-NEXT:   [nan, nan, nan, 0]],
// CHECK-NEXT:  {{\[\[}}nan, nan, nan, 3],
// CHECK-NEXT:   [nan, nan, nan, 0],
// CHECK-NEXT:   [nan, nan, nan, 0]]]

// As small as they are, as large as a kernel takes them, and larger; one matrix, and several blocks of them.
func.func @sizes(%x: tensor<9x1x4xf32>, %y: tensor<5x32x80xf32>, %z: tensor<17x64xf64>, %w: tensor<2x33x70xf64>)
    -> (tensor<9x1x1xf32>, tensor<5x32x32xf32>, tensor<17x17xf64>, tensor<2x33x33xf64>) {
  %x2 = tx.dot_general %x, %x batch = [0] x [0] contracting = [2] x [2] : (tensor<9x1x4xf32>, tensor<9x1x4xf32>) -> tensor<9x1x1xf32>
  %y2 = tx.dot_general %y, %y batch = [0] x [0] contracting = [2] x [2] : (tensor<5x32x80xf32>, tensor<5x32x80xf32>) -> tensor<5x32x32xf32>
  %z2 = tx.dot_general %z, %z batch = [] x [] contracting = [1] x [1] : (tensor<17x64xf64>, tensor<17x64xf64>) -> tensor<17x17xf64>
  %w2 = tx.dot_general %w, %w batch = [0] x [0] contracting = [2] x [2] : (tensor<2x33x70xf64>, tensor<2x33x70xf64>) -> tensor<2x33x33xf64>
  %0 = tx.cholesky %x2 : (tensor<9x1x1xf32>) -> tensor<9x1x1xf32>
  %1 = tx.cholesky %y2 upper : (tensor<5x32x32xf32>) -> tensor<5x32x32xf32>
  %2 = tx.cholesky %z2 : (tensor<17x17xf64>) -> tensor<17x17xf64>
  %3 = tx.cholesky %w2 : (tensor<2x33x33xf64>) -> tensor<2x33x33xf64>
  return %0, %1, %2, %3 : tensor<9x1x1xf32>, tensor<5x32x32xf32>, tensor<17x17xf64>, tensor<2x33x33xf64>
}

func.func @named(%x: tensor<?x8x16xf64, #tx.dims<[n, 8, 16]>> {tx.name = "x"}, %y: tensor<?x?x5x9xf32, #tx.dims<[a, b, 5, 9]>> {tx.name = "y"})
    -> (tensor<?x8x8xf64, #tx.dims<[n, 8, 8]>>, tensor<?x?x5x6xf32, #tx.dims<[a, b, 5, 6]>>) {
  %x2 = tx.dot_general %x, %x batch = [0] x [0] contracting = [2] x [2]
      : (tensor<?x8x16xf64, #tx.dims<[n, 8, 16]>>, tensor<?x8x16xf64, #tx.dims<[n, 8, 16]>>) -> tensor<?x8x8xf64, #tx.dims<[n, 8, 8]>>
  %y2 = tx.dot_general %y, %y batch = [0, 1] x [0, 1] contracting = [3] x [3]
      : (tensor<?x?x5x9xf32, #tx.dims<[a, b, 5, 9]>>, tensor<?x?x5x9xf32, #tx.dims<[a, b, 5, 9]>>) -> tensor<?x?x5x5xf32, #tx.dims<[a, b, 5, 5]>>
  %0 = tx.cholesky %x2 : (tensor<?x8x8xf64, #tx.dims<[n, 8, 8]>>) -> tensor<?x8x8xf64, #tx.dims<[n, 8, 8]>>
  %1 = tx.cholesky %y2 info : (tensor<?x?x5x5xf32, #tx.dims<[a, b, 5, 5]>>) -> tensor<?x?x5x6xf32, #tx.dims<[a, b, 5, 6]>>
  return %0, %1 : tensor<?x8x8xf64, #tx.dims<[n, 8, 8]>>, tensor<?x?x5x6xf32, #tx.dims<[a, b, 5, 6]>>
}

// Of halves, and with work before and behind it.
func.func @fused(%x: tensor<6x4x4xf16>, %v: tensor<4xf32>) -> (tensor<6x4x4xf16>, tensor<6x4x4xf32>) {
  %i = tx.iota dim = 0 : tensor<4x4xi32>
  %j = tx.iota dim = 1 : tensor<4x4xi32>
  %eye = tx.eq %i, %j : tensor<4x4xi32>
  %e1 = tx.convert %eye : tensor<4x4xi1> -> tensor<4x4xf32>
  %eight = tx.constant dense<8.0> : tensor<4x4xf32>
  %e8 = tx.mul %e1, %eight : tensor<4x4xf32>
  %shift = tx.broadcast %e8 dims = [1, 2] : tensor<4x4xf32> -> tensor<6x4x4xf32>
  %w = tx.convert %x : tensor<6x4x4xf16> -> tensor<6x4x4xf32>
  %t = tx.tanh %w : tensor<6x4x4xf32>
  %s = tx.add %t, %shift : tensor<6x4x4xf32>
  %c = tx.cholesky %s : (tensor<6x4x4xf32>) -> tensor<6x4x4xf32>
  %vs = tx.broadcast %v dims = [2] : tensor<4xf32> -> tensor<6x4x4xf32>
  %o = tx.mul %c, %vs : tensor<6x4x4xf32>
  %h = tx.convert %s : tensor<6x4x4xf32> -> tensor<6x4x4xf16>
  %hc = tx.cholesky %h : (tensor<6x4x4xf16>) -> tensor<6x4x4xf16>
  return %hc, %o : tensor<6x4x4xf16>, tensor<6x4x4xf32>
}

// Of Hermitian matrices: one, several blocks of them, and as large as a kernel takes them.
func.func @complex(%x: tensor<9x1x2xcomplex<f64>>, %y: tensor<40x5x12xcomplex<f32>>, %z: tensor<2x32x64xcomplex<f64>>)
    -> (tensor<9x1x1xcomplex<f64>>, tensor<40x5x6xcomplex<f32>>, tensor<2x32x32xcomplex<f64>>, tensor<40x5x5xf32>) {
  %xr = tx.real %x : tensor<9x1x2xcomplex<f64>> -> tensor<9x1x2xf64>
  %xi = tx.imag %x : tensor<9x1x2xcomplex<f64>> -> tensor<9x1x2xf64>
  %xn = tx.neg %xi : tensor<9x1x2xf64>
  %xc = tx.complex %xr, %xn : tensor<9x1x2xf64> -> tensor<9x1x2xcomplex<f64>>
  %x2 = tx.dot_general %x, %xc batch = [0] x [0] contracting = [2] x [2] : (tensor<9x1x2xcomplex<f64>>, tensor<9x1x2xcomplex<f64>>) -> tensor<9x1x1xcomplex<f64>>
  %yr = tx.real %y : tensor<40x5x12xcomplex<f32>> -> tensor<40x5x12xf32>
  %yi = tx.imag %y : tensor<40x5x12xcomplex<f32>> -> tensor<40x5x12xf32>
  %yn = tx.neg %yi : tensor<40x5x12xf32>
  %yc = tx.complex %yr, %yn : tensor<40x5x12xf32> -> tensor<40x5x12xcomplex<f32>>
  %y2 = tx.dot_general %y, %yc batch = [0] x [0] contracting = [2] x [2] : (tensor<40x5x12xcomplex<f32>>, tensor<40x5x12xcomplex<f32>>) -> tensor<40x5x5xcomplex<f32>>
  %zr = tx.real %z : tensor<2x32x64xcomplex<f64>> -> tensor<2x32x64xf64>
  %zi = tx.imag %z : tensor<2x32x64xcomplex<f64>> -> tensor<2x32x64xf64>
  %zn = tx.neg %zi : tensor<2x32x64xf64>
  %zc = tx.complex %zr, %zn : tensor<2x32x64xf64> -> tensor<2x32x64xcomplex<f64>>
  %z2 = tx.dot_general %z, %zc batch = [0] x [0] contracting = [2] x [2] : (tensor<2x32x64xcomplex<f64>>, tensor<2x32x64xcomplex<f64>>) -> tensor<2x32x32xcomplex<f64>>
  %0 = tx.cholesky %x2 : (tensor<9x1x1xcomplex<f64>>) -> tensor<9x1x1xcomplex<f64>>
  %1 = tx.cholesky %y2 upper info : (tensor<40x5x5xcomplex<f32>>) -> tensor<40x5x6xcomplex<f32>>
  %2 = tx.cholesky %z2 : (tensor<2x32x32xcomplex<f64>>) -> tensor<2x32x32xcomplex<f64>>
  %3 = tx.cholesky %y2 : (tensor<40x5x5xcomplex<f32>>) -> tensor<40x5x5xcomplex<f32>>
  %4 = tx.imag %3 : tensor<40x5x5xcomplex<f32>> -> tensor<40x5x5xf32>
  return %0, %1, %2, %4 : tensor<9x1x1xcomplex<f64>>, tensor<40x5x6xcomplex<f32>>, tensor<2x32x32xcomplex<f64>>, tensor<40x5x5xf32>
}
