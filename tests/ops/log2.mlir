// -inf at zero, NaN below.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, -1.0, 2.0, 8.0, 0.5, 10.0, 100.0, inf, -inf, nan, 3.0]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<13xf64>)
    -> (tensor<13xf64> {tx.name = "f64"},
        tensor<13xf32> {tx.name = "f32"},
        tensor<13xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.log2 %x : tensor<13xf64>
  %x_f32 = tx.convert %x : tensor<13xf64> -> tensor<13xf32>
  %r_f32 = tx.log2 %x_f32 : tensor<13xf32>
  %x_bf16 = tx.convert %x : tensor<13xf64> -> tensor<13xbf16>
  %r_bf16 = tx.log2 %x_bf16 : tensor<13xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<13xf64>, tensor<13xf32>, tensor<13xbf16>
}
// CHECK: f64: f64[13]
// CHECK-NEXT: [-inf, -inf, 0, nan, 1, 3, -1, 3.32192809{{[0-9]*}}, 6.64385618{{[0-9]*}}, inf, nan, nan, 1.58496250{{[0-9]*}}]
// CHECK-NEXT: f32: f32[13]
// CHECK-NEXT: [-inf, -inf, 0, nan, 1, 3, -1, 3.3219{{[0-9]*}}, 6.6438{{[0-9]*}}, inf, nan, nan, 1.5849{{[0-9]*}}]
// CHECK-NEXT: bf16: bf16[13]
// CHECK-NEXT: [-inf, -inf, 0, nan, 1, 3, -1, 3.33, 6.66, inf, nan, nan, 1.586]

func.func @half(%x: tensor<13xf64>)
    -> (tensor<13xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<13xf64> -> tensor<13xf16>
  %r_f16 = tx.log2 %x_f16 : tensor<13xf16>
  return %r_f16
      : tensor<13xf16>
}
// HALF: f16: f16[13]
// HALF-NEXT: [-inf, -inf, 0, nan, 1, 3, -1, 3.322, 6.645, inf, nan, nan, 1.585]

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
  %r0 = tx.log2 %x0 : tensor<f32>
  %r1 = tx.log2 %x1 : tensor<0xf32>
  %r2 = tx.log2 %x2 : tensor<1xf32>
  %r3 = tx.log2 %x3 : tensor<37xbf16>
  %r4 = tx.log2 %x4 : tensor<1000xf32>
  %r5 = tx.log2 %x5 : tensor<3x5x67xf32>
  %rn = tx.log2 %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
