// A kernel of the user's own among other ops: one launch, on every GPU, for any size.
// RUN: %tensorc compile %s --target=sim:sm_90a --stop-after=fuse | FileCheck %s --check-prefix=FUSE
// RUN: %tensorc compile %s --target=sim:sm_90a --stop-after=emit | FileCheck %s
// RUN: %npy %t.x.npy f32 "[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12], [13, 14, 15]]"
// RUN: %tensorc run %s --device=sim:sm_90a --input=%t.x.npy | FileCheck %s --check-prefix=VALUES
// RUN: %tensorc run %s --device=sim:gfx942 --input=%t.x.npy | FileCheck %s --check-prefix=VALUES
// RUN: env TENSORC_SIM_ORDER=reverse %tensorc run %s --device=sim:gfx1100 --input=%t.x.npy | FileCheck %s --check-prefix=VALUES
// RUN: %tensorc compile %s --target=cuda:sm_80 --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: %tensorc compile %s --target=rocm:gfx1100 --emit=asm | FileCheck %s --check-prefix=AMD

// FUSE: gpu.module @flip
// FUSE: %[[D:.*]] = tx.fusion "loop" "add"
// FUSE: %[[T:.*]] = tx.kernel_call @flip(%[[D]]) grid <[m ceildiv 4, n ceildiv 2]> block [4, 2] scalars <[n, m]>
// FUSE: tx.fusion "loop" "neg"(%[[T]])

// The two dims of its launch become one, of both the block and the grid.
// CHECK: gpu.func @flip(%arg0: memref<?xf32> {llvm.noalias}, %arg1: memref<?xf32> {llvm.noalias}, %arg2: i64, %arg3: i32, %arg4: index, %arg5: index)
// CHECK-SAME: known_block_size = array<i32: 8, 1, 1>, txk.kernel
// CHECK-NOT: {{(thread|block)}}_id y
// CHECK-NOT: gpu.module @flip
// CHECK: launch @kernels::@add
// CHECK: %[[X:.*]] = arith.ceildivsi %[[M:.*]], %c4_i64
// CHECK: %[[Y:.*]] = arith.ceildivsi %[[N:.*]], %c2_i64
// CHECK: %[[BLOCKS:.*]] = arith.muli %[[X]], %[[Y]] : i64
// CHECK: txp.launch @kernels::@flip extent(%[[BLOCKS]]) {{.*}} block(8) ins(%{{.*}}) outs(%{{.*}}) scalars(%[[N]], %[[M]], %[[X]], %[[Y]] :
// What it is given is declared, its scalars as expressions.
// CHECK-SAME: txp.dtypes = [f32, f32, index, index, index, index]
// CHECK-SAME: txp.sizes = #tx.dims<[(m ceildiv 4) * (n ceildiv 2), 0, m * n * 4, m * n * 4, n, m, m ceildiv 4, n ceildiv 2]>

// VALUES: {{\[\[}}-2, -8, -14, -20, -26],
// VALUES-NEXT: [-4, -10, -16, -22, -28],
// VALUES-NEXT: [-6, -12, -18, -24, -30]

// PTX-DAG: .visible .entry flip(
// PTX-DAG: .reqntid 8
// AMD: .amdhsa_kernel flip

gpu.module @flip {
  gpu.func @flip(%x: memref<?xf32>, %y: memref<?xf32>, %n: i64, %m: i32) kernel {
    %rows = arith.index_cast %n : i64 to index
    %columns = arith.index_cast %m : i32 to index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sx = gpu.block_dim x
    %sy = gpu.block_dim y
    %px = arith.muli %bx, %sx : index
    %py = arith.muli %by, %sy : index
    %j = arith.addi %px, %tx : index
    %i = arith.addi %py, %ty : index
    %in_i = arith.cmpi ult, %i, %rows : index
    %in_j = arith.cmpi ult, %j, %columns : index
    %in = arith.andi %in_i, %in_j : i1
    scf.if %in {
      %at = arith.muli %i, %columns : index
      %from = arith.addi %at, %j : index
      %v = memref.load %x[%from] : memref<?xf32>
      %row = arith.muli %j, %rows : index
      %to = arith.addi %row, %i : index
      memref.store %v, %y[%to] : memref<?xf32>
    }
    gpu.return
  }
}

func.func @main(%x: tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %d = tx.add %x, %x : tensor<?x?xf32, #tx.dims<[n, m]>>
  %t = tx.kernel_call @flip(%d) grid <[m ceildiv 4, n ceildiv 2]> block [4, 2] scalars <[n, m]>
      : (tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>>
  %y = tx.neg %t : tensor<?x?xf32, #tx.dims<[m, n]>>
  return %y : tensor<?x?xf32, #tx.dims<[m, n]>>
}
