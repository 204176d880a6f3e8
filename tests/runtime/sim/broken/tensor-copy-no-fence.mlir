// A tensor copy to an mbarrier that no fence has shown.
//
// RUN: %tensorc compile %s --start-from=emit --target=sim:sm_90a -o %t.tcpkg
// RUN: not %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=reverse %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// RUN: not env TENSORC_SIM_ORDER=7 %tensorc run %t.tcpkg --device=sim:sm_90a --random-inputs 2>&1 | FileCheck %s
// CHECK: kernel 'broken', block 0: thread 0 makes a tensor copy that cannot be: no fence has shown its mbarrier to copies (txk.nv.tensor_copy
!tile = memref<8192xf16, #gpu.address_space<workgroup>>
!bars = memref<2xi64, #gpu.address_space<workgroup>>

module attributes {tx.target = "sim:sm_90a"} {
  gpu.module @kernels {
    gpu.func @broken(%x: memref<?xf16>, %y: memref<?xf32>, %map: !txk.tensor_map)
        workgroup(%m: !tile, %pad: memref<32768xf16, #gpu.address_space<workgroup>>, %bars: !bars)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>, txk.kernel, txk.dynamic_shared = 81936 : i64} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4096 = arith.constant 4096 : index
      %p0 = arith.constant 0 : i32
      %p1 = arith.constant 1 : i32
      %t = gpu.thread_id x
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        txk.nv.mbarrier_init %bars[%c0] arrivals 1 : !bars
      }
      gpu.barrier
      scf.if %first {
        txk.nv.mbarrier_arrive %bars[%c0] expects 16384 : !bars
        txk.nv.tensor_copy %map[%c0, %c0] to %m[%c0] signals %bars[%c0] : !tile, !bars
      }
      gpu.barrier
      txk.nv.mbarrier_wait %bars[%c0] parity %p0 : !bars
      %v = memref.load %m[%t] : !tile
      %w = arith.extf %v : f16 to f32
      memref.store %w, %y[%t] : memref<?xf32>
      gpu.return
    }
  }
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<128x64xf16>], outputs = [tensor<8192xf32>]} {
    %one = arith.constant 1 : i64
    %bytes = arith.constant 32768 : i64
    %columns = arith.constant 64 : i64
    %rows = arith.constant 128 : i64
    %y = txp.alloc %bytes
    txp.launch @kernels::@broken extent(%one) grain(%one) block(128) shared(81936) ins(%x) outs(%y)
        maps [#txp.tensor_map<buffer = 0, element = 2, swizzle = 128, box = [64, 128]>] windows(%columns, %rows, %rows)
    txp.return %y
  }
}
