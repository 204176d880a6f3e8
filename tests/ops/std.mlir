// The root of the variance.
//
// RUN: %npy %t.x.npy f64 '[[0.5, -1.25, 2.0, 0.1], [3.0, 2.9, -0.7, 1.6], [-2.0, 0.3, 0.9, -4.0]]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:3,5 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:33,257 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:1,1 --compare=reference

func.func @main(%x: tensor<3x4xf64> {tx.name = "x"})
    -> (tensor<3xf64> {tx.name = "rows"},
        tensor<1x4xf64> {tx.name = "kept"},
        tensor<f64> {tx.name = "all"}) {
  %c = tx.constant dense<0.5> : tensor<f64>
  %r_rows = tx.std %x, %c dims = [1] : (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
  %r_kept = tx.std %x, %c dims = [0] keepdims : (tensor<3x4xf64>, tensor<f64>) -> tensor<1x4xf64>
  %r_all = tx.std %x, %c dims = [0, 1] : (tensor<3x4xf64>, tensor<f64>) -> tensor<f64>
  return %r_rows, %r_kept, %r_all
      : tensor<3xf64>, tensor<1x4xf64>, tensor<f64>
}
// CHECK: rows: f64[3]
// CHECK-NEXT: 1.238302{{[0-9]*}}, 1.594633{{[0-9]*}}, 2.079835{{[0-9]*}}
// CHECK: kept: f64[1,4]
// CHECK-NEXT: 2.236067{{[0-9]*}}, 1.875633{{[0-9]*}}, 1.214358{{[0-9]*}}, 2.592810{{[0-9]*}}
// CHECK: all: f64[]
// CHECK-NEXT: 2.005368{{[0-9]*}}

func.func @sizes(%n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"}, %h: tensor<5x130xf16>) -> (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>, tensor<f32>, tensor<5x1xf16>) {
  %c = tx.constant dense<1.0> : tensor<f64>
  %0 = tx.std %n, %c dims = [1] : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<f64>) -> tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.std %n, %c dims = [0] : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<f64>) -> tensor<?xf32, #tx.dims<[m]>>
  %2 = tx.std %n, %c dims = [0, 1] : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<f64>) -> tensor<f32>
  %3 = tx.std %h, %c dims = [1] keepdims : (tensor<5x130xf16>, tensor<f64>) -> tensor<5x1xf16>
  return %0, %1, %2, %3 : tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>, tensor<f32>, tensor<5x1xf16>
}
