// Inverse hyperbolic sine.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, -1.0, 0.5, -0.25, 3.0, -5.0, 2000.0, inf, -inf, nan]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<12xf64>)
    -> (tensor<12xf64> {tx.name = "f64"},
        tensor<12xf32> {tx.name = "f32"},
        tensor<12xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.asinh %x : tensor<12xf64>
  %x_f32 = tx.convert %x : tensor<12xf64> -> tensor<12xf32>
  %r_f32 = tx.asinh %x_f32 : tensor<12xf32>
  %x_bf16 = tx.convert %x : tensor<12xf64> -> tensor<12xbf16>
  %r_bf16 = tx.asinh %x_bf16 : tensor<12xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<12xf64>, tensor<12xf32>, tensor<12xbf16>
}
// CHECK: f64: f64[12]
// CHECK-NEXT: [0, -0, 0.881373587{{[0-9]*}}, -0.881373587{{[0-9]*}}, 0.481211825{{[0-9]*}}, -0.247466461{{[0-9]*}}, 1.81844645{{[0-9]*}}, -2.31243834{{[0-9]*}}, 8.29404970{{[0-9]*}}, inf, -inf, nan]
// CHECK-NEXT: f32: f32[12]
// CHECK-NEXT: [0, -0, 0.88137{{[0-9]*}}, -0.88137{{[0-9]*}}, 0.48121{{[0-9]*}}, -0.24746{{[0-9]*}}, 1.8184{{[0-9]*}}, -2.3124{{[0-9]*}}, 8.2940{{[0-9]*}}, inf, -inf, nan]
// CHECK-NEXT: bf16: bf16[12]
// CHECK-NEXT: [0, -0, 0.883, -0.883, 0.48, -0.247, 1.82, -2.31, 8.3, inf, -inf, nan]

func.func @half(%x: tensor<12xf64>)
    -> (tensor<12xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<12xf64> -> tensor<12xf16>
  %r_f16 = tx.asinh %x_f16 : tensor<12xf16>
  return %r_f16
      : tensor<12xf16>
}
// HALF: f16: f16[12]
// HALF-NEXT: [0, -0, 0.8813, -0.8813, 0.4812, -0.2474, 1.818, -2.312, 8.3, inf, -inf, nan]

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
  %r0 = tx.asinh %x0 : tensor<f32>
  %r1 = tx.asinh %x1 : tensor<0xf32>
  %r2 = tx.asinh %x2 : tensor<1xf32>
  %r3 = tx.asinh %x3 : tensor<37xbf16>
  %r4 = tx.asinh %x4 : tensor<1000xf32>
  %r5 = tx.asinh %x5 : tensor<3x5x67xf32>
  %rn = tx.asinh %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
