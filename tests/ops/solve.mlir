// Systems with row exchanges. Small ones are worked on by kernels on grids, others by calls.
//
// RUN: %npy %t.a.npy f32 '[[[0, 2, 0], [0, 0, 4], [8, 0, 0]], [[1, 2, 3], [2, 4, 6], [0, 0, 1]], [[-3, 0, 0], [1, 1, 0], [6, 0, -1]], [[nan, 0, 0], [0, 1, 0], [0, 0, 1]]]'
// RUN: %npy %t.b.npy f32 '[[[2, 4], [8, 12], [8, 16]], [[1, 1], [1, 1], [1, 1]], [[3, -6], [0, 1], [0, 0]], [[1, 1], [1, 1], [1, 1]]]'
// RUN: %run_op --input=a=%t.a.npy --input=b=%t.b.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=complex --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs=1 --shape=a:33,7,7 --shape=b:33,7,3 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=a:0,7,7 --shape=b:0,7,3 --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference

func.func @main(%a: tensor<4x3x3xf32> {tx.name = "a"}, %b: tensor<4x3x2xf32> {tx.name = "b"}) -> tensor<4x3x2xf32> {
  %0 = tx.solve %a, %b : (tensor<4x3x3xf32>, tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
  return %0 : tensor<4x3x2xf32>
}
// CHECK:      out0: f32[4,3,2]
// CHECK-NEXT: {{\[\[\[}}1, 2],
// CHECK-NEXT:   [1, 2],
// CHECK-NEXT:   [2, 3]],
// CHECK-NEXT:  {{\[\[}}{{.*}}{{nan|inf}}
// CHECK-NEXT:   [{{.*}}],
// CHECK-NEXT:   [{{.*}}]],
// CHECK-NEXT:  {{\[\[}}-1, 2],
// CHECK-NEXT:   [1, -1],
// CHECK-NEXT:   [-6, 12]],
// CHECK-NEXT:  {{\[\[}}nan, nan],

// Normal numbers, so that rows are exchanged; as large as a kernel takes them, and larger, in both ways.
func.func @sizes(%a: tensor<9x1x1xf64>, %b: tensor<9x1x3xf64>, %c: tensor<5x32x32xf64>, %d: tensor<5x32x32xf64>, %e: tensor<4x4xf64>,
                 %f: tensor<4x33xf64>, %g: tensor<2x33x33xf64>, %h: tensor<2x33x1xf64>, %i: tensor<3x2x12x12xf64>, %j: tensor<3x2x12x1xf64>)
    -> (tensor<9x1x3xf64>, tensor<5x32x32xf64>, tensor<4x33xf64>, tensor<2x33x1xf64>, tensor<3x2x12x1xf64>) {
  %0 = tx.solve %a, %b : (tensor<9x1x1xf64>, tensor<9x1x3xf64>) -> tensor<9x1x3xf64>
  %1 = tx.solve %c, %d : (tensor<5x32x32xf64>, tensor<5x32x32xf64>) -> tensor<5x32x32xf64>
  %2 = tx.solve %e, %f : (tensor<4x4xf64>, tensor<4x33xf64>) -> tensor<4x33xf64>
  %3 = tx.solve %g, %h : (tensor<2x33x33xf64>, tensor<2x33x1xf64>) -> tensor<2x33x1xf64>
  %4 = tx.solve %i, %j : (tensor<3x2x12x12xf64>, tensor<3x2x12x1xf64>) -> tensor<3x2x12x1xf64>
  return %0, %1, %2, %3, %4 : tensor<9x1x3xf64>, tensor<5x32x32xf64>, tensor<4x33xf64>, tensor<2x33x1xf64>, tensor<3x2x12x1xf64>
}

func.func @named(%a: tensor<?x7x7xf64, #tx.dims<[n, 7, 7]>> {tx.name = "a"}, %b: tensor<?x7x?xf64, #tx.dims<[n, 7, m]>> {tx.name = "b"})
    -> (tensor<?x7x?xf64, #tx.dims<[n, 7, m]>>, tensor<?x7x7xf64, #tx.dims<[n, 7, 7]>>) {
  %0 = tx.solve %a, %b : (tensor<?x7x7xf64, #tx.dims<[n, 7, 7]>>, tensor<?x7x?xf64, #tx.dims<[n, 7, m]>>) -> tensor<?x7x?xf64, #tx.dims<[n, 7, m]>>
  %1 = tx.solve %a, %a : (tensor<?x7x7xf64, #tx.dims<[n, 7, 7]>>, tensor<?x7x7xf64, #tx.dims<[n, 7, 7]>>) -> tensor<?x7x7xf64, #tx.dims<[n, 7, 7]>>
  return %0, %1 : tensor<?x7x?xf64, #tx.dims<[n, 7, m]>>, tensor<?x7x7xf64, #tx.dims<[n, 7, 7]>>
}

// One matrix for all, a vector as a column, and work before and behind.
func.func @fused(%a: tensor<6x6xf64>, %b: tensor<40x6xf64>) -> (tensor<40x6x1xf64>, tensor<40x1x6xf64>) {
  %e = tx.exp %a : tensor<6x6xf64>
  %m = tx.broadcast %e dims = [1, 2] : tensor<6x6xf64> -> tensor<40x6x6xf64>
  %s = tx.sin %b : tensor<40x6xf64>
  %c = tx.reshape %s : tensor<40x6xf64> -> tensor<40x6x1xf64>
  %y = tx.solve %m, %c : (tensor<40x6x6xf64>, tensor<40x6x1xf64>) -> tensor<40x6x1xf64>
  %n = tx.neg %y : tensor<40x6x1xf64>
  %r = tx.mul %n, %c : tensor<40x6x1xf64>
  %t = tx.transpose %y permutation = [0, 2, 1] : tensor<40x6x1xf64> -> tensor<40x1x6xf64>
  return %r, %t : tensor<40x6x1xf64>, tensor<40x1x6xf64>
}

// Complex ones, with work before and behind, and a matrix that a kernel has made.
func.func @complex(%a: tensor<9x1x1xcomplex<f64>>, %b: tensor<9x1x3xcomplex<f64>>, %c: tensor<2x32x32xcomplex<f64>>, %d: tensor<2x32x32xcomplex<f64>>, %e: tensor<30x4x4xcomplex<f32>>, %f: tensor<30x4x2xcomplex<f32>>)
    -> (tensor<9x1x3xcomplex<f64>>, tensor<2x32x32xcomplex<f64>>, tensor<30x4x2xcomplex<f32>>, tensor<30x4x2xf32>) {
  %0 = tx.solve %a, %b : (tensor<9x1x1xcomplex<f64>>, tensor<9x1x3xcomplex<f64>>) -> tensor<9x1x3xcomplex<f64>>
  %1 = tx.solve %c, %d : (tensor<2x32x32xcomplex<f64>>, tensor<2x32x32xcomplex<f64>>) -> tensor<2x32x32xcomplex<f64>>
  %i = tx.exp %e : tensor<30x4x4xcomplex<f32>>
  %g = tx.solve %i, %f : (tensor<30x4x4xcomplex<f32>>, tensor<30x4x2xcomplex<f32>>) -> tensor<30x4x2xcomplex<f32>>
  %2 = tx.neg %g : tensor<30x4x2xcomplex<f32>>
  %3 = tx.solve %i, %2 : (tensor<30x4x4xcomplex<f32>>, tensor<30x4x2xcomplex<f32>>) -> tensor<30x4x2xcomplex<f32>>
  %4 = tx.real %3 : tensor<30x4x2xcomplex<f32>> -> tensor<30x4x2xf32>
  return %0, %1, %2, %4 : tensor<9x1x3xcomplex<f64>>, tensor<2x32x32xcomplex<f64>>, tensor<30x4x2xcomplex<f32>>, tensor<30x4x2xf32>
}
