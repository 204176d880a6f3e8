// One row times a matrix that lies along the sum, per batch: two blocks of columns take turns at each step, with their sums in memory.
// (Without batches it is a sum of w's rows.)
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=any --device=cpu --random-inputs --shape=x:2,1,39 --shape=w:2,77,39 --compare=reference

// One block at a time gives the same bits, as do four, for several rows, columns and steps that are left.
// DEFINE: %{same} = env TENSORC_CPU=x86-64-v4 TENSORC_CHECK=memory %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %if x86-64-v4 %{ %{same} --entry=main -- dot_general:vectors=1,rows=1 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=odd -- dot_general_tanh:vectors=2,rows=14 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=any --shape=x:2,1,39 --shape=w:2,77,39 -- dot_general:vectors=2,rows=14 %}

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: func.func @dot_general(
// CHECK:       %[[SUMS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<32xf32>
// CHECK:       scf.for {{.*}} to %c512 step %c16 {
// CHECK:         scf.for {{.*}} to %c2 step %c1 {
// CHECK:           vector.load %[[SUMS]]
// CHECK-COUNT-16:  vector.load %arg{{.*}} vector<16xf32>
// CHECK-COUNT-16:  vector.fma
// CHECK-NOT:       vector.fma
// CHECK:           vector.store {{.*}}, %[[SUMS]]
// CHECK:       return
func.func @main(%x: tensor<2x1x512xf32>, %w: tensor<2x2048x512xf32>) -> tensor<2x1x2048xf32> {
  %0 = tx.dot_general %x, %w batch = [0] x [0] contracting = [2] x [2]
       : (tensor<2x1x512xf32>, tensor<2x2048x512xf32>) -> tensor<2x1x2048xf32>
  return %0 : tensor<2x1x2048xf32>
}

func.func @odd(%x: tensor<3x43xf32>, %w: tensor<1003x43xf32>) -> tensor<3x1003xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1]
       : (tensor<3x43xf32>, tensor<1003x43xf32>) -> tensor<3x1003xf32>
  %1 = tx.tanh %0 : tensor<3x1003xf32>
  return %1 : tensor<3x1003xf32>
}

func.func @any(%x: tensor<2x1x?xf32, #tx.dims<[2, 1, k]>> {tx.name = "x"}, %w: tensor<2x?x?xf32, #tx.dims<[2, n, k]>> {tx.name = "w"}) -> tensor<2x1x?xf32, #tx.dims<[2, 1, n]>> {
  %0 = tx.dot_general %x, %w batch = [0] x [0] contracting = [2] x [2]
       : (tensor<2x1x?xf32, #tx.dims<[2, 1, k]>>, tensor<2x?x?xf32, #tx.dims<[2, n, k]>>) -> tensor<2x1x?xf32, #tx.dims<[2, 1, n]>>
  return %0 : tensor<2x1x?xf32, #tx.dims<[2, 1, n]>>
}

// Columns a multiple of 4 KiB apart share places in the nearest cache: two blocks would push each other out.
// CHECK-LABEL: func.func @dot_general_0(
// CHECK:       memref.alloca() {alignment = 64 : i64} : memref<16xf32>
func.func @together(%x: tensor<2x1x1024xf32>, %w: tensor<2x512x1024xf32>) -> tensor<2x1x512xf32> {
  %0 = tx.dot_general %x, %w batch = [0] x [0] contracting = [2] x [2]
       : (tensor<2x1x1024xf32>, tensor<2x512x1024xf32>) -> tensor<2x1x512xf32>
  return %0 : tensor<2x1x512xf32>
}
}
