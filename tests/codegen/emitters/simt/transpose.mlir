// Reads across the writes go through a square in shared memory.
//
// RUN: %tensorc compile %s --entry=transposed --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=TILE
// RUN: %tensorc compile %s --entry=narrow --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=NARROW
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

// A square of 3 columns would be empty.
// NARROW-LABEL: gpu.func @transpose(
// NARROW-NOT:   workgroup(
// NARROW:       gpu.return
func.func @narrow(%x: tensor<100x3xf32>) -> tensor<3x100xf32> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<100x3xf32> -> tensor<3x100xf32>
  return %0 : tensor<3x100xf32>
}
