// Exponential: exact where the result is, else to the last digits that a library may differ in.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, -1.0, 0.5, inf, -inf, nan, 1000.0, -1000.0, 10.0]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<11xf64>)
    -> (tensor<11xf64> {tx.name = "f64"},
        tensor<11xf32> {tx.name = "f32"},
        tensor<11xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.exp %x : tensor<11xf64>
  %x_f32 = tx.convert %x : tensor<11xf64> -> tensor<11xf32>
  %r_f32 = tx.exp %x_f32 : tensor<11xf32>
  %x_bf16 = tx.convert %x : tensor<11xf64> -> tensor<11xbf16>
  %r_bf16 = tx.exp %x_bf16 : tensor<11xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<11xf64>, tensor<11xf32>, tensor<11xbf16>
}
// CHECK: f64: f64[11]
// CHECK-NEXT: [1, 1, 2.71828182{{[0-9]*}}, 0.367879441{{[0-9]*}}, 1.64872127{{[0-9]*}}, inf, 0, nan, inf, 0, 22026.4657{{[0-9]*}}]
// CHECK-NEXT: f32: f32[11]
// CHECK-NEXT: [1, 1, 2.7182{{[0-9]*}}, 0.36787{{[0-9]*}}, 1.6487{{[0-9]*}}, inf, 0, nan, inf, 0, 22026.{{[0-9]*}}]
// CHECK-NEXT: bf16: bf16[11]
// CHECK-NEXT: [1, 1, 2.72, 0.367, 1.65, inf, 0, nan, inf, 0, 22000]

func.func @half(%x: tensor<11xf64>)
    -> (tensor<11xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<11xf64> -> tensor<11xf16>
  %r_f16 = tx.exp %x_f16 : tensor<11xf16>
  return %r_f16
      : tensor<11xf16>
}
// HALF: f16: f16[11]
// HALF-NEXT: [1, 1, 2.719, 0.368, 1.648, inf, 0, nan, inf, 0, 22030]

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
  %r0 = tx.exp %x0 : tensor<f32>
  %r1 = tx.exp %x1 : tensor<0xf32>
  %r2 = tx.exp %x2 : tensor<1xf32>
  %r3 = tx.exp %x3 : tensor<37xbf16>
  %r4 = tx.exp %x4 : tensor<1000xf32>
  %r5 = tx.exp %x5 : tensor<3x5x67xf32>
  %rn = tx.exp %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
