// The cosine; NaN for infinities.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, -1.0, 0.5, 2.0, inf, -inf, nan, 10.0, -3.5]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<11xf64>)
    -> (tensor<11xf64> {tx.name = "f64"},
        tensor<11xf32> {tx.name = "f32"},
        tensor<11xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.cos %x : tensor<11xf64>
  %x_f32 = tx.convert %x : tensor<11xf64> -> tensor<11xf32>
  %r_f32 = tx.cos %x_f32 : tensor<11xf32>
  %x_bf16 = tx.convert %x : tensor<11xf64> -> tensor<11xbf16>
  %r_bf16 = tx.cos %x_bf16 : tensor<11xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<11xf64>, tensor<11xf32>, tensor<11xbf16>
}
// CHECK: f64: f64[11]
// CHECK-NEXT: [1, 1, 0.540302305{{[0-9]*}}, 0.540302305{{[0-9]*}}, 0.877582561{{[0-9]*}}, -0.416146836{{[0-9]*}}, nan, nan, nan, -0.839071529{{[0-9]*}}, -0.936456687{{[0-9]*}}]
// CHECK-NEXT: f32: f32[11]
// CHECK-NEXT: [1, 1, 0.54030{{[0-9]*}}, 0.54030{{[0-9]*}}, 0.87758{{[0-9]*}}, -0.41614{{[0-9]*}}, nan, nan, nan, -0.83907{{[0-9]*}}, -0.93645{{[0-9]*}}]
// CHECK-NEXT: bf16: bf16[11]
// CHECK-NEXT: [1, 1, 0.54, 0.54, 0.88, -0.416, nan, nan, nan, -0.84, -0.938]

func.func @half(%x: tensor<11xf64>)
    -> (tensor<11xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<11xf64> -> tensor<11xf16>
  %r_f16 = tx.cos %x_f16 : tensor<11xf16>
  return %r_f16
      : tensor<11xf16>
}
// HALF: f16: f16[11]
// HALF-NEXT: [1, 1, 0.5405, 0.5405, 0.8774, -0.4163, nan, nan, nan, -0.839, -0.9365]

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
  %r0 = tx.cos %x0 : tensor<f32>
  %r1 = tx.cos %x1 : tensor<0xf32>
  %r2 = tx.cos %x2 : tensor<1xf32>
  %r3 = tx.cos %x3 : tensor<37xbf16>
  %r4 = tx.cos %x4 : tensor<1000xf32>
  %r5 = tx.cos %x5 : tensor<3x5x67xf32>
  %rn = tx.cos %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
