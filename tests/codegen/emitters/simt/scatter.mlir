// A thread takes one free element of the windows, with all its updates in order; no atomics, no barriers.
//
// RUN: %tensorc compile %s --target=sim:sm_90a --stop-after=emit | FileCheck %s

// CHECK-LABEL: gpu.func @scatter_init
// CHECK-LABEL: gpu.func @scatter(
// CHECK-NOT:   gpu.barrier
// CHECK-NOT:   atomic
// CHECK:       gpu.thread_id
// CHECK:       arith.cmpi ult
// CHECK:       scf.if
// CHECK:         scf.for %{{.*}} = %c0 to %c60
// CHECK:           arith.cmpi ult
// CHECK:           scf.if
// CHECK:             arith.addf
// CHECK-NEXT:        memref.store
// CHECK:       gpu.return
func.func @main(%x: tensor<50x240xf32>, %i: tensor<60xi32>, %u: tensor<60x240xf32>) -> tensor<50x240xf32> {
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<50x240xf32>, tensor<60xi32>, tensor<60x240xf32>) -> tensor<50x240xf32>
  return %0 : tensor<50x240xf32>
}
