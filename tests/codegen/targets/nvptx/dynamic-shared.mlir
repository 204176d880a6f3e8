// Workgroup memory that the launch asks for lies in one external global, which is aligned for any instruction.
// RUN: %tensorc-opt %s --pass-pipeline='builtin.module(gpu.module(nvptx-convert-kernels-to-nvvm))' | FileCheck %s
// RUN: %tensorc compile %s --start-from=emit --target=cuda:sm_80 --emit=ptx | FileCheck %s --check-prefix=PTX
// PTX: .extern .shared .align 1024 .b8 dynamic_shared[];
// PTX: .visible .entry first
// PTX: .visible .entry second
!large = memref<65536xi8, #gpu.address_space<workgroup>>
!small = memref<100xf32, #gpu.address_space<workgroup>>
module attributes {tx.target = "cuda:sm_80"} {
  // CHECK: llvm.mlir.global external @dynamic_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // CHECK-NOT: llvm.mlir.global
  gpu.module @kernels {
    // CHECK-LABEL: llvm.func @first
    // CHECK: %[[M:.*]] = llvm.mlir.addressof @dynamic_shared : !llvm.ptr<3>
    // CHECK: llvm.getelementptr inbounds %[[M]][0]
    // CHECK: llvm.getelementptr inbounds %{{.*}}[65536]
    gpu.func @first(%x: memref<?xf32>) workgroup(%a: !large, %b: !small)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel, txk.dynamic_shared = 65936 : i64} {
      %t = gpu.thread_id x
      %zero = arith.constant 0 : i8
      memref.store %zero, %a[%t] : !large
      %v = memref.load %b[%t] : !small
      memref.store %v, %x[%t] : memref<?xf32>
      gpu.return
    }
    // CHECK-LABEL: llvm.func @second
    // CHECK: llvm.mlir.addressof @dynamic_shared
    gpu.func @second(%x: memref<?xf32>) workgroup(%a: !large)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel, txk.dynamic_shared = 65536 : i64} {
      %t = gpu.thread_id x
      %zero = arith.constant 0 : i8
      memref.store %zero, %a[%t] : !large
      gpu.return
    }
  }
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>]} {
    %one = arith.constant 1 : i64
    %bytes = arith.constant 256 : i64
    %y = txp.alloc %bytes
    txp.launch @kernels::@first extent(%one) grain(%one) block(64) shared(65936) outs(%y)
    txp.launch @kernels::@second extent(%one) grain(%one) block(64) shared(65536) outs(%y)
    txp.return %y
  }
}
