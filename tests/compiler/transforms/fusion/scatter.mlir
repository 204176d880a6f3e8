// A scatter with all that computes its operands, and nothing behind it.
//
// RUN: %tensorc-opt %s --split-input-file --tx-expand-degenerate --tx-fuse-ops | FileCheck %s

// Costly updates too: each is computed once.
// CHECK-LABEL: @operands
// CHECK:       tx.fusion "scatter" "rem_exp_scatter"
// CHECK-NOT:   tx.fusion
func.func @operands(%x: tensor<24xf32>, %i: tensor<60xi64>, %u: tensor<60x24xf32>) -> tensor<50x24xf32> {
  %n = tx.constant dense<53> : tensor<60xi64>
  %j = tx.rem %i, %n : tensor<60xi64>
  %y = tx.broadcast %x dims = [1] : tensor<24xf32> -> tensor<50x24xf32>
  %v = tx.exp %u : tensor<60x24xf32>
  %0 = tx.scatter "add" %y, %j, %v update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<50x24xf32>, tensor<60xi64>, tensor<60x24xf32>) -> tensor<50x24xf32>
  return %0 : tensor<50x24xf32>
}

// -----

// CHECK-LABEL: @users
// CHECK:       tx.fusion "scatter" "scatter"
// CHECK:       tx.fusion "loop" "tanh"
// CHECK-SAME:  scatter stays outside: a scatter's result is complete when all updates are done
func.func @users(%x: tensor<50x24xf32>, %i: tensor<60xi64>, %u: tensor<60x24xf32>) -> tensor<50x24xf32> {
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<50x24xf32>, tensor<60xi64>, tensor<60x24xf32>) -> tensor<50x24xf32>
  %1 = tx.tanh %0 : tensor<50x24xf32>
  return %1 : tensor<50x24xf32>
}

// -----

// Sums and contractions are kernels of their own; so is a second scatter.
// CHECK-LABEL: @before
// CHECK:       tx.fusion "row" "sum"
// CHECK:       tx.fusion "scatter" "scatter"
// CHECK:       tx.fusion "scatter" "scatter_1"
func.func @before(%x: tensor<50x24xf32>, %i: tensor<60xi64>, %u: tensor<60x24x8xf32>) -> tensor<50x24xf32> {
  %s = tx.sum %u dims = [2] : tensor<60x24x8xf32> -> tensor<60x24xf32>
  %0 = tx.scatter "add" %x, %i, %s update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<50x24xf32>, tensor<60xi64>, tensor<60x24xf32>) -> tensor<50x24xf32>
  %1 = tx.scatter "set" %0, %i, %s update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<50x24xf32>, tensor<60xi64>, tensor<60x24xf32>) -> tensor<50x24xf32>
  return %1 : tensor<50x24xf32>
}

// -----

// What is read at computed indices is in memory first; the indices need not be.
// CHECK-LABEL: @gather
// CHECK:       tx.fusion "loop" "tanh"
// CHECK:       tx.fusion "loop" "mul_gather_neg"
// CHECK-SAME:  tanh stays outside: it is read at indices that are known when it runs
func.func @gather(%x: tensor<50x24xf32>, %i: tensor<6xi64>) -> tensor<6x24xf32> {
  %j = tx.mul %i, %i : tensor<6xi64>
  %y = tx.tanh %x : tensor<50x24xf32>
  %g = tx.gather %y, %j offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 24] : (tensor<50x24xf32>, tensor<6xi64>) -> tensor<6x24xf32>
  %z = tx.neg %g : tensor<6x24xf32>
  return %z : tensor<6x24xf32>
}
