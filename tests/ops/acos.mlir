// From 0 to pi; NaN outside of [-1, 1].
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 0.75, -0.25, 1.5, inf, -inf, nan]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<12xf64>)
    -> (tensor<12xf64> {tx.name = "f64"},
        tensor<12xf32> {tx.name = "f32"},
        tensor<12xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.acos %x : tensor<12xf64>
  %x_f32 = tx.convert %x : tensor<12xf64> -> tensor<12xf32>
  %r_f32 = tx.acos %x_f32 : tensor<12xf32>
  %x_bf16 = tx.convert %x : tensor<12xf64> -> tensor<12xbf16>
  %r_bf16 = tx.acos %x_bf16 : tensor<12xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<12xf64>, tensor<12xf32>, tensor<12xbf16>
}
// CHECK: f64: f64[12]
// CHECK-NEXT: [1.57079632{{[0-9]*}}, 1.57079632{{[0-9]*}}, 0, 3.14159265{{[0-9]*}}, 1.04719755{{[0-9]*}}, 2.09439510{{[0-9]*}}, 0.722734247{{[0-9]*}}, 1.82347658{{[0-9]*}}, nan, nan, nan, nan]
// CHECK-NEXT: f32: f32[12]
// CHECK-NEXT: [1.5707{{[0-9]*}}, 1.5707{{[0-9]*}}, 0, 3.1415{{[0-9]*}}, 1.0471{{[0-9]*}}, 2.0943{{[0-9]*}}, 0.72273{{[0-9]*}}, 1.8234{{[0-9]*}}, nan, nan, nan, nan]
// CHECK-NEXT: bf16: bf16[12]
// CHECK-NEXT: [1.57, 1.57, 0, 3.14, 1.05, 2.1, 0.723, 1.82, nan, nan, nan, nan]

func.func @half(%x: tensor<12xf64>)
    -> (tensor<12xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<12xf64> -> tensor<12xf16>
  %r_f16 = tx.acos %x_f16 : tensor<12xf16>
  return %r_f16
      : tensor<12xf16>
}
// HALF: f16: f16[12]
// HALF-NEXT: [1.57, 1.57, 0, 3.14, 1.047, 2.094, 0.7227, 1.823, nan, nan, nan, nan]

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
  %r0 = tx.acos %x0 : tensor<f32>
  %r1 = tx.acos %x1 : tensor<0xf32>
  %r2 = tx.acos %x2 : tensor<1xf32>
  %r3 = tx.acos %x3 : tensor<37xbf16>
  %r4 = tx.acos %x4 : tensor<1000xf32>
  %r5 = tx.acos %x5 : tensor<3x5x67xf32>
  %rn = tx.acos %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
