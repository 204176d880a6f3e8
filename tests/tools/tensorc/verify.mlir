// --verify compares a package's constants with their hashes; a load does not.
//
// RUN: %tensorc compile %s -o %t.tcpkg
// RUN: %python %S/Inputs/alter_constant.py %t.tcpkg %t.altered.tcpkg
// RUN: %tensorc run %t.tcpkg --verify | FileCheck %s
// CHECK: out0: f32[100]
// CHECK-NEXT: [1.5, 1.5,
// RUN: %tensorc run %t.altered.tcpkg | FileCheck %s --check-prefix=OTHER
// OTHER: out0: f32[100]
// OTHER-NEXT: [-1.5, 1.5,
// RUN: %exits 1 %tensorc run %t.altered.tcpkg --verify 2>&1 | FileCheck %s --check-prefix=ALTERED
// ALTERED: {{.*}}.altered.tcpkg: package: altered: constant 0 does not have its hash
// RUN: %exits 2 %tensorc run %s --verify 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: tensorc: error: --verify applies to packages; {{.*}}verify.mlir is none

func.func @main() -> tensor<100xf32> {
  %0 = tx.constant dense<"0x0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f0000c03f00000040"> : tensor<100xf32>
  %1 = tx.min %0, %0 : tensor<100xf32>
  return %1 : tensor<100xf32>
}
