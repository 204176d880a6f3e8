// Element-wise ops, comparisons and constants.
//
// RUN: %npy %t.0.npy f32 '[[1.0,-2.0,3.0,0.5],[4.0,-5.5,6.0,0.0]]'
// RUN: %npy %t.1.npy f32 '[[2.0,2.0,-3.0,0.25],[1.0,7.0,0.0,-1.0]]'
// RUN: %tensorc run %s --input=%t.0.npy --input=%t.1.npy | FileCheck %s
//
//      CHECK: out0: f32[2,4]
// CHECK-NEXT: {{\[\[}}1, -8, -3, 0.375],
// CHECK-NEXT:  [7, -51, 6, 1]]
//      CHECK: out1: f32[2,4]
// CHECK-NEXT: {{\[\[}}2, 2, 3, 0.5],
// CHECK-NEXT:  [4, 7, 6, 0]]
//      CHECK: out2: f32[2,4]
// CHECK-NEXT: {{\[\[}}0.25, -0.5, 0.75, 0.125],
// CHECK-NEXT:  [1, -1.375, 1.5, 0]]
//      CHECK: out3: f32[2,4]
// CHECK-NEXT: {{\[\[}}1, -2, -3, 0.25],
// CHECK-NEXT:  [1, -5.5, 0, -1]]
//      CHECK: out4: f32[2,4]
// CHECK-NEXT: {{\[\[}}1, -1, 1, 0.5],
// CHECK-NEXT:  [1, -1, 1, 0]]
//      CHECK: out5: f32[2,4]
// CHECK-NEXT: {{\[\[}}1, -2, 3, 0],
// CHECK-NEXT:  [4, -6, 6, 0]]
//      CHECK: out6: f32[2,4]
// CHECK-NEXT: {{\[\[}}1, -2, 3, 1],
// CHECK-NEXT:  [4, -6, 6, 0]]
//      CHECK: out7: f32[2,4]
// CHECK-NEXT: {{\[\[}}1, -1, 1, 1],
// CHECK-NEXT:  [1, -1, 1, 0]]
//      CHECK: out8: i1[2,4]
// CHECK-NEXT: {{\[\[}}false, false, true, false],
// CHECK-NEXT:  [false, false, false, false]]
//      CHECK: out9: i32[2,4]
// CHECK-NEXT: {{\[\[}}1, -2, 3, 0],
// CHECK-NEXT:  [4, -5, 6, 0]]

"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xi1>, tensor<2x4xi32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg6: tensor<2x4xf32>, %arg7: tensor<2x4xf32>):
    %7 = "stablehlo.multiply"(%arg7, %arg6) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %8 = "stablehlo.add"(%arg6, %7) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %9 = "stablehlo.subtract"(%8, %arg7) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %10 = "stablehlo.maximum"(%arg6, %arg7) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %11 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %13 = "stablehlo.divide"(%arg6, %12) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %14 = "stablehlo.compare"(%arg6, %arg7) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %15 = "func.call"(%14, %arg6, %arg7) <{callee = @_where}> : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %16 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %18 = "func.call"(%arg6, %16, %17) <{callee = @clip}> : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
    %19 = "stablehlo.floor"(%arg6) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %20 = "stablehlo.round_nearest_afz"(%arg6) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %21 = "stablehlo.sign"(%arg6) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %22 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %24 = "stablehlo.compare"(%arg6, %23) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %25 = "stablehlo.convert"(%arg6) : (tensor<2x4xf32>) -> tensor<2x4xi32>
    "func.return"(%9, %10, %13, %15, %18, %19, %20, %21, %24, %25) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xi1>, tensor<2x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x4xi1>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>):
    %6 = "stablehlo.select"(%arg3, %arg4, %arg5) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%6) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<i32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %2 = "stablehlo.maximum"(%1, %arg0) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %3 = "stablehlo.convert"(%arg2) : (tensor<i32>) -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %5 = "stablehlo.minimum"(%4, %2) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%5) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
