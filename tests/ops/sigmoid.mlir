// Logistic function: subnormal far below zero, 0 and 1 at the infinities.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, -1.0, 0.5, inf, -inf, nan, -100.0, 40.0]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<10xf64>)
    -> (tensor<10xf64> {tx.name = "f64"},
        tensor<10xf32> {tx.name = "f32"},
        tensor<10xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.sigmoid %x : tensor<10xf64>
  %x_f32 = tx.convert %x : tensor<10xf64> -> tensor<10xf32>
  %r_f32 = tx.sigmoid %x_f32 : tensor<10xf32>
  %x_bf16 = tx.convert %x : tensor<10xf64> -> tensor<10xbf16>
  %r_bf16 = tx.sigmoid %x_bf16 : tensor<10xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<10xf64>, tensor<10xf32>, tensor<10xbf16>
}
// CHECK: f64: f64[10]
// CHECK-NEXT: [0.5, 0.5, 0.731058578{{[0-9]*}}, 0.268941421{{[0-9]*}}, 0.622459331{{[0-9]*}}, 1, 0, nan, 3.720075976{{[0-9]*}}e-44, 1]
// CHECK-NEXT: f32: f32[10]
// CHECK-NEXT: [0.5, 0.5, 0.73105{{[0-9]*}}, 0.26894{{[0-9]*}}, 0.62245{{[0-9]*}}, 1, 0, nan, 3.8e-44, 1]
// CHECK-NEXT: bf16: bf16[10]
// CHECK-NEXT: [0.5, 0.5, 0.73, 0.27, 0.62, 1, 0, nan, 0, 1]

func.func @half(%x: tensor<10xf64>)
    -> (tensor<10xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<10xf64> -> tensor<10xf16>
  %r_f16 = tx.sigmoid %x_f16 : tensor<10xf16>
  return %r_f16
      : tensor<10xf16>
}
// HALF: f16: f16[10]
// HALF-NEXT: [0.5, 0.5, 0.731, 0.269, 0.6226, 1, 0, nan, 0, 1]

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
  %r0 = tx.sigmoid %x0 : tensor<f32>
  %r1 = tx.sigmoid %x1 : tensor<0xf32>
  %r2 = tx.sigmoid %x2 : tensor<1xf32>
  %r3 = tx.sigmoid %x3 : tensor<37xbf16>
  %r4 = tx.sigmoid %x4 : tensor<1000xf32>
  %r5 = tx.sigmoid %x5 : tensor<3x5x67xf32>
  %rn = tx.sigmoid %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
