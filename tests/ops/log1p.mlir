// ln(1 + x); -inf at -1, NaN below.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, -1.0, -2.0, 0.5, -0.5, inf, -inf, nan, 3.0]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<11xf64>)
    -> (tensor<11xf64> {tx.name = "f64"},
        tensor<11xf32> {tx.name = "f32"},
        tensor<11xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.log1p %x : tensor<11xf64>
  %x_f32 = tx.convert %x : tensor<11xf64> -> tensor<11xf32>
  %r_f32 = tx.log1p %x_f32 : tensor<11xf32>
  %x_bf16 = tx.convert %x : tensor<11xf64> -> tensor<11xbf16>
  %r_bf16 = tx.log1p %x_bf16 : tensor<11xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<11xf64>, tensor<11xf32>, tensor<11xbf16>
}
// CHECK: f64: f64[11]
// CHECK-NEXT: [0, -0, 0.693147180{{[0-9]*}}, -inf, nan, 0.405465108{{[0-9]*}}, -0.693147180{{[0-9]*}}, inf, nan, nan, 1.38629436{{[0-9]*}}]
// CHECK-NEXT: f32: f32[11]
// CHECK-NEXT: [0, -0, 0.69314{{[0-9]*}}, -inf, nan, 0.40546{{[0-9]*}}, -0.69314{{[0-9]*}}, inf, nan, nan, 1.3862{{[0-9]*}}]
// CHECK-NEXT: bf16: bf16[11]
// CHECK-NEXT: [0, -0, 0.69, -inf, nan, 0.406, -0.69, inf, nan, nan, 1.38]

func.func @half(%x: tensor<11xf64>)
    -> (tensor<11xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<11xf64> -> tensor<11xf16>
  %r_f16 = tx.log1p %x_f16 : tensor<11xf16>
  return %r_f16
      : tensor<11xf16>
}
// HALF: f16: f16[11]
// HALF-NEXT: [0, -0, 0.6934, -inf, nan, 0.4055, -0.6934, inf, nan, nan, 1.387]

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
  %r0 = tx.log1p %x0 : tensor<f32>
  %r1 = tx.log1p %x1 : tensor<0xf32>
  %r2 = tx.log1p %x2 : tensor<1xf32>
  %r3 = tx.log1p %x3 : tensor<37xbf16>
  %r4 = tx.log1p %x4 : tensor<1000xf32>
  %r5 = tx.log1p %x5 : tensor<3x5x67xf32>
  %rn = tx.log1p %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
