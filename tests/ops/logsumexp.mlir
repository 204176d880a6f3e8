// The logarithm of the sum of exponentials.
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
  %r_rows = tx.logsumexp %x dims = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
  %r_kept = tx.logsumexp %x dims = [0] keepdims : (tensor<3x4xf64>) -> tensor<1x4xf64>
  %r_all = tx.logsumexp %x dims = [0, 1] : (tensor<3x4xf64>) -> tensor<f64>
  return %r_rows, %r_kept, %r_all
      : tensor<3xf64>, tensor<1x4xf64>, tensor<f64>
}
// CHECK: rows: f64[3]
// CHECK-NEXT: 2.344633{{[0-9]*}}, 3.777560{{[0-9]*}}, 1.377029{{[0-9]*}}
// CHECK: kept: f64[1,4]
// CHECK-NEXT: 3.085097{{[0-9]*}}, 2.986212{{[0-9]*}}, 2.336526{{[0-9]*}}, 1.804431{{[0-9]*}}
// CHECK: all: f64[]
// CHECK-NEXT: 4.062197{{[0-9]*}}

func.func @sizes(%n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"}, %h: tensor<5x130xf16>) -> (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>, tensor<f32>, tensor<5x1xf16>) {
  %0 = tx.logsumexp %n dims = [1] : (tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.logsumexp %n dims = [0] : (tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?xf32, #tx.dims<[m]>>
  %2 = tx.logsumexp %n dims = [0, 1] : (tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<f32>
  %3 = tx.logsumexp %h dims = [1] keepdims : (tensor<5x130xf16>) -> tensor<5x1xf16>
  return %0, %1, %2, %3 : tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>, tensor<f32>, tensor<5x1xf16>
}
