// Hyperbolic cosine.
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
  %r_f64 = tx.cosh %x : tensor<12xf64>
  %x_f32 = tx.convert %x : tensor<12xf64> -> tensor<12xf32>
  %r_f32 = tx.cosh %x_f32 : tensor<12xf32>
  %x_bf16 = tx.convert %x : tensor<12xf64> -> tensor<12xbf16>
  %r_bf16 = tx.cosh %x_bf16 : tensor<12xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<12xf64>, tensor<12xf32>, tensor<12xbf16>
}
// CHECK: f64: f64[12]
// CHECK-NEXT: [1, 1, 1.54308063{{[0-9]*}}, 1.54308063{{[0-9]*}}, 1.12762596{{[0-9]*}}, 1.03141309{{[0-9]*}}, 10.0676619{{[0-9]*}}, 74.2099485{{[0-9]*}}, inf, inf, inf, nan]
// CHECK-NEXT: f32: f32[12]
// CHECK-NEXT: [1, 1, 1.5430{{[0-9]*}}, 1.5430{{[0-9]*}}, 1.1276{{[0-9]*}}, 1.0314{{[0-9]*}}, 10.067{{[0-9]*}}, 74.209{{[0-9]*}}, inf, inf, inf, nan]
// CHECK-NEXT: bf16: bf16[12]
// CHECK-NEXT: [1, 1, 1.55, 1.55, 1.125, 1.03, 10.06, 74, inf, inf, inf, nan]

func.func @half(%x: tensor<12xf64>)
    -> (tensor<12xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<12xf64> -> tensor<12xf16>
  %r_f16 = tx.cosh %x_f16 : tensor<12xf16>
  return %r_f16
      : tensor<12xf16>
}
// HALF: f16: f16[12]
// HALF-NEXT: [1, 1, 1.543, 1.543, 1.128, 1.031, 10.07, 74.2, inf, inf, inf, nan]

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
  %r0 = tx.cosh %x0 : tensor<f32>
  %r1 = tx.cosh %x1 : tensor<0xf32>
  %r2 = tx.cosh %x2 : tensor<1xf32>
  %r3 = tx.cosh %x3 : tensor<37xbf16>
  %r4 = tx.cosh %x4 : tensor<1000xf32>
  %r5 = tx.cosh %x5 : tensor<3x5x67xf32>
  %rn = tx.cosh %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
