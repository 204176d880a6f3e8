// A name outside of a body is none of the body's, in whatever order.
// RUN: not %tensorc-opt %s 2>&1 | FileCheck %s

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: invalid-body.mlir:[[#@LINE+1]]:15: error: use of undeclared SSA value name
  %0 = tx.neg %inner : tensor<4xf32>
  %1 = tx.fusion "loop" "f" (%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %inner = tx.abs %a : tensor<4xf32>
    tx.yield %inner : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
