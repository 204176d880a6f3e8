// Windows reduced in each way.
//
// RUN: %npy %t.x.npy f64 '[[[1.0, 2.0, -1.0, 0.5, 3.0], [0.0, 1.5, 2.5, -2.0, 1.0]]]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:2,4,9 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:1,4,33 --compare=reference

func.func @main(%x: tensor<1x2x5xf64> {tx.name = "x"})
    -> (tensor<1x2x3xf64> {tx.name = "sum"},
        tensor<1x2x3xf64> {tx.name = "prod"},
        tensor<1x2x3xf64> {tx.name = "max"},
        tensor<1x2x3xf64> {tx.name = "min"},
        tensor<1x2x3xf64> {tx.name = "mean"}) {
  %r_sum = tx.reduce_window %x sum dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] : (tensor<1x2x5xf64>) -> tensor<1x2x3xf64>
  %r_prod = tx.reduce_window %x prod dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] : (tensor<1x2x5xf64>) -> tensor<1x2x3xf64>
  %r_max = tx.reduce_window %x max dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] : (tensor<1x2x5xf64>) -> tensor<1x2x3xf64>
  %r_min = tx.reduce_window %x min dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] : (tensor<1x2x5xf64>) -> tensor<1x2x3xf64>
  %r_mean = tx.reduce_window %x mean dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] : (tensor<1x2x5xf64>) -> tensor<1x2x3xf64>
  return %r_sum, %r_prod, %r_max, %r_min, %r_mean
      : tensor<1x2x3xf64>, tensor<1x2x3xf64>, tensor<1x2x3xf64>, tensor<1x2x3xf64>, tensor<1x2x3xf64>
}
// CHECK: sum: f64[1,2,3]
// CHECK-NEXT: {{3|2\.9999[0-9]*|3\.0000[0-9]*}}, {{1\.5|1\.49999[0-9]*|1\.50000[0-9]*}}, {{3\.5|3\.49999[0-9]*|3\.50000[0-9]*}}
// CHECK-NEXT: {{1\.5|1\.49999[0-9]*|1\.50000[0-9]*}}, {{2|1\.9999[0-9]*|2\.0000[0-9]*}}, -{{1|0\.9999[0-9]*|1\.0000[0-9]*}}
// CHECK: prod: f64[1,2,3]
// CHECK-NEXT: {{2|1\.9999[0-9]*|2\.0000[0-9]*}}, -{{1|0\.9999[0-9]*|1\.0000[0-9]*}}, {{1\.5|1\.49999[0-9]*|1\.50000[0-9]*}}
// CHECK-NEXT: {{-?(0|[0-9.]+e-1[0-9])}}, -{{7\.5|7\.49999[0-9]*|7\.50000[0-9]*}}, -{{2|1\.9999[0-9]*|2\.0000[0-9]*}}
// CHECK: max: f64[1,2,3]
// CHECK-NEXT: {{2|1\.9999[0-9]*|2\.0000[0-9]*}}, {{2|1\.9999[0-9]*|2\.0000[0-9]*}}, {{3|2\.9999[0-9]*|3\.0000[0-9]*}}
// CHECK-NEXT: {{1\.5|1\.49999[0-9]*|1\.50000[0-9]*}}, {{2\.5|2\.49999[0-9]*|2\.50000[0-9]*}}, {{1|0\.9999[0-9]*|1\.0000[0-9]*}}
// CHECK: min: f64[1,2,3]
// CHECK-NEXT: {{1|0\.9999[0-9]*|1\.0000[0-9]*}}, -{{1|0\.9999[0-9]*|1\.0000[0-9]*}}, {{0\.5|0\.49999[0-9]*|0\.50000[0-9]*}}
// CHECK-NEXT: {{-?(0|[0-9.]+e-1[0-9])}}, -{{2|1\.9999[0-9]*|2\.0000[0-9]*}}, -{{2|1\.9999[0-9]*|2\.0000[0-9]*}}
// CHECK: mean: f64[1,2,3]
// CHECK-NEXT: {{1|0\.9999[0-9]*|1\.0000[0-9]*}}, {{0\.5|0\.49999[0-9]*|0\.50000[0-9]*}}, 1.166666{{[0-9]*}}
// CHECK-NEXT: {{0\.5|0\.49999[0-9]*|0\.50000[0-9]*}}, 0.666666{{[0-9]*}}, -0.333333{{[0-9]*}}

func.func @sizes(%n: tensor<?x4x?xf32, #tx.dims<[n, 4, w]>> {tx.name = "n"}) -> tensor<?x4x?xf32, #tx.dims<[n, 4, (w - 1) floordiv 2 + 1]>> {
  %0 = tx.reduce_window %n sum dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] : (tensor<?x4x?xf32, #tx.dims<[n, 4, w]>>) -> tensor<?x4x?xf32, #tx.dims<[n, 4, (w - 1) floordiv 2 + 1]>>
  return %0 : tensor<?x4x?xf32, #tx.dims<[n, 4, (w - 1) floordiv 2 + 1]>>
}
