// Every dtype, splats, NaN, infinities and signed zeros.
//
// RUN: %run_op | FileCheck %s
// RUN: %run_op --entry=narrow | FileCheck %s --check-prefix=NARROW

func.func @main() -> (tensor<6xf32>, tensor<2x2xf64>, tensor<3xbf16>,
                      tensor<2xi32>, tensor<2xi64>, tensor<3xi1>, tensor<f32>,
                      tensor<0xf32>, tensor<37xi32>) {
  %0 = tx.constant dense<[1.5, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 1.0e-45]> : tensor<6xf32>
  %1 = tx.constant dense<[[0.1, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %2 = tx.constant dense<[1.0, 0.3, -2.0]> : tensor<3xbf16>
  %3 = tx.constant dense<[-2147483648, 2147483647]> : tensor<2xi32>
  %4 = tx.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
  %5 = tx.constant dense<[true, false, true]> : tensor<3xi1>
  %6 = tx.constant dense<7.0> : tensor<f32>
  %7 = tx.constant dense<> : tensor<0xf32>
  %8 = tx.constant dense<-3> : tensor<37xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
      : tensor<6xf32>, tensor<2x2xf64>, tensor<3xbf16>, tensor<2xi32>,
        tensor<2xi64>, tensor<3xi1>, tensor<f32>, tensor<0xf32>, tensor<37xi32>
}
// CHECK:      out0: f32[6]
// CHECK-NEXT: [1.5, -0, inf, -inf, nan, 1e-45]
// CHECK-NEXT: out1: f64[2,2]
// CHECK-NEXT: {{\[\[}}0.1, 2],
// CHECK-NEXT:  [3, 4]]
// CHECK-NEXT: out2: bf16[3]
// CHECK-NEXT: [1, 0.3, -2]
// CHECK-NEXT: out3: i32[2]
// CHECK-NEXT: [-2147483648, 2147483647]
// CHECK-NEXT: out4: i64[2]
// CHECK-NEXT: [-9223372036854775808, 9223372036854775807]
// CHECK-NEXT: out5: i1[3]
// CHECK-NEXT: [true, false, true]
// CHECK-NEXT: out6: f32[]
// CHECK-NEXT: {{^}}7{{$}}
// CHECK-NEXT: out7: f32[0]
// CHECK-NEXT: []
// CHECK-NEXT: out8: i32[37]
// CHECK-NEXT: [-3, -3, {{.*}}, -3]

func.func @narrow() -> (tensor<2xf16>, tensor<2xi8>, tensor<2xui8>, tensor<2xui64>) {
  %0 = tx.constant dense<[0.1, -65504.0]> : tensor<2xf16>
  %1 = tx.constant dense<[-128, 127]> : tensor<2xi8>
  %2 = tx.constant dense<[0, 255]> : tensor<2xui8>
  %3 = tx.constant dense<[0, 18446744073709551615]> : tensor<2xui64>
  return %0, %1, %2, %3 : tensor<2xf16>, tensor<2xi8>, tensor<2xui8>, tensor<2xui64>
}
// NARROW:      out0: f16[2]
// NARROW-NEXT: [0.1, -65500]
// NARROW-NEXT: out1: i8[2]
// NARROW-NEXT: [-128, 127]
// NARROW-NEXT: out2: ui8[2]
// NARROW-NEXT: [0, 255]
// NARROW-NEXT: out3: ui64[2]
// NARROW-NEXT: [0, 18446744073709551615]
