// Scans and sorts by the threads of a grid. Numbers are those of tests/ops.
//
// RUN: %tensorc compile %s --entry=row --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=ROW
// RUN: %tensorc compile %s --entry=column --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=COLUMN
// RUN: %tensorc compile %s --entry=sort --target=rocm:gfx942 --stop-after=emit | FileCheck %s --check-prefix=SORT

// A block takes a row, tile after tile: two buffers in turn, a barrier after each of the 8 steps.
// ROW-LABEL: gpu.func @exp_cumsum(
// ROW-SAME:  workgroup(%{{.*}} : memref<256xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<256xf32, #gpu.address_space<workgroup>>)
// ROW:       scf.for
// ROW:       math.exp
// ROW-COUNT-10: gpu.barrier
// ROW-NOT:   gpu.barrier
// ROW:       gpu.return
func.func @row(%x: tensor<100x1000xf32>) -> tensor<100x1000xf32> {
  %0 = tx.exp %x : tensor<100x1000xf32>
  %1 = tx.cumsum %0 dim = 1 : tensor<100x1000xf32>
  return %1 : tensor<100x1000xf32>
}

// Threads that are consecutive have rows that lie side by side.
// COLUMN-LABEL: gpu.func @cummin(
// COLUMN-NOT:   gpu.barrier
// COLUMN:       scf.for {{.*}} iter_args
// COLUMN:       arith.minimumf
func.func @column(%x: tensor<100x640xf32>) -> tensor<100x640xf32> {
  %0 = tx.cummin %x dim = 0 : tensor<100x640xf32>
  return %0 : tensor<100x640xf32>
}

// Threads exchange keys and places through temporaries, which a barrier may therefore change.
// SORT-LABEL: gpu.func @argsort_sort(
// SORT-SAME:  %{{[a-z0-9]+}}: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: memref<?xi64> {llvm.noalias}, %{{[a-z0-9]+}}: memref<?xf32>, %{{[a-z0-9]+}}: memref<?xi64>)
// SORT:       gpu.barrier
// SORT:       scf.while
// SORT:       scf.for
// SORT:       scf.while
// SORT:       gpu.barrier
// SORT-NOT:   gpu.barrier
func.func @sort(%x: tensor<7x1000xf32>) -> (tensor<7x1000xi64>, tensor<7x1000xf32>) {
  %0 = tx.argsort %x dim = 1 : tensor<7x1000xf32>
  %1 = tx.sort %x dim = 1 : tensor<7x1000xf32>
  return %0, %1 : tensor<7x1000xi64>, tensor<7x1000xf32>
}
