// Kernels of one thread become functions of llvm and nvvm: bare pointers, shared globals, ids, shuffles, atomics.
// RUN: %tensorc-opt %s --pass-pipeline='builtin.module(gpu.module(nvptx-convert-kernels-to-nvvm))' --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: gpu.module @kernels
gpu.module @kernels {
  // CHECK: llvm.mlir.global internal @row_shared0() {addr_space = 3 : i32, alignment = 64 : i64} : !llvm.array<64 x f32>
  // CHECK-LABEL: llvm.func @row(
  // CHECK-SAME: %[[X:[^:]*]]: !llvm.ptr<1> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull, llvm.readonly},
  // CHECK-SAME: %[[Y:[^:]*]]: !llvm.ptr<1> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull},
  // CHECK-SAME: %[[FLAG:[^:]*]]: i8, %[[N:[^:]*]]: i64)
  // CHECK-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, txk.kernel
  gpu.func @row(%x: memref<?xf32> {llvm.noalias}, %y: memref<?xf32> {llvm.noalias}, %flag: i1, %n: i64)
      workgroup(%w: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>, txk.kernel} {
    // CHECK: %[[W:.*]] = llvm.mlir.addressof @row_shared0 : !llvm.ptr<3>
    // CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x : i32
    // CHECK: %[[T:.*]] = llvm.zext %[[TID]] : i32 to i64
    %t = gpu.thread_id x
    // CHECK: nvvm.read.ptx.sreg.ctaid.x
    %b = gpu.block_id x
    // CHECK-NOT: nvvm.read.ptx.sreg.ntid
    // CHECK: llvm.mlir.constant(128 : index) : i64
    %size = gpu.block_dim x
    %first = arith.muli %b, %size : index
    %i = arith.addi %first, %t : index
    // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %v = vector.load %x[%i] {alignment = 16} : memref<?xf32>, vector<4xf32>
    %e = vector.extract %v[0] : f32 from vector<4xf32>
    // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[W]][%[[T]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    // CHECK: llvm.store %{{.*}}, %[[P]] {alignment = 4 : i64} : f32, !llvm.ptr<3>
    memref.store %e, %w[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    // CHECK: nvvm.barrier0
    gpu.barrier
    // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("device") monotonic {{.*}} : !llvm.ptr<1>, f32
    %old = memref.atomic_rmw addf %e, %y[%i] : (f32, memref<?xf32>) -> f32
    gpu.return
  }

  // CHECK-LABEL: llvm.func @shuffle(
  gpu.func @shuffle(%m: memref<?xi32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, txk.kernel} {
    %t = gpu.thread_id x
    %x = memref.load %m[%t] : memref<?xi32>
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    // CHECK: %[[S:.*]] = llvm.sub %{{.*}}, %{{.*}} : i32
    // CHECK: %[[C:.*]] = llvm.shl %[[S]], %{{.*}} : i32
    // CHECK: %[[M:.*]] = llvm.or %[[C]], %{{.*}} : i32
    // CHECK: %[[R:.*]] = nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %{{.*}}, %[[M]] {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    // CHECK: llvm.extractvalue %[[R]][0]
    %y, %v = gpu.shuffle xor %x, %c1, %c16 : i32
    memref.store %y, %m[%t] : memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @exchange(
  gpu.func @exchange(%m: memref<?xf64>, %x: f64) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, txk.kernel} {
    %t = gpu.thread_id x
    // CHECK: %[[FIRST:.*]] = llvm.load %[[P:.*]] {alignment = 8 : i64} : !llvm.ptr<1> -> i64
    // CHECK: llvm.br ^[[LOOP:.*]](%[[FIRST]] : i64)
    // CHECK: ^[[LOOP]](%[[OLD:.*]]: i64):
    // CHECK: llvm.fmul
    // CHECK: %[[PAIR:.*]] = llvm.cmpxchg %[[P]], %[[OLD]], %{{.*}} syncscope("device") monotonic monotonic
    // CHECK: %[[SEEN:.*]] = llvm.extractvalue %[[PAIR]][0]
    // CHECK: %[[DONE:.*]] = llvm.extractvalue %[[PAIR]][1]
    // CHECK: llvm.cond_br %[[DONE]], ^{{.*}}, ^[[LOOP]](%[[SEEN]] : i64)
    %old = memref.generic_atomic_rmw %m[%t] : memref<?xf64> {
    ^bb0(%now: f64):
      %new = arith.mulf %now, %x : f64
      memref.atomic_yield %new : f64
    }
    gpu.return
  }
}

// -----
// A table that is indexed at run time is a constant of the module, once.
// CHECK: llvm.mlir.global internal constant @table0(dense<[1.000000e+00, 2.000000e+00]> : vector<2xf64>) {addr_space = 4 : i32, alignment = 64 : i64} : !llvm.array<2 x f64>
// CHECK-NOT: llvm.mlir.global
gpu.module @kernels {
  gpu.func @lookup(%x: memref<?xf64>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    %table = arith.constant dense<[1.0, 2.0]> : vector<2xf64>
    %t = gpu.thread_id x
    %b = gpu.block_id x
    // CHECK: %[[TABLE:.*]] = llvm.mlir.addressof @table0 : !llvm.ptr<4>
    // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[TABLE]][%{{.*}}] : (!llvm.ptr<4>, i64) -> !llvm.ptr<4>, f64
    // CHECK: llvm.load %[[P]] : !llvm.ptr<4> -> f64
    %v = vector.extract %table[%t] : f64 from vector<2xf64>
    %w = vector.extract %table[%b] : f64 from vector<2xf64>
    %s = arith.addf %v, %w : f64
    memref.store %s, %x[%t] : memref<?xf64>
    gpu.return
  }
}

// -----
gpu.module @kernels {
  // expected-error @+1 {{must be a kernel with a known_block_size}}
  gpu.func @unknownBlock() kernel { gpu.return }
}

// -----
gpu.module @kernels {
  // expected-error @+1 {{must have blocks of one dimension}}
  gpu.func @plane() kernel attributes {known_block_size = array<i32: 8, 8, 1>} { gpu.return }
}

// -----
gpu.module @kernels {
  gpu.func @asksForTheGrid(%x: memref<?xindex>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @+1 {{failed to legalize operation 'gpu.grid_dim'}}
    %n = gpu.grid_dim x
    %t = gpu.thread_id x
    memref.store %n, %x[%t] : memref<?xindex>
    gpu.return
  }
}

// -----
gpu.module @kernels {
  // expected-error @+2 {{argument 0 of type 'memref<?xf32, 7 : i32>' cannot be passed to a kernel}}
  // expected-error @+1 {{failed to legalize operation 'gpu.func'}}
  gpu.func @otherMemory(%x: memref<?xf32, 7 : i32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}
