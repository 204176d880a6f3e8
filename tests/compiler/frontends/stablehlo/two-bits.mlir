// 2-bit integers are kept in 4 bits, and their ops wrap around to two.
//
// RUN: %npy %t.0.npy i8 '[-2, -1, 0, 1, 5]'
// RUN: %tensorc run %s --input=%t.0.npy | FileCheck %s
//
//      CHECK: out0: i4[5]
// CHECK-NEXT: [-2, -1, 0, 1, 1]
//      CHECK: out1: ui4[5]
// CHECK-NEXT: [2, 3, 0, 1, 1]
//      CHECK: out2: i4[5]
// CHECK-NEXT: [0, -2, 0, -2, -2]
//      CHECK: out3: ui4[5]
// CHECK-NEXT: [1, 2, 3, 0, 0]
//      CHECK: out4: i4[5]
// CHECK-NEXT: [-2, -1, -2, 1, 1]
//      CHECK: out5: i4[5]
// CHECK-NEXT: [-2, -1, 0, 1, 1]
//      CHECK: out6: i8[5]
// CHECK-NEXT: [2, 3, 0, 1, 1]
//      CHECK: out7: i1[5]
// CHECK-NEXT: [true, true, false, false, false]
//      CHECK: out8: i4[1,2]
// CHECK-NEXT: {{\[\[}}0, 1]]
func.func public @main(%x: tensor<5xi8>) -> (tensor<5xi2>, tensor<5xui2>, tensor<5xi2>, tensor<5xui2>, tensor<5xi2>, tensor<5xi2>, tensor<5xi8>, tensor<5xi1>, tensor<1x2xi2>) {
  %0 = stablehlo.convert %x : (tensor<5xi8>) -> tensor<5xi2>
  %1 = stablehlo.convert %x : (tensor<5xi8>) -> tensor<5xui2>
  %2 = stablehlo.add %0, %0 : tensor<5xi2>
  %three = stablehlo.constant dense<3> : tensor<5xui2>
  %3 = stablehlo.add %1, %three : tensor<5xui2>
  %least = stablehlo.constant dense<[0, 0, -2, 0, 0]> : tensor<5xi2>
  %4 = stablehlo.or %0, %least : tensor<5xi2>
  %four = stablehlo.convert %1 : (tensor<5xui2>) -> tensor<5xi4>
  %5 = stablehlo.convert %four : (tensor<5xi4>) -> tensor<5xi2>
  %6 = stablehlo.convert %1 : (tensor<5xui2>) -> tensor<5xi8>
  %zero = stablehlo.constant dense<0> : tensor<5xi2>
  %7 = stablehlo.compare LT, %0, %zero : (tensor<5xi2>, tensor<5xi2>) -> tensor<5xi1>
  %part = stablehlo.slice %0 [2:4] : (tensor<5xi2>) -> tensor<2xi2>
  %8 = stablehlo.reshape %part : (tensor<2xi2>) -> tensor<1x2xi2>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<5xi2>, tensor<5xui2>, tensor<5xi2>, tensor<5xui2>, tensor<5xi2>, tensor<5xi2>, tensor<5xi8>, tensor<5xi1>, tensor<1x2xi2>
}
