// Operands of f8 are not widened if the result is f32: the target chooses in which dtype it multiplies them.
//
// RUN: %tensorc compile %s --stop-after=import | FileCheck %s
// CHECK: tx.dot_general %{{.*}}, %{{.*}} batch = [] x [] contracting = [1] x [0] : (tensor<2x4xf8E4M3FN>, tensor<4x2xf8E5M2>) -> tensor<2x2xf32>
// CHECK: tx.convert %{{.*}} : tensor<2x4xf8E4M3FN> -> tensor<2x4xf64>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf8E4M3FN>, tensor<4x2xf8E5M2>) -> (tensor<2x2xf32>, tensor<2x2xf64>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x4xf8E4M3FN>, %arg1: tensor<4x2xf8E5M2>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf8E4M3FN>, tensor<4x2xf8E5M2>) -> tensor<2x2xf32>
    %1 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf8E4M3FN>, tensor<4x2xf8E5M2>) -> tensor<2x2xf64>
    "func.return"(%0, %1) : (tensor<2x2xf32>, tensor<2x2xf64>) -> ()
  }) : () -> ()
}) : () -> ()
