// Structure of contraction kernels, and their numbers.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --random-inputs --shape=arg0:37,19 --shape=arg1:19,45 --compare=reference
// RUN: %tensorc run %s --random-inputs --shape=arg0:1,1 --shape=arg1:1,1 --compare=reference
// RUN: %tensorc run %s --random-inputs --shape=arg0:5,0 --shape=arg1:0,3 --compare=reference
// RUN: %tensorc run %s --entry=batched --random-inputs --shape=arg0:3,4,15,8 --shape=arg1:3,8,33 --compare=reference
// RUN: %tensorc run %s --entry=few_rows --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=linear --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=linear_panel --random-inputs --shape=arg0:37,19 --shape=arg1:45,19 --compare=reference
// RUN: %tensorc run %s --entry=linear_panel --random-inputs --shape=arg0:37,48 --shape=arg1:1,48 --compare=reference
// RUN: %tensorc run %s --entry=linear_panel --random-inputs --shape=arg0:2,0 --shape=arg1:3,0 --compare=reference
// RUN: %tensorc run %s --entry=packed --random-inputs --compare=reference
// DEFINE: %{same} = env TENSORC_CPU=x86-64-v4 %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %if x86-64-v4 %{ %{same} --entry=packed -- dot_general:vectors=1,rows=14 %}
// RUN: %tensorc run %s --entry=packed_by_tile --random-inputs --compare=reference

// Turning y round changes no bit: the steps of k come in their order.
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc run %s --entry=turn --random-inputs --output-dir=%t
// RUN: %tensorc run %s --entry=both_ways --device=cpu --input=x=%t/out0.npy --input=w=%t/out1.npy --input=v=%t/out2.npy | FileCheck %s --check-prefix=SAME

// Nor do tiles of other rows, beside each other or not.
// RUN: %if x86-64-v4 %{ %{same} --entry=colliding -- dot_general:rows=14,vectors=2 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=colliding_narrow -- dot_general:rows=14,vectors=2 %}

module attributes {tx.target = "cpu:x86-64-v4"} {
// The first tile of rows packs y's columns; 14 x 2 accumulators in registers for
// the whole sum; the epilogue loops over the tile's rows.
// CHECK-LABEL: func.func @dot_general_max(
// CHECK:       memref.alloca() {{.*}} : memref<448xf32>
// CHECK:       %[[PANEL:.*]] = memref.view
// CHECK:       scf.for
// CHECK:       scf.if
// CHECK-NEXT:    scf.for
// CHECK-COUNT-2:   vector.maskedload
// CHECK:           vector.store {{.*}}, %[[PANEL]]
// CHECK:       scf.for {{.*}} iter_args
// CHECK-COUNT-2: vector.load %[[PANEL]]
// CHECK-COUNT-28: vector.fma
// CHECK-NOT:   vector.fma
// CHECK:       scf.for
// CHECK:       arith.maximumf
// CHECK:       vector.maskedstore
func.func @main(%x: tensor<?x?xf32, #tx.dims<[n, k]>>, %w: tensor<?x?xf32, #tx.dims<[k, m]>>)
    -> tensor<?x?xf32, #tx.dims<[n, m]>> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x?xf32, #tx.dims<[n, k]>>, tensor<?x?xf32, #tx.dims<[k, m]>>) -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %z = tx.constant dense<0.0> : tensor<f32>
  %zb = tx.broadcast %z dims = [] : tensor<f32> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.max %0, %zb : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %1 : tensor<?x?xf32, #tx.dims<[n, m]>>
}

// Rows of several dims run as one.
func.func @batched(%x: tensor<?x?x?x?xbf16, #tx.dims<[b, p, q, k]>>, %y: tensor<?x?x?xbf16, #tx.dims<[b, k, m]>>)
    -> tensor<?x?x?x?xbf16, #tx.dims<[b, p, q, m]>> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [3] x [1]
       : (tensor<?x?x?x?xbf16, #tx.dims<[b, p, q, k]>>, tensor<?x?x?xbf16, #tx.dims<[b, k, m]>>)
       -> tensor<?x?x?x?xbf16, #tx.dims<[b, p, q, m]>>
  return %0 : tensor<?x?x?x?xbf16, #tx.dims<[b, p, q, m]>>
}
// One tile holds all rows: y is read in place, in vectors as wide as there are columns.
// CHECK-LABEL: func.func @dot_general_0(
// CHECK-NOT:   scf.if
// CHECK:       scf.for {{.*}} iter_args
// CHECK-COUNT-4: vector.load
// CHECK-COUNT-12: vector.fma
// CHECK-NOT:   vector.fma
func.func @few_rows(%x: tensor<3x8xf32>, %y: tensor<8x64xf32>) -> tensor<3x64xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<3x8xf32>, tensor<8x64xf32>) -> tensor<3x64xf32>
  return %0 : tensor<3x64xf32>
}

// y along k: 16 columns are read 16 steps at a time, and the block is transposed in registers. The last 8 of 40 steps are
// a block whose other steps are off.
// CHECK-LABEL: func.func @dot_general_1(
// CHECK:       scf.for {{.*}} step %c16 iter_args
// CHECK-COUNT-16: vector.load {{.*}} vector<16xf32>
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-32: vector.fma
// CHECK-COUNT-16: vector.maskedload {{.*}} vector<16xf32>
// CHECK-COUNT-56: vector.shuffle
// CHECK-COUNT-16: vector.fma
// CHECK-NOT:   vector.fma
func.func @linear(%x: tensor<2x40xf32>, %w: tensor<16x40xf32>) -> tensor<2x16xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1]
       : (tensor<2x40xf32>, tensor<16x40xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}

