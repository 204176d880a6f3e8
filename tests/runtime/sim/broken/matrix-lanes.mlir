// An operation on matrices that half of the subgroup skips.
//
// RUN: %tensorc compile %s --start-from=emit --target=sim:sm_90a -o %t.tcpkg
// RUN: not %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=reverse %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=7 %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// CHECK: kernel 'broken', block 0: {{.*}}an operation on matrices with inactive lanes
!halves = memref<256xf16, #gpu.address_space<workgroup>>
!sums = memref<256xf32, #gpu.address_space<workgroup>>

module attributes {tx.target = "sim:sm_90a"} {
  gpu.module @kernels {
    gpu.func @broken(%x: memref<?xf16>, %y: memref<?xf16>)
        workgroup(%m: !halves, %p: !sums)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>, txk.kernel} {
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c31 = arith.constant 31 : index
      %t = gpu.thread_id x
      %i = arith.muli %t, %c8 : index
      %zeros = arith.constant dense<0.0> : vector<8xf16>
      %c16 = arith.constant 16 : index
      vector.store %zeros, %m[%i] : !halves, vector<8xf16>
      gpu.barrier
      %half = arith.cmpi ult, %t, %c16 : index
      scf.if %half {
        %c0 = arith.constant 0 : index
        %zero = txk.tile_zero : !txk.fragment<sum, f32>
        %l = txk.tile_load %m[%c0] stride 16 : !halves -> !txk.fragment<left, f16>
        %r = txk.tile_load %m[%c0] stride 16 : !halves -> !txk.fragment<right, f16>
        %d = txk.tile_mma %l, %r, %zero : !txk.fragment<left, f16>, !txk.fragment<right, f16>, !txk.fragment<sum, f32>
        txk.tile_store %d, %p[%c0] stride 16 : !txk.fragment<sum, f32>, !sums
      }
      gpu.return
    }
  }
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<256xf16>], outputs = [tensor<256xf16>]} {
    %one = arith.constant 1 : i64
    %bytes = arith.constant 512 : i64
    %y = txp.alloc %bytes
    txp.launch @kernels::@broken extent(%one) grain(%one) block(32) ins(%x) outs(%y)
    txp.return %y
  }
}
