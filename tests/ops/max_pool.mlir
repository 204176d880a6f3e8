// Largest elements of windows.
//
// RUN: %npy %t.x.npy f64 '[[[1.0, 2.0, -1.0, 0.5, 3.0], [0.0, 1.5, 2.5, -2.0, 1.0]]]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:2,4,9 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:1,4,33 --compare=reference

func.func @main(%x: tensor<1x2x5xf64> {tx.name = "x"})
    -> (tensor<1x2x3xf64> {tx.name = "padded"},
        tensor<1x2x3xf64> {tx.name = "dilated"}) {
  %r_padded = tx.max_pool %x dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] : (tensor<1x2x5xf64>) -> tensor<1x2x3xf64>
  %r_dilated = tx.max_pool %x dims = [2] sizes = [2] strides = [1] dilations = [2] low = [0] high = [0] : (tensor<1x2x5xf64>) -> tensor<1x2x3xf64>
  return %r_padded, %r_dilated
      : tensor<1x2x3xf64>, tensor<1x2x3xf64>
}
// CHECK: padded: f64[1,2,3]
// CHECK-NEXT: {{2|1\.9999[0-9]*|2\.0000[0-9]*}}, {{2|1\.9999[0-9]*|2\.0000[0-9]*}}, {{3|2\.9999[0-9]*|3\.0000[0-9]*}}
// CHECK-NEXT: {{1\.5|1\.49999[0-9]*|1\.50000[0-9]*}}, {{2\.5|2\.49999[0-9]*|2\.50000[0-9]*}}, {{1|0\.9999[0-9]*|1\.0000[0-9]*}}
// CHECK: dilated: f64[1,2,3]
// CHECK-NEXT: {{1|0\.9999[0-9]*|1\.0000[0-9]*}}, {{2|1\.9999[0-9]*|2\.0000[0-9]*}}, {{3|2\.9999[0-9]*|3\.0000[0-9]*}}
// CHECK-NEXT: {{2\.5|2\.49999[0-9]*|2\.50000[0-9]*}}, {{1\.5|1\.49999[0-9]*|1\.50000[0-9]*}}, {{2\.5|2\.49999[0-9]*|2\.50000[0-9]*}}

func.func @sizes(%n: tensor<?x4x?xf32, #tx.dims<[n, 4, w]>> {tx.name = "n"}) -> tensor<?x4x?xf32, #tx.dims<[n, 4, (w - 1) floordiv 2 + 1]>> {
  %0 = tx.max_pool %n dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] : (tensor<?x4x?xf32, #tx.dims<[n, 4, w]>>) -> tensor<?x4x?xf32, #tx.dims<[n, 4, (w - 1) floordiv 2 + 1]>>
  return %0 : tensor<?x4x?xf32, #tx.dims<[n, 4, (w - 1) floordiv 2 + 1]>>
}
