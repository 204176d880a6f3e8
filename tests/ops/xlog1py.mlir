// x ln(1 + y): 0 for x = 0 unless y is NaN.
//
// RUN: %npy %t.x.npy f64 '[0.0, 0.0, 1.0, 2.0, -1.0, 3.0, 0.0, nan]'
// RUN: %npy %t.y.npy f64 '[-1.0, nan, 2.0, -0.5, 3.0, -1.0, -2.0, 3.0]'
// RUN: %run_op --input=x=%t.x.npy --input=y=%t.y.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<8xf64> {tx.name = "x"}, %y: tensor<8xf64> {tx.name = "y"})
    -> (tensor<8xf64> {tx.name = "f64"}, tensor<8xf32> {tx.name = "f32"}, tensor<8xbf16> {tx.name = "bf16"}) {
  %r = tx.xlog1py %x, %y : tensor<8xf64>
  %x_f32 = tx.convert %x : tensor<8xf64> -> tensor<8xf32>
  %y_f32 = tx.convert %y : tensor<8xf64> -> tensor<8xf32>
  %r_f32 = tx.xlog1py %x_f32, %y_f32 : tensor<8xf32>
  %x_bf16 = tx.convert %x : tensor<8xf64> -> tensor<8xbf16>
  %y_bf16 = tx.convert %y : tensor<8xf64> -> tensor<8xbf16>
  %r_bf16 = tx.xlog1py %x_bf16, %y_bf16 : tensor<8xbf16>
  return %r, %r_f32, %r_bf16 : tensor<8xf64>, tensor<8xf32>, tensor<8xbf16>
}
// CHECK: f64: f64[8]
// CHECK-NEXT: [0, nan, 1.09861228{{[0-9]*}}, -1.38629436{{[0-9]*}}, -1.38629436{{[0-9]*}}, -inf, 0, nan]
// CHECK-NEXT: f32: f32[8]
// CHECK-NEXT: [0, nan, 1.098{{[0-9]*}}, -1.386{{[0-9]*}}, -1.386{{[0-9]*}}, -inf, 0, nan]
// CHECK-NEXT: bf16: bf16[8]

func.func @sizes(%x0: tensor<0xf32>,
                 %y0: tensor<0xf32>,
                 %x1: tensor<1xf32>,
                 %y1: tensor<1xf32>,
                 %x2: tensor<37xbf16>,
                 %y2: tensor<37xbf16>,
                 %x3: tensor<1000xf16>,
                 %y3: tensor<1000xf16>,
                 %x4: tensor<3x5x67xf32>,
                 %y4: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"},
                 %yn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "yn"})
    -> (tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.xlog1py %x0, %y0 : tensor<0xf32>
  %r1 = tx.xlog1py %x1, %y1 : tensor<1xf32>
  %r2 = tx.xlog1py %x2, %y2 : tensor<37xbf16>
  %r3 = tx.xlog1py %x3, %y3 : tensor<1000xf16>
  %r4 = tx.xlog1py %x4, %y4 : tensor<3x5x67xf32>
  %rn = tx.xlog1py %xn, %yn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %rn : tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
