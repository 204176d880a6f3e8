// Scatters drop windows that are partly outside, for all dtypes of indices, batching dims, regions and named sizes.
//
// RUN: %npy %t.x.npy f32 '[1.0,2.0,3.0,4.0,5.0]'
// RUN: %npy %t.u.npy f32 '[[10.0,20.0],[30.0,40.0],[50.0,60.0]]'
// RUN: %tensorc run %s --input=%t.x.npy --input=%t.u.npy --input=%t.x.npy --input=%t.u.npy --compare=reference | FileCheck %s
//
//      CHECK: out0: f32[5]
// CHECK-NEXT: [1, 32, 43, 4, 5]
//      CHECK: out1: f32[5]
// CHECK-NEXT: [1, 32, 43, 4, 5]
//      CHECK: out2: f32[5]
// CHECK-NEXT: [1, 2, 3, 34, 45]
//      CHECK: out3: f32[4]
// CHECK-NEXT: [0, 0, 50, 60]
//      CHECK: out4: f32[4]
// CHECK-NEXT: [0, 0, 50, 60]
//      CHECK: out5: f32[3,5]
// CHECK-NEXT: {{\[\[}}0, 0, 0, 10, 20],
// CHECK-NEXT: [0, 0, 0, 0, 0],
// CHECK-NEXT: [0, 0, 0, 0, 0]]
//      CHECK: out6: f32[3,5]
// CHECK-NEXT: {{\[\[}}10, 20, 0, 0, 0],
// CHECK-NEXT: [0, 0, 0, 30, 40],
// CHECK-NEXT: [0, 50, 60, 0, 0]]
//      CHECK: out7: f32[5]
// CHECK-NEXT: [21, 22, 3, 4, 5]
//      CHECK: out8: f32[5]
// CHECK-NEXT: [9, 18, 27, 36, 5]
//      CHECK: out9: f32[3,5]
// CHECK-NEXT: {{\[\[}}0, 0, 0, 0, 0],
// CHECK-NEXT: [0, 0, 0, 1, 2],
// CHECK-NEXT: [0, 0, 0, 3, 4]]
//      CHECK: out10: f32[3,5]
// CHECK-NEXT: {{\[\[}}0, 0, 0, 1, 2],
// CHECK-NEXT: [0, 0, 0, 3, 4],
// CHECK-NEXT: [0, 0, 0, 0, 0]]
//      CHECK: out11: f32[3,5]
// CHECK-NEXT: {{\[\[}}0, 0, 0, 0, 0],
// CHECK-NEXT: [0, 0, 0, 0, 0],
// CHECK-NEXT: [0, 0, 0, 0, 0]]
//      CHECK: out12: f32[5]
// CHECK-NEXT: [1, 2, 3, 34, 45]
//      CHECK: out13: f32[5]
// CHECK-NEXT: [1, 2, 3, 34, 45]
func.func public @main(%x: tensor<5xf32>, %u: tensor<3x2xf32>, %n: tensor<?xf32>, %v: tensor<3x?xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<?xf32>, tensor<?xf32>) {
  %m = stablehlo.constant dense<0.0> : tensor<3x5xf32>
  %z128 = stablehlo.constant dense<0.0> : tensor<128xf32>
  %z256 = stablehlo.constant dense<0.0> : tensor<256xf32>
  %w = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  // The index vectors are scalars.
  %i0 = stablehlo.constant dense<[4294967296, 1, -4294967295]> : tensor<3xi64>
  %0 = "stablehlo.scatter"(%x, %i0, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3xi64>, tensor<3x2xf32>) -> tensor<5xf32>
  %i1 = stablehlo.constant dense<[4294967295, 1, 4]> : tensor<3xui32>
  %1 = "stablehlo.scatter"(%x, %i1, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3xui32>, tensor<3x2xf32>) -> tensor<5xf32>
  %i2 = stablehlo.constant dense<[18446744073709551615, 3, 9223372036854775808]> : tensor<3xui64>
  %2 = "stablehlo.scatter"(%x, %i2, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3xui64>, tensor<3x2xf32>) -> tensor<5xf32>
  // The sizes are no numbers of these dtypes.
  %i3 = stablehlo.constant dense<[127, -128, 126]> : tensor<3xi8>
  %3 = "stablehlo.scatter"(%z128, %i3, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<128xf32>, tensor<3xi8>, tensor<3x2xf32>) -> tensor<128xf32>
  %end3 = stablehlo.slice %3 [124:128] : (tensor<128xf32>) -> tensor<4xf32>
  %i4 = stablehlo.constant dense<[255, 128, 254]> : tensor<3xui8>
  %4 = "stablehlo.scatter"(%z256, %i4, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<256xf32>, tensor<3xui8>, tensor<3x2xf32>) -> tensor<256xf32>
  %end4 = stablehlo.slice %4 [252:256] : (tensor<256xf32>) -> tensor<4xf32>
  // Each row has a window.
  %i5 = stablehlo.constant dense<[[3], [4], [-1]]> : tensor<3x1xi32>
  %5 = "stablehlo.scatter"(%m, %i5, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3x5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<3x5xf32>
  %i6 = stablehlo.constant dense<[0, 3, 1]> : tensor<3xui8>
  %6 = "stablehlo.scatter"(%m, %i6, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x5xf32>, tensor<3xui8>, tensor<3x2xf32>) -> tensor<3x5xf32>
  // The region depends on the order.
  %i7 = stablehlo.constant dense<[[0], [0], [4]]> : tensor<3x1xi32>
  %7 = "stablehlo.scatter"(%x, %i7, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.subtract %b, %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %i8 = stablehlo.constant dense<[[0], [2], [4]]> : tensor<3x1xui32>
  %8 = "stablehlo.scatter"(%x, %i8, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.subtract %b, %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xui32>, tensor<3x2xf32>) -> tensor<5xf32>
  // Windows have two dimensions.
  %i9 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %9 = "stablehlo.scatter"(%m, %i9, %w) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3x5xf32>, tensor<2xi64>, tensor<2x2xf32>) -> tensor<3x5xf32>
  %i10 = stablehlo.constant dense<[3, 0]> : tensor<2xi64>
  %10 = "stablehlo.scatter"(%m, %i10, %w) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3x5xf32>, tensor<2xi64>, tensor<2x2xf32>) -> tensor<3x5xf32>
  %i11 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %11 = "stablehlo.scatter"(%m, %i11, %w) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3x5xf32>, tensor<2xi64>, tensor<2x2xf32>) -> tensor<3x5xf32>
  // Sizes have names.
  %i12 = stablehlo.constant dense<[[-1], [3], [4]]> : tensor<3x1xi32>
  %12 = "stablehlo.scatter"(%n, %i12, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<?xf32>
  %i13 = stablehlo.constant dense<[[-1], [3], [4]]> : tensor<3x1xi8>
  %13 = "stablehlo.scatter"(%n, %i13, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?xf32>, tensor<3x1xi8>, tensor<3x?xf32>) -> tensor<?xf32>
  return %0, %1, %2, %end3, %end4, %5, %6, %7, %8, %9, %10, %11, %12, %13 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<?xf32>, tensor<?xf32>
}
