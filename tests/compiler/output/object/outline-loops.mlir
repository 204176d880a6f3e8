// A loop over small kernels becomes a kernel, which a run calls for some
// iterations at a time.
//
// RUN: %tensorc-opt %s --txp-outline-loops --canonicalize --cse | FileCheck %s

module {
module @kernels {
  // What only loops call, nothing outside sees. It stays a function.
  // CHECK: llvm.func internal @k({{.*}}attributes {no_inline}
  llvm.func @k(%args: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) {
    llvm.return
  }
  // CHECK: llvm.func @shared({{.*}}attributes {no_inline}
  llvm.func @shared(%args: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) {
    llvm.return
  }
  llvm.func @part(%args: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) {
    llvm.return
  }
}

// The iteration's buffers are parts of the scratch memory: one for t, two for
// what goes around. Numbers are %w, what goes around, and where it goes.
// CHECK: llvm.func @loop_of_k_and_1_more(%[[ARGS:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %[[SCRATCH:.*]]: !llvm.ptr)
// CHECK: %[[AREA:.*]] = llvm.alloca
// CHECK: %[[W:.*]] = llvm.load %[[ARGS]] invariant
// CHECK: %[[X:.*]] = llvm.load %{{.*}} invariant {{.*}} -> !llvm.ptr
// CHECK: %[[Y:.*]] = llvm.load %{{.*}} invariant {{.*}} -> !llvm.ptr
// CHECK: %[[BEGIN:.*]] = llvm.load %{{.*}} invariant {{.*}} -> i64
// CHECK: %[[END:.*]] = llvm.load %{{.*}} invariant {{.*}} -> i64
// CHECK: llvm.br ^[[HEAD:.*]](%[[BEGIN]], %[[X]] : i64, !llvm.ptr)
// CHECK: ^[[HEAD]](%[[I:.*]]: i64, %[[A:.*]]: !llvm.ptr)
// CHECK: %[[GOES_ON:.*]] = llvm.icmp "slt" %[[I]], %[[END]]
// CHECK: llvm.intr.cttz
// CHECK: llvm.call @tensorc.copy(%[[Y]], %[[A]]
// CHECK: llvm.store %[[A]], %[[AREA]]
// CHECK: llvm.store %[[W]], %{{.*}}
// CHECK: llvm.store %[[I]], %{{.*}}
// CHECK: llvm.call @k(%[[AREA]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: llvm.call @shared(%[[AREA]]

// Copies into views from outside of the loop write all of their bytes.
// CHECK: llvm.func @loop_of_part(
// CHECK-DAG: %[[BYTES:.*]] = llvm.mlir.constant(64 : i64)
// CHECK: llvm.load %{{.*}} invariant {{.*}} -> !llvm.ptr
// CHECK: %[[VIEW:.*]] = llvm.load %{{.*}} invariant {{.*}} -> !llvm.ptr
// CHECK: llvm.call @tensorc.copy(%[[VIEW]], %{{.*}}, %[[BYTES]])
// CHECK: llvm.call @part(

// CHECK-LABEL: txp.func @counted(
// CHECK-SAME: %[[X:.*]]: !txp.buffer, %[[W:.*]]: !txp.buffer
// CHECK-DAG: %[[N:.*]] = arith.constant 10000 : i64
// CHECK-DAG: %[[STEP:.*]] = arith.constant 128 : i64
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 192 : i64
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %[[STEP]] iter_args(%[[A:.*]] = %[[X]])
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]]
// CHECK: %[[END:.*]] = arith.minsi %[[NEXT]], %[[N]]
// CHECK: %[[B:.*]] = txp.alloc
// CHECK: txp.launch @kernels::@loop_of_k_and_1_more {{.*}} scratch(%[[BYTES]]) ins(%[[W]], %[[A]]) outs(%[[B]]) scalars(%[[I]], %[[END]] : i64, i64) {txp.calls = ["k", "shared"], txp.updates}
// CHECK: scf.yield %[[B]]
txp.func @counted(%x: !txp.buffer, %w: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<16xf32>, tensor<16xf32>], outputs = [tensor<16xf32>]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 10000 : i64
  %c64 = arith.constant 64 : i64
  %grain = arith.constant 16384 : i64
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!txp.buffer) : i64 {
    %t = txp.alloc %c64
    %b = txp.alloc %c64
    txp.launch @kernels::@k extent(%c64) grain(%grain) ins(%a, %w) outs(%t) scalars(%i : i64)
    txp.launch @kernels::@shared extent(%c64) grain(%grain) ins(%t) outs(%b)
    scf.yield %b : !txp.buffer
  }
  txp.return %y
}

