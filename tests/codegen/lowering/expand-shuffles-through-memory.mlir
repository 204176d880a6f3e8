// Threads without shuffles exchange words through workgroup memory, with a barrier before and after the reads.
// RUN: %tensorc-opt %s --txk-expand-shuffles=through-memory | FileCheck %s

gpu.module @kernels {
  // CHECK: gpu.func @xor({{.*}}workgroup(%[[W:.*]] : memref<64xi32, #gpu.address_space<workgroup>>)
  gpu.func @xor(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %t = gpu.thread_id x
    %0 = memref.load %x[%t] : memref<?xf32>
    // CHECK: %[[B:.*]] = arith.bitcast %{{.*}} : f32 to i32
    // CHECK: memref.store %[[B]], %[[W]]
    // CHECK-NEXT: gpu.barrier
    // CHECK: %[[LANE:.*]] = arith.index_castui %{{.*}} : index to i32
    // CHECK: arith.xori %[[LANE]]
    // CHECK: %[[VALID:.*]] = arith.cmpi ult
    // CHECK: arith.select %[[VALID]], %{{.*}}, %[[LANE]] : i32
    // CHECK: %[[Y:.*]] = memref.load %[[W]]
    // CHECK-NEXT: gpu.barrier
    // CHECK: arith.bitcast %[[Y]] : i32 to f32
    // CHECK-NOT: gpu.shuffle
    %1, %valid = gpu.shuffle xor %0, %c1, %c32 : f32
    memref.store %1, %x[%t] : memref<?xf32>
    gpu.return
  }
  // CHECK: gpu.func @none(
  // CHECK-NOT: workgroup
  gpu.func @none(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
    gpu.return
  }
}
