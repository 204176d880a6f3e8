// A store lies behind the dynamic shared memory that the launch asks for.
//
// RUN: %tensorc compile %s --start-from=emit --target=sim:sm_90a -o %t.tcpkg
// RUN: not %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=reverse %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// CHECK: kernel 'broken', block 0: thread {{[0-9]+}} writes 4 bytes at byte {{65[0-9]+}} of workgroup array 0, which has 65536 (memref.store
!f32s = memref<16384xf32, #gpu.address_space<workgroup>>

module attributes {tx.target = "sim:sm_90a"} {
  gpu.module @kernels {
    gpu.func @broken(%x: memref<?xf32>, %y: memref<?xf32>)
        workgroup(%s: !f32s)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel, txk.dynamic_shared = 65536 : i64} {
      %t = gpu.thread_id x
      %c = arith.constant 16383 : index
      %c1 = arith.constant 1 : index
      %t1 = arith.addi %t, %c1 : index
      %i = arith.addi %t1, %c : index
      %v = memref.load %x[%t] : memref<?xf32>
      memref.store %v, %s[%i] : !f32s
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
