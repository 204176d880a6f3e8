// From -pi/2 to pi/2.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, -1.0, 0.5, -0.25, 3.0, -10.0, 0.6, inf, -inf, nan]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<12xf64>)
    -> (tensor<12xf64> {tx.name = "f64"},
        tensor<12xf32> {tx.name = "f32"},
        tensor<12xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.atan %x : tensor<12xf64>
  %x_f32 = tx.convert %x : tensor<12xf64> -> tensor<12xf32>
  %r_f32 = tx.atan %x_f32 : tensor<12xf32>
  %x_bf16 = tx.convert %x : tensor<12xf64> -> tensor<12xbf16>
  %r_bf16 = tx.atan %x_bf16 : tensor<12xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<12xf64>, tensor<12xf32>, tensor<12xbf16>
}
// CHECK: f64: f64[12]
// CHECK-NEXT: [0, -0, 0.785398163{{[0-9]*}}, -0.785398163{{[0-9]*}}, 0.463647609{{[0-9]*}}, -0.244978663{{[0-9]*}}, 1.24904577{{[0-9]*}}, -1.47112767{{[0-9]*}}, 0.540419500{{[0-9]*}}, 1.57079632{{[0-9]*}}, -1.57079632{{[0-9]*}}, nan]
// CHECK-NEXT: f32: f32[12]
// CHECK-NEXT: [0, -0, 0.78539{{[0-9]*}}, -0.78539{{[0-9]*}}, 0.46364{{[0-9]*}}, -0.24497{{[0-9]*}}, 1.2490{{[0-9]*}}, -1.4711{{[0-9]*}}, 0.54041{{[0-9]*}}, 1.5707{{[0-9]*}}, -1.5707{{[0-9]*}}, nan]
// CHECK-NEXT: bf16: bf16[12]
// CHECK-NEXT: [0, -0, 0.785, -0.785, 0.463, -0.245, 1.25, -1.47, 0.543, 1.57, -1.57, nan]

func.func @half(%x: tensor<12xf64>)
    -> (tensor<12xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<12xf64> -> tensor<12xf16>
  %r_f16 = tx.atan %x_f16 : tensor<12xf16>
  return %r_f16
      : tensor<12xf16>
}
// HALF: f16: f16[12]
// HALF-NEXT: [0, -0, 0.785, -0.785, 0.4636, -0.245, 1.249, -1.471, 0.5405, 1.57, -1.57, nan]

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
  %r0 = tx.atan %x0 : tensor<f32>
  %r1 = tx.atan %x1 : tensor<0xf32>
  %r2 = tx.atan %x2 : tensor<1xf32>
  %r3 = tx.atan %x3 : tensor<37xbf16>
  %r4 = tx.atan %x4 : tensor<1000xf32>
  %r5 = tx.atan %x5 : tensor<3x5x67xf32>
  %rn = tx.atan %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
