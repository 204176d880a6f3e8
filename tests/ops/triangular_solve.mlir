// Systems of one triangle, whose other triangle is not read. Small ones are worked on by kernels on grids, others by calls.
//
// RUN: %npy %t.a.npy f32 '[[2, nan, nan], [1, 4, nan], [-1, 0.5, 0]]'
// RUN: %npy %t.b.npy f32 '[[2, 4], [9, 2], [1, 0]]'
// RUN: %run_op --input=a=%t.a.npy --input=b=%t.b.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=complex --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=a:77,6,6 --shape=b:77,6,2 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=a:0,6,6 --shape=b:0,6,2 --compare=reference

func.func @main(%a: tensor<3x3xf32> {tx.name = "a"}, %b: tensor<3x2xf32> {tx.name = "b"})
    -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = tx.triangular_solve %a, %b : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %1 = tx.triangular_solve %a, %b unit : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = tx.triangular_solve %a, %b transposed unit : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0, %1, %2 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}
// CHECK:      out0: f32[3,2]
// CHECK-NEXT: {{\[\[}}1, 2],
// CHECK-NEXT:  [2, 0],
// CHECK-NEXT:  [inf, inf]]
// CHECK-NEXT: out1: f32[3,2]
// CHECK-NEXT: {{\[\[}}2, 4],
// CHECK-NEXT:  [7, -2],
// CHECK-NEXT:  [-0.5, 5]]
// CHECK-NEXT: out2: f32[3,2]
// CHECK-NEXT: {{\[\[}}-5.5, 2],
// CHECK-NEXT:  [8.5, 2],
// CHECK-NEXT:  [1, 0]]

// Diagonals of 4 and more; all forms, as small and as large as a kernel takes them, and larger.
func.func @sizes(%a: tensor<7x1x1xf32>, %b: tensor<7x1x2xf32>, %c: tensor<3x32x32xf64>, %d: tensor<3x32x5xf64>, %e: tensor<12x12xf64>, %f: tensor<12x33xf64>,
                 %g: tensor<2x33x33xf64>, %h: tensor<2x33x4xf64>)
    -> (tensor<7x1x2xf32>, tensor<3x32x5xf64>, tensor<3x32x5xf64>, tensor<3x32x5xf64>, tensor<12x33xf64>, tensor<2x33x4xf64>) {
  %t = tx.tanh %c : tensor<3x32x32xf64>
  %sixteenth = tx.constant dense<0.0625> : tensor<3x32x32xf64>
  %small = tx.mul %t, %sixteenth : tensor<3x32x32xf64>
  %i = tx.iota dim = 1 : tensor<3x32x32xi32>
  %j = tx.iota dim = 2 : tensor<3x32x32xi32>
  %eye = tx.eq %i, %j : tensor<3x32x32xi32>
  %four = tx.constant dense<4.0> : tensor<3x32x32xf64>
  %m = tx.select %eye, %four, %small : tensor<3x32x32xi1>, tensor<3x32x32xf64>
  %0 = tx.triangular_solve %a, %b upper : (tensor<7x1x1xf32>, tensor<7x1x2xf32>) -> tensor<7x1x2xf32>
  %1 = tx.triangular_solve %m, %d : (tensor<3x32x32xf64>, tensor<3x32x5xf64>) -> tensor<3x32x5xf64>
  %2 = tx.triangular_solve %m, %d upper : (tensor<3x32x32xf64>, tensor<3x32x5xf64>) -> tensor<3x32x5xf64>
  %3 = tx.triangular_solve %m, %d upper transposed : (tensor<3x32x32xf64>, tensor<3x32x5xf64>) -> tensor<3x32x5xf64>
  %te = tx.tanh %e : tensor<12x12xf64>
  %4 = tx.triangular_solve %te, %f transposed unit : (tensor<12x12xf64>, tensor<12x33xf64>) -> tensor<12x33xf64>
  %tg = tx.tanh %g : tensor<2x33x33xf64>
  %tenth = tx.constant dense<0.1> : tensor<2x33x33xf64>
  %sg = tx.mul %tg, %tenth : tensor<2x33x33xf64>
  %5 = tx.triangular_solve %sg, %h upper unit : (tensor<2x33x33xf64>, tensor<2x33x4xf64>) -> tensor<2x33x4xf64>
  return %0, %1, %2, %3, %4, %5
      : tensor<7x1x2xf32>, tensor<3x32x5xf64>, tensor<3x32x5xf64>, tensor<3x32x5xf64>, tensor<12x33xf64>, tensor<2x33x4xf64>
}

