// The skeletons' uses of shared memory by hand: a tree sum, a scan, a tiled product.
//
// RUN: %bin/tensorc-sim-mutate %s | FileCheck %s
// RUN: sed 's/sim:sm_90a/sim:sm_80/' %s > %t.mlir
// RUN: %bin/tensorc-sim-mutate %t.mlir --device=sim:sm_80 | FileCheck %s
// CHECK: tree_sum barrier 0: {{a race|nobody has written}}
// CHECK: tree_sum barrier 1: a race
// CHECK: scan barrier 2: {{a race|nobody has written}}
// CHECK: scan barrier 3: a race
// CHECK: scan barrier 4: a race
// CHECK: product barrier 5: {{a race|nobody has written}}
// CHECK: product barrier 6: a race
// CHECK: 7 of 7 caught

!tile = memref<256xf32, #gpu.address_space<workgroup>>

module attributes {tx.target = "sim:sm_90a"} {
  gpu.module @kernels {
    // y[b] = sum of x[256 b, 256 b + 256)
    gpu.func @tree_sum(%x: memref<?xf32>, %y: memref<?xf32>) workgroup(%s: !tile)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c128 = arith.constant 128 : index
      %c256 = arith.constant 256 : index
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %base = arith.muli %b, %c256 : index
      %i = arith.addi %base, %t : index
      %v = memref.load %x[%i] : memref<?xf32>
      memref.store %v, %s[%t] : !tile
      gpu.barrier
      %end = scf.for %k = %c0 to %c8 step %c1 iter_args(%half = %c128) -> index {
        %active = arith.cmpi ult, %t, %half : index
        scf.if %active {
          %other = arith.addi %t, %half : index
          %p = memref.load %s[%t] : !tile
          %q = memref.load %s[%other] : !tile
          %r = arith.addf %p, %q : f32
          memref.store %r, %s[%t] : !tile
        }
        gpu.barrier
        %next = arith.shrui %half, %c1 : index
        scf.yield %next : index
      }
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        %r = memref.load %s[%c0] : !tile
        memref.store %r, %y[%b] : memref<?xf32>
      }
      gpu.return
    }

    // Inclusive sums within the blocks of 256.
    gpu.func @scan(%x: memref<?xf32>, %y: memref<?xf32>) workgroup(%s: !tile)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c256 = arith.constant 256 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %base = arith.muli %b, %c256 : index
      %i = arith.addi %base, %t : index
      %v = memref.load %x[%i] : memref<?xf32>
      memref.store %v, %s[%t] : !tile
      gpu.barrier
      %end = scf.for %k = %c0 to %c8 step %c1 iter_args(%far = %c1) -> index {
        %active = arith.cmpi uge, %t, %far : index
        %add = scf.if %active -> f32 {
          %other = arith.subi %t, %far : index
          %q = memref.load %s[%other] : !tile
          scf.yield %q : f32
        } else {
          scf.yield %zero : f32
        }
        gpu.barrier
        %p = memref.load %s[%t] : !tile
        %r = arith.addf %p, %add : f32
        memref.store %r, %s[%t] : !tile
        gpu.barrier
        %next = arith.shli %far, %c1 : index
        scf.yield %next : index
      }
      %r = memref.load %s[%t] : !tile
      memref.store %r, %y[%i] : memref<?xf32>
      gpu.return
    }

    // 32x32 matrices; a block makes 16x16 of the product from tiles of 16x16.
    gpu.func @product(%a: memref<?xf32>, %b: memref<?xf32>, %y: memref<?xf32>)
        workgroup(%sa: !tile, %sb: !tile)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %block = gpu.block_id x
      %row = arith.divui %t, %c16 : index
      %column = arith.remui %t, %c16 : index
      %blockRow = arith.divui %block, %c2 : index
      %blockColumn = arith.remui %block, %c2 : index
      %r0 = arith.muli %blockRow, %c16 : index
      %n0 = arith.muli %blockColumn, %c16 : index
      %r = arith.addi %r0, %row : index
      %n = arith.addi %n0, %column : index
      %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> f32 {
        %ka = arith.addi %k, %column : index
        %ra = arith.muli %r, %c32 : index
        %ia = arith.addi %ra, %ka : index
        %va = memref.load %a[%ia] : memref<?xf32>
        memref.store %va, %sa[%t] : !tile
        %kb = arith.addi %k, %row : index
        %rb = arith.muli %kb, %c32 : index
        %ib = arith.addi %rb, %n : index
        %vb = memref.load %b[%ib] : memref<?xf32>
        memref.store %vb, %sb[%t] : !tile
        gpu.barrier
        %inner = scf.for %j = %c0 to %c16 step %c1 iter_args(%part = %acc) -> f32 {
          %rowStart = arith.muli %row, %c16 : index
          %at = arith.addi %rowStart, %j : index
          %p = memref.load %sa[%at] : !tile
          %columnStart = arith.muli %j, %c16 : index
          %bt = arith.addi %columnStart, %column : index
          %q = memref.load %sb[%bt] : !tile
          %pq = arith.mulf %p, %q : f32
          %next = arith.addf %part, %pq : f32
          scf.yield %next : f32
        }
        gpu.barrier
        scf.yield %inner : f32
      }
      %ry = arith.muli %r, %c32 : index
      %iy = arith.addi %ry, %n : index
      memref.store %sum, %y[%iy] : memref<?xf32>
      gpu.return
    }
  }
  txp.func @main(%x: !txp.buffer, %w: !txp.buffer) -> (!txp.buffer, !txp.buffer, !txp.buffer)
      attributes {inputs = [tensor<1024xf32>, tensor<32x32xf32>],
                  outputs = [tensor<4xf32>, tensor<1024xf32>, tensor<32x32xf32>]} {
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %small = arith.constant 16 : i64
    %bytes = arith.constant 4096 : i64
    %sum = txp.alloc %small
    %sums = txp.alloc %bytes
    %product = txp.alloc %bytes
    txp.launch @kernels::@tree_sum extent(%c4) grain(%c1) block(256) ins(%x) outs(%sum)
    txp.launch @kernels::@scan extent(%c4) grain(%c1) block(256) ins(%x) outs(%sums)
    txp.launch @kernels::@product extent(%c4) grain(%c1) block(256) ins(%x, %w) outs(%product)
    txp.return %sum, %sums, %product
  }
}
