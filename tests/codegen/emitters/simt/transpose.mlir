// Reads across the writes go through a square in shared memory.
//
// RUN: %tensorc compile %s --entry=transposed --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=TILE
// RUN: %tensorc compile %s --entry=narrow --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=NARROW
// RUN: %tensorc compile %s --entry=vectors --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=VECTORS
// RUN: %tensorc compile %s --entry=halves --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=HALVES
// RUN: %tensorc run %s --entry=vectors --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=halves --device=sim:gfx942 --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=strided --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=bytes --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=transposed --device=sim:sm_90a --random-inputs --shape=arg0:37,119 --compare=reference
// RUN: %tensorc run %s --entry=transposed --device=sim:gfx942 --random-inputs --shape=arg0:1,33 --compare=reference
// RUN: %tensorc run %s --entry=transposed --device=sim:sm_90a --random-inputs --shape=arg0:0,33 --compare=reference
// RUN: %tensorc run %s --entry=symmetric --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=batched --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=narrow --device=sim:sm_90a --random-inputs --compare=reference

// 32 rows of 33: a column lies in 32 banks.
// TILE-LABEL: gpu.func @exp(
// TILE-SAME:  workgroup(%[[TILE:[a-z0-9]+]] : memref<1056xf32, #gpu.address_space<workgroup>>)
// TILE:       memref.store %{{.*}}, %[[TILE]]
// TILE:       gpu.barrier
// TILE:       memref.load %[[TILE]]
// TILE:       math.exp
func.func @transposed(%x: tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[m, n]>>
  %1 = tx.exp %0 : tensor<?x?xf32, #tx.dims<[m, n]>>
  return %1 : tensor<?x?xf32, #tx.dims<[m, n]>>
}

// One input, read in both directions.
func.func @symmetric(%x: tensor<70x70xf64>) -> tensor<70x70xf64> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<70x70xf64> -> tensor<70x70xf64>
  %1 = tx.sub %0, %x : tensor<70x70xf64>
  return %1 : tensor<70x70xf64>
}

func.func @batched(%x: tensor<3x40x5x33xi8>) -> tensor<3x5x33x40xi8> {
  %0 = tx.transpose %x permutation = [0, 2, 3, 1] : tensor<3x40x5x33xi8> -> tensor<3x5x33x40xi8>
  return %0 : tensor<3x5x33x40xi8>
}

// 32 x 32 elements: 8 parts of a row with 4 elements, and part i of row r in place i xor r / 4.
// VECTORS-LABEL: gpu.func @transpose(
// VECTORS-SAME:  workgroup(%[[SQUARE:[a-z0-9]+]] : memref<1024xf32, #gpu.address_space<workgroup>>)
// VECTORS:       vector.load {{.*}}alignment = 16{{.*}} vector<4xf32>
// VECTORS:       arith.xori
// VECTORS:       vector.store %{{.*}}, %[[SQUARE]]{{.*}}alignment = 16{{.*}} vector<4xf32>
// VECTORS:       gpu.barrier
// VECTORS-COUNT-4: memref.load %[[SQUARE]]
// VECTORS:       vector.store {{.*}}alignment = 16{{.*}} vector<4xf32>
func.func @vectors(%x: tensor<3x100x36xf32>) -> tensor<3x36x100xf32> {
  %0 = tx.transpose %x permutation = [0, 2, 1] : tensor<3x100x36xf32> -> tensor<3x36x100xf32>
  return %0 : tensor<3x36x100xf32>
}

// 64 x 64 elements of two bytes. The sum is read along rows.
// HALVES:        workgroup(%[[SQUARE:[a-z0-9]+]] : memref<4096xf16, #gpu.address_space<workgroup>>)
// HALVES:        vector.store %{{.*}}, %[[SQUARE]]{{.*}}alignment = 16{{.*}} vector<8xf16>
func.func @halves(%x: tensor<128x72xf16>, %y: tensor<72x128xf16>) -> tensor<72x128xf16> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<128x72xf16> -> tensor<72x128xf16>
  %1 = tx.add %0, %y : tensor<72x128xf16>
  return %1 : tensor<72x128xf16>
}

// The input is also read with a stride, so elements are read one by one.
func.func @strided(%x: tensor<64x64xf32>, %z: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = tx.slice %z offsets = [0, 0] strides = [2, 1] : tensor<128x64xf32> -> tensor<64x64xf32>
  %2 = tx.transpose %1 permutation = [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %3 = tx.sub %0, %2 : tensor<64x64xf32>
  %4 = tx.mul %3, %x : tensor<64x64xf32>
  return %4 : tensor<64x64xf32>
}

func.func @bytes(%x: tensor<144x160xi8>) -> tensor<160x144xi8> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<144x160xi8> -> tensor<160x144xi8>
  return %0 : tensor<160x144xi8>
}

// A square of 3 columns would be empty.
// NARROW-LABEL: gpu.func @transpose(
// NARROW-NOT:   workgroup(
// NARROW:       gpu.return
func.func @narrow(%x: tensor<100x3xf32>) -> tensor<3x100xf32> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<100x3xf32> -> tensor<3x100xf32>
  return %0 : tensor<3x100xf32>
}
