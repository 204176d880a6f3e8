// A branch stays outside of kernels; each of its blocks has kernels of its own.
//
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fuse-ops | FileCheck %s
// RUN: %tensorc explain %s | FileCheck %s --check-prefix=EXPLAIN
// RUN: %tensorc compile %s --target=cpu --stop-after=emit | FileCheck %s --check-prefix=EMIT
// RUN: %tensorc compile %s --target=cpu --stop-after=lower | FileCheck %s --check-prefix=LOWER

// The sum before it decides, and what is behind it does not join it.
// CHECK-LABEL: @main
// CHECK:       %[[P:.*]] = tx.fusion "row" "sum_gt"
// CHECK:       %[[R:.*]] = tx.if %[[P]](%arg0) : tensor<i1>, (tensor<4x8xf32>) -> tensor<4x8xf32> {
// CHECK:         tx.fusion "row" "softmax"
// CHECK-NOT:     tx.fusion
// CHECK:         tx.return
// CHECK:       } else {
// CHECK:         tx.fusion "scan" "cumsum"
// CHECK:         tx.fusion "scan" "cumsum_1"
// CHECK:         tx.return
// CHECK:       tx.fusion "loop" "neg"(%[[R]])

// EXPLAIN:      5 kernels
// EXPLAIN:      0: sum_gt (row)
// EXPLAIN-NEXT:   ops
// EXPLAIN:      1: softmax (row)
// EXPLAIN-NEXT:   branch   if 0 then
// EXPLAIN:      2: cumsum (scan)
// EXPLAIN-NEXT:   branch   if 0 else
// EXPLAIN:      4: neg (loop)
// EXPLAIN-NEXT:   ops

// EMIT:      %[[WORD:.*]] = txp.read_scalar %{{.*}}[%{{.*}}] : i1
// EMIT:      %[[HOLDS:.*]] = arith.cmpi ne, %[[WORD]]
// EMIT:      %[[RESULT:.*]] = scf.if %[[HOLDS]] -> (!txp.buffer) {
// EMIT:        txp.launch @kernels::@softmax
// EMIT:        scf.yield
// EMIT:      } else {
// EMIT-COUNT-2: txp.launch @kernels::@cumsum
// EMIT:        scf.yield
// EMIT:      txp.launch @kernels::@neg {{.*}}ins(%[[RESULT]])

// A block's temporaries are its own; the predicate's memory is free by then.
// LOWER:     scf.if
// LOWER:       txp.alloc
// LOWER:     txp.return

func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %z = tx.constant dense<0.0> : tensor<f32>
  %t = tx.sum %x dims = [0, 1] : tensor<4x8xf32> -> tensor<f32>
  %p = tx.gt %t, %z : tensor<f32>
  %0 = tx.if %p (%x) : tensor<i1>, (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %s = tx.softmax %a dim = 1 : tensor<4x8xf32>
    tx.return %s : tensor<4x8xf32>
  } else {
  ^bb0(%a: tensor<4x8xf32>):
    %c = tx.cumsum %a dim = 1 : tensor<4x8xf32>
    %d = tx.cumsum %c dim = 0 : tensor<4x8xf32>
    tx.return %d : tensor<4x8xf32>
  }
  %1 = tx.neg %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
