// Twice the values of x in reverse order, through 64 KiB of dynamic shared memory.
!f32s = memref<16384xf32, #gpu.address_space<workgroup>>

module attributes {tx.target = "cuda:sm_80"} {
  gpu.module @kernels {
    gpu.func @reverse(%x: memref<?xf32>, %y: memref<?xf32>)
        workgroup(%s: !f32s)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel, txk.dynamic_shared = 65536 : i64} {
      %t = gpu.thread_id x
      %first = arith.constant 16320 : index
      %c63 = arith.constant 63 : index
      %i = arith.addi %t, %first : index
      %v = memref.load %x[%t] : memref<?xf32>
      memref.store %v, %s[%i] : !f32s
      gpu.barrier
      %u = arith.subi %c63, %t : index
      %j = arith.addi %u, %first : index
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
    %z = txp.alloc %bytes
    txp.launch @kernels::@reverse extent(%one) grain(%one) block(64) shared(65536) ins(%x) outs(%y)
    txp.launch @kernels::@reverse extent(%one) grain(%one) block(64) shared(65536) ins(%y) outs(%z)
    txp.return %z
  }
}
