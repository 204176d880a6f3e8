// Three textbook kernels, whose counts are derived here by hand: a transpose that stores columns, the same with a padded
// tile in workgroup memory, and a reduction in three stages of its development.
//
// RUN: %tensorc compile %s --start-from=emit --target=sim:sm_90a -o %t.tcpkg
// RUN: %tensorc explain %t.tcpkg --profile --target=sim:sm_90a | FileCheck %s

!tile = memref<1056xf32, #gpu.address_space<workgroup>>
!sums = memref<128xf32, #gpu.address_space<workgroup>>

module attributes {tx.target = "sim:sm_90a", sim.profile} {
  gpu.module @kernels {
    // 64 x 64 elements in 4 tiles of 32 x 32. 8 subgroups of a block have a row of 32 elements each, 4 times:
    // 4 x 8 x 4 = 128 requests. A row is 128 bytes, 4 sectors; a column is 32 sectors, of which 4 bytes are used.
    // CHECK: naive: 4 blocks of 256 threads
    gpu.func @naive(%x: memref<?xf32>, %y: memref<?xf32>)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel} {
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %bj = arith.remui %b, %c2 : index
      %bi = arith.divui %b, %c2 : index
      %j0 = arith.muli %bj, %c32 : index
      %i0 = arith.muli %bi, %c32 : index
      %tj = arith.remui %t, %c32 : index
      %ti = arith.divui %t, %c32 : index
      scf.for %k = %ti to %c32 step %c8 {
        %i = arith.addi %i0, %k : index
        %j = arith.addi %j0, %tj : index
        %fromRow = arith.muli %i, %c64 : index
        %from = arith.addi %fromRow, %j : index
        // CHECK: global load 128 32.00 4.00 - - {{.*}}textbook.mlir:[[#@LINE+1]]:
        %v = memref.load %x[%from] : memref<?xf32>
        %toRow = arith.muli %j, %c64 : index
        %to = arith.addi %toRow, %i : index
        // CHECK: global store 128 32.00 32.00 - - {{.*}}textbook.mlir:[[#@LINE+1]]:
        memref.store %v, %y[%to] : memref<?xf32>
      }
      // CHECK: warning: {{.*}}: an uncoalesced global store: 32.00 sectors per request, where 4.00 would do
      gpu.return
    }

