// A thread polls for what another writes behind a barrier.
//
// RUN: %tensorc compile %s --start-from=emit --target=sim:sm_90a -o %t.tcpkg
// RUN: not %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=reverse %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=7 %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// CHECK: kernel 'broken', block {{[01]}}: a deadlock: thread 0 polls memory (memref.atomic_rmw, line {{[0-9]+}} after emit at {{.*}}deadlock.mlir:{{[0-9]+}}:{{[0-9]+}}), and thread 1 waits at a barrier (gpu.barrier
!f32s = memref<64xf32, #gpu.address_space<workgroup>>

module attributes {tx.target = "sim:sm_90a"} {
  gpu.module @kernels {
    gpu.func @broken(%x: memref<?xf32>, %y: memref<?xf32>)
        workgroup(%flag: memref<1xi32, #gpu.address_space<workgroup>>)
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
      %first = arith.cmpi eq, %t, %c0 : index
      %zeroi = arith.constant 0 : i32
      scf.if %first {
        memref.store %zeroi, %flag[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
        scf.while : () -> () {
          %v = memref.atomic_rmw ori %zeroi, %flag[%c0] : (i32, memref<1xi32, #gpu.address_space<workgroup>>) -> i32
          %again = arith.cmpi eq, %v, %zeroi : i32
          scf.condition(%again)
        } do {
          scf.yield
        }
      }
      gpu.barrier
      %one = arith.constant 1 : i32
      memref.store %one, %flag[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
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
