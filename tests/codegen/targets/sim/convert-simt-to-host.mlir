// A kernel of one thread becomes a host function over the table of callbacks.
//
// RUN: %tensorc-opt %s --sim-convert-simt-to-host='subgroup-size=64' | FileCheck %s
// RUN: %tensorc-opt %s --sim-convert-simt-to-host='subgroup-size=64' --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

gpu.module @kernels {
  gpu.func @k(%x: memref<?xf32>, %flags: memref<?xi1>, %n: i64, %on: i1)
      workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>, %c: memref<8xi8, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>, txk.kernel} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %z = gpu.thread_id z
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %lane = gpu.lane_id
    %v = memref.load %x[%t] : memref<?xf32>
    memref.store %v, %s[%lane] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %width = arith.constant 64 : i32
    %one = arith.constant 1 : i32
    %w, %ok = gpu.shuffle xor %v, %one, %width : f32
    %old = memref.atomic_rmw addf %w, %x[%b] : (f32, memref<?xf32>) -> f32
    %m = memref.generic_atomic_rmw %x[%d] : memref<?xf32> {
    ^bb0(%current: f32):
      %next = arith.mulf %current, %old : f32
      memref.atomic_yield %next : f32
    }
    gpu.return
  }
}

// CHECK-LABEL: module @kernels
// CHECK: func.func @k(%[[T:.*]]: !llvm.ptr, %[[C:.*]]: !llvm.ptr {llvm.noalias, llvm.readonly}, %[[W:.*]]: !llvm.ptr {llvm.noalias, llvm.readonly})
// CHECK-SAME: sim.block = 128 : i32, sim.buffers = array<i32: 4, 1>, sim.scalars = 2 : i32, sim.shared = array<i32: 128, 4, 8, 1>, sim.subgroup = 64 : i32
// The words are buffers, scalars, and the workgroup's arrays.
// CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !llvm.ptr to memref<?xf32>
// CHECK: llvm.getelementptr inbounds %[[W]][24]
// CHECK-NEXT: llvm.load %{{.*}} invariant {alignment = 8 : i64} : !llvm.ptr -> i8
// CHECK-NEXT: llvm.trunc {{.*}} : i8 to i1
// CHECK: llvm.getelementptr inbounds %[[W]][32]
// CHECK: %[[S:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !llvm.ptr to memref<32xf32>
// CHECK: %[[ID:.*]] = llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK-NEXT: arith.index_castui %[[ID]] : i32 to index
// CHECK: arith.constant 128 : index
// CHECK: arith.remui
// CHECK: memref.store %{{.*}}, %[[S]]
// CHECK: llvm.getelementptr inbounds %[[C]][16]
// CHECK: llvm.call %{{.*}}(%[[T]], %{{.*}}) {sim.call = "gpu.barrier"} : !llvm.ptr, (!llvm.ptr, i32) -> ()
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: arith.extui
// CHECK: llvm.call %{{.*}} {sim.call = "gpu.shuffle"}
// CHECK: arith.bitcast %{{.*}} : i32 to f32
// An atomic update is a load and a store: threads switch only in callbacks.
// CHECK: %[[OLD:.*]] = memref.load %[[X]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[OLD]], %{{.*}}
// CHECK-NEXT: memref.store %[[SUM]], %[[X]]
// CHECK: %[[NOW:.*]] = memref.load %[[X]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[NOW]], %[[OLD]]
// CHECK-NEXT: memref.store %[[PRODUCT]], %[[X]]
// CHECK-NEXT: return
// CHECK-NOT: gpu.

// LOC: loc("memref.load, line {{[0-9]+}} after emit"(
// LOC: loc("gpu.barrier, line {{[0-9]+}} after emit"(
// LOC: loc("memref.atomic_rmw, line {{[0-9]+}} after emit"(
