// Programs of whole tensors with shardings become the program of one rank.
//
// RUN: split-file %s %t
// RUN: %tensorc run %t/one.mlir --random-inputs --compare=reference | FileCheck %s --check-prefix=ONE
// RUN: %tensorc compile %t/manual.mlir --stop-after=import | FileCheck %s --check-prefix=MANUAL
// RUN: %tensorc compile %t/partial.mlir --stop-after=import | FileCheck %s --check-prefix=PARTIAL
// RUN: %tensorc compile %t/split.mlir --stop-after=import | FileCheck %s --check-prefix=JOINED
// RUN: %tensorc compile %t/split.mlir --stop-after=tensor | FileCheck %s --check-prefix=SPLIT
// RUN: %tensorc compile %t/whole.mlir --stop-after=import | FileCheck %s --check-prefix=WHOLE
// RUN: %tensorc compile %t/hint.mlir --stop-after=import | FileCheck %s --check-prefix=HINT
// RUN: %tensorc compile %t/open.mlir --stop-after=import | FileCheck %s --check-prefix=OPEN
// RUN: %tensorc compile %t/addends.mlir --stop-after=import | FileCheck %s --check-prefix=ADDENDS
// RUN: %tensorc run %t/numbers.mlir --devices=cpu,cpu,cpu,cpu | FileCheck %s --check-prefix=NUMBERS
// RUN: not %tensorc compile %t/each.mlir 2>&1 | FileCheck %s --check-prefix=EACH
// RUN: not %tensorc compile %t/broken.mlir 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not %tensorc compile %t/refused.mlir --stop-after=import 2>&1 | FileCheck %s --check-prefix=REFUSED

// For one device shardings mean nothing.
// ONE: out0: f32[4]
//--- one.mlir
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y":(1)2}, {?}]>}) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.tanh %arg0 : tensor<8x4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}p0, {?}]> : tensor<8x4xf32>
    %2 = sdy.reshard %1 <@mesh, [{}, {}]> : tensor<8x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %3 : tensor<4xf32>
  }
}

// The tile of an argument is that of the manual computation; another argument is
// cut. The result is split as the computation leaves it.
// MANUAL-LABEL: func.func @main(
// MANUAL-SAME: %[[A:.*]]: tensor<2x4xf32> {tx.sharding = "{devices=[2,2]0,1,2,3}"}
// MANUAL-SAME: %[[B:.*]]: tensor<2x8xf32> {tx.sharding = "{replicated}"}
// MANUAL-SAME: -> (tensor<2x4xf32> {tx.sharding = "{devices=[1,2,2]0,2,1,3 last_tile_dim_replicate}"})
// MANUAL: %[[PART:.*]] = tx.local_part %[[B]] mesh = [2, 2] dims = [-1, 1]
// MANUAL: %[[C:.*]] = tx.mul %[[A]], %[[PART]] : tensor<2x4xf32>
// MANUAL: %[[SUM:.*]] = tx.all_reduce %[[C]] sum ranks = 2 groups = [0, 2, 1, 3]
// MANUAL: return %[[SUM]] : tensor<2x4xf32>
//--- manual.mlir
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<2x8xf32>) -> tensor<2x8xf32> {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"x", "y"} (%arg2: tensor<2x4xf32>, %arg3: tensor<2x4xf32>) {
      %1 = stablehlo.multiply %arg2, %arg3 : tensor<2x4xf32>
      %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %3 = stablehlo.add %arg4, %arg5 : tensor<f32>
        %4 = sdy.sharding_constraint %3 <@mesh, []> : tensor<f32>
        stablehlo.return %4 : tensor<f32>
      }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      sdy.return %2 : tensor<2x4xf32>
    } : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
}

// A constraint in a manual computation splits the result by an axis that is not manual.
// PARTIAL: -> (tensor<2x8xf32> {tx.sharding = "{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}"})
// PARTIAL: %[[S:.*]] = tx.shard %{{.*}} mesh = [2, 2] dims = [0, -1]
// PARTIAL: tx.local_part %[[S]] mesh = [2, 2] dims = [0, -1]
//--- partial.mlir
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}]>] manual_axes={"y"} (%arg1: tensor<4x8xf32>) {
      %1 = stablehlo.multiply %arg1, %arg1 : tensor<4x8xf32>
      %2 = sdy.sharding_constraint %1 <@mesh, [{"x"}, {}]> : tensor<4x8xf32>
      sdy.return %2 : tensor<4x8xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}