    // Rows of the tile have 33 words, so that its columns are in 32 banks: 128 requests of 4 sectors in both directions,
    // and of one pass.
    // CHECK: padded: 4 blocks of 256 threads
    // CHECK-NOT: warning
    gpu.func @padded(%x: memref<?xf32>, %y: memref<?xf32>) workgroup(%s: !tile)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel} {
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %c33 = arith.constant 33 : index
      %c64 = arith.constant 64 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %bj = arith.remui %b, %c2 : index
      %bi = arith.divui %b, %c2 : index
      %j0 = arith.muli %bj, %c32 : index
      %i0 = arith.muli %bi, %c32 : index
      %tj = arith.remui %t, %c32 : index
      %ti = arith.divui %t, %c32 : index
      scf.for %k = %ti to %c32 step %c8 {
        %i = arith.addi %i0, %k : index
        %j = arith.addi %j0, %tj : index
        %fromRow = arith.muli %i, %c64 : index
        %from = arith.addi %fromRow, %j : index
        // CHECK: global load 128 32.00 4.00 - - {{.*}}textbook.mlir:[[#@LINE+1]]:
        %v = memref.load %x[%from] : memref<?xf32>
        %row = arith.muli %k, %c33 : index
        %at = arith.addi %row, %tj : index
        // CHECK: workgroup store 128 32.00 - 1.00 - {{.*}}textbook.mlir:[[#@LINE+1]]:
        memref.store %v, %s[%at] : !tile
      }
      // 4 blocks of 8 subgroups.
      // CHECK: barrier 32 32.00 - - - {{.*}}textbook.mlir:[[#@LINE+1]]:
      gpu.barrier
      scf.for %k = %ti to %c32 step %c8 {
        %column = arith.muli %tj, %c33 : index
        %at = arith.addi %column, %k : index
        // CHECK: workgroup load 128 32.00 - 1.00 - {{.*}}textbook.mlir:[[#@LINE+1]]:
        %v = memref.load %s[%at] : !tile
        %j = arith.addi %j0, %k : index
        %i = arith.addi %i0, %tj : index
        %toRow = arith.muli %j, %c64 : index
        %to = arith.addi %toRow, %i : index
        // CHECK: global store 128 32.00 4.00 - - {{.*}}textbook.mlir:[[#@LINE+1]]:
        memref.store %v, %y[%to] : memref<?xf32>
      }
      gpu.return
    }

    // The sum of 128 elements by 4 subgroups, in 7 steps of s = 1, 2, 4, ..., 64.
    // Stage 1, thread t adds element t + s if t is a multiple of 2 s: 4 subgroups diverge in the 5 steps with 2 s <= 32,
    // then 2 of them (s = 32), then one: 5 * 4 + 2 + 1 = 23 of 28.
    // CHECK: stage1: 1 blocks of 128 threads
    gpu.func @stage1(%x: memref<?xf32>, %y: memref<?xf32>) workgroup(%s: !sums)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>, txk.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c7 = arith.constant 7 : index
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<?xf32>
      memref.store %v, %s[%t] : !sums
      gpu.barrier
      scf.for %k = %c0 to %c7 step %c1 {
        %step = arith.shli %c1, %k : index
        %both = arith.muli %step, %c2 : index
        %rest = arith.remui %t, %both : index
        %adds = arith.cmpi eq, %rest, %c0 : index
        // CHECK: branch 28 32.00 - - 23 {{.*}}textbook.mlir:[[#@LINE+1]]:
        scf.if %adds {
          %other = arith.addi %t, %step : index
          %p = memref.load %s[%t] : !sums
          %q = memref.load %s[%other] : !sums
          %sum = arith.addf %p, %q : f32
          memref.store %sum, %s[%t] : !sums
        }
        gpu.barrier
      }
      %all = memref.load %s[%c0] : !sums
      memref.store %all, %y[%t] : memref<?xf32>
      gpu.return
    }

    // Stage 2, thread t works at i = 2 s t if this is below 128, so 64 / s threads work and subgroups diverge only where
    // fewer than 32 do: s = 4 to 64, 5 times. The accesses at i conflict. s = 1: i = 2 t in 2 subgroups, of 2 ways;
    // s = 2: 32 threads 4 words apart, of 4 ways; s = 4, 8, 16: 16, 8 and 4 threads in 4, 2 and 1 banks, of 4 ways;
    // s = 32: 2 ways; s = 64: 1. 2 * 2 + 4 * 4 + 2 + 1 = 23 passes, where 2 + 6 would do: 2.88 ways.
    // CHECK: stage2: 1 blocks of 128 threads
    gpu.func @stage2(%x: memref<?xf32>, %y: memref<?xf32>) workgroup(%s: !sums)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>, txk.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c7 = arith.constant 7 : index
      %c128 = arith.constant 128 : index
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<?xf32>
      memref.store %v, %s[%t] : !sums
      gpu.barrier
      scf.for %k = %c0 to %c7 step %c1 {
        %step = arith.shli %c1, %k : index
        %both = arith.muli %step, %c2 : index
        %i = arith.muli %t, %both : index
        %adds = arith.cmpi ult, %i, %c128 : index
        // CHECK: branch 28 32.00 - - 5 {{.*}}textbook.mlir:[[#@LINE+1]]:
        scf.if %adds {
          %other = arith.addi %i, %step : index
          // CHECK: workgroup load 8 15.88 - 2.88 - {{.*}}textbook.mlir:[[#@LINE+1]]:
          %p = memref.load %s[%i] : !sums
          %q = memref.load %s[%other] : !sums
          %sum = arith.addf %p, %q : f32
          memref.store %sum, %s[%i] : !sums
        }
        gpu.barrier
      }
      %all = memref.load %s[%c0] : !sums
      memref.store %all, %y[%t] : memref<?xf32>
      gpu.return
    }

    // Stage 3, s from 64 down and thread t < s adds element t + s: no conflicts, and divergence where s < 32, 5 times.
    // CHECK: stage3: 1 blocks of 128 threads
    gpu.func @stage3(%x: memref<?xf32>, %y: memref<?xf32>) workgroup(%s: !sums)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>, txk.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %c64 = arith.constant 64 : index
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<?xf32>
      memref.store %v, %s[%t] : !sums
      gpu.barrier
      scf.for %k = %c0 to %c7 step %c1 {
        %step = arith.shrui %c64, %k : index
        %adds = arith.cmpi ult, %t, %step : index
        // CHECK: branch 28 32.00 - - 5 {{.*}}textbook.mlir:[[#@LINE+1]]:
        scf.if %adds {
          %other = arith.addi %t, %step : index
          %p = memref.load %s[%t] : !sums
          // CHECK: workgroup load 8 15.88 - 1.00 - {{.*}}textbook.mlir:[[#@LINE+1]]:
          %q = memref.load %s[%other] : !sums
          %sum = arith.addf %p, %q : f32
          memref.store %sum, %s[%t] : !sums
        }
        gpu.barrier
      }
      // CHECK-NOT: warning
      %all = memref.load %s[%c0] : !sums
      memref.store %all, %y[%t] : memref<?xf32>
      gpu.return
    }
  }
  txp.func @main(%x: !txp.buffer) -> (!txp.buffer, !txp.buffer)
      attributes {inputs = [tensor<4096xf32>], outputs = [tensor<4096xf32>, tensor<128xf32>]} {
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %bytes = arith.constant 16384 : i64
    %some = arith.constant 512 : i64
    %y = txp.alloc %bytes
    %z = txp.alloc %some
    txp.launch @kernels::@naive extent(%c4) grain(%c1) block(256) ins(%x) outs(%y)
    txp.launch @kernels::@padded extent(%c4) grain(%c1) block(256) ins(%x) outs(%y)
    txp.launch @kernels::@stage1 extent(%c1) grain(%c1) block(128) ins(%x) outs(%z)
    txp.launch @kernels::@stage2 extent(%c1) grain(%c1) block(128) ins(%x) outs(%z)
    txp.launch @kernels::@stage3 extent(%c1) grain(%c1) block(128) ins(%x) outs(%z)
    txp.return %y, %z
  }
}
