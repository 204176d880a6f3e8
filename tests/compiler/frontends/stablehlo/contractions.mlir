// dot_general with batch dims, a wider result, and convolutions.
//
// RUN: %npy %t.0.npy i32 '[[1,2,3,4],[5,6,7,8]]'
// RUN: %npy %t.1.npy f32 '[[[[0.0,1.0,2.0,3.0],[4.0,5.0,6.0,7.0],[8.0,9.0,10.0,11.0],[12.0,13.0,14.0,15.0]]]]'
// RUN: %npy %t.2.npy f32 '[[[[1.0,0.0],[0.0,-1.0]]]]'
// RUN: %tensorc run %s --input=%t.0.npy --input=%t.1.npy --input=%t.2.npy | FileCheck %s
//
//      CHECK: out0: i32[2,2]
// CHECK-NEXT: {{\[\[}}30, 70],
// CHECK-NEXT:  [70, 174]]
//      CHECK: out1: i32[2]
// CHECK-NEXT: [30, 174]
//      CHECK: out2: f32[1,1,4,4]
// CHECK-NEXT: {{\[\[}}{{\[\[}}-5, -6, -6, 2],
// CHECK-NEXT:    [-9, -6, -6, 6],
// CHECK-NEXT:    [-13, -6, -6, 10],
// CHECK-NEXT:    [0, 12, 13, 14]]]]
//      CHECK: out3: f32[1,2,2,1]
// CHECK-NEXT: {{\[\[}}{{\[\[}}-5],
// CHECK-NEXT:    [-5]],
// CHECK-NEXT:   {{\[\[}}-5],
// CHECK-NEXT:    [-5]]]]
//      CHECK: out4: f32[1,2,1,3]
// CHECK-NEXT: {{\[\[}}{{\[\[}}-5, -5, -5]],
// CHECK-NEXT:   {{\[\[}}-10, -10, -10]]]]

"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x4xi32>, tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> (tensor<2x2xi32>, tensor<2xi32>, tensor<1x1x4x4xf32>, tensor<1x2x2x1xf32>, tensor<1x2x1x3xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x4xi32>, %arg1: tensor<1x1x4x4xf32>, %arg2: tensor<1x1x2x2xf32>):
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<2x4xi32>) -> tensor<4x2xi32>
    %1 = "stablehlo.dot_general"(%arg0, %0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xi32>, tensor<4x2xi32>) -> tensor<2x2xi32>
    %2 = "stablehlo.convert"(%arg0) : (tensor<2x4xi32>) -> tensor<2x4xi8>
    %3 = "stablehlo.convert"(%arg0) : (tensor<2x4xi32>) -> tensor<2x4xi8>
    %4 = "stablehlo.dot_general"(%2, %3) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xi8>, tensor<2x4xi8>) -> tensor<2xi32>
    %5 = "stablehlo.convolution"(%arg1, %arg2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 2>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
    %6 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x1x4x4xf32>) -> tensor<1x4x4x1xf32>
    %7 = "stablehlo.transpose"(%arg2) <{permutation = array<i64: 2, 3, 1, 0>}> : (tensor<1x1x2x2xf32>) -> tensor<2x2x1x1xf32>
    %8 = "stablehlo.convolution"(%6, %7) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x1xf32>
    %9 = "stablehlo.reshape"(%arg1) : (tensor<1x1x4x4xf32>) -> tensor<2x1x2x4xf32>
    %10 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1x2x2xf32>
    %12 = "stablehlo.multiply"(%11, %arg2) : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
    %13 = "stablehlo.concatenate"(%arg2, %12) <{dimension = 0 : i64}> : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<2x1x2x2xf32>
    %14 = "stablehlo.convolution"(%9, %13) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<2x1x2x4xf32>, tensor<2x1x2x2xf32>) -> tensor<1x2x1x3xf32>
    "func.return"(%1, %4, %5, %8, %14) : (tensor<2x2xi32>, tensor<2xi32>, tensor<1x1x4x4xf32>, tensor<1x2x2x1xf32>, tensor<1x2x1x3xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
