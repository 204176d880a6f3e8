// Determinants. Small matrices are worked on by kernels on grids, others by calls.
//
// RUN: %npy %t.x.npy f64 '[[[0, 2, 0], [0, 0, 4], [8, 0, 0]], [[1, 2, 3], [2, 4, 6], [0, 0, 1]], [[-3, 0, 0], [0, 1, 0], [0, 0, 1]], [[nan, 0, 0], [0, 1, 0], [0, 0, 1]]]'
// RUN: %npy %t.y.npy f32 '[[[1e30, 0, 0], [0, 1e30, 0], [0, 0, 1e-38]], [[1e-30, 0, 0], [0, 1e-30, 0], [0, 0, 1e30]], [[0, -1e30, 0], [1e30, 0, 0], [0, 0, 1e30]], [[1e-40, 0, 0], [0, 1, 0], [0, 0, 1e20]]]'
// RUN: %run_op --input=x=%t.x.npy --input=y=%t.y.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=complex --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs=1 --shape=x:300,6,6 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:0,6,6 --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference

// Nothing overflows or vanishes on the way.
func.func @main(%x: tensor<4x3x3xf64> {tx.name = "x"}, %y: tensor<4x3x3xf32> {tx.name = "y"}) -> (tensor<4xf64>, tensor<4x2xf64>, tensor<4xf32>) {
  %0 = tx.determinant %x : (tensor<4x3x3xf64>) -> tensor<4xf64>
  %1 = tx.determinant %x logarithm : (tensor<4x3x3xf64>) -> tensor<4x2xf64>
  %2 = tx.determinant %y : (tensor<4x3x3xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf64>, tensor<4x2xf64>, tensor<4xf32>
}
// CHECK:      out0: f64[4]
// CHECK-NEXT: [64, {{-?}}0, -3, nan]
// CHECK-NEXT: out1: f64[4,2]
// CHECK-NEXT: {{\[\[}}1, 4.158883083{{[0-9]*}}],
// CHECK-NEXT:  [{{-?}}0, -inf],
// CHECK-NEXT:  [-1, 1.098612288{{[0-9]*}}],
// CHECK-NEXT:  [nan, nan]]
// CHECK-NEXT: out2: f32[4]
// CHECK-NEXT: [{{1e\+22|9.9999.*e\+21|1.00000.*e\+22}}, {{1.*e-30|9.99999.*e-31}}, inf, {{1.*e-20|9.99.*e-21}}]

// As small as they are, as large as a kernel takes them, and larger.
func.func @sizes(%x: tensor<9x1x1xf64>, %y: tensor<5x32x32xf64>, %z: tensor<7x7xf64>, %v: tensor<2x3x12x12xf64>, %w: tensor<2x33x33xf64>)
    -> (tensor<9xf64>, tensor<5x2xf64>, tensor<f64>, tensor<2x3xf64>, tensor<2x2xf64>, tensor<2xf64>) {
  %0 = tx.determinant %x : (tensor<9x1x1xf64>) -> tensor<9xf64>
  %1 = tx.determinant %y logarithm : (tensor<5x32x32xf64>) -> tensor<5x2xf64>
  %2 = tx.determinant %z : (tensor<7x7xf64>) -> tensor<f64>
  %3 = tx.determinant %v : (tensor<2x3x12x12xf64>) -> tensor<2x3xf64>
  %4 = tx.determinant %w logarithm : (tensor<2x33x33xf64>) -> tensor<2x2xf64>
  %5 = tx.determinant %z logarithm : (tensor<7x7xf64>) -> tensor<2xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<9xf64>, tensor<5x2xf64>, tensor<f64>, tensor<2x3xf64>, tensor<2x2xf64>, tensor<2xf64>
}

func.func @complex(%x: tensor<9x1x1xcomplex<f64>>, %y: tensor<5x32x32xcomplex<f64>>, %z: tensor<7x7xcomplex<f64>>, %v: tensor<20x4x4xcomplex<f32>>)
    -> (tensor<9xcomplex<f64>>, tensor<5x2xcomplex<f64>>, tensor<complex<f64>>, tensor<20x2xcomplex<f32>>) {
  %0 = tx.determinant %x : (tensor<9x1x1xcomplex<f64>>) -> tensor<9xcomplex<f64>>
  %1 = tx.determinant %y logarithm : (tensor<5x32x32xcomplex<f64>>) -> tensor<5x2xcomplex<f64>>
  %2 = tx.determinant %z : (tensor<7x7xcomplex<f64>>) -> tensor<complex<f64>>
  %3 = tx.determinant %v logarithm : (tensor<20x4x4xcomplex<f32>>) -> tensor<20x2xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<9xcomplex<f64>>, tensor<5x2xcomplex<f64>>, tensor<complex<f64>>, tensor<20x2xcomplex<f32>>
}

func.func @named(%x: tensor<?x6x6xf64, #tx.dims<[n, 6, 6]>> {tx.name = "x"}) -> tensor<?xf64, #tx.dims<[n]>> {
  %0 = tx.determinant %x : (tensor<?x6x6xf64, #tx.dims<[n, 6, 6]>>) -> tensor<?xf64, #tx.dims<[n]>>
  return %0 : tensor<?xf64, #tx.dims<[n]>>
}

// With work before and behind it.
func.func @fused(%x: tensor<6x4x4xf64>, %v: tensor<6xf64>) -> (tensor<6xf64>, tensor<6xf64>) {
  %e = tx.sin %x : tensor<6x4x4xf64>
  %y = tx.determinant %e : (tensor<6x4x4xf64>) -> tensor<6xf64>
  %n = tx.mul %y, %v : tensor<6xf64>
  return %n, %y : tensor<6xf64>, tensor<6xf64>
}
