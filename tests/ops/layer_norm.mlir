// Normalization along the last dimension, with and without scale and bias.
//
// RUN: %npy %t.x.npy f64 '[[0.5, -1.25, 2.0, 0.1], [3.0, 2.9, -0.7, 1.6], [-2.0, 0.3, 0.9, -4.0]]'
// RUN: %npy %t.s.npy f64 '[1.0, 0.5, -2.0, 3.0]'
// RUN: %npy %t.b.npy f64 '[0.25, 0.0, 1.0, -1.0]'
// RUN: %run_op --input=x=%t.x.npy --input=s=%t.s.npy --input=b=%t.b.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:3,5 --shape=s:5 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:33,257 --shape=s:257 --compare=reference

func.func @main(%x: tensor<3x4xf64> {tx.name = "x"},
                %s: tensor<4xf64> {tx.name = "s"},
                %b: tensor<4xf64> {tx.name = "b"})
    -> (tensor<3x4xf64> {tx.name = "plain"},
        tensor<3x4xf64> {tx.name = "both"},
        tensor<3x4xf64> {tx.name = "bias"}) {
  %e = tx.constant dense<0.001> : tensor<f64>
  %r_plain = tx.layer_norm %x, %e : (tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>
  %r_both = tx.layer_norm %x, %e scale %s bias %b : (tensor<3x4xf64>, tensor<f64>, tensor<4xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  %r_bias = tx.layer_norm %x, %e bias %b : (tensor<3x4xf64>, tensor<f64>, tensor<4xf64>) -> tensor<3x4xf64>
  return %r_plain, %r_both, %r_bias
      : tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>
}
// CHECK: plain: f64[3,4]
// CHECK-NEXT: 0.140236{{[0-9]*}}, -1.370002{{[0-9]*}}, 1.434726{{[0-9]*}}, -0.204960{{[0-9]*}}
// CHECK-NEXT: 0.871326{{[0-9]*}}, 0.804301{{[0-9]*}}, -1.608602{{[0-9]*}}, -0.067025{{[0-9]*}}
// CHECK-NEXT: -0.411149{{[0-9]*}}, 0.770905{{[0-9]*}}, 1.079267{{[0-9]*}}, -1.439022{{[0-9]*}}
// CHECK: both: f64[3,4]
// CHECK-NEXT: 0.390236{{[0-9]*}}, -0.685001{{[0-9]*}}, -1.869453{{[0-9]*}}, -1.614882{{[0-9]*}}
// CHECK-NEXT: 1.121326{{[0-9]*}}, 0.402150{{[0-9]*}}, 4.217204{{[0-9]*}}, -1.201075{{[0-9]*}}
// CHECK-NEXT: -0.161149{{[0-9]*}}, 0.385452{{[0-9]*}}, -1.158534{{[0-9]*}}, -5.317068{{[0-9]*}}
// CHECK: bias: f64[3,4]
// CHECK-NEXT: 0.390236{{[0-9]*}}, -1.370002{{[0-9]*}}, 2.434726{{[0-9]*}}, -1.204960{{[0-9]*}}
// CHECK-NEXT: 1.121326{{[0-9]*}}, 0.804301{{[0-9]*}}, -0.608602{{[0-9]*}}, -1.067025{{[0-9]*}}
// CHECK-NEXT: -0.161149{{[0-9]*}}, 0.770905{{[0-9]*}}, 2.079267{{[0-9]*}}, -2.439022{{[0-9]*}}

func.func @sizes(%n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"}, %s: tensor<?xf32, #tx.dims<[m]>> {tx.name = "s"}, %h: tensor<5x130xf16>) -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<5x130xf16>) {
  %e = tx.constant dense<1.0e-5> : tensor<f32>
  %0 = tx.layer_norm %n, %e scale %s bias %s : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<f32>, tensor<?xf32, #tx.dims<[m]>>, tensor<?xf32, #tx.dims<[m]>>) -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.layer_norm %h, %e : (tensor<5x130xf16>, tensor<f32>) -> tensor<5x130xf16>
  return %0, %1 : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<5x130xf16>
}
