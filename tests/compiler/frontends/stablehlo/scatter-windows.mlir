// A scatter drops windows that are partly outside, as XLA does.
//
// RUN: %npy %t.0.npy f32 '[1.0,2.0,3.0,4.0,5.0]'
// RUN: %npy %t.1.npy i32 '[[4],[2],[-1]]'
// RUN: %npy %t.2.npy f32 '[[10.0,20.0],[30.0,40.0],[50.0,60.0]]'
// RUN: %npy %t.3.npy i8 '[3,1]'
// RUN: %npy %t.4.npy f32 '[[1.0,2.0,3.0],[4.0,5.0,6.0]]'
// RUN: %tensorc run %s --input=%t.0.npy --input=%t.1.npy --input=%t.2.npy --input=%t.3.npy --input=%t.4.npy | FileCheck %s
//
//      CHECK: out0: f32[5]
// CHECK-NEXT: [1, 2, 33, 44, 5]
//      CHECK: out1: f32[5]
// CHECK-NEXT: [1, 4, 5, 6, 5]
//      CHECK: out2: f32[2,3]
// CHECK-NEXT: {{\[\[}}1, 2, 3],
// CHECK-NEXT: [4, 30, 40]]
func.func public @main(%x: tensor<5xf32>, %i: tensor<3x1xi32>, %u: tensor<3x2xf32>, %j: tensor<2xi8>, %v: tensor<2x3xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<2x3xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  // Each index is a vector of one.
  %1 = "stablehlo.scatter"(%x, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<5xf32>, tensor<2xi8>, tensor<2x3xf32>) -> tensor<5xf32>
  // Vectors of two components, and a window along the second one.
  %at = stablehlo.constant dense<[[0, 2], [1, 1], [-1, 0]]> : tensor<3x2xi32>
  %2 = "stablehlo.scatter"(%v, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<3x2xi32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  return %0, %1, %2 : tensor<5xf32>, tensor<5xf32>, tensor<2x3xf32>
}
