// The smallest integer that is not below x; -0 for -1 < x < 0; keeps inf and
// NaN.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.5, -1.5, 0.25, inf, -0.25, nan, -inf, 8388608.5]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<10xf64>)
    -> (tensor<10xf64> {tx.name = "f64"},
        tensor<10xf32> {tx.name = "f32"},
        tensor<10xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.ceil %x : tensor<10xf64>
  %x_f32 = tx.convert %x : tensor<10xf64> -> tensor<10xf32>
  %r_f32 = tx.ceil %x_f32 : tensor<10xf32>
  %x_bf16 = tx.convert %x : tensor<10xf64> -> tensor<10xbf16>
  %r_bf16 = tx.ceil %x_bf16 : tensor<10xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<10xf64>, tensor<10xf32>, tensor<10xbf16>
}
// CHECK: f64: f64[10]
// CHECK-NEXT: [0, -0, 2, -1, 1, inf, -0, nan, -inf, 8388609]
// CHECK-NEXT: f32: f32[10]
// CHECK-NEXT: [0, -0, 2, -1, 1, inf, -0, nan, -inf, 8388608]
// CHECK-NEXT: bf16: bf16[10]
// CHECK-NEXT: [0, -0, 2, -1, 1, inf, -0, nan, -inf, 8400000]

func.func @half(%x: tensor<10xf64>)
    -> (tensor<10xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<10xf64> -> tensor<10xf16>
  %r_f16 = tx.ceil %x_f16 : tensor<10xf16>
  return %r_f16
      : tensor<10xf16>
}
// HALF: f16: f16[10]
// HALF-NEXT: [0, -0, 2, -1, 1, inf, -0, nan, -inf, inf]

func.func @sizes(%x0: tensor<f32>,
                 %x1: tensor<0xf32>,
                 %x2: tensor<1xf32>,
                 %x3: tensor<37xbf16>,
                 %x4: tensor<1000xf32>,
                 %x5: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.ceil %x0 : tensor<f32>
  %r1 = tx.ceil %x1 : tensor<0xf32>
  %r2 = tx.ceil %x2 : tensor<1xf32>
  %r3 = tx.ceil %x3 : tensor<37xbf16>
  %r4 = tx.ceil %x4 : tensor<1000xf32>
  %r5 = tx.ceil %x5 : tensor<3x5x67xf32>
  %rn = tx.ceil %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
