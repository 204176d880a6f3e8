// e^(x^2) erfc(x), without overflow above 0.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, -1.0, 0.5, inf, -inf, nan, 2.0, 20.0]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<10xf64> {tx.name = "x"})
    -> (tensor<10xf64> {tx.name = "f64"}, tensor<10xf32> {tx.name = "f32"}, tensor<10xbf16> {tx.name = "bf16"}) {
  %r = tx.erfcx %x : tensor<10xf64>
  %x_f32 = tx.convert %x : tensor<10xf64> -> tensor<10xf32>
  %r_f32 = tx.erfcx %x_f32 : tensor<10xf32>
  %x_bf16 = tx.convert %x : tensor<10xf64> -> tensor<10xbf16>
  %r_bf16 = tx.erfcx %x_bf16 : tensor<10xbf16>
  return %r, %r_f32, %r_bf16 : tensor<10xf64>, tensor<10xf32>, tensor<10xbf16>
}
// CHECK: f64: f64[10]
// CHECK-NEXT: [1, 1, 0.427583576{{[0-9]*}}, 5.00898008{{[0-9]*}}, 0.615690344{{[0-9]*}}, 0, inf, nan, 0.255395676{{[0-9]*}}, 0.0281743487{{[0-9]*}}]
// CHECK-NEXT: f32: f32[10]
// CHECK-NEXT: [1, 1, 0.4275{{[0-9]*}}, 5.008{{[0-9]*}}, 0.6156{{[0-9]*}}, 0, inf, nan, 0.2553{{[0-9]*}}, 0.02817{{[0-9]*}}]
// CHECK-NEXT: bf16: bf16[10]

func.func @sizes(%x0: tensor<0xf32>,
                 %x1: tensor<1xf32>,
                 %x2: tensor<37xbf16>,
                 %x3: tensor<1000xf16>,
                 %x4: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.erfcx %x0 : tensor<0xf32>
  %r1 = tx.erfcx %x1 : tensor<1xf32>
  %r2 = tx.erfcx %x2 : tensor<37xbf16>
  %r3 = tx.erfcx %x3 : tensor<1000xf16>
  %r4 = tx.erfcx %x4 : tensor<3x5x67xf32>
  %rn = tx.erfcx %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %rn : tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
