// Reductions and what is computed around them, in one pass over each row.
//
// RUN: %tensorc-opt %s --split-input-file --tx-expand-composites --tx-fuse-ops | FileCheck %s

#rows = #tx.dims<[n, 64]>
#n = #tx.dims<[n]>

// Softmax is one kernel, named by its composite.
// CHECK-LABEL: @softmax
// CHECK:       tx.fusion "row" "softmax"
// CHECK-NOT:   tx.fusion
func.func @softmax(%x: tensor<?x64xf32, #rows>) -> tensor<?x64xf32, #rows> {
  %0 = tx.softmax %x dim = 1 : tensor<?x64xf32, #rows>
  return %0 : tensor<?x64xf32, #rows>
}

// -----

// Ops on the result join it: the kernel's outputs have the kept shape.
// CHECK-LABEL: @epilogue
// CHECK:       tx.fusion "row" "mul_sum_sqrt"
// CHECK-NOT:   tx.fusion
func.func @epilogue(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %0 = tx.mul %x, %x : tensor<4x8xf32>
  %1 = tx.sum %0 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %2 = tx.sqrt %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// With the last dim kept, lanes run along it: a column.
// CHECK-LABEL: @column
// CHECK:       tx.fusion "column" "exp_sum"
// CHECK-NOT:   tx.fusion
func.func @column(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  %0 = tx.exp %x : tensor<4x8xf32>
  %1 = tx.sum %0 dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Two reductions over one operand are one kernel; over other dims they are not.
// CHECK-LABEL: @several
// CHECK-DAG:   tx.fusion "row" "{{sum_reduce_max|reduce_max_sum}}"
// CHECK-DAG:   tx.fusion "column" "sum{{.*}}"
// CHECK-NOT:   tx.fusion
func.func @several(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %0 = tx.sum %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %1 = tx.reduce_max %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %2 = tx.sum %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}

// -----

// The result read elsewhere than along its own row cannot be in one pass.
// CHECK-LABEL: @transposed_use
// CHECK-COUNT-2: tx.fusion
func.func @transposed_use(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tx.sum %x dims = [1] : tensor<4x4xf32> -> tensor<4xf32>
  %1 = tx.broadcast %0 dims = [1] : tensor<4xf32> -> tensor<4x4xf32>
  %2 = tx.div %x, %1 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// One long row is reduced by threads, and so is what is computed from it: a kernel of both would have one work item.
// CHECK-LABEL: @centered
// CHECK:       tx.fusion "row" {{.*}} -> tensor<f32>
// CHECK:       tx.fusion "loop" {{.*}}sum stays outside: its rows are few and long{{.*}} -> tensor<65537xf32>
// CHECK-NOT:   tx.fusion
func.func @centered(%x: tensor<65537xf32>) -> tensor<65537xf32> {
  %n = tx.constant dense<65537.0> : tensor<f32>
  %0 = tx.sum %x dims = [0] : tensor<65537xf32> -> tensor<f32>
  %1 = tx.div %0, %n : tensor<f32>
  %2 = tx.broadcast %1 dims = [] : tensor<f32> -> tensor<65537xf32>
  %3 = tx.sub %x, %2 : tensor<65537xf32>
  return %3 : tensor<65537xf32>
}

// -----

// The same of two passes that reduce; two that need nothing of each other are one.
// CHECK-LABEL: @moments
// CHECK:       tx.fusion "row" {{.*}} -> tensor<f32>
// CHECK:       tx.fusion "row" {{.*}} -> tensor<f32>
// CHECK-NOT:   tx.fusion
func.func @moments(%x: tensor<65537xf32>) -> tensor<f32> {
  %0 = tx.sum %x dims = [0] : tensor<65537xf32> -> tensor<f32>
  %1 = tx.broadcast %0 dims = [] : tensor<f32> -> tensor<65537xf32>
  %2 = tx.sub %x, %1 : tensor<65537xf32>
  %3 = tx.mul %2, %2 : tensor<65537xf32>
  %4 = tx.sum %3 dims = [0] : tensor<65537xf32> -> tensor<f32>
  %5 = tx.reduce_max %3 dims = [0] : tensor<65537xf32> -> tensor<f32>
  %6 = tx.div %4, %5 : tensor<f32>
  return %6 : tensor<f32>
}

// -----

// What the sum adds is an operand of the result, too, and would have to be stored.
// CHECK-LABEL: @long_softmax
// CHECK:       tx.fusion "row" {{.*}} -> tensor<65537xf32>
// CHECK-NOT:   tx.fusion
func.func @long_softmax(%x: tensor<65537xf32>) -> tensor<65537xf32> {
  %0 = tx.reduce_max %x dims = [0] : tensor<65537xf32> -> tensor<f32>
  %1 = tx.broadcast %0 dims = [] : tensor<f32> -> tensor<65537xf32>
  %2 = tx.sub %x, %1 : tensor<65537xf32>
  %3 = tx.exp %2 : tensor<65537xf32>
  %4 = tx.sum %3 dims = [0] : tensor<65537xf32> -> tensor<f32>
  %5 = tx.broadcast %4 dims = [] : tensor<f32> -> tensor<65537xf32>
  %6 = tx.div %3, %5 : tensor<65537xf32>
  return %6 : tensor<65537xf32>
}

// -----

// Sums that share an expression make it in their common loop: neither of them
// stores it for the others.
// CHECK-LABEL: @shared_expression
// CHECK:       tx.fusion "row" {{.*}} -> (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>)
// CHECK-NOT:   tx.fusion
func.func @shared_expression(%x: tensor<512x4096xf32>, %y: tensor<512x4096xf32>) -> (tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) {
  %0 = tx.mul %x, %y : tensor<512x4096xf32>
  %1 = tx.sqrt %0 : tensor<512x4096xf32>
  %2 = tx.div %x, %1 : tensor<512x4096xf32>
  %3 = tx.mul %2, %x : tensor<512x4096xf32>
  %4 = tx.mul %2, %y : tensor<512x4096xf32>
  %5 = tx.sum %2 dims = [1] : tensor<512x4096xf32> -> tensor<512xf32>
  %6 = tx.sum %3 dims = [1] : tensor<512x4096xf32> -> tensor<512xf32>
  %7 = tx.sum %4 dims = [1] : tensor<512x4096xf32> -> tensor<512xf32>
  return %5, %6, %7 : tensor<512xf32>, tensor<512xf32>, tensor<512xf32>
}

// -----

// A broadcast reads a dim of size 1 at index 0, which is the index of the only row.
// CHECK-LABEL: @one_row
// CHECK:       tx.fusion "row" {{.*}} -> tensor<1x4096xf32>
// CHECK-NOT:   tx.fusion
func.func @one_row(%x: tensor<1x4096xf32>) -> tensor<1x4096xf32> {
  %0 = tx.reduce_max %x dims = [1] : tensor<1x4096xf32> -> tensor<1xf32>
  %1 = tx.broadcast %0 dims = [0] : tensor<1xf32> -> tensor<1x4096xf32>
  %2 = tx.sub %x, %1 : tensor<1x4096xf32>
  %3 = tx.exp %2 : tensor<1x4096xf32>
  %4 = tx.sum %3 dims = [1] : tensor<1x4096xf32> -> tensor<1xf32>
  %5 = tx.log %4 : tensor<1xf32>
  %6 = tx.broadcast %5 dims = [0] : tensor<1xf32> -> tensor<1x4096xf32>
  %7 = tx.sub %2, %6 : tensor<1x4096xf32>
  return %7 : tensor<1x4096xf32>
}

// -----

// The same of one image: rows are its groups.
// CHECK-LABEL: @one_image
// CHECK:       tx.fusion "row" {{.*}} -> tensor<1x32x2x64xf32>
// CHECK-NOT:   tx.fusion
func.func @one_image(%x: tensor<1x32x2x64xf32>) -> tensor<1x32x2x64xf32> {
  %0 = tx.sum %x dims = [2, 3] : tensor<1x32x2x64xf32> -> tensor<1x32xf32>
  %1 = tx.broadcast %0 dims = [0, 1] : tensor<1x32xf32> -> tensor<1x32x2x64xf32>
  %2 = tx.sub %x, %1 : tensor<1x32x2x64xf32>
  return %2 : tensor<1x32x2x64xf32>
}
