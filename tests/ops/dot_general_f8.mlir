// Products of 8-bit floats with sums in f32: both formats, mixed, both layouts of each operand, edges, one row, one
// column, batches, an epilogue. Products are exact, and every sum of the exact cases is, too.
//
// RUN: %npy %t.x.npy f32 '[[1, -2, 0.5], [448, 0.001953125, -0.0]]'
// RUN: %npy %t.y.npy f32 '[[1.5, 2], [4, -0.25], [-448, 0.015625]]'
// RUN: %run_op --entry=exact --input=x=%t.x.npy --input=y=%t.y.npy | FileCheck %s
// RUN: %run_op --entry=rows --random-inputs --shape=x:130,72 --shape=y:72,70 --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:29,67 --shape=y:67,131 --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:1,300 --shape=y:300,17 --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:5,0 --shape=y:0,17 --compare=reference
// RUN: %run_op --entry=columns --random-inputs --compare=reference
// RUN: %run_op --entry=vectors --random-inputs --compare=reference
// RUN: %run_op --entry=batches --random-inputs --compare=reference
// RUN: %run_op --entry=special --input=x=%t.x.npy | FileCheck %s --check-prefix=SPECIAL

func.func @exact(%x: tensor<2x3xf32> {tx.name = "x"}, %y: tensor<3x2xf32> {tx.name = "y"})
    -> (tensor<2x2xf32> {tx.name = "e4m3"}, tensor<2x2xf32> {tx.name = "mixed"}) {
  %a = tx.convert %x : tensor<2x3xf32> -> tensor<2x3xf8E4M3FN>
  %b = tx.convert %y : tensor<3x2xf32> -> tensor<3x2xf8E4M3FN>
  %c = tx.convert %y : tensor<3x2xf32> -> tensor<3x2xf8E5M2>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<2x3xf8E4M3FN>, tensor<3x2xf8E4M3FN>) -> tensor<2x2xf32>
  %1 = tx.dot_general %a, %c batch = [] x [] contracting = [1] x [0] : (tensor<2x3xf8E4M3FN>, tensor<3x2xf8E5M2>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}
// CHECK: e4m3: f32[2,2]
// CHECK-NEXT: -230.5, 2.5078125]
// CHECK-NEXT: [672.0078, 895.9995]
// CHECK: mixed: f32[2,2]
// CHECK-NEXT: -230.5, 2.5078125]
// CHECK-NEXT: [672.0078, 895.9995]

func.func @rows(%x: tensor<?x?xf8E4M3FN, #tx.dims<[m, k]>> {tx.name = "x"}, %y: tensor<?x?xf8E4M3FN, #tx.dims<[k, n]>> {tx.name = "y"})
    -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xf8E4M3FN, #tx.dims<[m, k]>>, tensor<?x?xf8E4M3FN, #tx.dims<[k, n]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[m, n]>>
}

// Weights of one row per column, a scale and a bias.
func.func @columns(%x: tensor<67x128xf8E5M2>, %y: tensor<80x128xf8E4M3FN>, %s: tensor<80xf32>, %b: tensor<80xf32>) -> tensor<67x80xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1] : (tensor<67x128xf8E5M2>, tensor<80x128xf8E4M3FN>) -> tensor<67x80xf32>
  %scales = tx.broadcast %s dims = [1] : tensor<80xf32> -> tensor<67x80xf32>
  %biases = tx.broadcast %b dims = [1] : tensor<80xf32> -> tensor<67x80xf32>
  %1 = tx.mul %0, %scales : tensor<67x80xf32>
  %2 = tx.add %1, %biases : tensor<67x80xf32>
  return %2 : tensor<67x80xf32>
}

func.func @vectors(%x: tensor<40x96xf8E5M2>, %y: tensor<96xf8E5M2>) -> (tensor<40xf32>, tensor<f32>) {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<40x96xf8E5M2>, tensor<96xf8E5M2>) -> tensor<40xf32>
  %1 = tx.dot_general %y, %y batch = [] x [] contracting = [0] x [0] : (tensor<96xf8E5M2>, tensor<96xf8E5M2>) -> tensor<f32>
  return %0, %1 : tensor<40xf32>, tensor<f32>
}

func.func @batches(%x: tensor<3x20x48xf8E4M3FN>, %y: tensor<3x48x33xf8E4M3FN>) -> tensor<3x20x33xf32> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [2] x [1] : (tensor<3x20x48xf8E4M3FN>, tensor<3x48x33xf8E4M3FN>) -> tensor<3x20x33xf32>
  return %0 : tensor<3x20x33xf32>
}

// 448 * 2 is too large for f8E4M3FN and becomes NaN; f8E5M2 has infinity.
func.func @special(%x: tensor<2x3xf32> {tx.name = "x"}) -> (tensor<2x2xf32> {tx.name = "nan"}, tensor<2x2xf32> {tx.name = "inf"}) {
  %two = tx.constant dense<2.0> : tensor<2x3xf32>
  %many = tx.constant dense<1.0e+38> : tensor<2x3xf32>
  %0 = tx.mul %x, %two : tensor<2x3xf32>
  %1 = tx.convert %0 : tensor<2x3xf32> -> tensor<2x3xf8E4M3FN>
  %2 = tx.dot_general %1, %1 batch = [] x [] contracting = [1] x [1] : (tensor<2x3xf8E4M3FN>, tensor<2x3xf8E4M3FN>) -> tensor<2x2xf32>
  %3 = tx.abs %0 : tensor<2x3xf32>
  %4 = tx.max %3, %many : tensor<2x3xf32>
  %5 = tx.convert %4 : tensor<2x3xf32> -> tensor<2x3xf8E5M2>
  %6 = tx.dot_general %5, %5 batch = [] x [] contracting = [1] x [1] : (tensor<2x3xf8E5M2>, tensor<2x3xf8E5M2>) -> tensor<2x2xf32>
  return %2, %6 : tensor<2x2xf32>, tensor<2x2xf32>
}
// SPECIAL: nan: f32[2,2]
// SPECIAL-NEXT: 21, nan]
// SPECIAL-NEXT: [nan, nan]
// SPECIAL: inf: f32[2,2]
// SPECIAL-NEXT: inf, inf]
// SPECIAL-NEXT: [inf, inf]
