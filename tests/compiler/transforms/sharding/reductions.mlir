// Gradients are reduced in buckets, next to kernels that do not need the sums.
// RUN: split-file --leading-lines %s %t
// DEFINE: %{fuse} = %tensorc compile --target=cpu:x86-64-v3 --stop-after=fuse
// RUN: %{fuse} %t/layers.mlir | FileCheck %t/layers.mlir
// RUN: %{fuse} %t/layers.mlir | %tensorc-opt - --tx-emit-program | FileCheck %t/layers.mlir --check-prefix=EMIT
// RUN: %tensorc compile %t/layers.mlir --target=cpu:x86-64-v3 --stop-after=lower | FileCheck %t/layers.mlir --check-prefix=PLAN
// RUN: %tensorc-opt %t/buckets.mlir --pass-pipeline='builtin.module(func.func(tx-expand-composites,tx-fuse-ops,tx-bucket-reductions{bytes=256}))' | FileCheck %t/buckets.mlir
// RUN: %tensorc-opt %t/flight.mlir --tx-emit-program | FileCheck %t/flight.mlir
// RUN: %tensorc-opt %t/critical.mlir --tx-overlap-reductions | FileCheck %t/critical.mlir

// The backward pass of two layers, last layer first, and the updates. The first
// part of the bucket has 40 bytes, and the second one begins at 64.
//--- layers.mlir
// CHECK-LABEL: func.func @main(
// CHECK: %[[G2:.*]] = tx.fusion {{.*}} -> tensor<10xf32>
// CHECK: %[[G1:.*]] = tx.fusion {{.*}} -> tensor<16x16xf32>
// CHECK: %[[F2:.*]] = tx.reshape %[[G2]] : tensor<10xf32> -> tensor<10xf32>
// CHECK: %[[ZEROS:.*]] = tx.constant dense<0.000000e+00> : tensor<6xf32>
// CHECK: %[[F1:.*]] = tx.reshape %[[G1]] : tensor<16x16xf32> -> tensor<256xf32>
// CHECK: %[[ALL:.*]] = tx.concatenate %[[F2]], %[[ZEROS]], %[[F1]] dim = 0 {txp.split} : {{.*}} -> tensor<272xf32>
// CHECK: %[[SUM:.*]] = tx.custom_call "collective"(%[[ALL]]) config "all_reduce sum ranks=2 parts=0,10,16,256" {{.*}}txp.queue = 1 : i32}
// CHECK: %[[G0:.*]] = tx.fusion "contraction" {{.*}} -> tensor<64x64xf32>
// CHECK: %[[S2:.*]] = tx.slice %[[SUM]] offsets = [0] strides = [1] {txp.split} : tensor<272xf32> -> tensor<10xf32>
// CHECK: %[[S1:.*]] = tx.slice %[[SUM]] offsets = [16] strides = [1] {txp.split} : tensor<272xf32> -> tensor<256xf32>
// CHECK: tx.fusion {{.*}} -> tensor<16x16xf32>
// CHECK: tx.fusion {{.*}} -> tensor<10xf32>
// CHECK: return

// EMIT-LABEL: txp.func @main(
// EMIT: %[[ALL:.*]] = txp.alloc %c1088
// EMIT: %[[G2:.*]] = txp.view %[[ALL]][%c0{{.*}}] bytes(%c40
// EMIT: txp.launch {{.*}} outs(%[[G2]])
// EMIT: %[[G1:.*]] = txp.view %[[ALL]][%c64{{.*}}] bytes(%c1024
// EMIT: txp.launch {{.*}} outs(%[[G1]])
// EMIT: %[[ZEROS:.*]] = txp.view %[[ALL]][%c40{{.*}}] bytes(%c24
// EMIT: txp.fill %[[ZEROS]]
// EMIT: %[[SUM:.*]] = txp.alloc %c1088
// EMIT: %[[READY:.*]] = txp.record
// EMIT-NEXT: txp.wait %[[READY]] queue(1)
// EMIT-NEXT: txp.custom_call "collective" ins(%[[ALL]]) outs(%[[SUM]]) {{.*}} queue(1)
// EMIT-NEXT: %[[DONE:.*]] = txp.record queue(1)
// EMIT: txp.launch {{.*}}
// EMIT: %[[S2:.*]] = txp.view %[[SUM]][%c0
// EMIT: %[[S1:.*]] = txp.view %[[SUM]][%c64
// EMIT: txp.wait %[[DONE]]
// EMIT: txp.launch {{.*}} ins({{.*}}%[[S1]])
// EMIT-NOT: txp.wait
// EMIT: txp.launch {{.*}} ins({{.*}}%[[S2]])

// The buffers of the call stay until queue 0 has waited for it.
// PLAN-LABEL: txp.func @main(
// PLAN: %[[ARENA:.*]] = txp.alloc %c2176
// PLAN-NOT: txp.alloc %c1088

