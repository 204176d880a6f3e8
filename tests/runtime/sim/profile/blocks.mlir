// Divergence within a subgroup, a wave that is not full, and the kinds of blocks of a grid of two dims: counts are those
// of all blocks.
//
// RUN: %tensorc compile %s --start-from=emit --target=sim:sm_90a -o %t.tcpkg
// RUN: %tensorc explain %t.tcpkg --profile --target=sim:sm_90a | FileCheck %s
// RUN: %tensorc explain %t.tcpkg --profile --target=sim:sm_90a --json > %t.kinds
// RUN: env TENSORC_SIM_PROFILE=all %tensorc explain %t.tcpkg --profile --target=sim:sm_90a --json > %t.all
// RUN: grep counted_blocks %t.all | FileCheck %s --check-prefix=ALL
// ALL: "counted_blocks": 133
// ALL-NEXT: "counted_blocks": 260
// RUN: grep -v counted_blocks %t.kinds > %t.kinds.counts
// RUN: grep -v counted_blocks %t.all > %t.all.counts
// RUN: diff %t.kinds.counts %t.all.counts

module attributes {tx.target = "sim:sm_90a", sim.profile} {
  gpu.module @kernels {
    // 133 blocks on 132 processors take as long as 264.
    // CHECK: lanes: 133 blocks of 64 threads
    // CHECK-NEXT: counted 5 blocks
    // CHECK-NEXT: occupancy 2048 of 2048 threads per processor, limited by blocks; registers not known, workgroup memory 0 bytes
    // CHECK-NEXT: waves 0.03; the last one leaves 50 % of the processors' time unused
    gpu.func @lanes(%y: memref<?xf32>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %one = arith.constant 1.0 : f32
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %base = arith.muli %b, %c64 : index
      %i = arith.addi %base, %t : index
      %few = arith.cmpi ult, %t, %c16 : index
      // Each block has two subgroups, and the first one diverges.
      // CHECK: branch 266 32.00 - - 133 {{.*}}blocks.mlir:[[#@LINE+1]]:
      scf.if %few {
        // CHECK: global store 133 16.00 2.00 - - {{.*}}blocks.mlir:[[#@LINE+1]]:
        memref.store %one, %y[%i] : memref<?xf32>
      }
      gpu.return
    }

    // The columns of 20 x 13 tiles of 32 elements; the last column of tiles has 8 elements, in rows of 392.
    // CHECK: tiles: 260 blocks of 32 threads
    // CHECK-NEXT: counted 19 blocks
    gpu.func @tiles(%x: memref<?xf32>, %y: memref<?xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>, txk.kernel} {
      %c13 = arith.constant 13 : index
      %c32 = arith.constant 32 : index
      %c392 = arith.constant 392 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %column = arith.remui %b, %c13 : index
      %row = arith.divui %b, %c13 : index
      %first = arith.muli %column, %c32 : index
      %j = arith.addi %first, %t : index
      %inside = arith.cmpi ult, %j, %c392 : index
      // CHECK: branch 260 32.00 - - 20 {{.*}}blocks.mlir:[[#@LINE+1]]:
      scf.if %inside {
        %begin = arith.muli %row, %c392 : index
        %i = arith.addi %begin, %j : index
        // 12 x 20 requests of 4 sectors, and 20 of one.
        // CHECK: global load 260 30.15 3.77 - - {{.*}}blocks.mlir:[[#@LINE+1]]:
        %v = memref.load %x[%i] : memref<?xf32>
        memref.store %v, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
  txp.func @main(%x: !txp.buffer) -> (!txp.buffer, !txp.buffer)
      attributes {inputs = [tensor<7840xf32>], outputs = [tensor<8512xf32>, tensor<7840xf32>]} {
    %one = arith.constant 1 : i64
    %lanes = arith.constant 133 : i64
    %tiles = arith.constant 260 : i64
    %some = arith.constant 34048 : i64
    %bytes = arith.constant 31360 : i64
    %y = txp.alloc %some
    %z = txp.alloc %bytes
    txp.launch @kernels::@lanes extent(%lanes) grain(%one) block(64) outs(%y)
    txp.launch @kernels::@tiles extent(%tiles) grain(%one) block(32) ins(%x) outs(%z)
    txp.return %y, %z
  }
}
