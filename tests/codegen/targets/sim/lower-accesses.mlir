// A callback stands in front of every access but those to the own stack.
//
// RUN: %tensorc-opt %s --sim-lower-accesses | FileCheck %s

// The table of the kernel: two buffers, the second written; one workgroup array.
// CHECK: llvm.mlir.global internal constant @k.memory(dense<[0, 4, 0, 65540, 128, 65540, 0, 1]>
// CHECK: llvm.mlir.global internal constant @k.sites
// CHECK: llvm.mlir.global internal constant @k.strings("\00{{.*}}lower-accesses.mlir:
// CHECK: llvm.mlir.global external constant @k()
// CHECK: llvm.mlir.addressof @k.thread
module @kernels {
  // CHECK: llvm.func @k.thread(%[[T:.*]]: !llvm.ptr, %[[C:.*]]: !llvm.ptr, %[[W:.*]]: !llvm.ptr) {
  llvm.func @k(%thread: !llvm.ptr, %calls: !llvm.ptr, %words: !llvm.ptr)
      attributes {sim.block = 32 : i32, sim.subgroup = 32 : i32, sim.scalars = 0 : i32,
                  sim.buffers = array<i32: 4, 4>, sim.shared = array<i32: 128, 4>} {
    %one = llvm.mlir.constant(1 : i64) : i64
    %mask = llvm.mlir.constant(dense<[true, true, false, true]> : vector<4xi1>) : vector<4xi1>
    %x = llvm.load %words : !llvm.ptr -> !llvm.ptr
    %slot = llvm.getelementptr %words[8] : (!llvm.ptr) -> !llvm.ptr, i8
    %y = llvm.load %slot : !llvm.ptr -> !llvm.ptr
    %stack = llvm.alloca %one x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    // CHECK: %[[F:.*]] = llvm.load %{{.*}} invariant {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
    // CHECK: %[[P:.*]] = llvm.call %[[F]](%[[T]], %{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i32) -> !llvm.ptr
    // CHECK: %[[V:.*]] = llvm.load %[[P]] {alignment = 4 : i64} : !llvm.ptr -> f32
    %v = llvm.load %x {alignment = 4 : i64} : !llvm.ptr -> f32
    // CHECK-NEXT: llvm.store %[[V]], %{{.*}} {alignment = 4 : i64}
    llvm.store %v, %stack {alignment = 4 : i64} : f32, !llvm.ptr
    // CHECK: llvm.bitcast %{{.*}} : vector<4xi1> to i4
    // CHECK-NEXT: llvm.zext %{{.*}} : i4 to i64
    // CHECK: %[[M:.*]] = llvm.call %{{.*}} : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, i32) -> !llvm.ptr
    // CHECK: llvm.intr.masked.load %[[M]],
    %other = llvm.mlir.zero : vector<4xf32>
    %vs = llvm.intr.masked.load %x, %mask, %other {alignment = 16 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    // CHECK: %[[Q:.*]] = llvm.call
    // CHECK: llvm.store %{{.*}}, %[[Q]] {alignment = 16 : i64} : vector<4xf32>
    llvm.store %vs, %y {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
    // CHECK: llvm.call %{{.*}}(%[[T]], %{{.*}}) : !llvm.ptr, (!llvm.ptr, i32) -> ()
    %site = llvm.mlir.constant(0 : i32) : i32
    %b = llvm.getelementptr %calls[16] : (!llvm.ptr) -> !llvm.ptr, i8
    %barrier = llvm.load %b : !llvm.ptr -> !llvm.ptr
    llvm.call %barrier(%thread, %site) {sim.call = "gpu.barrier"} : !llvm.ptr, (!llvm.ptr, i32) -> ()
    llvm.return
  }
}