func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %d2: tensor<64x10xf32>, %d1: tensor<64x16x16xf32>, %w2: tensor<10xf32>, %w1: tensor<16x16xf32>)
    -> (tensor<10xf32>, tensor<16x16xf32>, tensor<64x64xf32>) {
  %g2 = tx.sum %d2 dims = [0] : tensor<64x10xf32> -> tensor<10xf32>
  %s2 = tx.all_reduce %g2 sum ranks = 2 : (tensor<10xf32>) -> tensor<10xf32>
  %n2 = tx.sub %w2, %s2 : tensor<10xf32>
  %g1 = tx.sum %d1 dims = [0] : tensor<64x16x16xf32> -> tensor<16x16xf32>
  %s1 = tx.all_reduce %g1 sum ranks = 2 : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %n1 = tx.sub %w1, %s1 : tensor<16x16xf32>
  %g0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %n2, %n1, %g0 : tensor<10xf32>, tensor<16x16xf32>, tensor<64x64xf32>
}

// A bucket has at most 256 bytes of one combiner and one element type. A sum
// that needs a sum of the bucket begins another one. Values that the program
// returns keep memory of their own. Other collectives and custom ops end a
// bucket, so that all ranks make their calls in the same order, with whatever
// buckets.
//--- buckets.mlir
// CHECK-LABEL: func.func @full(
// CHECK: config "all_reduce sum ranks=2 parts=0,32,32,32" {{.*}} : (tensor<64xf32>) -> tensor<64xf32>
// CHECK: config "all_reduce sum ranks=2" {{.*}} : (tensor<32xf32>) -> tensor<32xf32>
func.func @full(%x: tensor<32xf32>) -> tensor<32xf32> {
  %a = tx.neg %x : tensor<32xf32>
  %b = tx.exp %x : tensor<32xf32>
  %c = tx.sin %x : tensor<32xf32>
  %d = tx.all_reduce %a sum ranks = 2 : (tensor<32xf32>) -> tensor<32xf32>
  %e = tx.all_reduce %b sum ranks = 2 : (tensor<32xf32>) -> tensor<32xf32>
  %f = tx.all_reduce %c sum ranks = 2 : (tensor<32xf32>) -> tensor<32xf32>
  %g = tx.add %d, %e : tensor<32xf32>
  %h = tx.add %g, %f : tensor<32xf32>
  return %h : tensor<32xf32>
}
// CHECK-LABEL: func.func @kinds(
// CHECK: config "all_reduce sum ranks=2"
// CHECK: config "all_reduce max ranks=2"
// CHECK: config "all_reduce sum ranks=2"
// CHECK: tx.custom_call "of.user"
// CHECK: config "all_reduce sum ranks=2"
func.func @kinds(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = tx.neg %x : tensor<4xf32>
  %b = tx.exp %x : tensor<4xf32>
  %c = tx.sin %x : tensor<4xf32>
  %d = tx.all_reduce %a sum ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %e = tx.all_reduce %b max ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %f = tx.all_reduce %c sum ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %i = tx.custom_call "of.user"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %j = tx.cos %i : tensor<4xf32>
  %k = tx.all_reduce %j sum ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %g = tx.add %d, %e : tensor<4xf32>
  %h = tx.add %g, %f : tensor<4xf32>
  %l = tx.add %h, %k : tensor<4xf32>
  return %l : tensor<4xf32>
}
// The op that uses the first sum moves behind the bucket, but not behind the
// collective that needs it: that one stays before the last call.
// CHECK-LABEL: func.func @users(
// CHECK: tx.cos
// CHECK: config "all_reduce sum ranks=2 parts=0,4,16,4"
// CHECK: tx.exp
// CHECK: config "all_reduce max ranks=2"
// CHECK: config "all_reduce min ranks=2"
func.func @users(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = tx.neg %x : tensor<4xf32>
  %b = tx.all_reduce %a sum ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %c = tx.exp %b : tensor<4xf32>
  %d = tx.cos %x : tensor<4xf32>
  %e = tx.all_reduce %d sum ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %f = tx.all_reduce %c max ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %g = tx.all_reduce %x min ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %h = tx.add %e, %f : tensor<4xf32>
  %i = tx.add %h, %g : tensor<4xf32>
  return %i : tensor<4xf32>
}
// CHECK-LABEL: func.func @dependent(
// CHECK: config "all_reduce sum ranks=2" {{.*}} : (tensor<4xf32>)
// CHECK: config "all_reduce sum ranks=2" {{.*}} : (tensor<4xf32>)
func.func @dependent(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = tx.neg %x : tensor<4xf32>
  %b = tx.all_reduce %a sum ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %c = tx.sin %b : tensor<4xf32>
  %d = tx.all_reduce %c sum ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %e = tx.neg %d : tensor<4xf32>
  return %e : tensor<4xf32>
}
// CHECK-LABEL: func.func @returned(
// CHECK-NOT: txp.split
func.func @returned(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>) {
  %a = tx.neg %x : tensor<4xf32>
  %b = tx.exp %x : tensor<4xf32>
  %c = tx.all_reduce %a sum ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %d = tx.all_reduce %b sum ranks = 2 : (tensor<4xf32>) -> tensor<4xf32>
  %e = tx.reshape %d : tensor<4xf32> -> tensor<2x2xf32>
  %f = tx.neg %d : tensor<4xf32>
  return %c, %e, %f : tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>
}

