// In a kernel with the attribute sim.profile, a block reports its instructions by class and line, and the divisions of
// the block's number. Other kernels are not changed.
//
// RUN: %tensorc-opt %s --sim-count-instructions | FileCheck %s

module @kernels {
  // CHECK-LABEL: func.func @profiled
  // Two additions and a product of one line: class 0. The comparison is of f32, too.
  // CHECK: llvm.call {{.*}} {sim.access = array<i32: 4, 0>, sim.call = "sim.count"} : !llvm.ptr, (!llvm.ptr, i32) -> ()
  // The square root of 4 elements: class 3.
  // CHECK: llvm.call {{.*}} {sim.access = array<i32: 4, 3>, sim.call = "sim.count"}
  // The division and the remainder of integers: class 2.
  // CHECK: llvm.call {{.*}} {sim.access = array<i32: 2, 2>, sim.call = "sim.count"}
  func.func @profiled(%thread: !llvm.ptr, %calls: !llvm.ptr, %words: !llvm.ptr, %a: f32, %v: vector<4xf32>, %n: index)
      attributes {sim.profile} {
    %0 = arith.addf %a, %a : f32 loc("user.py":7:0)
    %1 = arith.addf %0, %a : f32 loc("user.py":7:0)
    %2 = arith.mulf %1, %a : f32 loc("user.py":7:0)
    %3 = arith.cmpf olt, %2, %a : f32 loc("user.py":7:0)
    %4 = math.sqrt %v : vector<4xf32> loc("user.py":8:0)
    %slot = llvm.getelementptr inbounds %thread[0] : (!llvm.ptr) -> !llvm.ptr, i8
    %word = llvm.load %slot : !llvm.ptr -> i64
    %block = arith.index_castui %word : i64 to index
    // CHECK: llvm.call {{.*}}(%{{.*}}, %[[ONE:.*]], %[[N:.*]], %{{.*}}) {{.*}}sim.call = "sim.radix"
    // CHECK: arith.divui
    %row = arith.divui %block, %n : index loc("user.py":9:0)
    // CHECK: %[[UNIT:.*]] = arith.muli %{{.*}}, %{{.*}} : i64
    // CHECK: llvm.call {{.*}}(%{{.*}}, %[[UNIT]], %{{.*}}, %{{.*}}) {{.*}}sim.call = "sim.radix"
    // CHECK: arith.remui
    %column = arith.remui %row, %n : index loc("user.py":9:0)
    scf.if %3 {
      // CHECK: scf.if
      // CHECK: llvm.call {{.*}} {sim.access = array<i32: 1, 4>, sim.call = "sim.count"}
      %5 = arith.truncf %a : f32 to f16 loc("user.py":10:0)
    }
    return
  }

  // CHECK-LABEL: func.func @plain
  // CHECK-NOT: llvm.call
  func.func @plain(%thread: !llvm.ptr, %calls: !llvm.ptr, %words: !llvm.ptr, %a: f32) {
    %0 = arith.addf %a, %a : f32
    return
  }
}
