// A copy of more than there is, unless it is said to be outside.
//
// RUN: %tensorc compile %s --start-from=emit --target=sim:sm_90a -o %t.tcpkg
// RUN: not %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=reverse %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=7 %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// CHECK: kernel 'broken', block 0: {{.*}}thread 31 copies 16 bytes at byte 512 of argument 0, which has 512 (txk.copy_async
!halves = memref<256xf16, #gpu.address_space<workgroup>>

module attributes {tx.target = "sim:sm_90a"} {
  gpu.module @kernels {
    gpu.func @broken(%x: memref<?xf16>, %y: memref<?xf16>)
        workgroup(%m: !halves)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>, txk.kernel} {
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c31 = arith.constant 31 : index
      %t = gpu.thread_id x
      %i = arith.muli %t, %c8 : index
      %yes = arith.constant true
      %far = arith.addi %i, %c8 : index
      txk.copy_async %x[%far] to %m[%i] if %yes : memref<?xf16> to !halves
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