// Most of the work needs the sum, so its order stays.
//--- critical.mlir
// CHECK-LABEL: func.func @main(
// CHECK: tx.custom_call
// CHECK-NOT: txp.queue
// CHECK: tx.fusion "loop" "most"
// CHECK: tx.fusion "loop" "rest"
func.func @main(%x: tensor<64x64xf32>, %y: tensor<4xf32>) -> (tensor<64x64xf32>, tensor<4xf32>) {
  %0 = tx.custom_call "collective"(%x) config "all_reduce sum ranks=2" : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = tx.fusion "loop" "most"(%0) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%a: tensor<64x64xf32>):
    %3 = tx.exp %a : tensor<64x64xf32>
    tx.yield %3 : tensor<64x64xf32>
  }
  %2 = tx.fusion "loop" "rest"(%y) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %3 = tx.exp %a : tensor<4xf32>
    tx.yield %3 : tensor<4xf32>
  }
  return %1, %2 : tensor<64x64xf32>, tensor<4xf32>
}

// The user of the first sum is an operand of the second call. It stays, because
// the third call must not come before the second one: sizes, and so the work,
// may differ between ranks.
// CHECK-LABEL: func.func @ordered(
// CHECK: config "all_reduce sum ranks=2"
// CHECK: tx.fusion "loop" "needs"
// CHECK: config "all_reduce max ranks=2"
// CHECK: tx.fusion "loop" "most"
// CHECK: config "all_reduce min ranks=2"
func.func @ordered(%x: tensor<4xf32>, %y: tensor<64x64xf32>) -> (tensor<4xf32>, tensor<64x64xf32>) {
  %0 = tx.custom_call "collective"(%x) config "all_reduce sum ranks=2" : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tx.fusion "loop" "needs"(%0) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %5 = tx.exp %a : tensor<4xf32>
    tx.yield %5 : tensor<4xf32>
  }
  %2 = tx.custom_call "collective"(%1) config "all_reduce max ranks=2" : (tensor<4xf32>) -> tensor<4xf32>
  %3 = tx.fusion "loop" "most"(%y) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%a: tensor<64x64xf32>):
    %5 = tx.exp %a : tensor<64x64xf32>
    tx.yield %5 : tensor<64x64xf32>
  }
  %4 = tx.custom_call "collective"(%3) config "all_reduce min ranks=2" : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2, %4 : tensor<4xf32>, tensor<64x64xf32>
}

// Queue 0 waits for the first call before the third one begins.
//--- flight.mlir
// CHECK-LABEL: txp.func @main(
// CHECK: txp.custom_call "collective" ins(%arg0) {{.*}}queue(1)
// CHECK-NEXT: %[[FIRST:.*]] = txp.record queue(1)
// CHECK-NOT: txp.wait %[[FIRST]]
// CHECK: txp.custom_call "collective" ins(%arg1) {{.*}}queue(1)
// CHECK-NEXT: %[[SECOND:.*]] = txp.record queue(1)
// CHECK: txp.wait %[[FIRST]]{{$}}
// CHECK: txp.custom_call "collective" ins(%arg2) {{.*}}queue(1)
// CHECK-NEXT: %[[THIRD:.*]] = txp.record queue(1)
// CHECK: txp.wait %[[SECOND]]{{$}}
// CHECK: txp.wait %[[THIRD]]{{$}}
// CHECK: txp.return
module attributes {tx.target = "cpu:x86-64-v3"} {
  func.func @main(%x: tensor<4xf32>, %y: tensor<8xf32>, %z: tensor<16xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<16xf32>) {
    %0 = tx.custom_call "collective"(%x) config "all_reduce sum ranks=2" {txp.queue = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = tx.custom_call "collective"(%y) config "all_reduce sum ranks=2" {txp.queue = 1 : i32} : (tensor<8xf32>) -> tensor<8xf32>
    %2 = tx.custom_call "collective"(%z) config "all_reduce sum ranks=2" {txp.queue = 1 : i32} : (tensor<16xf32>) -> tensor<16xf32>
    return %0, %1, %2 : tensor<4xf32>, tensor<8xf32>, tensor<16xf32>
  }
}
