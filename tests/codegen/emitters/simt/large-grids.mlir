// Grids beyond 2^31 threads: blocks take several items, and meet before shared memory is used again.
//
// RUN: %tensorc compile %s --entry=rows --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=ROWS
// RUN: %tensorc compile %s --entry=elements --target=rocm:gfx942 --stop-after=emit | FileCheck %s --check-prefix=ELEMENTS

// 20,000,000 blocks of 256 threads are 6,666,667 blocks of 3 items.
// ROWS:     %[[BLOCK:.*]] = gpu.block_id x
// ROWS:     %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c3
// ROWS:     %[[PAST:.*]] = arith.addi %[[FIRST]], %c3
// ROWS:     %[[END:.*]] = arith.minui %[[PAST]], %c20000000
// ROWS:     scf.for %{{.*}} = %[[FIRST]] to %[[END]]
// ROWS:     gpu.barrier
// ROWS:     memref.store
// ROWS:     gpu.barrier
// ROWS:     gpu.return
// ROWS:     txp.launch @kernels::@sum extent(%c6666667_i64)
func.func @rows(%x: tensor<20000000x8192xi8>) -> tensor<20000000xi8> {
  %0 = tx.sum %x dims = [1] : tensor<20000000x8192xi8> -> tensor<20000000xi8>
  return %0 : tensor<20000000xi8>
}

// 2^26 blocks of vectors of 16, where a grid has 2^23.
// ELEMENTS: %[[FIRST:.*]] = arith.muli %{{.*}}, %c9
// ELEMENTS: scf.for %{{.*}} = %[[FIRST]]
// ELEMENTS: vector.store
// ELEMENTS: txp.launch @kernels::@add extent(%c7456541_i64)
func.func @elements(%x: tensor<274877906944xi8>) -> tensor<274877906944xi8> {
  %0 = tx.add %x, %x : tensor<274877906944xi8>
  return %0 : tensor<274877906944xi8>
}
