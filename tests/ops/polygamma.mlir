// Derivatives of digamma; infinities at whole numbers up to 0.
//
// RUN: %npy %t.n.npy f64 '[1.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 4.0]'
// RUN: %npy %t.x.npy f64 '[1.0, 0.5, 2.5, 10.0, 1.0, -1.5, nan, 3.0, -1.5, -2.0, -2.0, -0.25]'
// RUN: %run_op --input=n=%t.n.npy --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%n: tensor<12xf64> {tx.name = "n"}, %x: tensor<12xf64> {tx.name = "x"})
    -> (tensor<12xf64> {tx.name = "f64"}, tensor<12xf32> {tx.name = "f32"}, tensor<12xbf16> {tx.name = "bf16"}) {
  %r = tx.polygamma %n, %x : tensor<12xf64>
  %n_f32 = tx.convert %n : tensor<12xf64> -> tensor<12xf32>
  %x_f32 = tx.convert %x : tensor<12xf64> -> tensor<12xf32>
  %r_f32 = tx.polygamma %n_f32, %x_f32 : tensor<12xf32>
  %n_bf16 = tx.convert %n : tensor<12xf64> -> tensor<12xbf16>
  %x_bf16 = tx.convert %x : tensor<12xf64> -> tensor<12xbf16>
  %r_bf16 = tx.polygamma %n_bf16, %x_bf16 : tensor<12xbf16>
  return %r, %r_f32, %r_bf16 : tensor<12xf64>, tensor<12xf32>, tensor<12xbf16>
}
// CHECK: f64: f64[12]
// CHECK-NEXT: [1.64493406{{[0-9]*}}, 4.93480220{{[0-9]*}}, -0.236204051{{[0-9]*}}, 0.00231990130{{[0-9]*}}, nan, 9.37924664{{[0-9]*}}, nan, -0.136266123{{[0-9]*}}, -0.236204051{{[0-9]*}}, inf, -inf, 24473.1993{{[0-9]*}}]
// CHECK-NEXT: f32: f32[12]
// CHECK-NEXT: [1.644{{[0-9]*}}, 4.934{{[0-9]*}}, -0.2362{{[0-9]*}}, 0.002319{{[0-9]*}}, nan, 9.379{{[0-9]*}}, nan, -0.1362{{[0-9]*}}, -0.2362{{[0-9]*}}, inf, -inf, 24473.{{[0-9]*}}]
// CHECK-NEXT: bf16: bf16[12]

func.func @sizes(%n0: tensor<0xf32>,
                 %x0: tensor<0xf32>,
                 %n1: tensor<1xf32>,
                 %x1: tensor<1xf32>,
                 %n2: tensor<37xbf16>,
                 %x2: tensor<37xbf16>,
                 %n3: tensor<1000xf16>,
                 %x3: tensor<1000xf16>,
                 %n4: tensor<3x5x67xf32>,
                 %x4: tensor<3x5x67xf32>,
                 %nn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "nn"},
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.polygamma %n0, %x0 : tensor<0xf32>
  %r1 = tx.polygamma %n1, %x1 : tensor<1xf32>
  %r2 = tx.polygamma %n2, %x2 : tensor<37xbf16>
  %r3 = tx.polygamma %n3, %x3 : tensor<1000xf16>
  %r4 = tx.polygamma %n4, %x4 : tensor<3x5x67xf32>
  %rn = tx.polygamma %nn, %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %rn : tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
