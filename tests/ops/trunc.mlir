// Toward zero; keeps -0, inf and NaN.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.5, -1.5, 0.25, -0.25, inf, -inf, nan, 2.75, -127.5]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<11xf64>)
    -> (tensor<11xf64> {tx.name = "f64"},
        tensor<11xf32> {tx.name = "f32"},
        tensor<11xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.trunc %x : tensor<11xf64>
  %x_f32 = tx.convert %x : tensor<11xf64> -> tensor<11xf32>
  %r_f32 = tx.trunc %x_f32 : tensor<11xf32>
  %x_bf16 = tx.convert %x : tensor<11xf64> -> tensor<11xbf16>
  %r_bf16 = tx.trunc %x_bf16 : tensor<11xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<11xf64>, tensor<11xf32>, tensor<11xbf16>
}
// CHECK: f64: f64[11]
// CHECK-NEXT: [0, -0, 1, -1, 0, -0, inf, -inf, nan, 2, -127]
// CHECK-NEXT: f32: f32[11]
// CHECK-NEXT: [0, -0, 1, -1, 0, -0, inf, -inf, nan, 2, -127]
// CHECK-NEXT: bf16: bf16[11]
// CHECK-NEXT: [0, -0, 1, -1, 0, -0, inf, -inf, nan, 2, -127]

func.func @half(%x: tensor<11xf64>)
    -> (tensor<11xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<11xf64> -> tensor<11xf16>
  %r_f16 = tx.trunc %x_f16 : tensor<11xf16>
  return %r_f16
      : tensor<11xf16>
}
// HALF: f16: f16[11]
// HALF-NEXT: [0, -0, 1, -1, 0, -0, inf, -inf, nan, 2, -127]

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
  %r0 = tx.trunc %x0 : tensor<f32>
  %r1 = tx.trunc %x1 : tensor<0xf32>
  %r2 = tx.trunc %x2 : tensor<1xf32>
  %r3 = tx.trunc %x3 : tensor<37xbf16>
  %r4 = tx.trunc %x4 : tensor<1000xf32>
  %r5 = tx.trunc %x5 : tensor<3x5x67xf32>
  %rn = tx.trunc %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
