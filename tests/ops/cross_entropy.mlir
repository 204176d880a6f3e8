// The loss of classifiers: one label is ignored.
//
// RUN: %npy %t.x.npy f64 '[[0.5, -1.25, 2.0, 0.1], [3.0, 2.9, -0.7, 1.6], [-2.0, 0.3, 0.9, -4.0]]'
// RUN: %npy %t.labels.npy i64 '[2, 0, -100]'
// RUN: %npy %t.w.npy f64 '[1.0, 0.5, 2.0, 0.25]'
// RUN: %run_op --input=x=%t.x.npy --input=labels=%t.labels.npy --input=w=%t.w.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:9,5 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:33,257 --compare=reference

func.func @main(%x: tensor<3x4xf64> {tx.name = "x"},
                %labels: tensor<3xi64> {tx.name = "labels"},
                %w: tensor<4xf64> {tx.name = "w"})
    -> (tensor<3xf64> {tx.name = "none"},
        tensor<f64> {tx.name = "mean"},
        tensor<f64> {tx.name = "weighted"},
        tensor<f64> {tx.name = "smooth"}) {
  %i = tx.constant dense<-100> : tensor<i64>
  %some = tx.constant dense<0.1> : tensor<f64>
  %r_none = tx.cross_entropy %x, %labels, %i none : (tensor<3x4xf64>, tensor<3xi64>, tensor<i64>) -> tensor<3xf64>
  %r_mean = tx.cross_entropy %x, %labels, %i mean : (tensor<3x4xf64>, tensor<3xi64>, tensor<i64>) -> tensor<f64>
  %r_weighted = tx.cross_entropy %x, %labels, %i weight %w mean : (tensor<3x4xf64>, tensor<3xi64>, tensor<i64>, tensor<4xf64>) -> tensor<f64>
  %r_smooth = tx.cross_entropy %x, %labels, %i smoothing %some sum : (tensor<3x4xf64>, tensor<3xi64>, tensor<i64>, tensor<f64>) -> tensor<f64>
  return %r_none, %r_mean, %r_weighted, %r_smooth
      : tensor<3xf64>, tensor<f64>, tensor<f64>, tensor<f64>
}
// CHECK: none: f64[3]
// CHECK-NEXT: 0.344633{{[0-9]*}}, 0.777560{{[0-9]*}}, {{-?(0|[0-9.]+e-1[0-9])}}
// CHECK: mean: f64[]
// CHECK-NEXT: 0.561097{{[0-9]*}}
// CHECK: weighted: f64[]
// CHECK-NEXT: 0.488942{{[0-9]*}}
// CHECK: smooth: f64[]
// CHECK-NEXT: 1.418444{{[0-9]*}}

func.func @sizes(%n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"}) -> tensor<f32> {
  %labels = tx.argmax %n dims = [1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xi64, #tx.dims<[n]>>
  %i = tx.constant dense<0> : tensor<i64>
  %0 = tx.cross_entropy %n, %labels, %i mean : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xi64, #tx.dims<[n]>>, tensor<i64>) -> tensor<f32>
  return %0 : tensor<f32>
}
