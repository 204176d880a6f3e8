// Ops that move elements, and gaps in pads.
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

"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4xf32>) -> (tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x2xf32>, tensor<2x7xf32>, tensor<3x4xf32>, tensor<2x4xf32>, tensor<2x3xi32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %1 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 1>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %2 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2, 4>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 2>}> : (tensor<2x4xf32>) -> tensor<2x2xf32>
    %3 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.pad"(%arg0, %3) <{edge_padding_high = array<i64: 0, -1>, edge_padding_low = array<i64: 0, 1>, interior_padding = array<i64: 0, 1>}> : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x7xf32>
    %5 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 4>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %6 = "stablehlo.concatenate"(%arg0, %5) <{dimension = 0 : i64}> : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
    %7 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x4xf32>) -> tensor<2x2x4xf32>
    %9 = "stablehlo.slice"(%8) <{limit_indices = array<i64: 2, 2, 4>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x2x4xf32>) -> tensor<1x2x4xf32>
    %10 = "stablehlo.reshape"(%9) : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %11 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32>
    "func.return"(%0, %1, %2, %4, %6, %10, %11) : (tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x2xf32>, tensor<2x7xf32>, tensor<3x4xf32>, tensor<2x4xf32>, tensor<2x3xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
