// Ops over several devices, as JAX prints those of shard_map's bodies.
//
// RUN: split-file %s %t
// RUN: %tensorc compile %t/partitions.mlir --stop-after=import | FileCheck %s
// RUN: %tensorc compile %t/replicas.mlir --stop-after=import | FileCheck %s --check-prefix=REPLICAS
// RUN: %tensorc compile %t/uneven.mlir --stop-after=import | FileCheck %s --check-prefix=UNEVEN
// RUN: %tensorc run %t/one.mlir | FileCheck %s --check-prefix=ONE
// RUN: not %tensorc compile %t/refused.mlir 2>&1 | FileCheck %s --check-prefix=REFUSED

//--- partitions.mlir
module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  // CHECK-LABEL: func.func @main(
  // CHECK-SAME: %[[X:.*]]: tensor<4x2xf32>
  func.func public @main(%arg1: tensor<4x2xf32>, %b: tensor<3xi1>) -> (tensor<4x2xf32>, tensor<2x4x2xf32>, tensor<2x2xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<i32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<3xi1>, tensor<ui32>) {
    // CHECK: tx.all_reduce %[[X]] sum ranks = 2 groups = [0, 2, 1, 3] :
    %1 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %13 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x2xf32>) -> tensor<1x4x2xf32>
    // CHECK: tx.all_gather %{{.*}} dim = 0 ranks = 2 groups = [0, 1, 2, 3] : (tensor<1x4x2xf32>) -> tensor<2x4x2xf32>
    %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<1x4x2xf32>) -> tensor<2x4x2xf32>
    // CHECK: tx.reduce_scatter %[[X]] sum dim = 0 ranks = 2 groups = [0, 2, 1, 3] :
    %4 = "stablehlo.reduce_scatter"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %13 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<4x2xf32>) -> tensor<2x2xf32>
    // CHECK: tx.all_to_all %[[X]] split = 0 concat = 1 ranks = 2 groups = [0, 1, 2, 3] :
    %5 = "stablehlo.all_to_all"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x2xf32>) -> tensor<2x4xf32>
    // CHECK: tx.collective_permute %[[X]] pairs = [0, 2, 2, 0, 1, 3, 3, 1] ranks = 4 :
    %6 = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
    // CHECK: %[[ID:.*]] = tx.partition_id ranks = 4
    // CHECK: tx.convert %[[ID]] : tensor<i64> -> tensor<ui32>
    %7 = stablehlo.partition_id : tensor<ui32>
    %8 = stablehlo.convert %7 : (tensor<ui32>) -> tensor<i32>
    // CHECK: tx.all_reduce %[[X]] max ranks = 4 : (
    %9 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %13 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    // CHECK: tx.collective_broadcast %[[X]] root = 0 ranks = 2 groups = [3, 1, 2, 0] :
    %10 = "stablehlo.collective_broadcast"(%arg1) <{replica_groups = dense<[[3, 1], [2, 0]]> : tensor<2x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
    // i1 has no and: its minimum is the same.
    // CHECK: tx.all_reduce %{{.*}} min ranks = 4 : (tensor<3xi1>)
    %11 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>):
      %13 = stablehlo.and %arg2, %arg3 : tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3xi1>) -> tensor<3xi1>
    // There is one replica.
    // CHECK-NOT: tx.partition_id
    %12 = stablehlo.replica_id : tensor<ui32>
    return %1, %3, %4, %5, %6, %8, %9, %10, %11, %12 : tensor<4x2xf32>, tensor<2x4x2xf32>, tensor<2x2xf32>, tensor<2x4xf32>, tensor<4x2xf32>, tensor<i32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<3xi1>, tensor<ui32>
  }
}
//--- replicas.mlir
module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%x: tensor<4xf32>, %y: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<ui32>) {
    // REPLICAS: tx.all_reduce {{.*}} sum ranks = 2 : (tensor<4xf32>)
    // REPLICAS: tx.all_reduce {{.*}} sum ranks = 2 : (tensor<2xf32>)
    %0:2 = "stablehlo.all_reduce"(%x, %y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>)
    // REPLICAS: tx.partition_id ranks = 2
    %2 = stablehlo.replica_id : tensor<ui32>
    return %0#0, %0#1, %2 : tensor<4xf32>, tensor<2xf32>, tensor<ui32>
  }
}
//--- one.mlir
func.func public @main() -> (tensor<2xf32>, tensor<ui32>) {
  %x = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  // ONE: [3, 4]
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  // ONE: out1: ui32[]
  // ONE-NEXT: 0
  %1 = stablehlo.partition_id : tensor<ui32>
  return %0, %1 : tensor<2xf32>, tensor<ui32>
}
//--- refused.mlir
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<9xf32>) {
    // REFUSED: refused.mlir:4:10: error: {{.*}} has groups that do not name each of the 4 devices once
    %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    // REFUSED: by this region is not available over several devices
    %1 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.subtract %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    // REFUSED: dimension 1 is out of range for [4]
    %3 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    // REFUSED: gives 'tensor<8xf32>' and declares 'tensor<9xf32>'
    %4 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<9xf32>
    return %0, %1, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<9xf32>
  }
}

// Groups of two ranks and of one. The others contribute zeros, and keep what they have.
// UNEVEN-LABEL: func.func @main(
// UNEVEN: %[[RANK:.*]] = tx.partition_id
// UNEVEN: %[[FIRST:.*]] = tx.eq %[[RANK]]
// UNEVEN: %[[SECOND:.*]] = tx.eq %[[RANK]]
// UNEVEN: %[[IN:.*]] = tx.or %[[FIRST]], %[[SECOND]]
// UNEVEN: %[[MASK:.*]] = tx.broadcast %[[IN]]
// UNEVEN: %[[GIVEN:.*]] = tx.select %[[MASK]], %arg0,
// UNEVEN: %[[SUM:.*]] = tx.all_reduce %[[GIVEN]] sum ranks = 3 :
// UNEVEN: tx.select %[[MASK]], %[[SUM]], %arg0
// UNEVEN: tx.all_reduce %{{.*}} sum ranks = 3 :
//--- uneven.mlir
module attributes {mhlo.num_partitions = 3 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
