// Large tensors are read in the order of memory, and rows that lie anywhere are asked for before their turn.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=permuted --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=fused --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=both --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=taken --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=few --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=long --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=unaligned --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=unaligned --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// Work items are rows in the order of the input, 64 times 128 of them to a batch, so that reads run through it. Stores need no
// branch: all vectors of a row are whole, and aligned.
// CHECK-LABEL: func.func @transpose(
// CHECK:       scf.for %[[ITEM:.*]] = %
// CHECK-NEXT:    %[[INNER:.*]] = arith.remui %[[ITEM]], %c128
// CHECK-NEXT:    %[[REST:.*]] = arith.divui %[[ITEM]], %c128
// CHECK-NEXT:    arith.remui %[[REST]], %c64
// CHECK:         scf.for {{.*}} step %c64
// CHECK:           memref.prefetch
// CHECK-NEXT:      vector.load {{.*}} vector<64xi8>
// CHECK-NOT:       scf.if
// CHECK:           vector.store {{.*}} nontemporal = true{{.*}} vector<64xi8>
func.func @permuted(%x: tensor<4x64x128x512xi8>) -> tensor<4x128x64x512xi8> {
  %0 = tx.transpose %x permutation = [0, 2, 1, 3] : tensor<4x64x128x512xi8> -> tensor<4x128x64x512xi8>
  return %0 : tensor<4x128x64x512xi8>
}

// A bias is read along the rows, in any order.
// CHECK-LABEL: func.func @add(
// CHECK:         arith.remui %{{.*}}, %c256
func.func @fused(%x: tensor<128x256x512xi8>, %bias: tensor<512xi8>) -> tensor<256x128x512xi8> {
  %0 = tx.transpose %x permutation = [1, 0, 2] : tensor<128x256x512xi8> -> tensor<256x128x512xi8>
  %1 = tx.broadcast %bias dims = [1] : tensor<512xi8> -> tensor<128x512xi8>
  %2 = tx.broadcast %1 dims = [1, 2] : tensor<128x512xi8> -> tensor<256x128x512xi8>
  %3 = tx.add %0, %2 : tensor<256x128x512xi8>
  return %3 : tensor<256x128x512xi8>
}

// Hardware may look ahead within a page only: what streams asks ahead.
// CHECK-LABEL: func.func @add_0(
// CHECK:         memref.prefetch
// CHECK-NEXT:    vector.load
func.func @flat(%x: tensor<16777216xi8>) -> tensor<16777216xi8> {
  %0 = tx.add %x, %x : tensor<16777216xi8>
  return %0 : tensor<16777216xi8>
}

// What is read in two orders keeps that of the outputs.
// CHECK-LABEL: func.func @mul(
// CHECK:         arith.remui %{{.*}}, %c128
func.func @both(%x: tensor<128x256x512xi8>, %y: tensor<256x128x512xi8>) -> tensor<256x128x512xi8> {
  %0 = tx.transpose %x permutation = [1, 0, 2] : tensor<128x256x512xi8> -> tensor<256x128x512xi8>
  %1 = tx.mul %0, %y : tensor<256x128x512xi8>
  return %1 : tensor<256x128x512xi8>
}

// The numbers of rows take no lanes: there is one for a row. Two rows of 2 KB ahead, or the range's last one.
// CHECK-LABEL: func.func @gather(
// CHECK:       scf.for %[[ITEM:.*]] = %{{.*}} to %[[END:.*]] step %c1
// CHECK:         %[[LATER:.*]] = arith.addi %[[ITEM]], %c2
// CHECK:         %[[LAST:.*]] = arith.subi %[[END]], %c1
// CHECK:         %[[ROW:.*]] = arith.minui %[[LATER]], %[[LAST]]
// CHECK:         scf.for {{.*}} step %c16
// CHECK:           memref.load %{{.*}}[%[[ROW]]] : memref<?xi64>
// CHECK:           memref.prefetch
// CHECK:           memref.load %{{.*}}[%[[ITEM]]] : memref<?xi64>
// CHECK:           vector.load {{.*}} vector<16xf32>
// CHECK:           vector.store {{.*}} nontemporal = true{{.*}} vector<16xf32>
func.func @taken(%x: tensor<16x512xf32>, %i: tensor<32768xi64>) -> tensor<32768x512xf32> {
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 512] : (tensor<16x512xf32>, tensor<32768xi64>) -> tensor<32768x512xf32>
  return %0 : tensor<32768x512xf32>
}

// A table that no cache holds is asked for, however few rows are taken: one that a cache may hold is not.
// CHECK-LABEL: func.func @gather_0(
// CHECK:       memref.prefetch
// CHECK:       vector.store {{.*}} vector<16xf32>
func.func @few(%x: tensor<65536x512xf32>, %i: tensor<77xi64>) -> tensor<77x512xf32> {
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 512] : (tensor<65536x512xf32>, tensor<77xi64>) -> tensor<77x512xf32>
  return %0 : tensor<77x512xf32>
}
// CHECK-LABEL: func.func @gather_1(
// CHECK-NOT:   memref.prefetch
// CHECK:       vector.store {{.*}} vector<16xf32>
func.func @near(%x: tensor<500x512xf32>, %i: tensor<77xi64>) -> tensor<77x512xf32> {
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 512] : (tensor<500x512xf32>, tensor<77xi64>) -> tensor<77x512xf32>
  return %0 : tensor<77x512xf32>
}

// Long rows go four at once, and ask for the four behind them; what is left of a range goes one by one.
// CHECK-LABEL: func.func @gather_2(
// CHECK:       arith.remui {{.*}}, %c4
// CHECK:       scf.for {{.*}} step %c4
// CHECK:         scf.for {{.*}} step %c16
// CHECK-COUNT-4:   vector.store {{.*}} nontemporal = true{{.*}} vector<16xf32>
// CHECK-NOT:       vector.store
// CHECK:       scf.for {{.*}} step %c1
// CHECK:         scf.for {{.*}} step %c16
// CHECK:           vector.store {{.*}} nontemporal = true{{.*}} vector<16xf32>
func.func @long(%x: tensor<16x1024xf32>, %i: tensor<16387xi64>) -> tensor<16387x1024xf32> {
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 1024] : (tensor<16x1024xf32>, tensor<16387xi64>) -> tensor<16387x1024xf32>
  return %0 : tensor<16387x1024xf32>
}

// Rows begin anywhere: what is before the first line of a row, and behind its last one, is stored under masks, and all else past
// the caches. The line that two rows share is asked for.
// CHECK-LABEL: func.func @sub(
// CHECK:       scf.for
// CHECK:         memref.prefetch %arg1{{.*}}, write
// CHECK:         vector.maskedstore %arg1
// CHECK:         scf.for
// CHECK:           vector.store {{.*}} nontemporal = true{{.*}} vector<16xf32>
// CHECK:         vector.maskedstore %arg1
func.func @unaligned(%x: tensor<1921x2051xf32>) -> tensor<1920x2049xf32> {
  %0 = tx.slice %x offsets = [0, 0] strides = [1, 1] : tensor<1921x2051xf32> -> tensor<1920x2049xf32>
  %1 = tx.slice %x offsets = [1, 2] strides = [1, 1] : tensor<1921x2051xf32> -> tensor<1920x2049xf32>
  %2 = tx.sub %0, %1 : tensor<1920x2049xf32>
  return %2 : tensor<1920x2049xf32>
}
}
