// Each thread has waited, except for its own copies.
//
// RUN: %tensorc compile %s --start-from=emit --target=sim:sm_90a -o %t.tcpkg
// RUN: not %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=reverse %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=7 %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// CHECK: kernel 'broken', block 0: {{.*}}{{a race|nobody has written|nobody has waited}}
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
      txk.copy_async %x[%i] to %m[%i] : memref<?xf16> to !halves
      txk.copy_commit
      txk.copy_wait 0
      %n = arith.addi %t, %c1 : index
      %s = arith.andi %n, %c31 : index
      %j = arith.muli %s, %c8 : index
      %v = vector.load %m[%j] : !halves, vector<8xf16>
      vector.store %v, %y[%i] : memref<?xf16>, vector<8xf16>
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
