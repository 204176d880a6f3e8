// A masked store of one known lane writes this lane alone, also where its elements were truncated.
//
// RUN: %tensorc compile %s --start-from=lower --emit=asm -o - | FileCheck %s

// CHECK-LABEL: first:
// CHECK-NOT:   vmovss
// CHECK-NOT:   vmovd %xmm{{[0-9]+}}, (
// CHECK:       movw
// CHECK-LABEL: fourth:
// CHECK-NOT:   vmov{{[a-z]*}} %xmm{{[0-9]+}}, {{[0-9]*}}(
// CHECK:       movb{{.*}}, 3(
module attributes {tx.target = "cpu:x86-64-v4"} {
  module @kernels {
    llvm.func @first(%args: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) attributes {txk.kernel} {
      %out = llvm.load %args : !llvm.ptr -> !llvm.ptr
      %wide = llvm.load %scratch {alignment = 4 : i64} : !llvm.ptr -> vector<16xi32>
      %narrow = llvm.trunc %wide : vector<16xi32> to vector<16xi16>
      %mask = llvm.mlir.constant(dense<[true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false]> : vector<16xi1>) : vector<16xi1>
      llvm.intr.masked.store %narrow, %out, %mask {alignment = 2 : i32} : vector<16xi16>, vector<16xi1> into !llvm.ptr
      llvm.return
    }
    llvm.func @fourth(%args: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) attributes {txk.kernel} {
      %out = llvm.load %args : !llvm.ptr -> !llvm.ptr
      %wide = llvm.load %scratch {alignment = 4 : i64} : !llvm.ptr -> vector<16xi32>
      %narrow = llvm.trunc %wide : vector<16xi32> to vector<16xi8>
      %mask = llvm.mlir.constant(dense<[false, false, false, true, false, false, false, false, false, false, false, false, false, false, false, false]> : vector<16xi1>) : vector<16xi1>
      llvm.intr.masked.store %narrow, %out, %mask {alignment = 1 : i32} : vector<16xi8>, vector<16xi1> into !llvm.ptr
      llvm.return
    }
  }
}
