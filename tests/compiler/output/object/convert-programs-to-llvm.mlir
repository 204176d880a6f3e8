// A program becomes C functions: arguments are checked, sizes are checked
// arithmetic, the workspace is laid out, launches go through the support code.
//
// RUN: tensorc-opt %s --txp-convert-programs-to-llvm=stem=half | FileCheck %s

// Nothing but the interface is seen outside.
// CHECK-DAG: llvm.mlir.global internal constant @tensorc.constant("\00\00\80?\00\00\00@") {{.*}}alignment = 64 : i64
// CHECK-DAG: llvm.mlir.global internal constant @half.messages("success\00{{.*}}x is not n\00{{.*}}unknown status\00")
// CHECK: llvm.func internal @scale(

// The store past the caches is made only where memory is aligned.
// CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %[[P:.*]] : !llvm.ptr to i64
// CHECK: %[[LOW:.*]] = llvm.and %[[ADDRESS]], %{{.*}} : i64
// CHECK: %[[FITS:.*]] = llvm.icmp "eq" %[[LOW]]
// CHECK: llvm.cond_br %[[FITS]], ^[[ALIGNED:.*]], ^[[CACHED:.*]]
// CHECK: ^[[ALIGNED]]:
// CHECK-NEXT: llvm.store {{.*}} nontemporal
// CHECK: ^[[CACHED]]:
// CHECK-NEXT: llvm.store %{{.*}}, %[[P]] {alignment = 4 : i64} : vector<4xf32>

// CHECK: llvm.func internal @half.impl(%[[IN:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr, %[[WS:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: !llvm.ptr) -> i32
// The struct is {x, alpha, n}; alpha's bits become a word.
// CHECK: llvm.getelementptr %[[IN]][0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i16, i64)>
// CHECK: llvm.intr.smul.with.overflow
// CHECK: llvm.getelementptr %[[IN]][0, 1]
// CHECK: llvm.zext %{{.*}} : i16 to i64
// CHECK: llvm.call @tensorc.launch(

// CHECK: llvm.func @half_run(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// CHECK: llvm.func @half_run_threads(
// CHECK: llvm.func internal @half.layout(%{{.*}}: i64, %{{.*}}: i64) -> i64
// CHECK: llvm.func @half_workspace_size(%{{.*}}: i64) -> i64
// CHECK: llvm.func @half_workspace_size_threads(%{{.*}}: i64, %{{.*}}: i32) -> i64
// CHECK: llvm.func @half_output_size_y(%{{.*}}: i64) -> i64
// CHECK: llvm.func @half_output_shape_y(%{{.*}}: i64, %{{.*}}: !llvm.ptr) -> i32
// CHECK: llvm.func @half_error(%{{.*}}: i32) -> !llvm.ptr

module {
  module @kernels {
    llvm.func @scale(%args: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) attributes {txk.kernel} {
      %v = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
      llvm.store %v, %scratch {alignment = 16 : i64, nontemporal} : vector<4xf32>, !llvm.ptr
      llvm.return
    }
  }
  txp.func @main(%x: !txp.buffer, %alpha: i64) -> !txp.buffer
      attributes {inputs = [tensor<?xf32, #tx.dims<[n]>>, tensor<f16>], input_names = ["x", "alpha"],
                  outputs = [tensor<?xf32, #tx.dims<[n]>>], output_names = ["y"]} {
    %c4 = arith.constant 4 : i64
    %n = txp.dim %x, 0
    %even = arith.cmpi sge, %n, %c4 : i64
    txp.assert %even, "x is not n"
    %w = txp.constant_buffer dense<[1.0, 2.0]> : tensor<2xf32>
    %bytes = arith.muli %n, %c4 : i64
    %t = txp.alloc %bytes
    %y = txp.alloc %bytes
    txp.launch @kernels::@scale extent(%n) grain(%c4) scratch(%c4) ins(%x, %w) outs(%t) scalars(%alpha : i64)
    txp.launch @kernels::@scale extent(%n) grain(%c4) ins(%t, %w) outs(%y) scalars(%alpha : i64)
    txp.return %y
  }
}
