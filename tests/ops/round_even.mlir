// To the nearest integer, halves to the even one.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, inf, -inf, nan, 3.25, -7.75]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<12xf64>)
    -> (tensor<12xf64> {tx.name = "f64"},
        tensor<12xf32> {tx.name = "f32"},
        tensor<12xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.round_even %x : tensor<12xf64>
  %x_f32 = tx.convert %x : tensor<12xf64> -> tensor<12xf32>
  %r_f32 = tx.round_even %x_f32 : tensor<12xf32>
  %x_bf16 = tx.convert %x : tensor<12xf64> -> tensor<12xbf16>
  %r_bf16 = tx.round_even %x_bf16 : tensor<12xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<12xf64>, tensor<12xf32>, tensor<12xbf16>
}
// CHECK: f64: f64[12]
// CHECK-NEXT: [0, -0, 0, -0, 2, 2, -2, inf, -inf, nan, 3, -8]
// CHECK-NEXT: f32: f32[12]
// CHECK-NEXT: [0, -0, 0, -0, 2, 2, -2, inf, -inf, nan, 3, -8]
// CHECK-NEXT: bf16: bf16[12]
// CHECK-NEXT: [0, -0, 0, -0, 2, 2, -2, inf, -inf, nan, 3, -8]

func.func @half(%x: tensor<12xf64>)
    -> (tensor<12xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<12xf64> -> tensor<12xf16>
  %r_f16 = tx.round_even %x_f16 : tensor<12xf16>
  return %r_f16
      : tensor<12xf16>
}
// HALF: f16: f16[12]
// HALF-NEXT: [0, -0, 0, -0, 2, 2, -2, inf, -inf, nan, 3, -8]

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
  %r0 = tx.round_even %x0 : tensor<f32>
  %r1 = tx.round_even %x1 : tensor<0xf32>
  %r2 = tx.round_even %x2 : tensor<1xf32>
  %r3 = tx.round_even %x3 : tensor<37xbf16>
  %r4 = tx.round_even %x4 : tensor<1000xf32>
  %r5 = tx.round_even %x5 : tensor<3x5x67xf32>
  %rn = tx.round_even %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
