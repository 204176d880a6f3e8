// Vector norms of each kind.
//
// RUN: %npy %t.x.npy f64 '[[0.5, -1.25, 0.0], [3.0, -4.0, 12.0]]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:3,5 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:33,257 --compare=reference

func.func @main(%x: tensor<2x3xf64> {tx.name = "x"})
    -> (tensor<2xf64> {tx.name = "count"},
        tensor<2xf64> {tx.name = "sum"},
        tensor<2xf64> {tx.name = "euclidean"},
        tensor<2xf64> {tx.name = "max"},
        tensor<2xf64> {tx.name = "min"},
        tensor<2xf64> {tx.name = "power"}) {
  %p = tx.constant dense<3.0> : tensor<f64>
  %r_count = tx.norm %x count dims = [1] : (tensor<2x3xf64>) -> tensor<2xf64>
  %r_sum = tx.norm %x sum dims = [1] : (tensor<2x3xf64>) -> tensor<2xf64>
  %r_euclidean = tx.norm %x euclidean dims = [1] : (tensor<2x3xf64>) -> tensor<2xf64>
  %r_max = tx.norm %x max dims = [1] : (tensor<2x3xf64>) -> tensor<2xf64>
  %r_min = tx.norm %x min dims = [1] : (tensor<2x3xf64>) -> tensor<2xf64>
  %r_power = tx.norm %x power order %p dims = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  return %r_count, %r_sum, %r_euclidean, %r_max, %r_min, %r_power
      : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}
// CHECK: count: f64[2]
// CHECK-NEXT: {{2|1\.9999[0-9]*|2\.0000[0-9]*}}, {{3|2\.9999[0-9]*|3\.0000[0-9]*}}
// CHECK: sum: f64[2]
// CHECK-NEXT: {{1\.75|1\.749999[0-9]*|1\.750000[0-9]*}}, {{19|18\.999[0-9]*|19\.000[0-9]*}}
// CHECK: euclidean: f64[2]
// CHECK-NEXT: 1.346291{{[0-9]*}}, {{13|12\.999[0-9]*|13\.000[0-9]*}}
// CHECK: max: f64[2]
// CHECK-NEXT: {{1\.25|1\.249999[0-9]*|1\.250000[0-9]*}}, {{12|11\.999[0-9]*|12\.000[0-9]*}}
// CHECK: min: f64[2]
// CHECK-NEXT: {{-?(0|[0-9.]+e-1[0-9])}}, {{3|2\.9999[0-9]*|3\.0000[0-9]*}}
// CHECK: power: f64[2]
// CHECK-NEXT: 1.276117{{[0-9]*}}, 12.207054{{[0-9]*}}

func.func @sizes(%n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"}, %h: tensor<5x130xf16>) -> (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>, tensor<5xf16>) {
  %0 = tx.norm %n euclidean dims = [1] : (tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.norm %n sum dims = [0] : (tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?xf32, #tx.dims<[m]>>
  %2 = tx.norm %h max dims = [1] : (tensor<5x130xf16>) -> tensor<5xf16>
  return %0, %1, %2 : tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>, tensor<5xf16>
}
