// Some rows times a matrix larger than caches: sums of runs of columns in memory, to which blocks of steps are added tile by tile.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=integers --device=cpu --random-inputs --compare=reference

// Tiles for the whole sum give the same bits, as do other blocks and other tiles.
// RUN: rm -rf %t && mkdir %t %t.other
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=odd --device=cpu --random-inputs --output-dir=%t
// RUN: %tensorc run %s --entry=odd --device=cpu --random-inputs --schedule=dot_general_tanh_add:skeleton=panel --output-dir=%t.other
// RUN: cmp %t/out0.npy %t.other/out0.npy
// RUN: %tensorc run %s --entry=odd --device=cpu --random-inputs --schedule=dot_general_tanh_add:steps=64 --output-dir=%t.other
// RUN: cmp %t/out0.npy %t.other/out0.npy
// RUN: %tensorc run %s --entry=odd --device=cpu --random-inputs --schedule=dot_general_tanh_add:rows=4 --output-dir=%t.other
// RUN: cmp %t/out0.npy %t.other/out0.npy
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=turned_rows --device=cpu --random-inputs --output-dir=%t
// RUN: %tensorc run %s --entry=turned_rows --device=cpu --random-inputs --schedule=dot_general:skeleton=panel --output-dir=%t.other
// RUN: cmp %t/out0.npy %t.other/out0.npy
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=batched --device=cpu --random-inputs --output-dir=%t
// RUN: %tensorc run %s --entry=batched --device=cpu --random-inputs --schedule=dot_general:skeleton=panel --output-dir=%t.other
// RUN: cmp %t/out0.npy %t.other/out0.npy
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=turned --device=cpu --random-inputs --output-dir=%t
// RUN: %tensorc run %s --entry=turned --device=cpu --random-inputs --schedule=dot_general_add:skeleton=panel --output-dir=%t.other
// RUN: cmp %t/out0.npy %t.other/out0.npy
// RUN: %tensorc run %s --entry=turned --device=cpu --random-inputs --schedule=dot_general_add:steps=64 --output-dir=%t.other
// RUN: cmp %t/out0.npy %t.other/out0.npy
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=turned_batch --device=cpu --random-inputs --schedule=dot_general:skeleton=blocked --output-dir=%t
// RUN: %tensorc run %s --entry=turned_batch --device=cpu --random-inputs --schedule=dot_general:skeleton=panel --output-dir=%t.other
// RUN: cmp %t/out0.npy %t.other/out0.npy

// On a Sapphire Rapids, blocks that lie along the lanes are copied for several tiles of rows.
// DEFINE: %{rapids} = env TENSORC_TEST_CPU=sapphirerapids TENSORC_CHECK=memory
// RUN: %if x86-64-v4 %{ env TENSORC_TEST_CPU=sapphirerapids %tensorc compile %S/Inputs/long-sums.mlir --target=cpu --stop-after=emit | FileCheck %S/Inputs/long-sums.mlir %}
// RUN: %if x86-64-v4 %{ %{rapids} %tensorc run %S/Inputs/long-sums.mlir --entry=few_columns --device=cpu --random-inputs --output-dir=%t %}
// RUN: %if x86-64-v4 %{ %{rapids} %tensorc run %S/Inputs/long-sums.mlir --entry=few_columns --device=cpu --random-inputs --schedule=dot_general:skeleton=panel --output-dir=%t.other %}
// RUN: %if x86-64-v4 %{ cmp %t/out0.npy %t.other/out0.npy %}
// RUN: %if x86-64-v4 %{ %{rapids} %tensorc run %S/Inputs/long-sums.mlir --entry=few_columns --device=cpu --random-inputs --schedule=dot_general:steps=64 --output-dir=%t.other %}
// RUN: %if x86-64-v4 %{ cmp %t/out0.npy %t.other/out0.npy %}
// RUN: %if x86-64-v4 %{ %{rapids} %tensorc run %S/Inputs/long-sums.mlir --entry=odd_columns --device=cpu --random-inputs --output-dir=%t %}
// RUN: %if x86-64-v4 %{ %{rapids} %tensorc run %S/Inputs/long-sums.mlir --entry=odd_columns --device=cpu --random-inputs --schedule=dot_general_neg:skeleton=panel --output-dir=%t.other %}
// RUN: %if x86-64-v4 %{ cmp %t/out0.npy %t.other/out0.npy %}

module attributes {tx.target = "cpu:x86-64-v4"} {
// Four tiles of 8 rows share out the lines of the next tile's columns. The last tile of columns begins early, so nothing is masked.
// CHECK-LABEL: func.func @dot_general(
// CHECK:       %[[SUMS:.*]] = memref.view {{.*}} to memref<16896xf32>
// CHECK:       %[[ROWS:.*]] = memref.view {{.*}} to memref<4608xf32>
// CHECK:       vector.store {{.*}}, %[[SUMS]]
// CHECK:       scf.for {{.*}} to %c4096 step %c128 {
// CHECK:         vector.store {{.*}}, %[[ROWS]]
// CHECK:         arith.minui {{.*}}, %c4048
// CHECK:         scf.for {{.*}} to %c4 step %c1 {
// CHECK-COUNT-24:  vector.load %[[SUMS]]
// CHECK:           scf.for {{.*}} iter_args
// CHECK-COUNT-1:     memref.prefetch
// CHECK-COUNT-3:     vector.load {{.*}} vector<16xf32>
// CHECK-COUNT-24:    vector.fma
// CHECK-NOT:         vector.fma
// CHECK-COUNT-24:  vector.store {{.*}}, %[[SUMS]]
// CHECK:       vector.maskedstore
// CHECK:       return
func.func @many_rows(%x: tensor<32x4096xf32>, %w: tensor<4096x4096xf32>) -> tensor<32x4096xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<32x4096xf32>, tensor<4096x4096xf32>) -> tensor<32x4096xf32>
  return %0 : tensor<32x4096xf32>
}

