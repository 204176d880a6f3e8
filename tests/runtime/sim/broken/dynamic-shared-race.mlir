// No barrier between a store to dynamic shared memory and the load of another thread.
//
// RUN: %tensorc compile %s --start-from=emit --target=sim:sm_90a -o %t.tcpkg
// RUN: not %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=reverse %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// CHECK: kernel 'broken', block 0: {{a race: thread|thread [0-9]+ reads byte [0-9]+ of workgroup array 0, which nobody has written}}
!f32s = memref<16384xf32, #gpu.address_space<workgroup>>

module attributes {tx.target = "sim:sm_90a"} {
  gpu.module @kernels {
    gpu.func @broken(%x: memref<?xf32>, %y: memref<?xf32>)
        workgroup(%s: !f32s)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel, txk.dynamic_shared = 65536 : i64} {
      %t = gpu.thread_id x
      %c = arith.constant 16000 : index
      %c63 = arith.constant 63 : index
      %i = arith.addi %t, %c : index
      %v = memref.load %x[%t] : memref<?xf32>
      memref.store %v, %s[%i] : !f32s
      %o = arith.subi %c63, %t : index
      %j = arith.addi %o, %c : index
      %w = memref.load %s[%j] : !f32s
      memref.store %w, %y[%t] : memref<?xf32>
      gpu.return
    }
  }
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>]} {
    %one = arith.constant 1 : i64
    %bytes = arith.constant 256 : i64
    %y = txp.alloc %bytes
    txp.launch @kernels::@broken extent(%one) grain(%one) block(64) shared(65536) ins(%x) outs(%y)
    txp.return %y
  }
}
