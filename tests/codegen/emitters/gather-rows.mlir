// Lanes that read anywhere in a row ask for the row behind it.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s

module attributes {tx.target = "cpu:x86-64-v4"} {
// 256 lanes' reads, 8 at a time, come by the 63 lines of the next row: two at
// each step.
// CHECK-LABEL: func.func @concatenate_gather(
// CHECK:         scf.for
// CHECK:           scf.for %[[LANE:.*]] = %{{.*}} to %c256
// CHECK-COUNT-2:     memref.prefetch %{{.*}}, read, locality<2>, data
// CHECK-NOT:         memref.prefetch
// CHECK:             vector.gather
func.func @along_rows(%x: tensor<4096x1000xf32>, %i: tensor<4096x256xi64>) -> tensor<4096x256xf32> {
  %0 = tx.iota dim = 0 : tensor<4096x256xi64>
  %1 = tx.reshape %0 : tensor<4096x256xi64> -> tensor<4096x256x1xi64>
  %2 = tx.reshape %i : tensor<4096x256xi64> -> tensor<4096x256x1xi64>
  %3 = tx.concatenate %1, %2 dim = 2 : (tensor<4096x256x1xi64>, tensor<4096x256x1xi64>) -> tensor<4096x256x2xi64>
  %4 = tx.gather %x, %3 offset_dims = [] collapsed_slice_dims = [0, 1] start_index_map = [0, 1] index_vector_dim = 2 slice_sizes = [1, 1] : (tensor<4096x1000xf32>, tensor<4096x256x2xi64>) -> tensor<4096x256xf32>
  return %4 : tensor<4096x256xf32>
}

// Rows that lie anywhere: the next one is not the one behind.
// CHECK-LABEL: func.func @concatenate_gather_0(
// CHECK-NOT:     memref.prefetch
// CHECK:         vector.gather
// CHECK-NOT:     memref.prefetch
// CHECK:         return
func.func @anywhere(%x: tensor<4096x1000xf32>, %r: tensor<4096xi64>, %i: tensor<4096x256xi64>) -> tensor<4096x256xf32> {
  %0 = tx.broadcast %r dims = [0] : tensor<4096xi64> -> tensor<4096x256xi64>
  %1 = tx.reshape %0 : tensor<4096x256xi64> -> tensor<4096x256x1xi64>
  %2 = tx.reshape %i : tensor<4096x256xi64> -> tensor<4096x256x1xi64>
  %3 = tx.concatenate %1, %2 dim = 2 : (tensor<4096x256x1xi64>, tensor<4096x256x1xi64>) -> tensor<4096x256x2xi64>
  %4 = tx.gather %x, %3 offset_dims = [] collapsed_slice_dims = [0, 1] start_index_map = [0, 1] index_vector_dim = 2 slice_sizes = [1, 1] : (tensor<4096x1000xf32>, tensor<4096x256x2xi64>) -> tensor<4096x256xf32>
  return %4 : tensor<4096x256xf32>
}

// Few of a row's lines are read.
// CHECK-LABEL: func.func @concatenate_gather_1(
// CHECK-NOT:     memref.prefetch
// CHECK:         return
func.func @few_of_a_row(%x: tensor<4096x1000xf32>, %i: tensor<4096x32xi64>) -> tensor<4096x32xf32> {
  %0 = tx.iota dim = 0 : tensor<4096x32xi64>
  %1 = tx.reshape %0 : tensor<4096x32xi64> -> tensor<4096x32x1xi64>
  %2 = tx.reshape %i : tensor<4096x32xi64> -> tensor<4096x32x1xi64>
  %3 = tx.concatenate %1, %2 dim = 2 : (tensor<4096x32x1xi64>, tensor<4096x32x1xi64>) -> tensor<4096x32x2xi64>
  %4 = tx.gather %x, %3 offset_dims = [] collapsed_slice_dims = [0, 1] start_index_map = [0, 1] index_vector_dim = 2 slice_sizes = [1, 1] : (tensor<4096x1000xf32>, tensor<4096x32x2xi64>) -> tensor<4096x32xf32>
  return %4 : tensor<4096x32xf32>
}
}
