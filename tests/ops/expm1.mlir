// e^x - 1, accurate near 0.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, -1.0, 0.5, inf, -inf, nan, 2.0, -0.5]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<10xf64>)
    -> (tensor<10xf64> {tx.name = "f64"},
        tensor<10xf32> {tx.name = "f32"},
        tensor<10xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.expm1 %x : tensor<10xf64>
  %x_f32 = tx.convert %x : tensor<10xf64> -> tensor<10xf32>
  %r_f32 = tx.expm1 %x_f32 : tensor<10xf32>
  %x_bf16 = tx.convert %x : tensor<10xf64> -> tensor<10xbf16>
  %r_bf16 = tx.expm1 %x_bf16 : tensor<10xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<10xf64>, tensor<10xf32>, tensor<10xbf16>
}
// CHECK: f64: f64[10]
// CHECK-NEXT: [0, -0, 1.71828182{{[0-9]*}}, -0.632120558{{[0-9]*}}, 0.648721270{{[0-9]*}}, inf, -1, nan, 6.38905609{{[0-9]*}}, -0.393469340{{[0-9]*}}]
// CHECK-NEXT: f32: f32[10]
// CHECK-NEXT: [0, -0, 1.7182{{[0-9]*}}, -0.63212{{[0-9]*}}, 0.64872{{[0-9]*}}, inf, -1, nan, 6.3890{{[0-9]*}}, -0.39346{{[0-9]*}}]
// CHECK-NEXT: bf16: bf16[10]
// CHECK-NEXT: [0, -0, 1.72, -0.633, 0.65, inf, -1, nan, 6.38, -0.393]

func.func @half(%x: tensor<10xf64>)
    -> (tensor<10xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<10xf64> -> tensor<10xf16>
  %r_f16 = tx.expm1 %x_f16 : tensor<10xf16>
  return %r_f16
      : tensor<10xf16>
}
// HALF: f16: f16[10]
// HALF-NEXT: [0, -0, 1.719, -0.6323, 0.649, inf, -1, nan, 6.39, -0.3936]

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
  %r0 = tx.expm1 %x0 : tensor<f32>
  %r1 = tx.expm1 %x1 : tensor<0xf32>
  %r2 = tx.expm1 %x2 : tensor<1xf32>
  %r3 = tx.expm1 %x3 : tensor<37xbf16>
  %r4 = tx.expm1 %x4 : tensor<1000xf32>
  %r5 = tx.expm1 %x5 : tensor<3x5x67xf32>
  %rn = tx.expm1 %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
