// Which values are split, and along which dims.
//
// RUN: tensorc-opt %s --tx-propagate-shardings | FileCheck %s

// Element-wise ops and their operands follow; what is annotated stays.
// CHECK-LABEL: @elementwise
// CHECK: %[[Y:.*]] = tx.shard %arg1 mesh = [2, 2] dims = [0, -1] {propagated}
// CHECK: %[[SUM:.*]] = tx.add %{{.*}}, %[[Y]]
// CHECK: tx.shard %[[SUM]] mesh = [2, 2] dims = [0, -1] {propagated}
// CHECK: %[[EXP:.*]] = tx.exp
// CHECK: tx.shard %[[EXP]] mesh = [2, 2] dims = [0, -1] {propagated}
func.func @elementwise(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = tx.shard %x mesh = [2, 2] dims = [0, -1] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = tx.add %0, %y : tensor<8x4xf32>
  %2 = tx.exp %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
// CHECK-LABEL: @broadcast
// CHECK: tx.shard %arg0 mesh = [2, 2] dims = [-1, 0] {propagated}
// CHECK: %[[X:.*]] = tx.broadcast
// CHECK-NEXT: tx.shard %[[X]] mesh = [2, 2] dims = [0, 1] : (
func.func @broadcast(%x: tensor<4xf32>) -> tensor<8x4xf32> {
  %0 = tx.broadcast %x dims = [1] : tensor<4xf32> -> tensor<8x4xf32>
  %1 = tx.shard %0 mesh = [2, 2] dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
// CHECK-LABEL: @dot
// CHECK: tx.shard %arg2 mesh = [2, 2] dims = [-1, 0] {propagated}
// CHECK: tx.dot_general
// CHECK-NEXT: tx.shard {{.*}} dims = [0, 1] {propagated} : (tensor<8x6xf32>)
// CHECK: tx.dot_general
// CHECK-NEXT: tx.shard {{.*}} dims = [0, -1] {propagated} : (tensor<8x4xf32>)
func.func @dot(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %v: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %0 = tx.shard %x mesh = [2, 2] dims = [0, -1] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = tx.shard %w mesh = [2, 2] dims = [-1, 1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = tx.dot_general %0, %1 batch = [] x [] contracting = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %3 = tx.dot_general %2, %v batch = [] x [] contracting = [1] x [0] : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}
// The outermost dims of both sides of a reshape; dims that keep their elements.
// CHECK-LABEL: @moves
// CHECK: tx.shard {{.*}} dims = [0, 1] {propagated} : (tensor<24x8xf32>)
// CHECK: tx.shard {{.*}} dims = [1, 0] {propagated} : (tensor<8x24xf32>)
// CHECK: tx.shard {{.*}} dims = [1, -1] {propagated} : (tensor<3x24xf32>)
// CHECK: tx.shard {{.*}} dims = [1, -1] {propagated} : (tensor<3x4x6xf32>)
// CHECK: tx.shard {{.*}} dims = [0, -1] {propagated} : (tensor<4x6x3xf32>)
func.func @moves(%x: tensor<4x6x8xf32>) -> tensor<4x6x3xf32> {
  %0 = tx.shard %x mesh = [2, 2] dims = [0, 2] : (tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
  %1 = tx.reshape %0 : tensor<4x6x8xf32> -> tensor<24x8xf32>
  %2 = tx.transpose %1 permutation = [1, 0] : tensor<24x8xf32> -> tensor<8x24xf32>
  %3 = tx.slice %2 offsets = [2, 0] strides = [1, 1] : tensor<8x24xf32> -> tensor<3x24xf32>
  %4 = tx.reshape %3 : tensor<3x24xf32> -> tensor<3x4x6xf32>
  %5 = tx.transpose %4 permutation = [1, 2, 0] : tensor<3x4x6xf32> -> tensor<4x6x3xf32>
  return %5 : tensor<4x6x3xf32>
}
// 3 has no two equal parts, and an axis splits one dim of a value.
// CHECK-LABEL: @undivided
// CHECK: %[[T:.*]] = tx.transpose
// CHECK-NEXT: tx.shard %[[T]] mesh = [2] dims = [1] {propagated}
// CHECK: %[[SUM:.*]] = tx.add
// CHECK-NEXT: tx.shard %[[SUM]] mesh = [2] dims = [0] {propagated}
// CHECK-NEXT: tx.broadcast
// CHECK-NEXT: return
func.func @undivided(%x: tensor<4x4xf32>, %y: tensor<3xf32>) -> (tensor<4x4xf32>, tensor<3x4xf32>) {
  %0 = tx.shard %x mesh = [2] dims = [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = tx.transpose %0 permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %2 = tx.add %0, %1 : tensor<4x4xf32>
  %3 = tx.broadcast %y dims = [0] : tensor<3xf32> -> tensor<3x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<3x4xf32>
}
// Values that differ between ranks stay whole: results of collectives and of local_part, and what becomes a part.
// CHECK-LABEL: @rank_local
// CHECK: tx.shard %arg1 {{.*}} {propagated}
// CHECK-NOT: propagated
// CHECK: return
func.func @rank_local(%x: tensor<4xf32>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %0 = tx.shard %w mesh = [2] dims = [0] : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tx.all_reduce %x sum ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tx.add %1, %0 : tensor<4xf32>
  %3 = tx.local_part %w mesh = [2] dims = [-1] : (tensor<4xf32>) -> tensor<4xf32>
  %4 = tx.mul %3, %0 : tensor<4xf32>
  %5 = tx.sub %x, %0 : tensor<4xf32>
  %6 = tx.join_parts %5 mesh = [2] dims = [0] : (tensor<4xf32>) -> tensor<8xf32>
  return %2, %4, %6 : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}
// What is computed from a whole of parts is split as these.
// CHECK-LABEL: @after_a_join
// CHECK: tx.exp
// CHECK-NEXT: tx.shard {{.*}} dims = [0] {propagated} : (tensor<8xf32>)
func.func @after_a_join(%x: tensor<4xf32>) -> tensor<8xf32> {
  %0 = tx.neg %x : tensor<4xf32>
  %1 = tx.join_parts %0 mesh = [2] dims = [0] : (tensor<4xf32>) -> tensor<8xf32>
  %2 = tx.exp %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// A mesh of one rank means nothing.
// CHECK-LABEL: @one_rank
// CHECK-NEXT: %[[Y:.*]] = tx.exp %arg0
// CHECK-NEXT: return %[[Y]]
func.func @one_rank(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.shard %x mesh = [1, 1] dims = [0, -1] : (tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.exp %0 : tensor<?xf32, #tx.dims<[n]>>
  %2 = tx.local_part %1 mesh = [1] dims = [0] : (tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>>
  return %2 : tensor<?xf32, #tx.dims<[n]>>
}
