// Regularized incomplete beta function.
//
// RUN: %npy %t.a.npy f64 '[1.0, 0.5, 3.0, 10.0, 2.0, 2.0, -1.0, nan]'
// RUN: %npy %t.b.npy f64 '[1.0, 2.0, 2.5, 30.0, 3.0, 3.0, 2.0, 3.0]'
// RUN: %npy %t.x.npy f64 '[0.5, 0.25, 0.75, 0.25, 0.0, 1.0, 0.5, 0.5]'
// RUN: %run_op --input=a=%t.a.npy --input=b=%t.b.npy --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%a: tensor<8xf64> {tx.name = "a"}, %b: tensor<8xf64> {tx.name = "b"}, %x: tensor<8xf64> {tx.name = "x"})
    -> (tensor<8xf64> {tx.name = "f64"}, tensor<8xf32> {tx.name = "f32"}, tensor<8xbf16> {tx.name = "bf16"}) {
  %r = tx.betainc %a, %b, %x : tensor<8xf64>
  %a_f32 = tx.convert %a : tensor<8xf64> -> tensor<8xf32>
  %b_f32 = tx.convert %b : tensor<8xf64> -> tensor<8xf32>
  %x_f32 = tx.convert %x : tensor<8xf64> -> tensor<8xf32>
  %r_f32 = tx.betainc %a_f32, %b_f32, %x_f32 : tensor<8xf32>
  %a_bf16 = tx.convert %a : tensor<8xf64> -> tensor<8xbf16>
  %b_bf16 = tx.convert %b : tensor<8xf64> -> tensor<8xbf16>
  %x_bf16 = tx.convert %x : tensor<8xf64> -> tensor<8xbf16>
  %r_bf16 = tx.betainc %a_bf16, %b_bf16, %x_bf16 : tensor<8xbf16>
  return %r, %r_f32, %r_bf16 : tensor<8xf64>, tensor<8xf32>, tensor<8xbf16>
}
// CHECK: f64: f64[8]
// CHECK-NEXT: [0.5{{[0-9]*}}, 0.6875{{[0-9]*}}, 0.833251953{{[0-9]*}}, 0.524369181{{[0-9]*}}, 0, 1, nan, nan]
// CHECK-NEXT: f32: f32[8]
// CHECK-NEXT: [0.5{{[0-9]*}}, 0.6875{{[0-9]*}}, 0.8332{{[0-9]*}}, 0.5243{{[0-9]*}}, 0, 1, nan, nan]
// CHECK-NEXT: bf16: bf16[8]

func.func @sizes(%a0: tensor<0xf32>,
                 %b0: tensor<0xf32>,
                 %x0: tensor<0xf32>,
                 %a1: tensor<1xf32>,
                 %b1: tensor<1xf32>,
                 %x1: tensor<1xf32>,
                 %a2: tensor<37xbf16>,
                 %b2: tensor<37xbf16>,
                 %x2: tensor<37xbf16>,
                 %a3: tensor<1000xf16>,
                 %b3: tensor<1000xf16>,
                 %x3: tensor<1000xf16>,
                 %a4: tensor<3x5x67xf32>,
                 %b4: tensor<3x5x67xf32>,
                 %x4: tensor<3x5x67xf32>,
                 %an: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "an"},
                 %bn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "bn"},
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.betainc %a0, %b0, %x0 : tensor<0xf32>
  %r1 = tx.betainc %a1, %b1, %x1 : tensor<1xf32>
  %r2 = tx.betainc %a2, %b2, %x2 : tensor<37xbf16>
  %r3 = tx.betainc %a3, %b3, %x3 : tensor<1000xf16>
  %r4 = tx.betainc %a4, %b4, %x4 : tensor<3x5x67xf32>
  %rn = tx.betainc %an, %bn, %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %rn : tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
