// x / scale to the nearest even integer, plus the zero point, saturated. Numbers: ONNX Runtime's QuantizeLinear.
//
// RUN: %npy %t.x.npy f32 '[-300.0, -1.25, -0.75, 0.25, 0.75, 1.25, 63.6, 300.0, nan, inf]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=groups --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=x:129,4 --compare=reference

func.func @main(%x: tensor<10xf32>)
    -> (tensor<10xi8> {tx.name = "i8"}, tensor<10xui8> {tx.name = "ui8"}, tensor<10xi4> {tx.name = "i4"},
        tensor<10xf8E4M3FN> {tx.name = "f8"}) {
  %s = tx.constant dense<0.5> : tensor<f32>
  %z = tx.constant dense<10> : tensor<ui8>
  %a = tx.quantize %x, %s : (tensor<10xf32>, tensor<f32>) -> tensor<10xi8>
  %b = tx.quantize %x, %s zero_point %z : (tensor<10xf32>, tensor<f32>, tensor<ui8>) -> tensor<10xui8>
  %c = tx.quantize %x, %s : (tensor<10xf32>, tensor<f32>) -> tensor<10xi4>
  %d = tx.quantize %x, %s : (tensor<10xf32>, tensor<f32>) -> tensor<10xf8E4M3FN>
  return %a, %b, %c, %d : tensor<10xi8>, tensor<10xui8>, tensor<10xi4>, tensor<10xf8E4M3FN>
}
// CHECK: i8: i8[10]
// CHECK-NEXT: [-128, -2, -2, 0, 2, 2, 127, 127, 0, 127]
// CHECK-NEXT: ui8: ui8[10]
// CHECK-NEXT: [0, 8, 8, 10, 12, 12, 137, 255, 0, 255]
// CHECK-NEXT: i4: i4[10]
// CHECK-NEXT: [-8, -2, -2, 0, 2, 2, 7, 7, 0, 7]
// CHECK-NEXT: f8: f8E4M3FN[10]
// CHECK-NEXT: [-450, -2.5, -1.5, 0.5, 1.5, 2.5, 130, 450, nan, 450]

func.func @groups(%x: tensor<6x8xf32>, %h: tensor<5x7xf16>)
    -> (tensor<6x8xi8>, tensor<6x8xui16>, tensor<5x7xi32>) {
  %s = tx.constant dense<[[0.5, 0.25], [1.0, 0.125], [2.0, 0.75]]> : tensor<3x2xf32>
  %z = tx.constant dense<[[1], [2], [3], [4], [5], [6]]> : tensor<6x1xui16>
  %r = tx.constant dense<[[0.5], [0.25], [0.125], [1.0], [2.0], [4.0]]> : tensor<6x1xf32>
  %one = tx.constant dense<0.001> : tensor<f32>
  %a = tx.quantize %x, %s : (tensor<6x8xf32>, tensor<3x2xf32>) -> tensor<6x8xi8>
  %b = tx.quantize %x, %r zero_point %z : (tensor<6x8xf32>, tensor<6x1xf32>, tensor<6x1xui16>) -> tensor<6x8xui16>
  %c = tx.quantize %h, %one : (tensor<5x7xf16>, tensor<f32>) -> tensor<5x7xi32>
  return %a, %b, %c : tensor<6x8xi8>, tensor<6x8xui16>, tensor<5x7xi32>
}

func.func @sizes(%x: tensor<?x4xf32, #tx.dims<[n, 4]>> {tx.name = "x"}, %e: tensor<0x4xf32>)
    -> (tensor<?x4xi8, #tx.dims<[n, 4]>>, tensor<0x4xi8>) {
  %s = tx.constant dense<[[0.5, 0.25, 1.0, 2.0]]> : tensor<1x4xf32>
  %a = tx.quantize %x, %s : (tensor<?x4xf32, #tx.dims<[n, 4]>>, tensor<1x4xf32>) -> tensor<?x4xi8, #tx.dims<[n, 4]>>
  %b = tx.quantize %e, %s : (tensor<0x4xf32>, tensor<1x4xf32>) -> tensor<0x4xi8>
  return %a, %b : tensor<?x4xi8, #tx.dims<[n, 4]>>, tensor<0x4xi8>
}
