// Natural logarithm: -inf at zero, NaN below.
//
// RUN: %npy %t.x.npy f64 '[1.0, 0.0, -0.0, 2.0, 0.5, inf, -1.0, nan, 10.0, 1e-30, -inf]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<11xf64>)
    -> (tensor<11xf64> {tx.name = "f64"},
        tensor<11xf32> {tx.name = "f32"},
        tensor<11xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.log %x : tensor<11xf64>
  %x_f32 = tx.convert %x : tensor<11xf64> -> tensor<11xf32>
  %r_f32 = tx.log %x_f32 : tensor<11xf32>
  %x_bf16 = tx.convert %x : tensor<11xf64> -> tensor<11xbf16>
  %r_bf16 = tx.log %x_bf16 : tensor<11xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<11xf64>, tensor<11xf32>, tensor<11xbf16>
}
// CHECK: f64: f64[11]
// CHECK-NEXT: [0, -inf, -inf, 0.693147180{{[0-9]*}}, -0.693147180{{[0-9]*}}, inf, nan, nan, 2.30258509{{[0-9]*}}, -69.0775527{{[0-9]*}}, nan]
// CHECK-NEXT: f32: f32[11]
// CHECK-NEXT: [0, -inf, -inf, 0.69314{{[0-9]*}}, -0.69314{{[0-9]*}}, inf, nan, nan, 2.3025{{[0-9]*}}, -69.077{{[0-9]*}}, nan]
// CHECK-NEXT: bf16: bf16[11]
// CHECK-NEXT: [0, -inf, -inf, 0.69, -0.69, inf, nan, nan, 2.3, -69, nan]

func.func @half(%x: tensor<11xf64>)
    -> (tensor<11xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<11xf64> -> tensor<11xf16>
  %r_f16 = tx.log %x_f16 : tensor<11xf16>
  return %r_f16
      : tensor<11xf16>
}
// HALF: f16: f16[11]
// HALF-NEXT: [0, -inf, -inf, 0.6934, -0.6934, inf, nan, nan, 2.303, -inf, nan]

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
  %r0 = tx.log %x0 : tensor<f32>
  %r1 = tx.log %x1 : tensor<0xf32>
  %r2 = tx.log %x2 : tensor<1xf32>
  %r3 = tx.log %x3 : tensor<37xbf16>
  %r4 = tx.log %x4 : tensor<1000xf32>
  %r5 = tx.log %x5 : tensor<3x5x67xf32>
  %rn = tx.log %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
