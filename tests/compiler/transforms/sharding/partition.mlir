// Which collectives a rank's program takes. Values that need none have parts only.
//
// RUN: tensorc-opt %s --tx-propagate-shardings --tx-partition --canonicalize --cse | FileCheck %s

// Arguments are whole, so their parts are slices; results are whole.
// CHECK-LABEL: @elementwise
func.func @elementwise(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> attributes {axes = ["data", "model"]} {
  // CHECK-DAG: %[[RANK:.*]] = tx.partition_id ranks = 4
  // CHECK-DAG: %[[X:.*]] = tx.dynamic_slice %arg0[{{.*}}] slice_sizes = [4, -1]
  // CHECK-DAG: %[[Y:.*]] = tx.dynamic_slice %arg1[{{.*}}] slice_sizes = [4, -1]
  // CHECK: %[[SUM:.*]] = tx.add %[[X]], %[[Y]] : tensor<4x4xf32>
  // CHECK: tx.all_gather %[[SUM]] dim = 0 ranks = 2 groups = [0, 2, 1, 3] {axes = "data", inserted = "result 0 is whole on each rank"
  %0 = tx.shard %x mesh = [2, 2] dims = [0, -1] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = tx.add %0, %y : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// The parts of the contraction are summed.
// CHECK-LABEL: @tensor_parallel
func.func @tensor_parallel(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %v: tensor<6x4xf32>) -> tensor<f32> attributes {axes = ["data", "model"]} {
  // CHECK-NOT: tx.all
  // CHECK: tx.dot_general {{.*}} : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  // CHECK: %[[DOT:.*]] = tx.dot_general {{.*}} : (tensor<4x3xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[ALL:.*]] = tx.all_reduce %[[DOT]] sum ranks = 2 groups = [0, 1, 2, 3] {axes = "model", inserted = "tx.dot_general reduces a dimension that model splits"
  // CHECK: %[[SUM:.*]] = tx.sum %[[ALL]]
  // CHECK: tx.all_reduce %[[SUM]] sum ranks = 2 groups = [0, 2, 1, 3] {axes = "data"
  // CHECK-NOT: tx.all
  %0 = tx.shard %x mesh = [2, 2] dims = [0, -1] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = tx.shard %w mesh = [2, 2] dims = [-1, 1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = tx.dot_general %0, %1 batch = [] x [] contracting = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %3 = tx.dot_general %2, %v batch = [] x [] contracting = [1] x [0] : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %4 = tx.sum %3 dims = [0, 1] : tensor<8x4xf32> -> tensor<f32>
  return %4 : tensor<f32>
}

// A parameter that is split along the axis of the batch is gathered (FSDP), and its gradient is scattered.
// CHECK-LABEL: @sharded_parameters
func.func @sharded_parameters(%x: tensor<8x4xf32>, %w: tensor<1x6xf32>, %g: tensor<8x6xf32>) -> (tensor<2x6xf32>, tensor<1x6xf32>) attributes {axes = ["data", "model"]} {
  // CHECK: %[[W:.*]] = tx.all_gather %arg1 dim = 0 ranks = 4 {{.*}} : (tensor<1x6xf32>) -> tensor<4x6xf32>
  // CHECK: tx.dot_general {{.*}}, %[[W]] {{.*}} -> tensor<2x6xf32>
  // CHECK: %[[G:.*]] = tx.dot_general {{.*}} : (tensor<2x4xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  // CHECK: tx.reduce_scatter %[[G]] sum dim = 0 ranks = 4 {{.*}} -> tensor<1x6xf32>
  // CHECK-NOT: tx.all
  %0 = tx.shard %x mesh = [4] dims = [0] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = tx.join_parts %w mesh = [4] dims = [0] : (tensor<1x6xf32>) -> tensor<4x6xf32>
  %2 = tx.dot_general %0, %1 batch = [] x [] contracting = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %3 = tx.local_part %2 mesh = [4] dims = [0] : (tensor<8x6xf32>) -> tensor<2x6xf32>
  %split = tx.shard %g mesh = [4] dims = [0] : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %4 = tx.dot_general %0, %split batch = [] x [] contracting = [0] x [0] : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %5 = tx.local_part %4 mesh = [4] dims = [0] : (tensor<4x6xf32>) -> tensor<1x6xf32>
  return %3, %5 : tensor<2x6xf32>, tensor<1x6xf32>
}

// An axis moves to another dim by an exchange; two are gathered at once.
// CHECK-LABEL: @resharded
func.func @resharded(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) attributes {axes = ["data", "model"]} {
  // CHECK-DAG: %[[EXP:.*]] = tx.exp {{.*}} : tensor<4x4xf32>
  // CHECK-DAG: %[[NEG:.*]] = tx.neg {{.*}} : tensor<2x4xf32>
  // CHECK-DAG: %[[MOVED:.*]] = tx.all_to_all %[[EXP]] split = 1 concat = 0 ranks = 2 groups = [0, 2, 1, 3] {axes = "data", inserted = "a value is split as [data -], and annotated as [- data]", remedy = "annotate it as [data -]"} : (tensor<4x4xf32>) -> tensor<8x2xf32>
  // CHECK: tx.all_gather %[[MOVED]] dim = 1 ranks = 2 groups = [0, 2, 1, 3]
  // CHECK: tx.all_gather %[[NEG]] dim = 0 ranks = 4 {{.*}} : (tensor<2x4xf32>) -> tensor<8x4xf32>
  %0 = tx.shard %x mesh = [2, 2] dims = [0, -1] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = tx.exp %0 : tensor<8x4xf32>
  %2 = tx.shard %1 mesh = [2, 2] dims = [1, -1] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = tx.shard %x mesh = [2, 2] dims = [0, 0] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %4 = tx.neg %3 : tensor<8x4xf32>
  return %2, %4 : tensor<8x4xf32>, tensor<8x4xf32>
}

// Rows of a table that is split along its columns are looked up without an exchange; along its rows it is whole.
// CHECK-LABEL: @gather
func.func @gather(%x: tensor<100x8xf32>, %i: tensor<4xi64>) -> tensor<4x8xf32> attributes {axes = ["data", "model"]} {
  // CHECK: tx.gather {{.*}} slice_sizes = [1, 4] : (tensor<100x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  // CHECK: tx.all_gather
  // CHECK: tx.all_gather
  %0 = tx.shard %x mesh = [2, 2] dims = [-1, 1] : (tensor<100x8xf32>) -> tensor<100x8xf32>
  %1 = tx.shard %i mesh = [2, 2] dims = [0, -1] : (tensor<4xi64>) -> tensor<4xi64>
  %2 = tx.gather %0, %1 offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 8] : (tensor<100x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// Images of a batch.
// CHECK-LABEL: @convolution
func.func @convolution(%x: tensor<4x3x8x8xf32>, %w: tensor<6x3x3x3xf32>) -> tensor<4x6x6x6xf32> attributes {axes = ["data", "model"]} {
  // CHECK-NOT: tx.all
  // CHECK: tx.windows {{.*}} : tensor<1x3x8x8xf32>
  // CHECK: tx.dot_general
  // CHECK-NOT: tx.all_reduce
  // CHECK: tx.all_gather {{.*}} dim = 0 ranks = 4
  %0 = tx.shard %x mesh = [4] dims = [0] : (tensor<4x3x8x8xf32>) -> tensor<4x3x8x8xf32>
  %1 = tx.conv %0, %w groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<4x3x8x8xf32>, tensor<6x3x3x3xf32>) -> tensor<4x6x6x6xf32>
  return %1 : tensor<4x6x6x6xf32>
}

// A sort needs all elements along its dim.
// CHECK-LABEL: @sort
func.func @sort(%x: tensor<8xf32>) -> tensor<8xf32> attributes {axes = ["data", "model"]} {
  // CHECK: %[[X:.*]] = tx.all_gather {{.*}} inserted = "operand 0 of tx.sort is split as [data], and needed as [-]"
  // CHECK: tx.sort %[[X]]
  %0 = tx.shard %x mesh = [2] dims = [0] : (tensor<8xf32>) -> tensor<8xf32>
  %1 = tx.exp %0 : tensor<8xf32>
  %2 = tx.sort %1 dim = 0 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// The part of a rank is what it has as a whole, however the value is split elsewhere.
// CHECK-LABEL: @joined
func.func @joined(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) attributes {axes = ["data"]} {
  // CHECK: %[[NEG:.*]] = tx.neg {{.*}} : tensor<2x4xf32>
  // CHECK: %[[WHOLE:.*]] = tx.all_gather %[[NEG]] {{.*}} inserted = "operand 0 of tx.join_parts is split as [data -], and needed as [- -]"
  // CHECK: %[[X:.*]] = tx.all_gather %[[WHOLE]] dim = 0 ranks = 2 {{.*}} -> tensor<8x4xf32>
  // CHECK: %[[Y:.*]] = tx.all_gather %arg1 dim = 0 ranks = 2 {{.*}} -> tensor<8x4xf32>
  // CHECK: return %[[X]], %[[Y]]
  %neg = tx.neg %x : tensor<4x4xf32>
  %0 = tx.shard %neg mesh = [2] dims = [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = tx.join_parts %0 mesh = [2] dims = [0] : (tensor<4x4xf32>) -> tensor<8x4xf32>
  %2 = tx.shard %y mesh = [2] dims = [1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = tx.join_parts %y mesh = [2] dims = [0] : (tensor<4x4xf32>) -> tensor<8x4xf32>
  return %1, %3 : tensor<8x4xf32>, tensor<8x4xf32>
}

// What differs between ranks is not split: w is gathered before it is added to a rank's own part.
// CHECK-LABEL: @rank_local
func.func @rank_local(%a: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {axes = ["data"]} {
  // CHECK-DAG: %[[A:.*]] = tx.dynamic_slice %arg0[{{.*}}] slice_sizes = [4, -1]
  // CHECK-DAG: %[[PART:.*]] = tx.dynamic_slice %arg1[{{.*}}] slice_sizes = [2, -1]
  // CHECK-DAG: %[[EXP:.*]] = tx.exp %[[PART]] : tensor<2x4xf32>
  // CHECK-DAG: %[[W:.*]] = tx.all_gather %[[EXP]] dim = 0 ranks = 2
  // CHECK: %[[SUM:.*]] = tx.add %[[A]], %[[W]] : tensor<4x4xf32>
  // CHECK: return %[[SUM]]
  %0 = tx.local_part %a mesh = [2] dims = [0] : (tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = tx.shard %w mesh = [2] dims = [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = tx.exp %1 : tensor<4x4xf32>
  %3 = tx.add %0, %2 : tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}