// Whether a kernel is small, the run may have to ask; a few iterations are one
// call.
// CHECK-LABEL: txp.func @asked(
// CHECK: %[[SIZE:.*]] = txp.dim
// CHECK: %[[SMALL:.*]] = arith.cmpi sle, %[[SIZE]], %c16384_i64
// CHECK: scf.if %[[SMALL]]
// CHECK-NOT: scf.for
// CHECK: txp.launch @kernels::@loop_of_shared
// CHECK: } else {
// CHECK: scf.for
// CHECK: txp.launch @kernels::@shared
txp.func @asked(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<?xf32>], outputs = [tensor<?xf32>]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 5 : i64
  %c4 = arith.constant 4 : i64
  %grain = arith.constant 16384 : i64
  %size = txp.dim %x, 0
  %bytes = arith.muli %size, %c4 : i64
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!txp.buffer) : i64 {
    %b = txp.alloc %bytes
    txp.launch @kernels::@shared extent(%size) grain(%grain) ins(%a) outs(%b)
    scf.yield %b : !txp.buffer
  }
  txp.return %y dims(%size)
}

// Large kernels are launched one by one, on as many threads as there are. So are
// those that write what goes around, which may be an input.
// CHECK-LABEL: txp.func @large(
// CHECK: scf.for
// CHECK: txp.launch @kernels::@shared
// CHECK: scf.for
// CHECK: txp.launch @kernels::@shared
txp.func @large(%x: !txp.buffer) -> (!txp.buffer, !txp.buffer)
    attributes {inputs = [tensor<16xf32>], outputs = [tensor<16xf32>, tensor<16xf32>]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 5 : i64
  %c64 = arith.constant 64 : i64
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!txp.buffer) : i64 {
    %b = txp.alloc %c64
    txp.launch @kernels::@shared extent(%c64) grain(%c1) ins(%a) outs(%b)
    scf.yield %b : !txp.buffer
  }
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!txp.buffer) : i64 {
    txp.launch @kernels::@shared extent(%c64) grain(%c64) ins(%x) outs(%a)
    scf.yield %a : !txp.buffer
  }
  txp.return %y, %z
}

// CHECK-LABEL: txp.func @views(
// CHECK-SAME: %[[X:.*]]: !txp.buffer)
// CHECK: %[[VIEW:.*]] = txp.view
// CHECK: txp.launch @kernels::@loop_of_part {{.*}} ins(%[[X]]) outs(%[[VIEW]], %[[Y:[^)]*]])
// CHECK: txp.return %[[Y]]
txp.func @views(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<2x16xf32>], outputs = [tensor<2x16xf32>]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 2 : i64
  %c64 = arith.constant 64 : i64
  %c128 = arith.constant 128 : i64
  %arena = txp.alloc %c128
  %y = txp.alloc %c128
  %view = txp.view %arena[%c64] bytes(%c64)
  scf.for %i = %c0 to %n step %c1 : i64 {
    %offset = arith.muli %i, %c64 : i64
    %from = txp.view %x[%offset] bytes(%c64)
    txp.copy %from to %view
    %to = txp.view %y[%offset] bytes(%c64)
    txp.launch @kernels::@part extent(%c64) grain(%c64) ins(%view) outs(%to)
  }
  txp.return %y
}
}