func.func @named(%a: tensor<?x6x6xf64, #tx.dims<[n, 6, 6]>> {tx.name = "a"}, %b: tensor<?x6x2xf64, #tx.dims<[n, 6, 2]>> {tx.name = "b"})
    -> tensor<?x6x2xf64, #tx.dims<[n, 6, 2]>> {
  %t = tx.tanh %a : tensor<?x6x6xf64, #tx.dims<[n, 6, 6]>>
  %0 = tx.triangular_solve %t, %b unit : (tensor<?x6x6xf64, #tx.dims<[n, 6, 6]>>, tensor<?x6x2xf64, #tx.dims<[n, 6, 2]>>) -> tensor<?x6x2xf64, #tx.dims<[n, 6, 2]>>
  return %0 : tensor<?x6x2xf64, #tx.dims<[n, 6, 2]>>
}

// Complex ones: all forms, of unit diagonals and of ones of 4 and more.
func.func @complex(%a: tensor<7x1x1xcomplex<f32>>, %b: tensor<7x1x2xcomplex<f32>>, %c: tensor<3x20x20xf64>, %d: tensor<3x20x5xcomplex<f64>>)
    -> (tensor<7x1x2xcomplex<f32>>, tensor<3x20x5xcomplex<f64>>, tensor<3x20x5xcomplex<f64>>, tensor<3x20x5xcomplex<f64>>) {
  %t = tx.tanh %c : tensor<3x20x20xf64>
  %sixteenth = tx.constant dense<0.0625> : tensor<3x20x20xf64>
  %small = tx.mul %t, %sixteenth : tensor<3x20x20xf64>
  %i = tx.iota dim = 1 : tensor<3x20x20xi32>
  %j = tx.iota dim = 2 : tensor<3x20x20xi32>
  %eye = tx.eq %i, %j : tensor<3x20x20xi32>
  %four = tx.constant dense<4.0> : tensor<3x20x20xf64>
  %re = tx.select %eye, %four, %small : tensor<3x20x20xi1>, tensor<3x20x20xf64>
  %im = tx.neg %small : tensor<3x20x20xf64>
  %m = tx.complex %re, %im : tensor<3x20x20xf64> -> tensor<3x20x20xcomplex<f64>>
  %0 = tx.triangular_solve %a, %b upper : (tensor<7x1x1xcomplex<f32>>, tensor<7x1x2xcomplex<f32>>) -> tensor<7x1x2xcomplex<f32>>
  %1 = tx.triangular_solve %m, %d : (tensor<3x20x20xcomplex<f64>>, tensor<3x20x5xcomplex<f64>>) -> tensor<3x20x5xcomplex<f64>>
  %2 = tx.triangular_solve %m, %d upper transposed : (tensor<3x20x20xcomplex<f64>>, tensor<3x20x5xcomplex<f64>>) -> tensor<3x20x5xcomplex<f64>>
  %3 = tx.triangular_solve %m, %d upper unit : (tensor<3x20x20xcomplex<f64>>, tensor<3x20x5xcomplex<f64>>) -> tensor<3x20x5xcomplex<f64>>
  return %0, %1, %2, %3 : tensor<7x1x2xcomplex<f32>>, tensor<3x20x5xcomplex<f64>>, tensor<3x20x5xcomplex<f64>>, tensor<3x20x5xcomplex<f64>>
}
