// A fault of a kernel is one line; nothing is said of the compiler.
//
// RUN: %tensorc compile %s --start-from=lower -o %t.tcpkg
// RUN: %exits -4 %tensorc run %t.tcpkg --random-inputs > %t.run 2>&1
// RUN: FileCheck %s < %t.run --implicit-check-not="{{.}}"
// RUN: %exits -4 %tensorc bench %t.tcpkg > %t.bench 2>&1
// RUN: FileCheck %s < %t.bench --implicit-check-not="PLEASE" --implicit-check-not="Stack dump"
//
// CHECK: tensorc: SIGILL in kernel 'broken'{{.*}}

module attributes {tx.target = "cpu"} {
  module @kernels {
    llvm.func @broken(%arg0: !llvm.ptr, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr) attributes {txk.kernel} {
      "llvm.intr.trap"() : () -> ()
      llvm.return
    }
  }
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {input_names = ["x"], inputs = [tensor<3xi32>], output_names = ["y"], outputs = [tensor<3xi32>]} {
    %one = arith.constant 1 : i64
    %bytes = arith.constant 12 : i64
    %y = txp.alloc %bytes
    txp.launch @kernels::@broken extent(%one) grain(%one) ins(%x) outs(%y)
    txp.return %y
  }
}
