// reduce_precision rounds to nearest even and overflows to infinity; formats other than those of dtypes have no subnormal numbers. Floats of 8 bits are computed in f32 and rounded.
//
// RUN: %npy %t.0.npy f32 '[1.0625, 1.1875, -250.0, 70000.0, 1e-6, inf, nan, 0.0]'
// RUN: %tensorc run %s --input=%t.0.npy --compare=reference | FileCheck %s
//
//      CHECK: out0: f32[8]
// CHECK-NEXT: [1, 1.25, -256, inf, 0, inf, nan, 0]
//      CHECK: out1: f64[8]
// CHECK-NEXT: [1, 1, -256, 65536, 9.5{{[0-9]*}}e-07, inf, nan, 0]
//      CHECK: out2: f16[8]
// CHECK-NEXT: [1.0625, 1.1875, -inf, inf, 0, inf, nan, 0]
//      CHECK: out3: f8E4M3FN[8]
// CHECK-NEXT: [2, 2.5, nan, nan, 0, nan, nan, 0]
//      CHECK: out4: i1[8]
// CHECK-NEXT: [false, true, false, false, false, false, false, false]
func.func public @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf64>, tensor<8xf16>, tensor<8xf8E4M3FN>, tensor<8xi1>) {
  %0 = stablehlo.reduce_precision %x, format = e5m2 : tensor<8xf32>
  %wide = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xf64>
  %1 = stablehlo.reduce_precision %wide, format = e11m1 : tensor<8xf64>
  %half = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xf16>
  %2 = stablehlo.reduce_precision %half, format = e3m10 : tensor<8xf16>
  %f8 = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xf8E4M3FN>
  %3 = stablehlo.add %f8, %f8 : tensor<8xf8E4M3FN>
  %one = stablehlo.constant dense<1.0> : tensor<8xf8E4M3FN>
  %p = stablehlo.compare GT, %f8, %one : (tensor<8xf8E4M3FN>, tensor<8xf8E4M3FN>) -> tensor<8xi1>
  %big = stablehlo.constant dense<2.0> : tensor<8xf8E4M3FN>
  %q = stablehlo.compare LT, %f8, %big : (tensor<8xf8E4M3FN>, tensor<8xf8E4M3FN>) -> tensor<8xi1>
  %4 = stablehlo.and %p, %q : tensor<8xi1>
  return %0, %1, %2, %3, %4 : tensor<8xf32>, tensor<8xf64>, tensor<8xf16>, tensor<8xf8E4M3FN>, tensor<8xi1>
}
