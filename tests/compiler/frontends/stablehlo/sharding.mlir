// What JAX says of several devices means nothing for one; what computes on each
// of them is refused.
//
// RUN: split-file %s %t
// RUN: %tensorc run %t/mesh.mlir --random-inputs --compare=reference | FileCheck %s
// RUN: not %tensorc compile %t/each.mlir 2>&1 | FileCheck %s --check-prefix=EACH
// RUN: not %tensorc compile %t/broken.mlir 2>&1 | FileCheck %s --check-prefix=BROKEN
// CHECK: out0: f32[4]
// EACH: each.mlir:3:8: error: custom op 'sdy.manual_computation' computes on several devices, and tensorc compiles for one
// BROKEN: broken.mlir:1:{{.*}} error: custom op 'sdy.mesh' is no sharding

//--- mesh.mlir
module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y":(1)2=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.tanh %arg0 : tensor<8x4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}p0, {?}]> : tensor<8x4xf32>
    %2 = sdy.reshard %1 <@mesh, [{}, {}]> : tensor<8x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %3 : tensor<4xf32>
  }
}
//--- each.mlir
sdy.mesh @mesh = <["x"=2]>
func.func public @main(%arg0: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg1: tensor<4x4xf32>) {
    %1 = stablehlo.tanh %arg1 : tensor<4x4xf32>
    sdy.return %1 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
//--- broken.mlir
sdy.mesh @mesh = 2
func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
