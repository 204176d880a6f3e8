// The loops of a scatter: x first; then the updates, each asked about once, by lanes.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --stop-after=emit | FileCheck %s

// CHECK-LABEL: func.func @scatter_init
// CHECK:       vector.maskedload
// CHECK:       vector.maskedstore
// CHECK-LABEL: func.func @scatter(
// CHECK:       scf.for %[[N:.*]] = %c0 to %c60
// CHECK-NEXT:    memref.load %{{.*}}[%[[N]]]
// CHECK:         arith.cmpi ult
// CHECK-NEXT:    scf.if
// CHECK:           scf.for
// CHECK:             vector.load
// CHECK:             vector.load
// CHECK:             arith.addf {{.*}} vector<
// CHECK:             vector.store
// CHECK:           scf.if
// CHECK:             vector.maskedstore
// Both kernels have the fusion's buffers, and the second one comes behind the first.
// CHECK-LABEL: txp.func
// CHECK:       txp.launch @kernels::@scatter_init
// CHECK-SAME:  ins(%[[X:.*]], %[[I:.*]], %[[U:.*]]) outs(%[[OUT:.*]])
// Work items are elements of a row; each takes 60 updates.
// CHECK:       txp.launch @kernels::@scatter extent(%c24_i64) grain(%c269_i64)
// CHECK-SAME:  ins(%[[X]], %[[I]], %[[U]]) outs(%[[OUT]])
func.func @main(%x: tensor<50x24xf32>, %i: tensor<60xi32>, %u: tensor<60x24xf32>) -> tensor<50x24xf32> {
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<50x24xf32>, tensor<60xi32>, tensor<60x24xf32>) -> tensor<50x24xf32>
  return %0 : tensor<50x24xf32>
}
