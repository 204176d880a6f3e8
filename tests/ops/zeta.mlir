// Hurwitz zeta function: inf at s = 1 and at whole q up to 0; below 0 for whole s alone.
//
// RUN: %npy %t.s.npy f64 '[2.0, 2.0, 1.5, 4.0, 1.0, 2.0, 0.5, nan, 2.0, 3.0, 2.5, 2.0, 3.0, 1.0, 3.0, 0.5]'
// RUN: %npy %t.q.npy f64 '[1.0, 0.5, 2.5, 10.0, 3.0, 0.0, 2.0, 3.0, -0.5, -2.25, -0.5, -3.0, -inf, -1.5, -1000.25, -0.5]'
// RUN: %run_op --input=s=%t.s.npy --input=q=%t.q.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=qn:129,9 --compare=reference

func.func @main(%s: tensor<16xf64> {tx.name = "s"}, %q: tensor<16xf64> {tx.name = "q"})
    -> (tensor<16xf64> {tx.name = "f64"}, tensor<16xf32> {tx.name = "f32"}, tensor<16xbf16> {tx.name = "bf16"}) {
  %r = tx.zeta %s, %q : tensor<16xf64>
  %s_f32 = tx.convert %s : tensor<16xf64> -> tensor<16xf32>
  %q_f32 = tx.convert %q : tensor<16xf64> -> tensor<16xf32>
  %r_f32 = tx.zeta %s_f32, %q_f32 : tensor<16xf32>
  %s_bf16 = tx.convert %s : tensor<16xf64> -> tensor<16xbf16>
  %q_bf16 = tx.convert %q : tensor<16xf64> -> tensor<16xbf16>
  %r_bf16 = tx.zeta %s_bf16, %q_bf16 : tensor<16xbf16>
  return %r, %r_f32, %r_bf16 : tensor<16xf64>, tensor<16xf32>, tensor<16xbf16>
}
// CHECK: f64: f64[16]
// CHECK-NEXT: [1.64493406{{[0-9]*}}, 4.93480220{{[0-9]*}}, 1.40377976{{[0-9]*}}, 0.000386650217{{[0-9]*}}, inf, inf, nan, nan, 8.934802{{[0-9]*}}, -61.9484748{{[0-9]*}}, nan, inf, inf, inf, -62.0125528{{[0-9]*}}, nan]
// CHECK-NEXT: f32: f32[16]
// CHECK-NEXT: [1.644{{[0-9]*}}, 4.934{{[0-9]*}}, 1.403{{[0-9]*}}, 0.0003866{{[0-9]*}}, inf, inf, nan, nan, 8.934{{[0-9]*}}, -61.94{{[0-9]*}}, nan, inf, inf, inf, -62.01{{[0-9]*}}, nan]
// CHECK-NEXT: bf16: bf16[16]

func.func @sizes(%s0: tensor<0xf32>,
                 %q0: tensor<0xf32>,
                 %s1: tensor<1xf32>,
                 %q1: tensor<1xf32>,
                 %s2: tensor<37xbf16>,
                 %q2: tensor<37xbf16>,
                 %s3: tensor<1000xf16>,
                 %q3: tensor<1000xf16>,
                 %s4: tensor<3x5x67xf32>,
                 %q4: tensor<3x5x67xf32>,
                 %sn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "sn"},
                 %qn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "qn"})
    -> (tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.zeta %s0, %q0 : tensor<0xf32>
  %r1 = tx.zeta %s1, %q1 : tensor<1xf32>
  %r2 = tx.zeta %s2, %q2 : tensor<37xbf16>
  %r3 = tx.zeta %s3, %q3 : tensor<1000xf16>
  %r4 = tx.zeta %s4, %q4 : tensor<3x5x67xf32>
  %rn = tx.zeta %sn, %qn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %rn : tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
