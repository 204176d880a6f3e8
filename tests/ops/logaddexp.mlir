// ln(e^x + e^y), without overflow in between.
//
// RUN: %npy %t.x.npy f64 '[0.0, 1.0, 1000.0, inf, -inf, -inf, nan, -1000.0]'
// RUN: %npy %t.y.npy f64 '[0.0, 3.0, 1000.5, 1.0, -inf, 2.0, 1.0, 0.0]'
// RUN: %run_op --input=%t.x.npy --input=%t.y.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy --input=%t.y.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<8xf64>, %y: tensor<8xf64>)
    -> (tensor<8xf64> {tx.name = "f64"},
        tensor<8xf32> {tx.name = "f32"},
        tensor<8xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.logaddexp %x, %y : tensor<8xf64>
  %x_f32 = tx.convert %x : tensor<8xf64> -> tensor<8xf32>
  %y_f32 = tx.convert %y : tensor<8xf64> -> tensor<8xf32>
  %r_f32 = tx.logaddexp %x_f32, %y_f32 : tensor<8xf32>
  %x_bf16 = tx.convert %x : tensor<8xf64> -> tensor<8xbf16>
  %y_bf16 = tx.convert %y : tensor<8xf64> -> tensor<8xbf16>
  %r_bf16 = tx.logaddexp %x_bf16, %y_bf16 : tensor<8xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<8xf64>, tensor<8xf32>, tensor<8xbf16>
}
// CHECK: f64: f64[8]
// CHECK-NEXT: [0.693147180{{[0-9]*}}, 3.12692801{{[0-9]*}}, 1000.97407{{[0-9]*}}, inf, -inf, 2, nan, 0]
// CHECK-NEXT: f32: f32[8]
// CHECK-NEXT: [0.69314{{[0-9]*}}, 3.1269{{[0-9]*}}, 1000.9{{[0-9]*}}, inf, -inf, 2, nan, 0]
// CHECK-NEXT: bf16: bf16[8]
// CHECK-NEXT: [0.69, 3.12, 1000, inf, -inf, 2, nan, 0]

func.func @half(%x: tensor<8xf64>, %y: tensor<8xf64>)
    -> (tensor<8xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<8xf64> -> tensor<8xf16>
  %y_f16 = tx.convert %y : tensor<8xf64> -> tensor<8xf16>
  %r_f16 = tx.logaddexp %x_f16, %y_f16 : tensor<8xf16>
  return %r_f16
      : tensor<8xf16>
}
// HALF: f16: f16[8]
// HALF-NEXT: [0.6934, 3.127, 1001, inf, -inf, 2, nan, 0]

func.func @sizes(%x0: tensor<f32>, %y0: tensor<f32>,
                 %x1: tensor<0xf32>, %y1: tensor<0xf32>,
                 %x2: tensor<1xf32>, %y2: tensor<1xf32>,
                 %x3: tensor<37xbf16>, %y3: tensor<37xbf16>,
                 %x4: tensor<1000xf32>, %y4: tensor<1000xf32>,
                 %x5: tensor<3x5x67xf32>, %y5: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"}, %yn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "yn"})
    -> (tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.logaddexp %x0, %y0 : tensor<f32>
  %r1 = tx.logaddexp %x1, %y1 : tensor<0xf32>
  %r2 = tx.logaddexp %x2, %y2 : tensor<1xf32>
  %r3 = tx.logaddexp %x3, %y3 : tensor<37xbf16>
  %r4 = tx.logaddexp %x4, %y4 : tensor<1000xf32>
  %r5 = tx.logaddexp %x5, %y5 : tensor<3x5x67xf32>
  %rn = tx.logaddexp %xn, %yn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
