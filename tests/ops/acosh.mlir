// Inverse hyperbolic cosine; NaN below 1.
//
// RUN: %npy %t.x.npy f64 '[1.0, 0.5, -3.0, 1.5, 2.0, 3.0, 2000.0, inf, -inf, nan]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<10xf64>)
    -> (tensor<10xf64> {tx.name = "f64"},
        tensor<10xf32> {tx.name = "f32"},
        tensor<10xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.acosh %x : tensor<10xf64>
  %x_f32 = tx.convert %x : tensor<10xf64> -> tensor<10xf32>
  %r_f32 = tx.acosh %x_f32 : tensor<10xf32>
  %x_bf16 = tx.convert %x : tensor<10xf64> -> tensor<10xbf16>
  %r_bf16 = tx.acosh %x_bf16 : tensor<10xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<10xf64>, tensor<10xf32>, tensor<10xbf16>
}
// CHECK: f64: f64[10]
// CHECK-NEXT: [0, nan, nan, 0.962423650{{[0-9]*}}, 1.31695789{{[0-9]*}}, 1.76274717{{[0-9]*}}, 8.29404957{{[0-9]*}}, inf, nan, nan]
// CHECK-NEXT: f32: f32[10]
// CHECK-NEXT: [0, nan, nan, 0.96242{{[0-9]*}}, 1.3169{{[0-9]*}}, 1.7627{{[0-9]*}}, 8.2940{{[0-9]*}}, inf, nan, nan]
// CHECK-NEXT: bf16: bf16[10]
// CHECK-NEXT: [0, nan, nan, 0.96, 1.32, 1.766, 8.3, inf, nan, nan]

func.func @half(%x: tensor<10xf64>)
    -> (tensor<10xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<10xf64> -> tensor<10xf16>
  %r_f16 = tx.acosh %x_f16 : tensor<10xf16>
  return %r_f16
      : tensor<10xf16>
}
// HALF: f16: f16[10]
// HALF-NEXT: [0, nan, nan, 0.9624, 1.317, 1.763, 8.3, inf, nan, nan]

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
  %r0 = tx.acosh %x0 : tensor<f32>
  %r1 = tx.acosh %x1 : tensor<0xf32>
  %r2 = tx.acosh %x2 : tensor<1xf32>
  %r3 = tx.acosh %x3 : tensor<37xbf16>
  %r4 = tx.acosh %x4 : tensor<1000xf32>
  %r5 = tx.acosh %x5 : tensor<3x5x67xf32>
  %rn = tx.acosh %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
