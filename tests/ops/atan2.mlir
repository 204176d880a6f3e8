// The angle of the point (y, x).
//
// RUN: %npy %t.y.npy f64 '[0.0, -0.0, 0.0, -0.0, 1.0, -1.0, 1.0, inf, inf, -inf, nan, 1.0, 2.0]'
// RUN: %npy %t.x.npy f64 '[1.0, 1.0, -1.0, -1.0, 0.0, -1.0, -1.0, inf, -inf, 1.0, 1.0, inf, 0.5]'
// RUN: %run_op --input=%t.y.npy --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.y.npy --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%y: tensor<13xf64>, %x: tensor<13xf64>)
    -> (tensor<13xf64> {tx.name = "f64"},
        tensor<13xf32> {tx.name = "f32"},
        tensor<13xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.atan2 %y, %x : tensor<13xf64>
  %y_f32 = tx.convert %y : tensor<13xf64> -> tensor<13xf32>
  %x_f32 = tx.convert %x : tensor<13xf64> -> tensor<13xf32>
  %r_f32 = tx.atan2 %y_f32, %x_f32 : tensor<13xf32>
  %y_bf16 = tx.convert %y : tensor<13xf64> -> tensor<13xbf16>
  %x_bf16 = tx.convert %x : tensor<13xf64> -> tensor<13xbf16>
  %r_bf16 = tx.atan2 %y_bf16, %x_bf16 : tensor<13xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<13xf64>, tensor<13xf32>, tensor<13xbf16>
}
// CHECK: f64: f64[13]
// CHECK-NEXT: [0, -0, 3.14159265{{[0-9]*}}, -3.14159265{{[0-9]*}}, 1.57079632{{[0-9]*}}, -2.35619449{{[0-9]*}}, 2.35619449{{[0-9]*}}, 0.785398163{{[0-9]*}}, 2.35619449{{[0-9]*}}, -1.57079632{{[0-9]*}}, nan, 0, 1.32581766{{[0-9]*}}]
// CHECK-NEXT: f32: f32[13]
// CHECK-NEXT: [0, -0, 3.1415{{[0-9]*}}, -3.1415{{[0-9]*}}, 1.5707{{[0-9]*}}, -2.3561{{[0-9]*}}, 2.3561{{[0-9]*}}, 0.78539{{[0-9]*}}, 2.3561{{[0-9]*}}, -1.5707{{[0-9]*}}, nan, 0, 1.3258{{[0-9]*}}]
// CHECK-NEXT: bf16: bf16[13]
// CHECK-NEXT: [0, -0, 3.14, -3.14, 1.57, -2.36, 2.36, 0.785, 2.36, -1.57, nan, 0, 1.33]

func.func @half(%y: tensor<13xf64>, %x: tensor<13xf64>)
    -> (tensor<13xf16> {tx.name = "f16"}) {
  %y_f16 = tx.convert %y : tensor<13xf64> -> tensor<13xf16>
  %x_f16 = tx.convert %x : tensor<13xf64> -> tensor<13xf16>
  %r_f16 = tx.atan2 %y_f16, %x_f16 : tensor<13xf16>
  return %r_f16
      : tensor<13xf16>
}
// HALF: f16: f16[13]
// HALF-NEXT: [0, -0, 3.14, -3.14, 1.57, -2.355, 2.355, 0.785, 2.355, -1.57, nan, 0, 1.326]

func.func @sizes(%y0: tensor<f32>, %x0: tensor<f32>,
                 %y1: tensor<0xf32>, %x1: tensor<0xf32>,
                 %y2: tensor<1xf32>, %x2: tensor<1xf32>,
                 %y3: tensor<37xbf16>, %x3: tensor<37xbf16>,
                 %y4: tensor<1000xf32>, %x4: tensor<1000xf32>,
                 %y5: tensor<3x5x67xf32>, %x5: tensor<3x5x67xf32>,
                 %yn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "yn"}, %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.atan2 %y0, %x0 : tensor<f32>
  %r1 = tx.atan2 %y1, %x1 : tensor<0xf32>
  %r2 = tx.atan2 %y2, %x2 : tensor<1xf32>
  %r3 = tx.atan2 %y3, %x3 : tensor<37xbf16>
  %r4 = tx.atan2 %y4, %x4 : tensor<1000xf32>
  %r5 = tx.atan2 %y5, %x5 : tensor<3x5x67xf32>
  %rn = tx.atan2 %yn, %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
