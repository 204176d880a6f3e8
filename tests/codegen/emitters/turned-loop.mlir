// Loops that read across memory: squares are turned in registers.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=whole --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=channels_last --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=long --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=large --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=between --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=both --random-inputs --shape=x:37,37 --compare=reference
// RUN: %tensorc run %s --entry=both --random-inputs --shape=x:1,1 --compare=reference
// RUN: %tensorc run %s --entry=both --random-inputs --shape=x:0,0 --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// Whole squares need no masks. The rows of one are a work item: a line of the input.
// CHECK-LABEL: func.func @transpose(
// CHECK:       scf.for {{.*}} step %c16
// CHECK:       scf.for {{.*}} step %c16
// CHECK-COUNT-16: vector.load {{.*}} vector<16xf32>
// CHECK-COUNT-64: vector.shuffle
// CHECK-NOT:   vector.shuffle
// CHECK-COUNT-16: vector.store {{.*}} vector<16xf32>
func.func @whole(%x: tensor<64x128xf32>) -> tensor<128x64xf32> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<64x128xf32> -> tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}

// Past the caches two squares side by side, each with loads of its own: whole lines, without branches.
// CHECK-LABEL: func.func @transpose_0(
// CHECK:       arith.muli %{{.*}}, %c128
// CHECK:       scf.for {{.*}} step %c32
// CHECK:       scf.for {{.*}} step %c16
// CHECK-COUNT-16: vector.load {{.*}} vector<16xf32>
// CHECK-COUNT-16: vector.store {{.*}} nontemporal = true{{.*}} vector<16xf32>
// CHECK-COUNT-16: vector.load {{.*}} vector<16xf32>
// CHECK-NOT:   scf.if
// CHECK-COUNT-16: vector.store {{.*}} nontemporal = true{{.*}} vector<16xf32>
func.func @large(%x: tensor<8192x2048xf32>) -> tensor<2048x8192xf32> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<8192x2048xf32> -> tensor<2048x8192xf32>
  return %0 : tensor<2048x8192xf32>
}

// Height and width run as one; what follows is computed on the turned vectors.
// CHECK-LABEL: func.func @mul(
// CHECK-COUNT-16: vector.maskedload {{.*}} vector<16xf32>
// CHECK-COUNT-64: vector.shuffle
// CHECK:       arith.mulf {{.*}} vector<16xf32>
// CHECK:       vector.maskedstore
func.func @channels_last(%x: tensor<2x24x7x5xf32>, %s: tensor<24xf32>) -> tensor<2x7x5x24xf32> {
  %0 = tx.transpose %x permutation = [0, 2, 3, 1] : tensor<2x24x7x5xf32> -> tensor<2x7x5x24xf32>
  %1 = tx.broadcast %s dims = [3] : tensor<24xf32> -> tensor<2x7x5x24xf32>
  %2 = tx.mul %0, %1 : tensor<2x7x5x24xf32>
  return %2 : tensor<2x7x5x24xf32>
}

// x is read both ways, and only one of them is turned.
// CHECK-LABEL: func.func @add(
// CHECK-COUNT-64: vector.shuffle
// CHECK-NOT:   vector.gather
// CHECK:       arith.addf
func.func @both(%x: tensor<?x?xf32, #tx.dims<[n, n]>> {tx.name = "x"}) -> tensor<?x?xf32, #tx.dims<[n, n]>> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<?x?xf32, #tx.dims<[n, n]>> -> tensor<?x?xf32, #tx.dims<[n, n]>>
  %1 = tx.add %0, %x : tensor<?x?xf32, #tx.dims<[n, n]>>
  return %1 : tensor<?x?xf32, #tx.dims<[n, n]>>
}

// What takes long to compile is emitted once: rows are computed in a loop, from a square in memory.
// CHECK-LABEL: func.func @exp_tanh(
// CHECK:       %[[SQUARE:.*]] = memref.alloca() {{.*}} : memref<256xf32>
// CHECK-COUNT-16: vector.store {{.*}}, %[[SQUARE]]
// CHECK:       scf.for
// CHECK:       vector.load %[[SQUARE]]
// CHECK:       math.exp
// CHECK-NOT:   math.exp
func.func @long(%x: tensor<35x77xf32>) -> tensor<77x35xf32> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<35x77xf32> -> tensor<77x35xf32>
  %1 = tx.exp %0 : tensor<77x35xf32>
  %2 = tx.tanh %1 : tensor<77x35xf32>
  return %2 : tensor<77x35xf32>
}

// Another loop of the outputs between the rows and the lanes: the same rows take a block of it.
// CHECK-LABEL: func.func @transpose_1(
// CHECK:       scf.for %[[ITEM:.*]] = %
// CHECK:         %[[STEP:.*]] = arith.remui %[[ITEM]], %[[BLOCK:c[0-9]+]]
// CHECK:         %[[BEGIN:.*]] = arith.muli %{{.*}}, %[[BLOCK]]
// CHECK:         arith.addi %[[BEGIN]], %[[STEP]]
func.func @between(%x: tensor<16x192x64xf32>) -> tensor<64x192x16xf32> {
  %0 = tx.transpose %x permutation = [2, 1, 0] : tensor<16x192x64xf32> -> tensor<64x192x16xf32>
  return %0 : tensor<64x192x16xf32>
}

// Three channels are not a square: three vectors of them become three of pixels.
// CHECK-LABEL: func.func @transpose_2(
// CHECK-NOT:   vector.gather
// CHECK-COUNT-6: vector.shuffle
func.func @image(%x: tensor<3x40x40xf32>) -> tensor<40x40x3xf32> {
  %0 = tx.transpose %x permutation = [1, 2, 0] : tensor<3x40x40xf32> -> tensor<40x40x3xf32>
  return %0 : tensor<40x40x3xf32>
}
// CHECK:       txp.launch @kernels::@transpose extent(%c8_i64)
}
