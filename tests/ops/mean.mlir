// The sum divided by the count, whatever the sizes.
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
  %r_rows = tx.mean %x dims = [1] : (tensor<3x4xf64>) -> tensor<3xf64>
  %r_kept = tx.mean %x dims = [0] keepdims : (tensor<3x4xf64>) -> tensor<1x4xf64>
  %r_all = tx.mean %x dims = [0, 1] : (tensor<3x4xf64>) -> tensor<f64>
  return %r_rows, %r_kept, %r_all
      : tensor<3xf64>, tensor<1x4xf64>, tensor<f64>
}
// CHECK: rows: f64[3]
// CHECK-NEXT: {{0\.3375|0\.33749999[0-9]*|0\.33750000[0-9]*}}, {{1\.7|1\.69999[0-9]*|1\.70000[0-9]*}}, -{{1\.2|1\.19999[0-9]*|1\.20000[0-9]*}}
// CHECK: kept: f64[1,4]
// CHECK-NEXT: {{0\.5|0\.49999[0-9]*|0\.50000[0-9]*}}, {{0\.65|0\.649999[0-9]*|0\.650000[0-9]*}}, 0.733333{{[0-9]*}}, -0.766666{{[0-9]*}}
// CHECK: all: f64[]
// CHECK-NEXT: 0.279166{{[0-9]*}}

func.func @sizes(%n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"}, %h: tensor<5x130xf16>) -> (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>, tensor<f32>, tensor<5x1xf16>) {
  %0 = tx.mean %n dims = [1] : (tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.mean %n dims = [0] : (tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?xf32, #tx.dims<[m]>>
  %2 = tx.mean %n dims = [0, 1] : (tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<f32>
  %3 = tx.mean %h dims = [1] keepdims : (tensor<5x130xf16>) -> tensor<5x1xf16>
  return %0, %1, %2, %3 : tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>, tensor<f32>, tensor<5x1xf16>
}
