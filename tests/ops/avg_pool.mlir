// Means of windows, with and without the padding.
//
// RUN: %npy %t.x.npy f64 '[[[1.0, 2.0, -1.0, 0.5, 3.0], [0.0, 1.5, 2.5, -2.0, 1.0]]]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:2,4,9 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:1,4,33 --compare=reference
// RUN: %npy %t.d.npy f32 '[[[1, 2, 3, 4, 5, 6]]]'
// RUN: %run_op --entry=dilated --input=%t.d.npy | FileCheck %s --check-prefix=DILATED

// Of windows with gaps only what lies in the image counts: 1 3, 1 3 5, 3 5.
// DILATED: 2, 3, 4
func.func @dilated(%x: tensor<1x1x6xf32>) -> tensor<1x1x3xf32> {
  %0 = tx.avg_pool %x dims = [2] sizes = [3] strides = [2] dilations = [2] low = [2] high = [2] counted_high = [2] exclude_padding : (tensor<1x1x6xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}

func.func @main(%x: tensor<1x2x5xf64> {tx.name = "x"})
    -> (tensor<1x2x3xf64> {tx.name = "included"},
        tensor<1x2x3xf64> {tx.name = "excluded"}) {
  %r_included = tx.avg_pool %x dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] counted_high = [1] : (tensor<1x2x5xf64>) -> tensor<1x2x3xf64>
  %r_excluded = tx.avg_pool %x dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] counted_high = [1] exclude_padding : (tensor<1x2x5xf64>) -> tensor<1x2x3xf64>
  return %r_included, %r_excluded
      : tensor<1x2x3xf64>, tensor<1x2x3xf64>
}
// CHECK: included: f64[1,2,3]
// CHECK-NEXT: {{1|0\.9999[0-9]*|1\.0000[0-9]*}}, {{0\.5|0\.49999[0-9]*|0\.50000[0-9]*}}, 1.166666{{[0-9]*}}
// CHECK-NEXT: {{0\.5|0\.49999[0-9]*|0\.50000[0-9]*}}, 0.666666{{[0-9]*}}, -0.333333{{[0-9]*}}
// CHECK: excluded: f64[1,2,3]
// CHECK-NEXT: {{1\.5|1\.49999[0-9]*|1\.50000[0-9]*}}, {{0\.5|0\.49999[0-9]*|0\.50000[0-9]*}}, {{1\.75|1\.749999[0-9]*|1\.750000[0-9]*}}
// CHECK-NEXT: {{0\.75|0\.749999[0-9]*|0\.750000[0-9]*}}, 0.666666{{[0-9]*}}, -{{0\.5|0\.49999[0-9]*|0\.50000[0-9]*}}

func.func @sizes(%n: tensor<?x4x?xf32, #tx.dims<[n, 4, w]>> {tx.name = "n"}) -> tensor<?x4x?xf32, #tx.dims<[n, 4, (w - 1) floordiv 2 + 1]>> {
  %0 = tx.avg_pool %n dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] counted_high = [1] exclude_padding : (tensor<?x4x?xf32, #tx.dims<[n, 4, w]>>) -> tensor<?x4x?xf32, #tx.dims<[n, 4, (w - 1) floordiv 2 + 1]>>
  return %0 : tensor<?x4x?xf32, #tx.dims<[n, 4, (w - 1) floordiv 2 + 1]>>
}
