// From -pi/2 to pi/2; NaN outside of [-1, 1].
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
  %r_f64 = tx.asin %x : tensor<12xf64>
  %x_f32 = tx.convert %x : tensor<12xf64> -> tensor<12xf32>
  %r_f32 = tx.asin %x_f32 : tensor<12xf32>
  %x_bf16 = tx.convert %x : tensor<12xf64> -> tensor<12xbf16>
  %r_bf16 = tx.asin %x_bf16 : tensor<12xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<12xf64>, tensor<12xf32>, tensor<12xbf16>
}
// CHECK: f64: f64[12]
// CHECK-NEXT: [0, -0, 1.57079632{{[0-9]*}}, -1.57079632{{[0-9]*}}, 0.523598775{{[0-9]*}}, -0.523598775{{[0-9]*}}, 0.848062078{{[0-9]*}}, -0.252680255{{[0-9]*}}, nan, nan, nan, nan]
// CHECK-NEXT: f32: f32[12]
// CHECK-NEXT: [0, -0, 1.5707{{[0-9]*}}, -1.5707{{[0-9]*}}, 0.52359{{[0-9]*}}, -0.52359{{[0-9]*}}, 0.84806{{[0-9]*}}, -0.25268{{[0-9]*}}, nan, nan, nan, nan]
// CHECK-NEXT: bf16: bf16[12]
// CHECK-NEXT: [0, -0, 1.57, -1.57, 0.523, -0.523, 0.848, -0.252, nan, nan, nan, nan]

func.func @half(%x: tensor<12xf64>)
    -> (tensor<12xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<12xf64> -> tensor<12xf16>
  %r_f16 = tx.asin %x_f16 : tensor<12xf16>
  return %r_f16
      : tensor<12xf16>
}
// HALF: f16: f16[12]
// HALF-NEXT: [0, -0, 1.57, -1.57, 0.5234, -0.5234, 0.848, -0.2527, nan, nan, nan, nan]

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
  %r0 = tx.asin %x0 : tensor<f32>
  %r1 = tx.asin %x1 : tensor<0xf32>
  %r2 = tx.asin %x2 : tensor<1xf32>
  %r3 = tx.asin %x3 : tensor<37xbf16>
  %r4 = tx.asin %x4 : tensor<1000xf32>
  %r5 = tx.asin %x5 : tensor<3x5x67xf32>
  %rn = tx.asin %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