// What a jit computes is split by the passes of the compiler. An axis of which a sharding names a half is two axes of
// the mesh. A dim that a product sums is combined at the end.
// SPLIT-LABEL: func.func @main(
// SPLIT-SAME: %[[A:.*]]: tensor<4x4xf32> {{{.*}}}, %[[B:.*]]: tensor<4x4xf32> {{{.*}}}, %[[C:.*]]: tensor<2x4xf32>
// SPLIT-NOT: tx.all_gather
// SPLIT: %[[D:.*]] = tx.dot_general %[[A]], %[[B]]
// SPLIT: tx.reduce_scatter %{{.*}} sum dim = 0 ranks = 2 groups = [0, 1, 2, 3]
// SPLIT-NOT: tx.all_gather
// SPLIT: tx.add {{.*}} : tensor<2x4xf32>
// JOINED: tx.join_parts %{{.*}} mesh = [2, 2] dims = [0, 1]
// JOINED: tx.join_parts %{{.*}} mesh = [2, 2] dims = [-1, 0]
// JOINED: tx.join_parts %{{.*}} mesh = [2, 2] dims = [0, 0]
// JOINED: tx.local_part %{{.*}} mesh = [2, 2] dims = [0, 0]
//--- split.mlir
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"x":(2)2}]>},
      %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2}, {}]>},
      %arg2: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}

// A mesh whose devices have another order is gathered, and the tensor is whole on each rank.
// WHOLE-LABEL: func.func @main(
// WHOLE-SAME: %[[A:.*]]: tensor<1x8xf32> {tx.sharding = "{devices=[4,1]3,1,2,0}"}
// WHOLE-SAME: -> (tensor<4x4xf32> {tx.sharding = "{devices=[1,2,2]1,3,0,2 last_tile_dim_replicate}"}
// WHOLE: %[[W:.*]] = tx.all_gather %[[A]] dim = 0 ranks = 4 groups = [3, 1, 2, 0] : (tensor<1x8xf32>) -> tensor<4x8xf32>
// WHOLE: %[[S:.*]] = tx.shard %[[W]] mesh = [4] dims = [-1]
// WHOLE: %[[T:.*]] = tx.tanh %[[S]]
// WHOLE: tx.constant dense<[4, 0, 4, 0]> : tensor<4xi64>
// WHOLE: %[[R:.*]] = tx.dynamic_slice %[[T]][{{.*}}] slice_sizes = [4, 4]
// WHOLE: return %[[R]] : tensor<4x4xf32>
//--- whole.mlir
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4], device_ids=[3, 1, 2, 0]>
  func.func public @main(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x":(1)2}]>}) {
    %0 = stablehlo.tanh %arg0 : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}

// A constraint says how a result is split, unless it is not available.
// HINT-LABEL: func.func @main(
// HINT-SAME: %[[X:.*]]: tensor<4xf32>
// HINT-SAME: %[[Y:.*]]: tensor<3xf32>
// HINT-SAME: -> (tensor<2xf32> {tx.sharding = "{devices=[2]0,1}"}, tensor<3xf32> {tx.sharding = "{replicated}"})
// HINT-DAG: %[[S:.*]] = tx.tanh %[[X]]
// HINT-DAG: %[[T:.*]] = tx.tanh %[[Y]]
// HINT-DAG: %[[C:.*]] = tx.shard %[[S]] mesh = [2] dims = [0]
// HINT: %[[P:.*]] = tx.local_part %[[C]] mesh = [2] dims = [0]
// HINT: return %[[P]], %[[T]]
//--- hint.mlir
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<3xf32>) -> (tensor<4xf32>, tensor<3xf32>) {
    %0 = stablehlo.tanh %arg0 : tensor<4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<4xf32>
    %2 = stablehlo.tanh %arg1 : tensor<3xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"x"}]> : tensor<3xf32>
    return %1, %3 : tensor<4xf32>, tensor<3xf32>
  }
}

