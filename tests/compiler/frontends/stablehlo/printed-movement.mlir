// Ops that move elements, as they are printed by default.
//
// RUN: %npy %t.0.npy f32 '[[1.0,-2.0,3.0,0.5],[4.0,-5.5,6.0,0.0]]'
// RUN: %tensorc run %s --input=%t.0.npy | FileCheck %s
//
//      CHECK: out0: f32[4,2]
// CHECK-NEXT: {{\[\[}}1, 4],
// CHECK-NEXT:  [-2, -5.5],
// CHECK-NEXT:  [3, 6],
// CHECK-NEXT:  [0.5, 0]]
//      CHECK: out1: f32[2,4]
// CHECK-NEXT: {{\[\[}}0.5, 3, -2, 1],
// CHECK-NEXT:  [0, 6, -5.5, 4]]
//      CHECK: out2: f32[2,2]
// CHECK-NEXT: {{\[\[}}-2, 0.5],
// CHECK-NEXT:  [-5.5, 0]]
//      CHECK: out3: f32[2,7]
// CHECK-NEXT: {{\[\[}}9, 1, 9, -2, 9, 3, 9],
// CHECK-NEXT:  [9, 4, 9, -5.5, 9, 6, 9]]
//      CHECK: out4: f32[3,4]
// CHECK-NEXT: {{\[\[}}1, -2, 3, 0.5],
// CHECK-NEXT:  [4, -5.5, 6, 0],
// CHECK-NEXT:  [1, -2, 3, 0.5]]
//      CHECK: out5: f32[2,4]
// CHECK-NEXT: {{\[\[}}4, -5.5, 6, 0],
// CHECK-NEXT:  [4, -5.5, 6, 0]]
//      CHECK: out6: i32[2,3]
// CHECK-NEXT: {{\[\[}}0, 1, 2],
// CHECK-NEXT:  [0, 1, 2]]

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<4x2xf32> {jax.result_info = "result[0]"}, tensor<2x4xf32> {jax.result_info = "result[1]"}, tensor<2x2xf32> {jax.result_info = "result[2]"}, tensor<2x7xf32> {jax.result_info = "result[3]"}, tensor<3x4xf32> {jax.result_info = "result[4]"}, tensor<2x4xf32> {jax.result_info = "result[5]"}, tensor<2x3xi32> {jax.result_info = "result[6]"}) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %1 = stablehlo.reverse %arg0, dims = [1] : tensor<2x4xf32>
    %2 = stablehlo.slice %arg0 [0:2, 1:4:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
    %cst = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %3 = stablehlo.pad %arg0, %cst, low = [0, 1], high = [0, -1], interior = [0, 1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x7xf32>
    %4 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %5 = stablehlo.concatenate %arg0, %4, dim = 0 : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
    %6 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x1x4xf32>) -> tensor<2x2x4xf32>
    %8 = stablehlo.slice %7 [1:2, 0:2, 0:4] : (tensor<2x2x4xf32>) -> tensor<1x2x4xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %10 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    return %0, %1, %2, %3, %5, %9, %10 : tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x2xf32>, tensor<2x7xf32>, tensor<3x4xf32>, tensor<2x4xf32>, tensor<2x3xi32>
  }
}
