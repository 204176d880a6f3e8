// A kernel that does not fit into the input gives no element.
//
// RUN: %tensorc run %s --random-inputs | FileCheck %s
// CHECK: out0: f32[1,0,2]
// CHECK: out1: f32[1,3,0,2]
func.func @main(%x: tensor<1x2x1xf32>, %k: tensor<3x1x2xf32>, %y: tensor<1x4x2x1xf32>, %m: tensor<2x2x1x2xf32>)
    -> (tensor<1x0x2xf32>, tensor<1x3x0x2xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xf32>, tensor<3x1x2xf32>) -> tensor<1x0x2xf32>
  %1 = stablehlo.convolution(%y, %m) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x1xf32>, tensor<2x2x1x2xf32>) -> tensor<1x3x0x2xf32>
  return %0, %1 : tensor<1x0x2xf32>, tensor<1x3x0x2xf32>
}
