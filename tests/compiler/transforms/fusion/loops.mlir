// Loops stay outside of kernels; their blocks have kernels of their own, and go
// into the program as loops over buffers.
//
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fuse-ops | FileCheck %s
// RUN: %tensorc explain %s | FileCheck %s --check-prefix=EXPLAIN
// RUN: %tensorc compile %s --target=sim:sm_80 --stop-after=emit | FileCheck %s --check-prefix=EMIT

// CHECK-LABEL: @main
// CHECK:       %[[C:.*]] = tx.fusion "loop" "neg"
// CHECK:       %[[S:.*]]:2 = tx.scan <[8]> carried = 1 scanned = 1(%[[C]], %arg0)
// CHECK:         tx.fusion "loop"
// CHECK-NOT:     tx.fusion
// CHECK:         tx.return
// CHECK:       tx.while(%[[S]]#0)
// CHECK:         tx.fusion "row"
// CHECK:         tx.return
// CHECK:       } do {
// CHECK:         tx.fusion "loop"
// CHECK:         tx.return

// EXPLAIN: scan 0
// EXPLAIN: while 1 condition
// EXPLAIN: while 1 body

// Rows of 64 bytes are read and made in place, without a copy.
// EMIT:     %[[ALL:.*]] = txp.alloc %c512_i64
// EMIT:     scf.for %[[I:.*]] = %{{.*}} iter_args(%[[CARRIED:.*]] = %{{.*}})
// EMIT:       %[[ROW:.*]] = txp.view %arg0
// EMIT-NOT:   txp.copy
// EMIT:       %[[PART:.*]] = txp.view %[[ALL]]
// EMIT:       txp.launch {{.*}}ins(%[[CARRIED]], %[[ROW]]) outs(%[[PART]]
// EMIT:       scf.yield
// EMIT:     scf.while (%[[A:.*]] = %{{.*}}) : (!txp.buffer) -> !txp.buffer
// EMIT:       txp.read_scalar
// EMIT:       scf.condition(%{{.*}}) %[[A]]
// EMIT:     } do {
// EMIT:       %[[NEXT:.*]] = txp.alloc
// EMIT:       txp.launch
// EMIT:       scf.yield %[[NEXT]]

func.func @main(%x: tensor<8x16xf32>, %y: tensor<16xf32>) -> (tensor<16xf32>, tensor<8x16xf32>) {
  %c = tx.neg %y : tensor<16xf32>
  %0:2 = tx.scan <[8]> carried = 1 scanned = 1 (%c, %x) : (tensor<16xf32>, tensor<8x16xf32>) -> (tensor<16xf32>, tensor<8x16xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<16xf32>, %b: tensor<16xf32>):
    %m = tx.mul %a, %b : tensor<16xf32>
    %s = tx.sin %m : tensor<16xf32>
    tx.return %m, %s : tensor<16xf32>, tensor<16xf32>
  }
  %1 = tx.while (%0#0) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    %t = tx.constant dense<100.0> : tensor<f32>
    %s = tx.sum %a dims = [0] : tensor<16xf32> -> tensor<f32>
    %p = tx.lt %s, %t : tensor<f32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<16xf32>):
    %e = tx.exp %a : tensor<16xf32>
    tx.return %e : tensor<16xf32>
  }
  return %1, %0#1 : tensor<16xf32>, tensor<8x16xf32>
}

// A loop reads a small constant from the package; a larger one, and one that is
// also a result, are filled in by kernels.
// CHECK-LABEL: @initial
// CHECK:       %[[SMALL:.*]] = tx.constant dense<0.000000e+00> : tensor<16xf32>
// CHECK-NOT:   tx.constant
// CHECK:       %[[LARGE:.*]] = tx.fusion "loop" "constant
// CHECK:       %[[RESULT:.*]] = tx.fusion "loop" "constant
// CHECK:       tx.scan <[8]> carried = 3 scanned = 0(%[[SMALL]], %[[LARGE]], %[[RESULT]])
// CHECK:         tx.fusion
func.func @initial() -> (tensor<16xf32>, tensor<17xf32>, tensor<f32>, tensor<f32>) {
  %a = tx.constant dense<0.0> : tensor<16xf32>
  %b = tx.constant dense<0.0> : tensor<17xf32>
  %c = tx.constant dense<1.0> : tensor<f32>
  %0:3 = tx.scan <[8]> carried = 3 scanned = 0 (%a, %b, %c) : (tensor<16xf32>, tensor<17xf32>, tensor<f32>) -> (tensor<16xf32>, tensor<17xf32>, tensor<f32>) {
  ^bb0(%i: tensor<i64>, %u: tensor<16xf32>, %v: tensor<17xf32>, %w: tensor<f32>):
    %p = tx.cos %u : tensor<16xf32>
    %q = tx.cos %v : tensor<17xf32>
    %r = tx.cos %w : tensor<f32>
    tx.return %p, %q, %r : tensor<16xf32>, tensor<17xf32>, tensor<f32>
  }
  return %0#0, %0#1, %0#2, %c : tensor<16xf32>, tensor<17xf32>, tensor<f32>, tensor<f32>
}
