// Inverse of the logistic function.
//
// RUN: %npy %t.x.npy f64 '[0.0, 1.0, 0.25, 0.75, 0.5, 1.5, -0.5, nan, 0.875, 0.9375]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<10xf64> {tx.name = "x"})
    -> (tensor<10xf64> {tx.name = "f64"}, tensor<10xf32> {tx.name = "f32"}, tensor<10xbf16> {tx.name = "bf16"}) {
  %r = tx.logit %x : tensor<10xf64>
  %x_f32 = tx.convert %x : tensor<10xf64> -> tensor<10xf32>
  %r_f32 = tx.logit %x_f32 : tensor<10xf32>
  %x_bf16 = tx.convert %x : tensor<10xf64> -> tensor<10xbf16>
  %r_bf16 = tx.logit %x_bf16 : tensor<10xbf16>
  return %r, %r_f32, %r_bf16 : tensor<10xf64>, tensor<10xf32>, tensor<10xbf16>
}
// CHECK: f64: f64[10]
// CHECK-NEXT: [-inf, inf, -1.09861228{{[0-9]*}}, 1.09861228{{[0-9]*}}, 0, nan, nan, nan, 1.94591014{{[0-9]*}}, 2.70805020{{[0-9]*}}]
// CHECK-NEXT: f32: f32[10]
// CHECK-NEXT: [-inf, inf, -1.098{{[0-9]*}}, 1.098{{[0-9]*}}, 0, nan, nan, nan, 1.945{{[0-9]*}}, 2.708{{[0-9]*}}]
// CHECK-NEXT: bf16: bf16[10]

func.func @sizes(%x0: tensor<0xf32>,
                 %x1: tensor<1xf32>,
                 %x2: tensor<37xbf16>,
                 %x3: tensor<1000xf16>,
                 %x4: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.logit %x0 : tensor<0xf32>
  %r1 = tx.logit %x1 : tensor<1xf32>
  %r2 = tx.logit %x2 : tensor<37xbf16>
  %r3 = tx.logit %x3 : tensor<1000xf16>
  %r4 = tx.logit %x4 : tensor<3x5x67xf32>
  %rn = tx.logit %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %rn : tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
