// Complementary error function: 2 at -infinity.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, -1.0, 0.5, inf, -inf, nan, 2.0, 3.5]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<10xf64> {tx.name = "x"})
    -> (tensor<10xf64> {tx.name = "f64"}, tensor<10xf32> {tx.name = "f32"}, tensor<10xbf16> {tx.name = "bf16"}) {
  %r = tx.erfc %x : tensor<10xf64>
  %x_f32 = tx.convert %x : tensor<10xf64> -> tensor<10xf32>
  %r_f32 = tx.erfc %x_f32 : tensor<10xf32>
  %x_bf16 = tx.convert %x : tensor<10xf64> -> tensor<10xbf16>
  %r_bf16 = tx.erfc %x_bf16 : tensor<10xbf16>
  return %r, %r_f32, %r_bf16 : tensor<10xf64>, tensor<10xf32>, tensor<10xbf16>
}
// CHECK: f64: f64[10]
// CHECK-NEXT: [1, 1, 0.157299207{{[0-9]*}}, 1.84270079{{[0-9]*}}, 0.479500122{{[0-9]*}}, 0, 2, nan, 0.00467773498{{[0-9]*}}, 7.43098372{{[0-9]*}}e-07]
// CHECK-NEXT: f32: f32[10]
// CHECK-NEXT: [1, 1, 0.1572{{[0-9]*}}, 1.842{{[0-9]*}}, 0.4795{{[0-9]*}}, 0, 2, nan, 0.004677{{[0-9]*}}, 7.430{{[0-9]*}}e-07]
// CHECK-NEXT: bf16: bf16[10]

func.func @sizes(%x0: tensor<0xf32>,
                 %x1: tensor<1xf32>,
                 %x2: tensor<37xbf16>,
                 %x3: tensor<1000xf16>,
                 %x4: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.erfc %x0 : tensor<0xf32>
  %r1 = tx.erfc %x1 : tensor<1xf32>
  %r2 = tx.erfc %x2 : tensor<37xbf16>
  %r3 = tx.erfc %x3 : tensor<1000xf16>
  %r4 = tx.erfc %x4 : tensor<3x5x67xf32>
  %rn = tx.erfc %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %rn : tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
