// Division by the root mean square along the last dimension.
//
// RUN: %npy %t.x.npy f64 '[[0.5, -1.25, 2.0, 0.1], [3.0, 2.9, -0.7, 1.6], [-2.0, 0.3, 0.9, -4.0]]'
// RUN: %npy %t.s.npy f64 '[1.0, 0.5, -2.0, 3.0]'
// RUN: %run_op --input=x=%t.x.npy --input=s=%t.s.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:3,5 --shape=s:5 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:33,257 --shape=s:257 --compare=reference

func.func @main(%x: tensor<3x4xf64> {tx.name = "x"},
                %s: tensor<4xf64> {tx.name = "s"})
    -> (tensor<3x4xf64> {tx.name = "plain"},
        tensor<3x4xf64> {tx.name = "scaled"}) {
  %e = tx.constant dense<0.001> : tensor<f64>
  %r_plain = tx.rms_norm %x, %e : (tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>
  %r_scaled = tx.rms_norm %x, %e scale %s : (tensor<3x4xf64>, tensor<f64>, tensor<4xf64>) -> tensor<3x4xf64>
  return %r_plain, %r_scaled
      : tensor<3x4xf64>, tensor<3x4xf64>
}
// CHECK: plain: f64[3,4]
// CHECK-NEXT: 0.414282{{[0-9]*}}, -1.035705{{[0-9]*}}, 1.657128{{[0-9]*}}, 0.082856{{[0-9]*}}
// CHECK-NEXT: 1.326343{{[0-9]*}}, 1.282131{{[0-9]*}}, -0.309480{{[0-9]*}}, 0.707383{{[0-9]*}}
// CHECK-NEXT: -0.874873{{[0-9]*}}, 0.131231{{[0-9]*}}, 0.393693{{[0-9]*}}, -1.749747{{[0-9]*}}
// CHECK: scaled: f64[3,4]
// CHECK-NEXT: 0.414282{{[0-9]*}}, -0.517852{{[0-9]*}}, -3.314256{{[0-9]*}}, 0.248569{{[0-9]*}}
// CHECK-NEXT: 1.326343{{[0-9]*}}, 0.641065{{[0-9]*}}, 0.618960{{[0-9]*}}, 2.122149{{[0-9]*}}
// CHECK-NEXT: -0.874873{{[0-9]*}}, 0.065615{{[0-9]*}}, -0.787386{{[0-9]*}}, -5.249241{{[0-9]*}}

func.func @sizes(%n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"}, %s: tensor<?xf32, #tx.dims<[m]>> {tx.name = "s"}, %h: tensor<5x130xf16>) -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<5x130xf16>) {
  %e = tx.constant dense<1.0e-5> : tensor<f32>
  %0 = tx.rms_norm %n, %e scale %s : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<f32>, tensor<?xf32, #tx.dims<[m]>>) -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.rms_norm %h, %e : (tensor<5x130xf16>, tensor<f32>) -> tensor<5x130xf16>
  return %0, %1 : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<5x130xf16>
}
