// Derivative of lgamma; NaN at negative integers.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 0.5, -0.5, 3.0, inf, -1.0, nan, 10.0, 100.5]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<10xf64> {tx.name = "x"})
    -> (tensor<10xf64> {tx.name = "f64"}, tensor<10xf32> {tx.name = "f32"}, tensor<10xbf16> {tx.name = "bf16"}) {
  %r = tx.digamma %x : tensor<10xf64>
  %x_f32 = tx.convert %x : tensor<10xf64> -> tensor<10xf32>
  %r_f32 = tx.digamma %x_f32 : tensor<10xf32>
  %x_bf16 = tx.convert %x : tensor<10xf64> -> tensor<10xbf16>
  %r_bf16 = tx.digamma %x_bf16 : tensor<10xbf16>
  return %r, %r_f32, %r_bf16 : tensor<10xf64>, tensor<10xf32>, tensor<10xbf16>
}
// CHECK: f64: f64[10]
// CHECK-NEXT: [-inf, inf, -1.96351002{{[0-9]*}}, 0.0364899739{{[0-9]*}}, 0.922784335{{[0-9]*}}, inf, nan, nan, 2.25175258{{[0-9]*}}, 4.60517435{{[0-9]*}}]
// CHECK-NEXT: f32: f32[10]
// CHECK-NEXT: [-inf, inf, -1.963{{[0-9]*}}, 0.03648{{[0-9]*}}, 0.9227{{[0-9]*}}, inf, nan, nan, 2.251{{[0-9]*}}, 4.605{{[0-9]*}}]
// CHECK-NEXT: bf16: bf16[10]

func.func @sizes(%x0: tensor<0xf32>,
                 %x1: tensor<1xf32>,
                 %x2: tensor<37xbf16>,
                 %x3: tensor<1000xf16>,
                 %x4: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.digamma %x0 : tensor<0xf32>
  %r1 = tx.digamma %x1 : tensor<1xf32>
  %r2 = tx.digamma %x2 : tensor<37xbf16>
  %r3 = tx.digamma %x3 : tensor<1000xf16>
  %r4 = tx.digamma %x4 : tensor<3x5x67xf32>
  %rn = tx.digamma %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %rn : tensor<0xf32>, tensor<1xf32>, tensor<37xbf16>, tensor<1000xf16>, tensor<3x5x67xf32>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