// A result without a sharding is split as follows from the arguments.
// OPEN-LABEL: func.func @main(
// OPEN-SAME: -> (tensor<2x4xf32> {tx.sharding = "{devices=[2,2]0,1,2,3}"}, tensor<2xf32> {tx.sharding = "{devices=[2,2]0,1,2,3 last_tile_dim_replicate}"}, tensor<f32> {tx.sharding = "{replicated}"}, tensor<f32> {tx.sharding = "{replicated}"})
// OPEN: %[[R:.*]] = tx.reduce_max
// OPEN: %[[P:.*]] = tx.local_part %{{.*}} mesh = [2, 2] dims = [0, 1]
// OPEN: %[[Q:.*]] = tx.local_part %[[R]] mesh = [2, 2] dims = [0, -1]
// OPEN: return %[[P]], %[[Q]], %{{.*}}
//--- open.mlir
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg2: tensor<f32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %0, %1, %2, %arg2 : tensor<4x8xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>
  }
}

// ADDENDS: %[[A:.*]]: tensor<4xf32> {tx.sharding = "{devices=[1,2]0,1 last_tile_dims={unreduced}}"}
// ADDENDS-SAME: -> (tensor<4xf32> {tx.sharding = "{devices=[1,2]0,1 last_tile_dims={unreduced}}"})
// ADDENDS: %[[W:.*]] = tx.all_reduce %[[A]] sum ranks = 2 :
// ADDENDS: %[[S:.*]] = tx.shard %[[W]] mesh = [2] dims = [-1]
// ADDENDS: %[[T:.*]] = tx.tanh %[[S]]
// ADDENDS: %[[FIRST:.*]] = tx.eq
// ADDENDS: tx.select %{{.*}}, %[[T]], %{{.*}} : tensor<4xi1>, tensor<4xf32>
//--- addends.mlir
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
    %0 = stablehlo.tanh %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// NUMBERS: rank0.out0: f32[1]
// NUMBERS-NEXT: [3]
// NUMBERS: rank1.out0: f32[1]
// NUMBERS-NEXT: [5]
// NUMBERS: rank2.out0: f32[1]
// NUMBERS-NEXT: [9]
// NUMBERS: rank3.out0: f32[1]
// NUMBERS-NEXT: [17]
//--- numbers.mlir
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main() -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.constant dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%part: tensor<1xf32>) {
      %2 = stablehlo.add %part, %part : tensor<1xf32>
      sdy.return %2 : tensor<1xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %one = stablehlo.constant dense<1.0> : tensor<4xf32>
    %3 = stablehlo.add %1, %one : tensor<4xf32>
    return %3 : tensor<4xf32>
  }
}

// EACH: each.mlir:3:8: error: {{.*}}computes on several devices, and the module is for one (mhlo.num_partitions)
//--- each.mlir
sdy.mesh @mesh = <["x"=2]>
func.func public @main(%arg0: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg1: tensor<4x4xf32>) {
    %1 = stablehlo.tanh %arg1 : tensor<4x4xf32>
    sdy.return %1 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// BROKEN: broken.mlir:1:{{.*}} error: {{.*}}expected '<'
//--- broken.mlir
sdy.mesh @mesh = 2
func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// REFUSED: refused.mlir:{{[0-9]+}}:3: error: the mesh @three is not made of the 2 devices of mhlo.num_partitions
// REFUSED: refused.mlir:{{[0-9]+}}:3: error: a dim of a value of type 'tensor<3xf32>' is split into 2 parts, which its size must be a multiple of
// REFUSED: refused.mlir:{{[0-9]+}}:3: error: a sharding names the axis 'z', or a part of it, which @mesh has not
// REFUSED: refused.mlir:{{[0-9]+}}:3: error: a sharding splits by an axis of @mesh twice
//--- refused.mlir
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  sdy.mesh @three = <["x"=3]>
  func.func public @a(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@three, [{"x"}]>}) -> tensor<6xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func public @b(%arg0: tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<3xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func public @c(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}]>}) -> tensor<4xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func public @d(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"x"}]>}) -> tensor<4x4xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
