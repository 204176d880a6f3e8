// A package names the file, without its folder, and the line that asks for a kernel.
//
// RUN: %tensorc compile %s --start-from=emit --target=cpu -o %t.tcpkg
// RUN: env TENSORC_CHECK=memory %exits 1 %tensorc run %t.tcpkg 2>&1 | FileCheck %s

module attributes {tx.target = "cpu"} {
  module @kernels {
    func.func @ones(%y: memref<?xf32>, %begin: index, %end: index, %scratch: memref<?xi8>) attributes {txk.kernel} {
      %one = arith.constant 1.0 : f32
      %c1 = arith.constant 1 : index
      scf.for %i = %begin to %end step %c1 {
        memref.store %one, %y[%i] : memref<?xf32>
      }
      return
    }
  }
  txp.func @main() -> !txp.buffer attributes {inputs = [], outputs = [tensor<31xf32>]} {
    %one = arith.constant 1 : i64
    %n = arith.constant 32 : i64
    %bytes = arith.constant 124 : i64
    %y = txp.alloc %bytes
    // CHECK: kernel 'ones' (package-lines.mlir:[[#@LINE+1]]) wrote 4 bytes outside its buffers, the first at byte 124 of argument 0, which has 124
    txp.launch @kernels::@ones extent(%n) grain(%n) outs(%y)
    txp.return %y
  }
}
