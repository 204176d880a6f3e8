// Half of the threads skip a barrier.
//
// RUN: %tensorc compile %s --start-from=emit --target=sim:sm_90a -o %t.tcpkg
// RUN: not %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=reverse %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=7 %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// CHECK: kernel 'broken', block {{[01]}}: a divergent barrier: thread 0 waits at a barrier (gpu.barrier, line {{[0-9]+}} after emit at {{.*}}divergent-barrier.mlir:{{[0-9]+}}:9), and thread 32 has finished
!f32s = memref<64xf32, #gpu.address_space<workgroup>>

module attributes {tx.target = "sim:sm_90a"} {
  gpu.module @kernels {
    gpu.func @broken(%x: memref<?xf32>, %y: memref<?xf32>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %size = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %base = arith.muli %b, %size : index
      %i = arith.addi %base, %t : index
      %low = arith.cmpi ult, %t, %c32 : index
      scf.if %low {
        gpu.barrier
      }
      gpu.return
    }
  }
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<128xf32>], outputs = [tensor<128xf32>]} {
    %one = arith.constant 1 : i64
    %blocks = arith.constant 2 : i64
    %bytes = arith.constant 512 : i64
    %y = txp.alloc %bytes
    txp.launch @kernels::@broken extent(%blocks) grain(%one) block(64) ins(%x) outs(%y)
    txp.return %y
  }
}
