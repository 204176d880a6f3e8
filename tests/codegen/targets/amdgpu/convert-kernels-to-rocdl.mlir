// Kernels of one thread become functions of llvm and rocdl: address spaces, ids, shuffles through the lane's number.
// RUN: %tensorc-opt %s --pass-pipeline='builtin.module(gpu.module(amdgpu-convert-kernels-to-rocdl))' | FileCheck %s

// CHECK-LABEL: gpu.module @kernels
gpu.module @kernels {
  // CHECK: llvm.mlir.global internal @row_shared0() {addr_space = 3 : i32, alignment = 64 : i64} : !llvm.array<64 x i16>
  // CHECK-LABEL: llvm.func @row(
  // CHECK-SAME: %[[X:[^:]*]]: !llvm.ptr<1> {llvm.align = 64 : i64, llvm.noalias, llvm.nonnull, llvm.readonly},
  // CHECK-SAME: rocdl.flat_work_group_size = "128,128", rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 128, 1, 1>
  gpu.func @row(%x: memref<?xf16> {llvm.noalias}, %y: memref<?xf32> {llvm.noalias}, %n: i64)
      workgroup(%w: memref<64xf16, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>, txk.kernel} {
    // CHECK: %[[TID:.*]] = rocdl.workitem.id.x : i32
    // CHECK: llvm.zext %[[TID]] : i32 to i64
    %t = gpu.thread_id x
    // CHECK: rocdl.workgroup.id.x
    %b = gpu.block_id x
    // CHECK-NOT: __ockl
    // CHECK: llvm.mlir.constant(128 : index) : i64
    %size = gpu.block_dim x
    %first = arith.muli %b, %size : index
    %i = arith.addi %first, %t : index
    %v = memref.load %x[%i] : memref<?xf16>
    // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 2 : i64} : i16, !llvm.ptr<3>
    memref.store %v, %w[%t] : memref<64xf16, #gpu.address_space<workgroup>>
    // CHECK: rocdl.barrier
    gpu.barrier
    %f = arith.extf %v : f16 to f32
    // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("agent") monotonic
    %old = memref.atomic_rmw addf %f, %y[%i] : (f32, memref<?xf32>) -> f32
    gpu.return
  }

  // CHECK-LABEL: llvm.func @shuffle(
  gpu.func @shuffle(%m: memref<?xi32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
    %t = gpu.thread_id x
    %x = memref.load %m[%t] : memref<?xi32>
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    // CHECK: %[[LOW:.*]] = rocdl.mbcnt.lo
    // CHECK: %[[LANE:.*]] = rocdl.mbcnt.hi %{{.*}}, %[[LOW]]
    // CHECK: %[[FIRST:.*]] = llvm.and %[[LANE]], %{{.*}} : i32
    // CHECK: %[[SOURCE:.*]] = llvm.xor %[[LANE]], %{{.*}} : i32
    // CHECK: %[[DISTANCE:.*]] = llvm.sub %[[SOURCE]], %[[FIRST]] : i32
    // CHECK: %[[VALID:.*]] = llvm.icmp "ult" %[[DISTANCE]], %{{.*}} : i32
    // CHECK: %[[CHOSEN:.*]] = llvm.select %[[VALID]], %[[SOURCE]], %[[LANE]]
    // CHECK: %[[ADDRESS:.*]] = llvm.shl %[[CHOSEN]], %{{.*}} : i32
    // CHECK: rocdl.ds_bpermute %[[ADDRESS]], %{{.*}}
    %y, %v = gpu.shuffle xor %x, %c1, %c16 : i32
    memref.store %y, %m[%t] : memref<?xi32>
    gpu.return
  }
}
