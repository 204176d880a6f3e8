// Grids beyond 2^31 threads: blocks take several items, and meet before shared memory is used again.
//
// RUN: %tensorc compile %s --entry=rows --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=ROWS
// RUN: %tensorc compile %s --entry=elements --target=rocm:gfx942 --stop-after=emit | FileCheck %s --check-prefix=ELEMENTS

// 20,000,000 blocks of 256 threads are 6,666,667 blocks of 3 items.
// ROWS:     %[[BLOCK:.*]] = gpu.block_id x upper_bound 8388608
// ROWS:     arith.muli %{{.*}}, %c3_i32
// ROWS:     arith.minui %{{.*}}, %c20000000_i32
// ROWS:     scf.for
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
// ELEMENTS: arith.muli %{{.*}}, %c9_i32
// ELEMENTS: scf.for
// Their places do not fit into 32 bits.
// ELEMENTS: arith.muli %{{.*}} : index
// ELEMENTS: vector.store
// ELEMENTS: txp.launch @kernels::@add extent(%c7456541_i64)
func.func @elements(%x: tensor<274877906944xi8>) -> tensor<274877906944xi8> {
  %0 = tx.add %x, %x : tensor<274877906944xi8>
  return %0 : tensor<274877906944xi8>
}
