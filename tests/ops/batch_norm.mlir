// Normalization with given statistics.
//
// RUN: %npy %t.x.npy f64 '[[[1.0, -2.0], [0.5, 3.0], [2.5, 0.0], [-1.0, 4.0]]]'
// RUN: %npy %t.m.npy f64 '[0.1, 0.2, 0.3, 0.4]'
// RUN: %npy %t.v.npy f64 '[1.0, 2.0, 0.5, 4.0]'
// RUN: %npy %t.s.npy f64 '[1.0, 0.5, -2.0, 3.0]'
// RUN: %run_op --input=x=%t.x.npy --input=m=%t.m.npy --input=v=%t.v.npy --input=s=%t.s.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:2,6,5 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:3,6,33 --compare=reference

func.func @main(%x: tensor<1x4x2xf64> {tx.name = "x"},
                %m: tensor<4xf64> {tx.name = "m"},
                %v: tensor<4xf64> {tx.name = "v"},
                %s: tensor<4xf64> {tx.name = "s"})
    -> (tensor<1x4x2xf64> {tx.name = "plain"},
        tensor<1x4x2xf64> {tx.name = "scaled"}) {
  %e = tx.constant dense<0.001> : tensor<f64>
  %r_plain = tx.batch_norm %x, %m, %v, %e dim = 1 : (tensor<1x4x2xf64>, tensor<4xf64>, tensor<4xf64>, tensor<f64>) -> tensor<1x4x2xf64>
  %r_scaled = tx.batch_norm %x, %m, %v, %e scale %s dim = 1 : (tensor<1x4x2xf64>, tensor<4xf64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>) -> tensor<1x4x2xf64>
  return %r_plain, %r_scaled
      : tensor<1x4x2xf64>, tensor<1x4x2xf64>
}
// CHECK: plain: f64[1,4,2]
// CHECK-NEXT: 0.899550{{[0-9]*}}, -2.098950{{[0-9]*}}
// CHECK-NEXT: 0.212079{{[0-9]*}}, 1.979404{{[0-9]*}}
// CHECK-NEXT: 3.108163{{[0-9]*}}, -0.423840{{[0-9]*}}
// CHECK-NEXT: -0.699912{{[0-9]*}}, 1.799775{{[0-9]*}}
// CHECK: scaled: f64[1,4,2]
// CHECK-NEXT: 0.899550{{[0-9]*}}, -2.098950{{[0-9]*}}
// CHECK-NEXT: 0.106039{{[0-9]*}}, 0.989702{{[0-9]*}}
// CHECK-NEXT: -6.216326{{[0-9]*}}, 0.847680{{[0-9]*}}
// CHECK-NEXT: -2.099737{{[0-9]*}}, 5.399325{{[0-9]*}}

func.func @sizes(%n: tensor<?x6x?xf32, #tx.dims<[n, 6, m]>> {tx.name = "n"}, %s: tensor<6xf32>) -> tensor<?x6x?xf32, #tx.dims<[n, 6, m]>> {
  %e = tx.constant dense<1.0e-5> : tensor<f32>
  %v = tx.exp %s : tensor<6xf32>
  %0 = tx.batch_norm %n, %s, %v, %e scale %s bias %s dim = 1 : (tensor<?x6x?xf32, #tx.dims<[n, 6, m]>>, tensor<6xf32>, tensor<6xf32>, tensor<f32>, tensor<6xf32>, tensor<6xf32>) -> tensor<?x6x?xf32, #tx.dims<[n, 6, m]>>
  return %0 : tensor<?x6x?xf32, #tx.dims<[n, 6, m]>>
}
