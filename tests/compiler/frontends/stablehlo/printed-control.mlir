// Branches, loops and functions, as they are printed by default.
//
// RUN: %npy %t.0.npy f32 '[3.0,1.0,2.0,1.0,5.0]'
// RUN: %npy %t.1.npy i32 '[2,0,1]'
// RUN: %tensorc run %s --input=%t.0.npy --input=%t.1.npy | FileCheck %s
//
//      CHECK: out0: f32[5]
// CHECK-NEXT: [4, 2, 3, 2, 6]
//      CHECK: out1: f32[5]
// CHECK-NEXT: [9, 3, 6, 3, 15]
//      CHECK: out2: f32[5]
// CHECK-NEXT: [9, 3, 6, 3, 15]
//      CHECK: out3: f32[5]
// CHECK-NEXT: [12, 10, 11, 10, 14]
//      CHECK: out4: f32[]
// CHECK-NEXT: 24
//      CHECK: out5: i32[]
// CHECK-NEXT: 3
//      CHECK: out6: f32[]
// CHECK-NEXT: 15
//      CHECK: out7: f32[5]
// CHECK-NEXT: [9, 6, 14, 9, 50]
//      CHECK: out8: f32[5]
// CHECK-NEXT: [6, 4, 4, 4, 5]

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32>, %arg1: tensor<3xi32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<5xf32> {jax.result_info = "result[1]"}, tensor<5xf32> {jax.result_info = "result[2]"}, tensor<5xf32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4][0]"}, tensor<i32> {jax.result_info = "result[4][1]"}, tensor<f32> {jax.result_info = "result[5][0]"}, tensor<5xf32> {jax.result_info = "result[5][1]"}, tensor<5xf32> {jax.result_info = "result[6]"}) {
    %0 = stablehlo.slice %arg0 [0:1] : (tensor<5xf32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.compare GT, %1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.convert %2 : (tensor<i1>) -> tensor<i32>
    %4 = "stablehlo.case"(%3) ({
      %23 = stablehlo.slice %arg1 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
      %24 = stablehlo.reshape %23 : (tensor<1xi32>) -> tensor<i32>
      %25 = stablehlo.convert %24 : (tensor<i32>) -> tensor<f32>
      %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %27 = stablehlo.multiply %arg0, %26 : tensor<5xf32>
      stablehlo.return %27 : tensor<5xf32>
    }, {
      %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %24 = stablehlo.add %arg0, %23 : tensor<5xf32>
      stablehlo.return %24 : tensor<5xf32>
    }) : (tensor<i32>) -> tensor<5xf32>
    %5 = stablehlo.slice %arg1 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %6 = stablehlo.reshape %5 : (tensor<1xi32>) -> tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %7 = stablehlo.clamp %c, %6, %c_0 : tensor<i32>
    %8 = "stablehlo.case"(%7) ({
      stablehlo.return %arg0 : tensor<5xf32>
    }, {
      %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %24 = stablehlo.multiply %arg0, %23 : tensor<5xf32>
      stablehlo.return %24 : tensor<5xf32>
    }, {
      %cst_9 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %24 = stablehlo.multiply %arg0, %23 : tensor<5xf32>
      stablehlo.return %24 : tensor<5xf32>
    }, {
      %cst_9 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %24 = stablehlo.multiply %arg0, %23 : tensor<5xf32>
      stablehlo.return %24 : tensor<5xf32>
    }) : (tensor<i32>) -> tensor<5xf32>
    %9 = stablehlo.slice %arg1 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %10 = stablehlo.reshape %9 : (tensor<1xi32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<9> : tensor<i32>
    %11 = stablehlo.add %10, %c_1 : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %12 = stablehlo.clamp %c_2, %11, %c_3 : tensor<i32>
    %13 = "stablehlo.case"(%12) ({
      stablehlo.return %arg0 : tensor<5xf32>
    }, {
      %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %24 = stablehlo.multiply %arg0, %23 : tensor<5xf32>
      stablehlo.return %24 : tensor<5xf32>
    }, {
      %cst_9 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %24 = stablehlo.multiply %arg0, %23 : tensor<5xf32>
      stablehlo.return %24 : tensor<5xf32>
    }) : (tensor<i32>) -> tensor<5xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %14:4 = stablehlo.while(%iterArg = %arg0, %iterArg_9 = %c_5, %iterArg_10 = %c_4, %iterArg_11 = %arg0) : tensor<5xf32>, tensor<i32>, tensor<i32>, tensor<5xf32>
    cond {
      %c_12 = stablehlo.constant dense<3> : tensor<i32>
      %23 = stablehlo.compare LT, %iterArg_9, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %23 : tensor<i1>
    } do {
      %23:2 = func.call @closed_call(%iterArg, %iterArg_10, %iterArg_11) : (tensor<5xf32>, tensor<i32>, tensor<5xf32>) -> (tensor<i32>, tensor<5xf32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %24 = stablehlo.add %iterArg_9, %c_12 : tensor<i32>
      stablehlo.return %iterArg, %24, %23#0, %23#1 : tensor<5xf32>, tensor<i32>, tensor<i32>, tensor<5xf32>
    }
    %15 = stablehlo.slice %arg0 [0:1] : (tensor<5xf32>) -> tensor<1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %17:2 = stablehlo.while(%iterArg = %16, %iterArg_9 = %c_6) : tensor<f32>, tensor<i32>
    cond {
      %cst_10 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
      %23 = stablehlo.compare LT, %iterArg, %cst_10, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %23 : tensor<i1>
    } do {
      %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %23 = stablehlo.multiply %iterArg, %cst_10 : tensor<f32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %24 = stablehlo.add %iterArg_9, %c_11 : tensor<i32>
      stablehlo.return %23, %24 : tensor<f32>, tensor<i32>
    }
    %18 = stablehlo.slice %arg0 [0:1] : (tensor<5xf32>) -> tensor<1xf32>
    %19 = stablehlo.reshape %18 : (tensor<1xf32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %21:4 = stablehlo.while(%iterArg = %arg0, %iterArg_9 = %c_8, %iterArg_10 = %19, %iterArg_11 = %20) : tensor<5xf32>, tensor<i32>, tensor<f32>, tensor<5xf32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %23 = stablehlo.compare LT, %iterArg_9, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %23 : tensor<i1>
    } do {
      %23 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_9) : (tensor<5xf32>, tensor<i32>) -> tensor<f32>
      %24:2 = func.call @closed_call_0(%iterArg_10, %23) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
      %25 = func.call @dynamic_update_index_in_dim(%iterArg_11, %24#1, %iterArg_9) : (tensor<5xf32>, tensor<f32>, tensor<i32>) -> tensor<5xf32>
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %26 = stablehlo.add %iterArg_9, %c_12 : tensor<i32>
      stablehlo.return %iterArg, %26, %24#0, %25 : tensor<5xf32>, tensor<i32>, tensor<f32>, tensor<5xf32>
    }
    %22 = stablehlo.while(%iterArg = %arg0) : tensor<5xf32>
    cond {
      %cst_9 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %24 = stablehlo.compare LT, %iterArg, %23, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
      %c_10 = stablehlo.constant dense<false> : tensor<i1>
      %25 = stablehlo.reduce(%24 init: %c_10) applies stablehlo.or across dimensions = [0] : (tensor<5xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %25 : tensor<i1>
    } do {
      %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %24 = stablehlo.multiply %iterArg, %23 : tensor<5xf32>
      %cst_10 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %25 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %26 = stablehlo.compare LT, %iterArg, %25, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
      %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<5xi1>) -> tensor<5xi1>
      %28 = stablehlo.select %27, %24, %iterArg : tensor<5xi1>, tensor<5xf32>
      stablehlo.return %28 : tensor<5xf32>
    }
    return %4, %8, %13, %14#3, %17#0, %17#1, %21#2, %21#3, %22 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>
  }
  func.func private @closed_call(%arg0: tensor<5xf32>, %arg1: tensor<i32>, %arg2: tensor<5xf32>) -> (tensor<i32>, tensor<5xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.slice %arg0 [0:1] : (tensor<5xf32>) -> tensor<1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
    %3 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.multiply %2, %3 : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %6 = stablehlo.add %arg2, %5 : tensor<5xf32>
    return %0, %6 : tensor<i32>, tensor<5xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call_0(%arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<f32>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<f32>
    return %0, %1 : tensor<f32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
    return %1 : tensor<5xf32>
  }
}
