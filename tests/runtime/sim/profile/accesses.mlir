// The counts of loads from global memory and of accesses to workgroup memory, for one subgroup of 32 threads.
//
// RUN: %tensorc compile %s --start-from=emit --target=sim:sm_90a -o %t.tcpkg
// RUN: %tensorc explain %t.tcpkg --profile --target=sim:sm_90a > %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: FileCheck %s --check-prefix=WARN --input-file=%t.txt

!shared = memref<1056xf32, #gpu.address_space<workgroup>>

// CHECK: profile for sm_90a (H100 SXM5), counted by the simulator; times are estimates
module attributes {tx.target = "sim:sm_90a", sim.profile} {
  gpu.module @kernels {
    // CHECK: loads: 1 blocks of 32 threads
    // CHECK-NEXT: counted 1 blocks
    // CHECK: class instructions lanes sectors ways divergent line
    // CHECK: float 1 32.00 - - - {{.*}}accesses.mlir:[[#@LINE+34]]:
    gpu.func @loads(%x: memref<?xf32>, %y: memref<?xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>, txk.kernel} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %t1 = arith.addi %t, %c1 : index
      %t2 = arith.muli %t, %c2 : index
      %t4 = arith.muli %t, %c4 : index
      %t32 = arith.muli %t, %c32 : index
      // 32 lanes read 128 bytes, which are 4 sectors of 32 bytes.
      // CHECK: global load 1 32.00 4.00 - - {{.*}}accesses.mlir:[[#@LINE+1]]:
      %coalesced = memref.load %x[%t] : memref<?xf32>
      // The 128 bytes begin 4 bytes after a sector and touch 5.
      // CHECK: global load 1 32.00 5.00 - - {{.*}}accesses.mlir:[[#@LINE+1]]:
      %misaligned = memref.load %x[%t1] : memref<?xf32>
      // CHECK: global load 1 32.00 8.00 - - {{.*}}accesses.mlir:[[#@LINE+1]]:
      %by2 = memref.load %x[%t2] : memref<?xf32>
      // CHECK: global load 1 32.00 32.00 - - {{.*}}accesses.mlir:[[#@LINE+1]]:
      %by32 = memref.load %x[%t32] : memref<?xf32>
      // All lanes read the same 4 bytes.
      // CHECK: global load 1 32.00 1.00 - - {{.*}}accesses.mlir:[[#@LINE+1]]:
      %same = memref.load %x[%c0] : memref<?xf32>
      // 512 contiguous bytes are 16 sectors: nothing is lost.
      // CHECK: global load 1 32.00 16.00 - - {{.*}}accesses.mlir:[[#@LINE+1]]:
      %wide = vector.load %x[%t4] {alignment = 16} : memref<?xf32>, vector<4xf32>
      %w = vector.extract %wide[0] : f32 from vector<4xf32>
      %a = arith.addf %coalesced, %misaligned : f32
      %b = arith.addf %a, %by2 : f32
      %c = arith.addf %b, %by32 : f32
      %d = arith.addf %c, %same : f32
      %e = arith.addf %d, %w : f32
      memref.store %e, %y[%t] : memref<?xf32>
      gpu.return
    }

    // CHECK: banks: 1 blocks of 32 threads
    gpu.func @banks(%x: memref<?xf32>, %y: memref<?xf32>)
        workgroup(%s: !shared)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>, txk.kernel} {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c33 = arith.constant 33 : index
      %one = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      %t2 = arith.muli %t, %c2 : index
      %t4 = arith.muli %t, %c4 : index
      %t32 = arith.muli %t, %c32 : index
      %t33 = arith.muli %t, %c33 : index
      // A lane in each of the 32 banks of 4 bytes.
      // CHECK: workgroup store 1 32.00 - 1.00 - {{.*}}accesses.mlir:[[#@LINE+1]]:
      memref.store %one, %s[%t] : !shared
      gpu.barrier
      // Lanes t and t + 16 are 32 words apart, in one bank.
      // CHECK: workgroup store 1 32.00 - 2.00 - {{.*}}accesses.mlir:[[#@LINE+1]]:
      memref.store %one, %s[%t2] : !shared
      gpu.barrier
      // CHECK: workgroup store 1 32.00 - 4.00 - {{.*}}accesses.mlir:[[#@LINE+1]]:
      memref.store %one, %s[%t4] : !shared
      gpu.barrier
      // CHECK: workgroup store 1 32.00 - 32.00 - {{.*}}accesses.mlir:[[#@LINE+1]]:
      memref.store %one, %s[%t32] : !shared
      gpu.barrier
      // Rows of 33 words: the column is in 32 banks.
      // CHECK: workgroup store 1 32.00 - 1.00 - {{.*}}accesses.mlir:[[#@LINE+1]]:
      memref.store %one, %s[%t33] : !shared
      // CHECK: barrier 1 32.00 - - - {{.*}}accesses.mlir:[[#@LINE+1]]:
      gpu.barrier
      // All lanes read one word, in one pass.
      // CHECK: workgroup load 1 32.00 - 1.00 - {{.*}}accesses.mlir:[[#@LINE+1]]:
      %same = memref.load %s[%c0] : !shared
      // 16 bytes per lane: 8 lanes fill a pass, so the least are 4 passes.
      // CHECK: workgroup store 1 32.00 - 1.00 - {{.*}}accesses.mlir:[[#@LINE+3]]:
      gpu.barrier
      %v = vector.broadcast %same : f32 to vector<4xf32>
      vector.store %v, %s[%t4] {alignment = 16} : !shared, vector<4xf32>
      memref.store %same, %y[%t] : memref<?xf32>
      gpu.return
    }
  }
  txp.func @main(%x: !txp.buffer) -> (!txp.buffer, !txp.buffer)
      attributes {inputs = [tensor<4096xf32>], outputs = [tensor<32xf32>, tensor<32xf32>]} {
    %one = arith.constant 1 : i64
    %bytes = arith.constant 128 : i64
    %y = txp.alloc %bytes
    %z = txp.alloc %bytes
    txp.launch @kernels::@loads extent(%one) grain(%one) block(32) ins(%x) outs(%y)
    txp.launch @kernels::@banks extent(%one) grain(%one) block(32) ins(%x) outs(%z)
    txp.return %y, %z
  }
}
// A misaligned load takes 1.25 times the least, which is not reported.
// WARN-NOT: sectors per request, where 4.00
// WARN: warning: {{.*}}: an uncoalesced global load: 8.00 sectors per request, where 4.00 would do
// WARN-NEXT: warning: {{.*}}: an uncoalesced global load: 32.00 sectors per request, where 4.00 would do
// WARN: banks:
// WARN: warning: {{.*}}: bank conflicts of a workgroup store: 2.00 ways
// WARN-NEXT: warning: {{.*}}: bank conflicts of a workgroup store: 4.00 ways
// WARN-NEXT: warning: {{.*}}: bank conflicts of a workgroup store: 32.00 ways
// WARN-NOT: warning