// 11 rows are two tiles of 6. Steps that are left, and an epilogue.
// CHECK-LABEL: func.func @dot_general_tanh_add(
// CHECK:       scf.for {{.*}} to %c2051 step %c128 {
// CHECK:       scf.for {{.*}} to %c2 step %c1 {
// CHECK-COUNT-24: vector.fma
// CHECK-NOT:   vector.fma
func.func @odd(%x: tensor<11x2051xf32>, %w: tensor<2051x1101xf32>, %b: tensor<1101xf32>) -> tensor<11x1101xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<11x2051xf32>, tensor<2051x1101xf32>) -> tensor<11x1101xf32>
  %1 = tx.tanh %0 : tensor<11x1101xf32>
  %2 = tx.broadcast %b dims = [1] : tensor<1101xf32> -> tensor<11x1101xf32>
  %3 = tx.add %1, %2 : tensor<11x1101xf32>
  return %3 : tensor<11x1101xf32>
}

// Memory holds x along its rows, which are more than a vector.
// CHECK-LABEL: func.func @dot_general_0(
// CHECK:       memref.view {{.*}} to memref<4096xf32>
// CHECK-COUNT-21: vector.fma
func.func @turned_rows(%x: tensor<1030x19xf32>, %w: tensor<1030x2200xf32>) -> tensor<19x2200xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [0] x [0]
       : (tensor<1030x19xf32>, tensor<1030x2200xf32>) -> tensor<19x2200xf32>
  return %0 : tensor<19x2200xf32>
}

// CHECK-LABEL: func.func @dot_general_1(
// CHECK-COUNT-25: vector.fma
func.func @batched(%x: tensor<3x5x1000xf64>, %w: tensor<3x1000x1100xf64>) -> tensor<3x5x1100xf64> {
  %0 = tx.dot_general %x, %w batch = [0] x [0] contracting = [2] x [1]
       : (tensor<3x5x1000xf64>, tensor<3x1000x1100xf64>) -> tensor<3x5x1100xf64>
  return %0 : tensor<3x5x1100xf64>
}

// CHECK-LABEL: func.func @dot_general_2(
// CHECK:       arith.muli
func.func @integers(%x: tensor<10x1030xi64>, %w: tensor<1030x1030xi64>) -> tensor<10x1030xi64> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<10x1030xi64>, tensor<1030x1030xi64>) -> tensor<10x1030xi64>
  return %0 : tensor<10x1030xi64>
}

// What the second cache holds stays in tiles of the whole sum.
// CHECK-LABEL: func.func @dot_general_3(
// CHECK:       scf.for {{.*}} to %c512 step %c8 iter_args
func.func @small(%x: tensor<32x512xf32>, %w: tensor<512x512xf32>) -> tensor<32x512xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<32x512xf32>, tensor<512x512xf32>) -> tensor<32x512xf32>
  return %0 : tensor<32x512xf32>
}

// Memory holds w along the sum: blocks of it are turned for all rows. 1030 steps leave 6, so the last square begins early, at 1014.
// CHECK-LABEL: func.func @dot_general_add(
// CHECK:       %[[BLOCK:.*]] = memref.view {{.*}} to memref<6912xf32>
// CHECK:       arith.minui {{.*}}, %c1014
// CHECK:       vector.store {{.*}}, %[[BLOCK]]
// CHECK:       scf.for {{.*}} to %c3 step %c1 {
// CHECK:         memref.prefetch
// CHECK-COUNT-3: vector.load %[[BLOCK]]
// CHECK-COUNT-21: vector.fma
// CHECK-NOT:   vector.fma
func.func @turned(%x: tensor<19x1030xf32>, %w: tensor<1101x1030xf32>, %b: tensor<1101xf32>) -> tensor<19x1101xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1]
       : (tensor<19x1030xf32>, tensor<1101x1030xf32>) -> tensor<19x1101xf32>
  %1 = tx.broadcast %b dims = [1] : tensor<1101xf32> -> tensor<19x1101xf32>
  %2 = tx.add %0, %1 : tensor<19x1101xf32>
  return %2 : tensor<19x1101xf32>
}

// CHECK-LABEL: func.func @dot_general_4(
// CHECK:       memref.view {{.*}} to memref<{{.*}}xf64>
// CHECK:       memref.prefetch
func.func @turned_batch(%x: tensor<2x17x515xf64>, %w: tensor<2x1100x515xf64>) -> tensor<2x17x1100xf64> {
  %0 = tx.dot_general %x, %w batch = [0] x [0] contracting = [2] x [2]
       : (tensor<2x17x515xf64>, tensor<2x1100x515xf64>) -> tensor<2x17x1100xf64>
  return %0 : tensor<2x17x1100xf64>
}

// More rows than that, as a panel for all of K would be larger than 4 MB.
// CHECK-LABEL: func.func @dot_general_exp(
// CHECK:       scf.for {{.*}} to %c40000 step %c128 {
// CHECK:       return
func.func @long_sum(%x: tensor<100x40000xf32>, %y: tensor<40000x300xf32>) -> tensor<100x300xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<100x40000xf32>, tensor<40000x300xf32>) -> tensor<100x300xf32>
  %1 = tx.exp %0 : tensor<100x300xf32>
  return %1 : tensor<100x300xf32>
}
}