// With more rows the transposed blocks go into the panel.
// CHECK-LABEL: func.func @dot_general_2(
// CHECK:       %[[TURNED:.*]] = memref.view
// CHECK:       scf.if
// CHECK:         scf.for {{.*}} step %c16
// CHECK-COUNT-64:  vector.shuffle
// CHECK-COUNT-16:  vector.store {{.*}}, %[[TURNED]]
// CHECK:       vector.load %[[TURNED]]
func.func @linear_panel(%x: tensor<?x?xf32, #tx.dims<[n, k]>>, %w: tensor<?x?xf32, #tx.dims<[m, k]>>)
    -> tensor<?x?xf32, #tx.dims<[n, m]>> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1]
       : (tensor<?x?xf32, #tx.dims<[n, k]>>, tensor<?x?xf32, #tx.dims<[m, k]>>) -> tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0 : tensor<?x?xf32, #tx.dims<[n, m]>>
}

func.func @turn(%x: tensor<21x75xf32>, %w: tensor<43x75xf32>)
    -> (tensor<21x75xf32>, tensor<43x75xf32>, tensor<75x43xf32>) {
  %v = tx.transpose %w permutation = [1, 0] : tensor<43x75xf32> -> tensor<75x43xf32>
  return %x, %w, %v : tensor<21x75xf32>, tensor<43x75xf32>, tensor<75x43xf32>
}
// SAME: {{^}}true
func.func @both_ways(%x: tensor<21x75xf32> {tx.name = "x"}, %w: tensor<43x75xf32> {tx.name = "w"},
                     %v: tensor<75x43xf32> {tx.name = "v"}) -> tensor<i1> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1]
       : (tensor<21x75xf32>, tensor<43x75xf32>) -> tensor<21x43xf32>
  %1 = tx.dot_general %x, %v batch = [] x [] contracting = [1] x [0]
       : (tensor<21x75xf32>, tensor<75x43xf32>) -> tensor<21x43xf32>
  %2 = tx.eq %0, %1 : tensor<21x43xf32>
  %3 = tx.all %2 dims = [0, 1] : tensor<21x43xi1> -> tensor<i1>
  return %3 : tensor<i1>
}
// y in blocks of columns lies as a panel does: it is read in place by several
// tiles of rows, and x is copied into tiles.
// CHECK:       %[[X:.*]] = memref.view {{.*}} to memref<30720xf32>
// CHECK:       scf.for
// CHECK:         scf.for
// CHECK-COUNT-10: memref.store {{.*}}, %[[X]]
// CHECK-NOT:   scf.if
// CHECK:       scf.for {{.*}} iter_args
// CHECK-COUNT-2: vector.load
// CHECK:       memref.load %[[X]]
// CHECK-COUNT-20: vector.fma
func.func @packed(%x: tensor<29x1024xf32>, %w: tensor<3x1024x32xf32>) -> tensor<29x3x32xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1]
       : (tensor<29x1024xf32>, tensor<3x1024x32xf32>) -> tensor<29x3x32xf32>
  return %0 : tensor<29x3x32xf32>
}
// Rows of several dims, and half floats.
func.func @packed_by_tile(%x: tensor<3x5x50xbf16>, %w: tensor<4x50x32xbf16>) -> tensor<3x5x4x32xbf16> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [2] x [1]
       : (tensor<3x5x50xbf16>, tensor<4x50x32xbf16>) -> tensor<3x5x4x32xbf16>
  return %0 : tensor<3x5x4x32xbf16>
}

// Rows of x that are a multiple of 4 KB apart share a set of the nearest cache, which holds eight lines: a tile has fewer of
// them, and more columns.
// CHECK-LABEL: func.func @dot_general_6(
// CHECK:       scf.for {{.*}} iter_args
// CHECK-COUNT-4: vector.load
// CHECK-COUNT-24: vector.fma
// CHECK-NOT:   vector.fma
func.func @colliding(%x: tensor<36x1024xf32>, %w: tensor<1024x128xf32>) -> tensor<36x128xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<36x1024xf32>, tensor<1024x128xf32>) -> tensor<36x128xf32>
  return %0 : tensor<36x128xf32>
}
// As many columns as would fill no wide tile. They are 13 vectors: the last tile has one.
// CHECK-LABEL: func.func @dot_general_7(
// CHECK:       scf.for {{.*}} iter_args
// CHECK-COUNT-2: vector.load
// CHECK-COUNT-14: vector.fma
// CHECK-NOT:   vector.fma
// CHECK:       } else {
// CHECK-COUNT-7: vector.fma
// CHECK-NOT:   vector.fma
func.func @colliding_narrow(%x: tensor<35x1024xf32>, %w: tensor<1024x196xf32>) -> tensor<35x196xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<35x1024xf32>, tensor<1024x196xf32>) -> tensor<35x196xf32>
  return %0 : tensor<35x196xf32>
}
// 48 columns are three vectors, of which a fourth would be for nothing: a tile has one.
// CHECK-LABEL: func.func @dot_general_8(
// CHECK:       scf.for {{.*}} iter_args
// CHECK:       vector.load
// CHECK-COUNT-11: vector.fma
// CHECK-NOT:   vector.fma
func.func @one_vector(%x: tensor<33x500xf32>, %w: tensor<500x48xf32>) -> tensor<33x48xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<33x500xf32>, tensor<500x48xf32>) -> tensor<33x48xf32>
  return %0 : tensor<33x48xf32>
}
}
