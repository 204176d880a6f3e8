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
