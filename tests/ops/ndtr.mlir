// The normal distribution function.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, -1.0, 0.5, inf, -inf, nan, 2.0, -3.5]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<10xf64> {tx.name = "x"})
    -> (tensor<10xf64> {tx.name = "f64"}, tensor<10xf32> {tx.name = "f32"}, tensor<10xbf16> {tx.name = "bf16"}) {
  %r = tx.ndtr %x : tensor<10xf64>
  %x_f32 = tx.convert %x : tensor<10xf64> -> tensor<10xf32>
  %r_f32 = tx.ndtr %x_f32 : tensor<10xf32>
  %x_bf16 = tx.convert %x : tensor<10xf64> -> tensor<10xbf16>
  %r_bf16 = tx.ndtr %x_bf16 : tensor<10xbf16>
  return %r, %r_f32, %r_bf16 : tensor<10xf64>, tensor<10xf32>, tensor<10xbf16>
}
// CHECK: f64: f64[10]
// CHECK-NEXT: [0.5{{[0-9]*}}, 0.5{{[0-9]*}}, 0.841344746{{[0-9]*}}, 0.158655253{{[0-9]*}}, 0.691462461{{[0-9]*}}, 1, 0, nan, 0.977249868{{[0-9]*}}, 0.000232629079{{[0-9]*}}]
// CHECK-NEXT: f32: f32[10]
// CHECK-NEXT: [0.5{{[0-9]*}}, 0.5{{[0-9]*}}, 0.8413{{[0-9]*}}, 0.1586{{[0-9]*}}, 0.6914{{[0-9]*}}, 1, 0, nan, 0.9772{{[0-9]*}}, 0.0002326{{[0-9]*}}]
// CHECK-NEXT: bf16: bf16[10]

func.func @sizes(%x0: tensor<0xf32>,
                 %x1: tensor<1xf32>,
                 %x2: tensor<37xbf16>,
                 %x3: tensor<1000xf16>,
                 %x4: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.ndtr %x0 : tensor<0xf32>
  %r1 = tx.ndtr %x1 : tensor<1xf32>
  %r2 = tx.ndtr %x2 : tensor<37xbf16>
  %r3 = tx.ndtr %x3 : tensor<1000xf16>
  %r4 = tx.ndtr %x4 : tensor<3x5x67xf32>
  %rn = tx.ndtr %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %rn : tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
