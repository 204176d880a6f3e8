// What an update leaves is emitted once, though a row that the update does not reach is skipped by a branch: in both arms, kernels of chained updates double with each one.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --stop-after=emit | FileCheck %s
// RUN: %tensorc run %s --device=cpu:0 --compare=reference --random-inputs

// CHECK-LABEL: func.func @dynamic_update_slice(
// CHECK-COUNT-5: arith.select
// CHECK-NOT:     arith.select
// CHECK-LABEL: txp.func
func.func @diagonal(%x: tensor<5x5xf32>, %u: tensor<1x1xf32>) -> tensor<5x5xf32> {
  %i0 = tx.constant dense<0> : tensor<i32>
  %i1 = tx.constant dense<1> : tensor<i32>
  %i2 = tx.constant dense<2> : tensor<i32>
  %i3 = tx.constant dense<3> : tensor<i32>
  %i4 = tx.constant dense<4> : tensor<i32>
  %0 = tx.dynamic_update_slice %x, %u[%i0, %i0] : (tensor<5x5xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<5x5xf32>
  %1 = tx.dynamic_update_slice %0, %u[%i1, %i1] : (tensor<5x5xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<5x5xf32>
  %2 = tx.dynamic_update_slice %1, %u[%i2, %i2] : (tensor<5x5xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<5x5xf32>
  %3 = tx.dynamic_update_slice %2, %u[%i3, %i3] : (tensor<5x5xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<5x5xf32>
  %4 = tx.dynamic_update_slice %3, %u[%i4, %i4] : (tensor<5x5xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<5x5xf32>
  return %4 : tensor<5x5xf32>
}
