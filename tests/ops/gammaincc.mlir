// Regularized upper incomplete gamma function.
//
// RUN: %npy %t.a.npy f64 '[1.0, 0.5, 3.0, 10.0, 2.0, 0.0, -1.0, nan]'
// RUN: %npy %t.x.npy f64 '[1.0, 2.0, 2.5, 30.0, 0.0, 2.0, 2.0, 3.0]'
// RUN: %run_op --input=a=%t.a.npy --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%a: tensor<8xf64> {tx.name = "a"}, %x: tensor<8xf64> {tx.name = "x"})
    -> (tensor<8xf64> {tx.name = "f64"}, tensor<8xf32> {tx.name = "f32"}, tensor<8xbf16> {tx.name = "bf16"}) {
  %r = tx.gammaincc %a, %x : tensor<8xf64>
  %a_f32 = tx.convert %a : tensor<8xf64> -> tensor<8xf32>
  %x_f32 = tx.convert %x : tensor<8xf64> -> tensor<8xf32>
  %r_f32 = tx.gammaincc %a_f32, %x_f32 : tensor<8xf32>
  %a_bf16 = tx.convert %a : tensor<8xf64> -> tensor<8xbf16>
  %x_bf16 = tx.convert %x : tensor<8xf64> -> tensor<8xbf16>
  %r_bf16 = tx.gammaincc %a_bf16, %x_bf16 : tensor<8xbf16>
  return %r, %r_f32, %r_bf16 : tensor<8xf64>, tensor<8xf32>, tensor<8xbf16>
}
// CHECK: f64: f64[8]
// CHECK-NEXT: [0.367879441{{[0-9]*}}, 0.0455002638{{[0-9]*}}, 0.543813115{{[0-9]*}}, 7.12175086{{[0-9]*}}e-06, 1, 0, nan, nan]
// CHECK-NEXT: f32: f32[8]
// CHECK-NEXT: [0.3678{{[0-9]*}}, 0.04550{{[0-9]*}}, 0.5438{{[0-9]*}}, 7.121{{[0-9]*}}e-06, 1, 0, nan, nan]
// CHECK-NEXT: bf16: bf16[8]

func.func @sizes(%a0: tensor<0xf32>,
                 %x0: tensor<0xf32>,
                 %a1: tensor<1xf32>,
                 %x1: tensor<1xf32>,
                 %a2: tensor<37xbf16>,
                 %x2: tensor<37xbf16>,
                 %a3: tensor<1000xf16>,
                 %x3: tensor<1000xf16>,
                 %a4: tensor<3x5x67xf32>,
                 %x4: tensor<3x5x67xf32>,
                 %an: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "an"},
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.gammaincc %a0, %x0 : tensor<0xf32>
  %r1 = tx.gammaincc %a1, %x1 : tensor<1xf32>
  %r2 = tx.gammaincc %a2, %x2 : tensor<37xbf16>
  %r3 = tx.gammaincc %a3, %x3 : tensor<1000xf16>
  %r4 = tx.gammaincc %a4, %x4 : tensor<3x5x67xf32>
  %rn = tx.gammaincc %an, %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %rn : tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
