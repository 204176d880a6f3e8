// A value that is used where only a region further in defines its name. MLIR's parser ties the
// two together, and freed the region at an error behind it while the use still pointed there.
//
// RUN: split-file --leading-lines %s %t
// RUN: %exits 1 %tensorc-opt %t/module.mlir 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: %exits 1 %tensorc compile %t/module.mlir -o %t/out.tcpkg 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: %exits 1 %tensorc-opt %t/branch.mlir 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: %tensorc-opt %t/valid.mlir | FileCheck %s --check-prefix=VALID
// RUN: not ls %t/out.tcpkg

//--- module.mlir
// MODULE: module.mlir:[[#@LINE+1]]:13: error: use of %x, which line [[#@LINE+4]] defines within another region
func.return %x : i32
module {
^bb0:
  %x = arith.constant 1 : i32
^bb1:
  garbage
}

//--- branch.mlir
func.func @f(%c: i1) -> i32 {
  // BRANCH: branch.mlir:[[#@LINE+1]]:19: error: use of %x, which line [[#@LINE+3]] defines within another region
  %y = arith.addi %x, %x : i32
  scf.if %c {
    %x = arith.constant 1 : i32
  }
  return %y : i32
}

//--- valid.mlir
// VALID: arith.constant 1
func.func @f(%c: i1) -> i32 {
  cf.br ^bb2
^bb1:
  %r = scf.if %c -> i32 {
    scf.yield %x : i32
  } else {
    %y = arith.addi %x, %x : i32
    scf.yield %y : i32
  }
  return %r : i32
^bb2:
  %x = arith.constant 1 : i32
  cf.br ^bb1
}
