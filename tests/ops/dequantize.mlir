// (x - zero_point) * scale.
//
// RUN: %npy %t.x.npy i8 '[-128, -3, 0, 2, 127, 15]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=groups --random-inputs --compare=reference
// RUN: %run_op --entry=factors --random-inputs --compare=reference

func.func @main(%x: tensor<6xi8>)
    -> (tensor<6xf32> {tx.name = "f32"}, tensor<6xf64> {tx.name = "f64"}, tensor<6xf32> {tx.name = "i4"}) {
  %s = tx.constant dense<0.5> : tensor<f32>
  %t = tx.constant dense<0.25> : tensor<f64>
  %z = tx.constant dense<-128> : tensor<i8>
  %four = tx.convert %x : tensor<6xi8> -> tensor<6xi4>
  %a = tx.dequantize %x, %s zero_point %z : (tensor<6xi8>, tensor<f32>, tensor<i8>) -> tensor<6xf32>
  %b = tx.dequantize %x, %t : (tensor<6xi8>, tensor<f64>) -> tensor<6xf64>
  %c = tx.dequantize %four, %s : (tensor<6xi4>, tensor<f32>) -> tensor<6xf32>
  return %a, %b, %c : tensor<6xf32>, tensor<6xf64>, tensor<6xf32>
}
// CHECK: f32: f32[6]
// CHECK-NEXT: [0, 62.5, 64, 65, 127.5, 71.5]
// CHECK-NEXT: f64: f64[6]
// CHECK-NEXT: [-32, -0.75, 0, 0.5, 31.75, 3.75]
// CHECK-NEXT: i4: f32[6]
// CHECK-NEXT: [0, -1.5, 0, 1, -0.5, -0.5]

func.func @groups(%x: tensor<6x8xi8>, %w: tensor<4x8xi32>, %y: tensor<4x6xf32>)
    -> (tensor<6x8xf32>, tensor<4x8xf16>, tensor<4x8xf32>) {
  %s = tx.constant dense<[[0.5, 0.25], [1.0, 0.125], [2.0, 0.75]]> : tensor<3x2xf32>
  %z = tx.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %h = tx.constant dense<0.5> : tensor<f16>
  %a = tx.dequantize %x, %s zero_point %z : (tensor<6x8xi8>, tensor<3x2xf32>, tensor<3x2xi8>) -> tensor<6x8xf32>
  %b = tx.dequantize %w, %h : (tensor<4x8xi32>, tensor<f16>) -> tensor<4x8xf16>
  // Part of the contraction's kernel.
  %c = tx.dot_general %y, %a batch = [] x [] contracting = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %a, %b, %c : tensor<6x8xf32>, tensor<4x8xf16>, tensor<4x8xf32>
}

// Factors of contractions, whose groups run along the sum.
func.func @factors(%q: tensor<2x8x6xi8>, %w: tensor<2x8x6xi4>, %x: tensor<2x3x8xf32>, %y: tensor<6x5xf16>)
    -> (tensor<2x3x6xf32>, tensor<2x3x6xf32>, tensor<2x8x5xf16>) {
  %s = tx.constant dense<[[[0.5, 0.25, 2.0, 1.0, 0.125, 0.75], [1.0, 3.0, 0.5, 2.0, 0.25, 1.5]],
                          [[2.0, 0.75, 1.0, 0.5, 0.25, 4.0], [0.5, 1.0, 1.5, 0.75, 3.0, 2.0]]]> : tensor<2x2x6xf32>
  %h = tx.constant dense<[[[0.5, 0.25]], [[1.0, 2.0]]]> : tensor<2x1x2xf16>
  %a = tx.dequantize %q, %s : (tensor<2x8x6xi8>, tensor<2x2x6xf32>) -> tensor<2x8x6xf32>
  %b = tx.dequantize %w, %s : (tensor<2x8x6xi4>, tensor<2x2x6xf32>) -> tensor<2x8x6xf32>
  %c = tx.dequantize %q, %h : (tensor<2x8x6xi8>, tensor<2x1x2xf16>) -> tensor<2x8x6xf16>
  %0 = tx.dot_general %x, %a batch = [0] x [0] contracting = [2] x [1] : (tensor<2x3x8xf32>, tensor<2x8x6xf32>) -> tensor<2x3x6xf32>
  %1 = tx.dot_general %x, %b batch = [0] x [0] contracting = [2] x [1] : (tensor<2x3x8xf32>, tensor<2x8x6xf32>) -> tensor<2x3x6xf32>
  %2 = tx.dot_general %c, %y batch = [] x [] contracting = [2] x [0] : (tensor<2x8x6xf16>, tensor<6x5xf16>) -> tensor<2x8x5xf16>
  return %0, %1, %2 : tensor<2x3x6xf32>, tensor<2x3x6xf32>, tensor<2x8x5xf16>
}
