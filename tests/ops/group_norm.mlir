// Normalization of groups of channels.
//
// RUN: %npy %t.x.npy f64 '[[[1.0, -2.0], [0.5, 3.0], [2.5, 0.0], [-1.0, 4.0]]]'
// RUN: %npy %t.s.npy f64 '[1.0, 0.5, -2.0, 3.0]'
// RUN: %npy %t.b.npy f64 '[0.25, 0.0, 1.0, -1.0]'
// RUN: %run_op --input=x=%t.x.npy --input=s=%t.s.npy --input=b=%t.b.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:2,6,5 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:3,6,33 --compare=reference

func.func @main(%x: tensor<1x4x2xf64> {tx.name = "x"},
                %s: tensor<4xf64> {tx.name = "s"},
                %b: tensor<4xf64> {tx.name = "b"})
    -> (tensor<1x4x2xf64> {tx.name = "plain"},
        tensor<1x4x2xf64> {tx.name = "both"}) {
  %e = tx.constant dense<0.001> : tensor<f64>
  %r_plain = tx.group_norm %x, %e groups = 2 : (tensor<1x4x2xf64>, tensor<f64>) -> tensor<1x4x2xf64>
  %r_both = tx.group_norm %x, %e scale %s bias %b groups = 2 : (tensor<1x4x2xf64>, tensor<f64>, tensor<4xf64>, tensor<4xf64>) -> tensor<1x4x2xf64>
  return %r_plain, %r_both
      : tensor<1x4x2xf64>, tensor<1x4x2xf64>
}
// CHECK: plain: f64[1,4,2]
// CHECK-NEXT: 0.210525{{[0-9]*}}, -1.473678{{[0-9]*}}
// CHECK-NEXT: -0.070175{{[0-9]*}}, 1.333328{{[0-9]*}}
// CHECK-NEXT: 0.568002{{[0-9]*}}, -0.694225{{[0-9]*}}
// CHECK-NEXT: -1.199116{{[0-9]*}}, 1.325339{{[0-9]*}}
// CHECK: both: f64[1,4,2]
// CHECK-NEXT: 0.460525{{[0-9]*}}, -1.223678{{[0-9]*}}
// CHECK-NEXT: -0.035087{{[0-9]*}}, 0.666664{{[0-9]*}}
// CHECK-NEXT: -0.136005{{[0-9]*}}, 2.388450{{[0-9]*}}
// CHECK-NEXT: -4.597349{{[0-9]*}}, 2.976017{{[0-9]*}}

func.func @sizes(%n: tensor<?x6x?xf32, #tx.dims<[n, 6, m]>> {tx.name = "n"}, %s: tensor<6xf32>) -> tensor<?x6x?xf32, #tx.dims<[n, 6, m]>> {
  %e = tx.constant dense<1.0e-5> : tensor<f32>
  %0 = tx.group_norm %n, %e scale %s bias %s groups = 3 : (tensor<?x6x?xf32, #tx.dims<[n, 6, m]>>, tensor<f32>, tensor<6xf32>, tensor<6xf32>) -> tensor<?x6x?xf32, #tx.dims<[n, 6, m]>>
  return %0 : tensor<?x6x?xf32, #tx.dims<[n, 6, m]>>
}
