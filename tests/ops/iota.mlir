// The index along one dimension, converted to the dtype.
//
// RUN: %run_op | FileCheck %s
// RUN: %run_op --entry=narrow | FileCheck %s --check-prefix=NARROW
// RUN: %run_op --entry=sizes --shape=k:129 | FileCheck %s --check-prefix=SIZES
// RUN: %run_op --entry=sizes --shape=k:129 --compare=reference

func.func @main() -> (tensor<2x3xi32>, tensor<2x3xi64>, tensor<4xf32>,
                      tensor<4xf64>, tensor<300xbf16>, tensor<0xf32>,
                      tensor<1x2x2xi32>) {
  %0 = tx.iota dim = 0 : tensor<2x3xi32>
  %1 = tx.iota dim = 1 : tensor<2x3xi64>
  %2 = tx.iota dim = 0 : tensor<4xf32>
  %3 = tx.iota dim = 0 : tensor<4xf64>
  %4 = tx.iota dim = 0 : tensor<300xbf16>
  %5 = tx.iota dim = 0 : tensor<0xf32>
  %6 = tx.iota dim = 2 : tensor<1x2x2xi32>
  return %0, %1, %2, %3, %4, %5, %6
      : tensor<2x3xi32>, tensor<2x3xi64>, tensor<4xf32>, tensor<4xf64>,
        tensor<300xbf16>, tensor<0xf32>, tensor<1x2x2xi32>
}
// CHECK:      out0: i32[2,3]
// CHECK-NEXT: {{\[\[}}0, 0, 0],
// CHECK-NEXT:  [1, 1, 1]]
// CHECK-NEXT: out1: i64[2,3]
// CHECK-NEXT: {{\[\[}}0, 1, 2],
// CHECK-NEXT:  [0, 1, 2]]
// CHECK-NEXT: out2: f32[4]
// CHECK-NEXT: [0, 1, 2, 3]
// CHECK-NEXT: out3: f64[4]
// CHECK-NEXT: [0, 1, 2, 3]
// bf16 has 8 bits of precision: above 256 every second integer.
// CHECK-NEXT: out4: bf16[300]
// CHECK-NEXT: [0, 1, 2, {{.*}} 255, 256, 256, 258, 260, 260,
// CHECK-NEXT: out5: f32[0]
// CHECK-NEXT: []
// CHECK-NEXT: out6: i32[1,2,2]
// CHECK-NEXT: {{\[\[\[}}0, 1],
// CHECK-NEXT:   [0, 1]]]

func.func @narrow() -> (tensor<3xf16>, tensor<130xi8>, tensor<258xui8>) {
  %0 = tx.iota dim = 0 : tensor<3xf16>
  %1 = tx.iota dim = 0 : tensor<130xi8>
  %2 = tx.iota dim = 0 : tensor<258xui8>
  return %0, %1, %2 : tensor<3xf16>, tensor<130xi8>, tensor<258xui8>
}
// NARROW:      out0: f16[3]
// NARROW-NEXT: [0, 1, 2]
// NARROW-NEXT: out1: i8[130]
// NARROW-NEXT: [0, {{.*}}, 127, -128, -127]
// NARROW-NEXT: out2: ui8[258]
// NARROW-NEXT: [0, {{.*}}, 255, 0, 1]

// The sums 0 + 1 + ... + 999 and k (k - 1) / 2.
func.func @sizes(%k: index {tx.symbol = "k"}) -> (tensor<i64>, tensor<i64>) {
  %0 = tx.iota dim = 0 : tensor<1000xi64>
  %1 = tx.sum %0 dims = [0] : tensor<1000xi64> -> tensor<i64>
  %2 = tx.iota dim = 0 : tensor<?xi64, #tx.dims<[k]>>
  %3 = tx.sum %2 dims = [0] : tensor<?xi64, #tx.dims<[k]>> -> tensor<i64>
  return %1, %3 : tensor<i64>, tensor<i64>
}
// SIZES:      out0: i64[]
// SIZES-NEXT: 499500
// SIZES-NEXT: out1: i64[]
// SIZES-NEXT: 8256
