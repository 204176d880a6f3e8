// Zeros where a uniform number is below the limit, else a multiple.
//
// RUN: %npy %t.x.npy f64 '[-3.5, -1.25, -0.3, 0.2, 0.75, 2.5, 7.0]'
// RUN: %npy %t.u.npy f64 '[0.1, 0.5, 0.25, 0.75, 0.2, 0.9, 0.3]'
// RUN: %run_op --input=x=%t.x.npy --input=u=%t.u.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:3,5 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:33,257 --compare=reference

func.func @main(%x: tensor<7xf64> {tx.name = "x"},
                %u: tensor<7xf64> {tx.name = "u"})
    -> (tensor<7xf64> {tx.name = "y"}) {
  %l = tx.constant dense<0.3> : tensor<f64>
  %f = tx.constant dense<2.0> : tensor<f64>
  %r_y = tx.dropout %x, %u, %l, %f : (tensor<7xf64>, tensor<7xf64>, tensor<f64>, tensor<f64>) -> tensor<7xf64>
  return %r_y
      : tensor<7xf64>
}
// CHECK: y: f64[7]
// CHECK-NEXT: {{-?(0|[0-9.]+e-1[0-9])}}, -{{2\.5|2\.49999[0-9]*|2\.50000[0-9]*}}, {{-?(0|[0-9.]+e-1[0-9])}}, {{0\.4|0\.39999[0-9]*|0\.40000[0-9]*}}, {{-?(0|[0-9.]+e-1[0-9])}}, {{5|4\.9999[0-9]*|5\.0000[0-9]*}}, {{14|13\.999[0-9]*|14\.000[0-9]*}}

func.func @sizes(%n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"}) -> tensor<?x?xf32, #tx.dims<[n, m]>> {
  %l = tx.constant dense<0.5> : tensor<f32>
  %0 = tx.dropout %n, %n, %l, %l : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<f32>, tensor<f32>) -> tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0 : tensor<?x?xf32, #tx.dims<[n, m]>>
}
