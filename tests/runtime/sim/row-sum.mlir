// A kernel by hand: shared memory, shuffles, a barrier; the same in any order.
//
// RUN: %tensorc compile %s --start-from=emit --target=sim:sm_90a -o %t.tcpkg
// RUN: %npy %t.npy f32 "[[3] * 512, [-1] * 511 + [11]]"
// RUN: %tensorc run %t.tcpkg --device=sim:sm_90a --input=%t.npy | FileCheck %s
// RUN: env TENSORC_SIM_ORDER=reverse %tensorc run %t.tcpkg --device=sim:sm_90a --input=%t.npy | FileCheck %s
// RUN: env TENSORC_SIM_ORDER=random %tensorc run %t.tcpkg --device=sim:sm_90a --input=%t.npy | FileCheck %s
// RUN: env TENSORC_SIM_ORDER=12345 %tensorc run %t.tcpkg --device=sim:sm_90a --input=%t.npy | FileCheck %s
// RUN: env TENSORC_SIM_CHECKS=0 %tensorc run %t.tcpkg --device=sim:sm_90a --input=%t.npy | FileCheck %s
// CHECK: [1536, -500]

module attributes {tx.target = "sim:sm_90a"} {
  gpu.module @kernels {
    gpu.func @row_sum(%x: memref<?xf32>, %out: memref<?xf32>, %n: i64)
        workgroup(%partial: memref<4xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>, txk.kernel} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %i32 = arith.constant 32 : i32
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %row = gpu.block_id x
      %count = arith.index_cast %n : i64 to index
      %base = arith.muli %row, %count : index
      %sum = scf.for %i = %t to %count step %c128 iter_args(%acc = %zero) -> f32 {
        %at = arith.addi %base, %i : index
        %v = memref.load %x[%at] : memref<?xf32>
        %next = arith.addf %acc, %v : f32
        scf.yield %next : f32
      }
      %o1 = arith.constant 1 : i32
      %o2 = arith.constant 2 : i32
      %o4 = arith.constant 4 : i32
      %o8 = arith.constant 8 : i32
      %o16 = arith.constant 16 : i32
      %s1, %p1 = gpu.shuffle xor %sum, %o16, %i32 : f32
      %a1 = arith.addf %sum, %s1 : f32
      %s2, %p2 = gpu.shuffle xor %a1, %o8, %i32 : f32
      %a2 = arith.addf %a1, %s2 : f32
      %s3, %p3 = gpu.shuffle xor %a2, %o4, %i32 : f32
      %a3 = arith.addf %a2, %s3 : f32
      %s4, %p4 = gpu.shuffle xor %a3, %o2, %i32 : f32
      %a4 = arith.addf %a3, %s4 : f32
      %s5, %p5 = gpu.shuffle xor %a4, %o1, %i32 : f32
      %a5 = arith.addf %a4, %s5 : f32
      %lane = arith.remui %t, %c32 : index
      %warp = arith.divui %t, %c32 : index
      %leads = arith.cmpi eq, %lane, %c0 : index
      scf.if %leads {
        memref.store %a5, %partial[%warp] : memref<4xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        %all = vector.load %partial[%c0] {alignment = 16} : memref<4xf32, #gpu.address_space<workgroup>>, vector<4xf32>
        %r = vector.reduction <add>, %all : vector<4xf32> into f32
        memref.store %r, %out[%row] : memref<?xf32>
      }
      gpu.return
    }
  }
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<2x512xf32>], outputs = [tensor<2xf32>]} {
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c8 = arith.constant 8 : i64
    %n = arith.constant 512 : i64
    %y = txp.alloc %c8
    txp.launch @kernels::@row_sum extent(%c2) grain(%c1) block(128)
        ins(%x) outs(%y) scalars(%n : i64)
    txp.return %y
  }
}
