// Reductions, as they are printed by default.
//
// RUN: %npy %t.0.npy f32 '[[1.0,-2.0,3.0,0.5],[4.0,-5.5,6.0,0.0]]'
// RUN: %npy %t.1.npy i32 '[[1,2,3,4],[5,6,7,8]]'
// RUN: %tensorc run %s --input=%t.0.npy --input=%t.1.npy | FileCheck %s
//
//      CHECK: out0: f32[2]
// CHECK-NEXT: [2.5, 4.5]
//      CHECK: out1: f32[4]
// CHECK-NEXT: [4, 11, 18, 0]
//      CHECK: out2: f32[]
// CHECK-NEXT: 6
//      CHECK: out3: i32[2]
// CHECK-NEXT: [2, 2]
//      CHECK: out4: i32[4]
// CHECK-NEXT: [0, 1, 0, 1]
//      CHECK: out5: i1[2]
// CHECK-NEXT: [false, true]
//      CHECK: out6: i32[2]
// CHECK-NEXT: [7, 15]
//      CHECK: out7: i32[4]
// CHECK-NEXT: [11, 13, 15, 17]
//      CHECK: out8: i32[4]
// CHECK-NEXT: [0, 0, 0, 0]
//      CHECK: out9: f32[2]
// CHECK-NEXT: [2.5, 4.5]
//      CHECK: out10: f32[2]
// CHECK-NEXT: [3, 6]

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4xf32>, %arg1: tensor<2x4xi32>) -> (tensor<2xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}, tensor<2xi32> {jax.result_info = "result[3]"}, tensor<4xi32> {jax.result_info = "result[4]"}, tensor<2xi1> {jax.result_info = "result[5]"}, tensor<2xi32> {jax.result_info = "result[6]"}, tensor<4xi32> {jax.result_info = "result[7]"}, tensor<4xi32> {jax.result_info = "result[8]"}, tensor<2xf32> {jax.result_info = "result[9][0]"}, tensor<2xf32> {jax.result_info = "result[9][1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.multiply across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
    %3 = call @argmax(%arg0) : (tensor<2x4xf32>) -> tensor<2xi32>
    %4 = call @argmin(%arg0) : (tensor<2x4xf32>) -> tensor<4xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %6 = stablehlo.compare GT, %arg1, %5, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %c_2 = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.reduce(%6 init: %c_2) applies stablehlo.and across dimensions = [1] : (tensor<2x4xi1>, tensor<i1>) -> tensor<2xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.reduce(%arg1 init: %c_3) applies stablehlo.or across dimensions = [1] : (tensor<2x4xi32>, tensor<i32>) -> tensor<2xi32>
    %c_4 = stablehlo.constant dense<5> : tensor<i32>
    %9 = stablehlo.reduce(%arg1 init: %c_4) applies stablehlo.add across dimensions = [0] : (tensor<2x4xi32>, tensor<i32>) -> tensor<4xi32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %10 = stablehlo.reduce(%arg1 init: %c_5) across dimensions = [0] : (tensor<2x4xi32>, tensor<i32>) -> tensor<4xi32>
     reducer(%arg2: tensor<i32>, %arg3: tensor<i32>)  {
      %c_9 = stablehlo.constant dense<2> : tensor<i32>
      %14 = stablehlo.multiply %arg2, %c_9 : tensor<i32>
      %15 = stablehlo.add %14, %arg3 : tensor<i32>
      stablehlo.return %15 : tensor<i32>
    }
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %12 = stablehlo.multiply %10, %11 : tensor<4xi32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13:2 = stablehlo.reduce(%arg0 init: %cst_7), (%arg0 init: %cst_8) across dimensions = [1] : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
     reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<f32>, %arg5: tensor<f32>)  {
      %14 = stablehlo.add %arg2, %arg4 : tensor<f32>
      %15 = stablehlo.maximum %arg3, %arg5 : tensor<f32>
      stablehlo.return %14, %15 : tensor<f32>, tensor<f32>
    }
    return %0, %1, %2, %3, %4, %7, %8, %9, %12, %13#0, %13#1 : tensor<2xf32>, tensor<4xf32>, tensor<f32>, tensor<2xi32>, tensor<4xi32>, tensor<2xi1>, tensor<2xi32>, tensor<4xi32>, tensor<4xi32>, tensor<2xf32>, tensor<2xf32>
  }
  func.func private @argmax(%arg0: tensor<2x4xf32>) -> tensor<2xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<2xi32>
  }
  func.func private @argmin(%arg0: tensor<2x4xf32>) -> tensor<4xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<2x4xi32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<4xi32>
  }
}
