// Programs whose shapes do not fit are refused with one located message.
// split-file keeps the line numbers, so CHECKs stand beside what they mean.
//
// RUN: split-file --leading-lines %s %t
// RUN: not %tensorc run %t/add.mlir --random-inputs 2>&1 | FileCheck %s --check-prefix=ADD
// RUN: not %tensorc run %t/dot.mlir --random-inputs 2>&1 | FileCheck %s --check-prefix=DOT
// RUN: not %tensorc run %t/sum.mlir --random-inputs 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: not %tensorc run %t/name.mlir --random-inputs 2>&1 | FileCheck %s --check-prefix=NAME

//--- add.mlir
func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> {
  // ADD: add.mlir:[[#@LINE+1]]:19: error: use of value '%y' expects different type than prior uses: 'tensor<4xf32>' vs 'tensor<5xf32>'
  %0 = tx.add %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- dot.mlir
func.func @main(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) -> tensor<2x5xf32> {
  // DOT: dot.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'tx.dot_general' op inner dimensions differ: [2,3] x [4,5]
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

//--- sum.mlir
func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // SUM: sum.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'tx.sum' op dims must increase strictly and lie inside rank 2
  %0 = tx.sum %x dims = [2] : tensor<2x3xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

//--- name.mlir
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  // NAME: name.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'tx.exp' op dynamic dimensions must be named
  %0 = tx.exp %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
