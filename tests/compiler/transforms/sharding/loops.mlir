// Loops and branches carry parts. What decides how often they run is whole.
//
// RUN: tensorc-opt %s --tx-propagate-shardings --tx-partition --canonicalize --cse | FileCheck %s
// RUN: tensorc run %s --entry=iterate --devices=cpu,cpu --random-inputs --compare=reference
// RUN: tensorc run %s --entry=stack --devices=cpu,cpu --random-inputs --compare=reference
// RUN: tensorc run %s --entry=choose --devices=cpu,cpu --random-inputs --compare=reference
// RUN: tensorc run %s --entry=updates --devices=cpu,cpu --random-inputs --compare=reference

// The state is split because of an annotation after the loop; its sum, which ends the loop, is reduced in each
// iteration.
// CHECK-LABEL: @iterate
// CHECK: tx.while most = 5{{ ?}}({{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK: ^bb0(%[[A:.*]]: tensor<4x4xf32>, %{{.*}}: tensor<4x4xf32>):
// CHECK: tx.sum %[[A]]
// CHECK: tx.all_reduce {{.*}} sum ranks = 2
// CHECK: do
// CHECK-NOT: tx.all
// CHECK: tx.return {{.*}} : tensor<4x4xf32>
// CHECK: tx.all_gather
func.func @iterate(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = tx.while most = 5 (%x, %y) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32> {
  ^bb0(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>):
    %limit = tx.constant dense<1.0e+3> : tensor<f32>
    %s = tx.sum %a dims = [0, 1] : tensor<8x4xf32> -> tensor<f32>
    %p = tx.lt %s, %limit : tensor<f32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>):
    %r = tx.add %a, %b : tensor<8x4xf32>
    tx.return %r : tensor<8x4xf32>
  }
  %1 = tx.shard %0 mesh = [2] dims = [0] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// Slices are split as the stack is, one dim further.
// CHECK-LABEL: @stack
// CHECK: tx.scan <[3]> carried = 1 scanned = 1{{ ?}}({{.*}}) : (tensor<4xf32>, tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>)
// CHECK: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>):
// CHECK-NOT: tx.all
// CHECK: tx.return
func.func @stack(%x: tensor<8xf32>, %y: tensor<3x8xf32>) -> (tensor<8xf32>, tensor<3x8xf32>) {
  %ys = tx.shard %y mesh = [2] dims = [1] : (tensor<3x8xf32>) -> tensor<3x8xf32>
  %0:2 = tx.scan <[3]> carried = 1 scanned = 1 (%x, %ys) : (tensor<8xf32>, tensor<3x8xf32>) -> (tensor<8xf32>, tensor<3x8xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<8xf32>, %b: tensor<8xf32>):
    %r = tx.add %a, %b : tensor<8xf32>
    tx.return %r, %a : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<3x8xf32>
}

// CHECK-LABEL: @choose
// CHECK: tx.if {{.*}} : tensor<i1>, (tensor<4xf32>) -> tensor<4xf32>
func.func @choose(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %0 = tx.shard %x mesh = [2] dims = [0] : (tensor<8xf32>) -> tensor<8xf32>
  %s = tx.sum %0 dims = [0] : tensor<8xf32> -> tensor<f32>
  %p = tx.lt %s, %zero : tensor<f32>
  %1 = tx.if %p (%0) : tensor<i1>, (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>):
    %r = tx.neg %a : tensor<8xf32>
    tx.return %r : tensor<8xf32>
  } else {
  ^bb0(%a: tensor<8xf32>):
    tx.return %a : tensor<8xf32>
  }
  return %1 : tensor<8xf32>
}

// A loop whose body has collectives is whole, as its values may differ between ranks.
// CHECK-LABEL: @differing
// CHECK: tx.while {{.*}} -> tensor<8xf32>
func.func @differing(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tx.while most = 2 (%x) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>):
    %p = tx.constant dense<true> : tensor<i1>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<8xf32>):
    %r = tx.all_reduce %a sum ranks = 2 : (tensor<8xf32>) -> tensor<8xf32>
    tx.return %r : tensor<8xf32>
  }
  %1 = tx.shard %0 mesh = [2] dims = [0] : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Each rank updates its columns; rows are updated at indices, so that they are whole.
// CHECK-LABEL: @updates
// CHECK: tx.scatter "add" {{.*}} : (tensor<8x2xf32>, tensor<3xi64>, tensor<3x2xf32>) -> tensor<8x2xf32>
func.func @updates(%x: tensor<8x4xf32>, %u: tensor<3x4xf32>) -> tensor<8x4xf32> {
  %i = tx.constant dense<[1, 7, 1]> : tensor<3xi64>
  %0 = tx.shard %x mesh = [2] dims = [1] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = tx.scatter "add" %0, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<8x4xf32>, tensor<3xi64>, tensor<3x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
