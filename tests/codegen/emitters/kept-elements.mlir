// What passes over a row hand each other, and their numbers.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=softmax --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// The pass that sums the exponentials keeps them for the one that scales them,
// and asks for all of the next row.
// CHECK-LABEL: func.func @sub_exp_sum_div_1more(
// CHECK:       %[[KEPT:.*]] = memref.view {{.*}} to memref<320xf32>
// CHECK-NOT:   memref.prefetch
// CHECK:       arith.maxsi
// CHECK:       scf.for
// CHECK-COUNT-2: memref.prefetch {{.*}}, read, locality<3>
// CHECK:       math.exp
// CHECK:       vector.store {{.*}}, %[[KEPT]]
// CHECK-NOT:   math.exp
// CHECK-NOT:   memref.prefetch
// CHECK:       vector.load %[[KEPT]]
// CHECK-NOT:   math.exp
// CHECK-NOT:   memref.prefetch
// CHECK:       arith.divf
// CHECK:       txp.func @softmax
// CHECK:       txp.launch {{.*}} scratch(%c1280_i64)
func.func @softmax(%x: tensor<5x300xf32>) -> tensor<5x300xf32> {
  %m = tx.reduce_max %x dims = [1] : tensor<5x300xf32> -> tensor<5xf32>
  %mb = tx.broadcast %m dims = [0] : tensor<5xf32> -> tensor<5x300xf32>
  %d = tx.sub %x, %mb : tensor<5x300xf32>
  %e = tx.exp %d : tensor<5x300xf32>
  %s = tx.sum %e dims = [1] : tensor<5x300xf32> -> tensor<5xf32>
  %sb = tx.broadcast %s dims = [0] : tensor<5xf32> -> tensor<5x300xf32>
  %r = tx.div %e, %sb : tensor<5x300xf32>
  return %r : tensor<5x300xf32>
}
}
