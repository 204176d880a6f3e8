// Which tiles a contraction with a panel has, and what they ask memory for.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s

// Other tiles give the same bits; guards lie around every buffer.
// DEFINE: %{same} = env TENSORC_CPU=x86-64-v4 TENSORC_CHECK=memory %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %if x86-64-v4 %{ %{same} --entry=pixels -- dot_general_add:rows=14,vectors=1 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=columns -- dot_general:rows=9,vectors=3 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=results -- dot_general:rows=9,vectors=3 %}
// RUN: %tensorc run %s --entry=columns --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=results --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// 196 columns are 13 vectors: the last tile has one. 256 rows are 20 tiles of 13, not 19 of 14. The sum is short, so that its first
// steps ask for the rows of the result and of what is added.
// CHECK-LABEL: func.func @dot_general_add(
// CHECK:         %[[IS_WHOLE:.*]] = arith.cmpi ult, {{.*}}, %c192
// CHECK:         scf.if %[[IS_WHOLE]] {
// CHECK:         arith.cmpi ult, {{.*}}, %c13
// CHECK:         memref.prefetch {{.*}}, write, locality<3>
// CHECK:         memref.prefetch {{.*}}, read, locality<3>
// CHECK-COUNT-26: vector.fma
// CHECK-NOT:     vector.fma
// CHECK:       } else {
// CHECK-COUNT-13: vector.fma
// CHECK-NOT:     vector.fma
// CHECK:       return
func.func @pixels(%w: tensor<256x64xf32>, %x: tensor<64x196xf32>, %r: tensor<256x196xf32>) -> tensor<256x196xf32> {
  %0 = tx.dot_general %w, %x batch = [] x [] contracting = [1] x [0]
       : (tensor<256x64xf32>, tensor<64x196xf32>) -> tensor<256x196xf32>
  %1 = tx.add %0, %r : tensor<256x196xf32>
  return %1 : tensor<256x196xf32>
}

// A small result is in a cache.
// CHECK-LABEL: func.func @dot_general(
// CHECK-NOT:   memref.prefetch
// CHECK:       return
func.func @columns(%x: tensor<61x37xf32>, %y: tensor<37x97xf32>) -> tensor<61x97xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<61x37xf32>, tensor<37x97xf32>) -> tensor<61x97xf32>
  return %0 : tensor<61x97xf32>
}

// Storing the result is most of the work: all columns of 14 rows come before the next rows, and read y in place.
// CHECK-LABEL: func.func @dot_general_0(
// CHECK:       scf.for %[[ITEM:.*]] = %arg
// CHECK:         %[[TILE:.*]] = arith.remui %[[ITEM]], %c32
// CHECK:         arith.divui %[[ITEM]], %c32
// CHECK:         arith.muli %[[TILE]], %c32
// CHECK:         scf.for
// CHECK-COUNT-2:   vector.maskedload %arg1
// CHECK-COUNT-28:  vector.fma
func.func @results(%x: tensor<701x8xf32>, %y: tensor<8x1001xf32>) -> tensor<701x1001xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<701x8xf32>, tensor<8x1001xf32>) -> tensor<701x1001xf32>
  return %0 : tensor<701x1001xf32>
}
}
