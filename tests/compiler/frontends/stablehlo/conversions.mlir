// Between dtypes, and dtypes that are computed in a wider one.
//
// RUN: %tensorc run %s --entry=of_complex | FileCheck %s
// The imaginary part is left out.
// CHECK: out0: i1[3]
// CHECK-NEXT: [true, false, true]
// CHECK: out1: f64[3]
// CHECK-NEXT: [-1, 0, 2.5]
// CHECK: out2: i32[3]
// CHECK-NEXT: [-1, 0, 2]
func.func public @of_complex() -> (tensor<3xi1>, tensor<3xf64>, tensor<3xi32>) {
  %0 = stablehlo.constant dense<[(-1.0, 0.0), (0.0, 1.0), (2.5, 3.0)]> : tensor<3xcomplex<f64>>
  %1 = stablehlo.convert %0 : (tensor<3xcomplex<f64>>) -> tensor<3xi1>
  %2 = stablehlo.convert %0 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %3 = stablehlo.convert %0 : (tensor<3xcomplex<f64>>) -> tensor<3xi32>
  return %1, %2, %3 : tensor<3xi1>, tensor<3xf64>, tensor<3xi32>
}

// 4-bit integers wrap around.
// RUN: %npy %t.i.npy i8 '[7, -8, 3, -1]'
// RUN: %npy %t.j.npy i8 '[1, -8, -3, 2]'
// RUN: %tensorc run %s --entry=packed --input=%t.i.npy --input=%t.j.npy | FileCheck %s --check-prefix=PACKED
// PACKED: out0: i4[4]
// PACKED-NEXT: [-8, 0, 0, 1]
// PACKED: out1: i4[4]
// PACKED-NEXT: [7, 0, 7, -2]
// PACKED: out2: i4[4]
// PACKED-NEXT: [7, -8, 3, 2]
// PACKED: out3: i4[4]
// PACKED-NEXT: [-7, -8, -3, 1]
// PACKED: out4: i4[4]
// PACKED-NEXT: [6, 0, -2, -3]
// PACKED: out5: i1[4]
// PACKED-NEXT: [false, false, false, true]
// PACKED: out6: ui4[4]
// PACKED-NEXT: [8, 0, 0, 1]
// PACKED: out7: i4[4]
// PACKED-NEXT: [0, 1, 2, 3]
// PACKED: out8: i4[4]
// PACKED-NEXT: [-2, 0, 0, -4]
func.func public @packed(%i: tensor<4xi8>, %j: tensor<4xi8>) -> (tensor<4xi4>, tensor<4xi4>, tensor<4xi4>, tensor<4xi4>, tensor<4xi4>, tensor<4xi1>, tensor<4xui4>, tensor<4xi4>, tensor<4xi4>) {
  %x = stablehlo.convert %i : (tensor<4xi8>) -> tensor<4xi4>
  %y = stablehlo.convert %j : (tensor<4xi8>) -> tensor<4xi4>
  %0 = stablehlo.add %x, %y : tensor<4xi4>
  %1 = stablehlo.multiply %x, %y : tensor<4xi4>
  %2 = stablehlo.maximum %x, %y : tensor<4xi4>
  %3 = stablehlo.negate %x : tensor<4xi4>
  %4 = stablehlo.xor %x, %y : tensor<4xi4>
  %5 = stablehlo.compare LT, %x, %y : (tensor<4xi4>, tensor<4xi4>) -> tensor<4xi1>
  %6 = stablehlo.convert %x : (tensor<4xi4>) -> tensor<4xui4>
  %7 = stablehlo.convert %y : (tensor<4xi4>) -> tensor<4xui4>
  %8 = stablehlo.add %6, %7 : tensor<4xui4>
  %9 = stablehlo.iota dim = 0 : tensor<4xi4>
  %10 = stablehlo.shift_left %x, %y : tensor<4xi4>
  return %0, %1, %2, %3, %4, %5, %8, %9, %10 : tensor<4xi4>, tensor<4xi4>, tensor<4xi4>, tensor<4xi4>, tensor<4xi4>, tensor<4xi1>, tensor<4xui4>, tensor<4xi4>, tensor<4xi4>
}

// A NaN of any sign is f8E4M3FN's, of either.
// RUN: %npy %t.n.npy f32 '[nan, -nan, 500, 1]'
// RUN: %tensorc run %s --entry=narrow --input=%t.n.npy | FileCheck %s --check-prefix=NARROW
// NARROW: out0: f8E4M3FN[4]
// NARROW-NEXT: [nan, nan, nan, 1]
// NARROW: out1: i1[4]
// NARROW-NEXT: [true, true, true, false]
func.func public @narrow(%x: tensor<4xf32>) -> (tensor<4xf8E4M3FN>, tensor<4xi1>) {
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  %2 = stablehlo.compare NE, %1, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %2 : tensor<4xf8E4M3FN>, tensor<4xi1>
}

// Truth values in hexadecimal: a byte for each, or eight in a byte. Other dtypes are left as they are.
// RUN: %tensorc run %s --entry=truth | FileCheck %s --check-prefix=TRUTH
// TRUTH: out0: i1[2,5]
// TRUTH-NEXT: {{\[}}[true, false, false, true, false],
// TRUTH-NEXT: [false, false, false, true, true]]
// TRUTH: out1: i1[2,5]
// TRUTH-NEXT: {{\[}}[true, false, false, true, false],
// TRUTH-NEXT: [false, false, false, true, true]]
// TRUTH: out2: i8[4]
// TRUTH-NEXT: [1, 0, 1, 0]
// TRUTH: out3: i1[3]
// TRUTH-NEXT: [true, true, false]
func.func public @truth() -> (tensor<2x5xi1>, tensor<2x5xi1>, tensor<4xi8>, tensor<3xi1>) {
  %0 = stablehlo.constant dense<"0x01000001000000000101"> : tensor<2x5xi1>
  %1 = stablehlo.constant dense<"0x0903"> : tensor<2x5xi1>
  %2 = stablehlo.constant dense<"0x01000100"> : tensor<4xi8>
  %3 = "stablehlo.constant"() <{value = dense<"0x010100"> : tensor<3xi1>}> : () -> tensor<3xi1>
  return %0, %1, %2, %3 : tensor<2x5xi1>, tensor<2x5xi1>, tensor<4xi8>, tensor<3xi1>
}

// NaN has a sign: one is above all numbers, the other below; +0 is above -0.
// RUN: %npy %t.t.npy i32 '[1, -4194304, 2143289344, -2147483648, 0, 1065353216, -8388608, 2139095040]'
// RUN: %tensorc run %s --entry=largest --input=%t.t.npy | FileCheck %s --check-prefix=LARGEST
// LARGEST: out0: f32[7]
// LARGEST-NEXT: [nan, inf, 1, 1e-45, 0, -0, -inf]
// LARGEST: out1: i32[7]
// LARGEST-NEXT: [2, 7, 5, 0, 4, 3, 6]
func.func public @largest(%bits: tensor<8xi32>) -> (tensor<7xf32>, tensor<7xi32>) {
  %x = stablehlo.bitcast_convert %bits : (tensor<8xi32>) -> tensor<8xf32>
  %0:2 = chlo.top_k(%x, k = 7) : tensor<8xf32> -> (tensor<7xf32>, tensor<7xi32>)
  return %0#0, %0#1 : tensor<7xf32>, tensor<7xi32>
}
