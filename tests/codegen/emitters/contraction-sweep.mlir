// Few rows times a matrix larger than caches: sums of long runs of columns in memory, rows of y read one behind the other.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=integers --device=cpu --random-inputs --compare=reference

// Tiles for the whole sum give the same bits, as do other steps.
// DEFINE: %{same} = env TENSORC_CPU=x86-64-v4 TENSORC_CHECK=memory %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %if x86-64-v4 %{ %{same} --entry=odd -- dot_general_tanh_add:skeleton=panel dot_general_tanh_add:steps=16 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=batched -- dot_general:skeleton=panel %}
// RUN: %if x86-64-v4 %{ %{same} --entry=halves -- dot_general:skeleton=panel %}

module attributes {tx.target = "cpu:x86-64-v4"} {
// A run is as long as half of the nearest cache holds sums for. Eight steps of a vector are added to what is in memory.
// CHECK-LABEL: func.func @dot_general(
// CHECK:       %[[SUMS:.*]] = memref.view {{.*}} to memref<4096xf32>
// CHECK:       vector.store {{.*}}, %[[SUMS]]
// CHECK:       scf.for {{.*}} to %c4096 step %c8 {
// CHECK-COUNT-8: memref.load
// CHECK:         scf.for {{.*}} step %c16 {
// CHECK-COUNT-8:   vector.load {{.*}} vector<16xf32>
// CHECK:           %[[SUM:.*]] = vector.load %[[SUMS]]
// CHECK:           vector.fma {{.*}}, %[[SUM]]
// CHECK-COUNT-7:   vector.fma
// CHECK-NOT:       vector.fma
// CHECK:           vector.store {{.*}}, %[[SUMS]]
// CHECK:       return
func.func @one_row(%x: tensor<1x4096xf32>, %w: tensor<4096x4096xf32>) -> tensor<1x4096xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<1x4096xf32>, tensor<4096x4096xf32>) -> tensor<1x4096xf32>
  return %0 : tensor<1x4096xf32>
}

// Steps and columns that are left, and an epilogue.
// CHECK-LABEL: func.func @dot_general_tanh_add(
// CHECK:       scf.for {{.*}} to %c2048 step %c8 {
// CHECK-COUNT-24: vector.fma
// CHECK-COUNT-9: vector.fma
// CHECK-NOT:   vector.fma
func.func @odd(%x: tensor<3x2051xf32>, %w: tensor<2051x1101xf32>, %b: tensor<1101xf32>) -> tensor<3x1101xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<3x2051xf32>, tensor<2051x1101xf32>) -> tensor<3x1101xf32>
  %1 = tx.tanh %0 : tensor<3x1101xf32>
  %2 = tx.broadcast %b dims = [1] : tensor<1101xf32> -> tensor<3x1101xf32>
  %3 = tx.add %1, %2 : tensor<3x1101xf32>
  return %3 : tensor<3x1101xf32>
}

// Runs end where a matrix does.
// CHECK-LABEL: func.func @dot_general_0(
// CHECK:       vector.fma
func.func @batched(%x: tensor<3x2x2000xf32>, %w: tensor<3x2000x1100xf32>) -> tensor<3x2x1100xf32> {
  %0 = tx.dot_general %x, %w batch = [0] x [0] contracting = [2] x [1]
       : (tensor<3x2x2000xf32>, tensor<3x2000x1100xf32>) -> tensor<3x2x1100xf32>
  return %0 : tensor<3x2x1100xf32>
}

// CHECK-LABEL: func.func @dot_general_1(
// CHECK:       memref.view {{.*}} to memref<4096xf32>
// CHECK:       arith.extf
func.func @halves(%x: tensor<2x2003xbf16>, %w: tensor<2003x2200xbf16>) -> tensor<2x2200xbf16> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<2x2003xbf16>, tensor<2003x2200xbf16>) -> tensor<2x2200xbf16>
  return %0 : tensor<2x2200xbf16>
}

// CHECK-LABEL: func.func @dot_general_2(
// CHECK:       arith.muli
func.func @integers(%x: tensor<3x1030xi64>, %w: tensor<1030x1030xi64>) -> tensor<3x1030xi64> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<3x1030xi64>, tensor<1030x1030xi64>) -> tensor<3x1030xi64>
  return %0 : tensor<3x1030xi64>
}

// What a cache holds stays in tiles, and more rows are summed in blocks (contraction-blocked.mlir): sums in registers.
// CHECK-LABEL: func.func @dot_general_3(
// CHECK:       scf.for {{.*}} iter_args
// CHECK:       vector.fma
// CHECK-LABEL: func.func @dot_general_1_0(
// CHECK:       scf.for {{.*}} iter_args
// CHECK:       vector.fma
func.func @tiles(%x: tensor<1x1024xf32>, %w: tensor<1024x1024xf32>, %y: tensor<9x4096xf32>, %v: tensor<4096x4096xf32>)
    -> (tensor<1x1024xf32>, tensor<9x4096xf32>) {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<1x1024xf32>, tensor<1024x1024xf32>) -> tensor<1x1024xf32>
  %1 = tx.dot_general %y, %v batch = [] x [] contracting = [1] x [0]
       : (tensor<9x4096xf32>, tensor<4096x4096xf32>) -> tensor<9x4096xf32>
  return %0, %1 : tensor<1x1024xf32>, tensor<9x4096xf32>
}
}
