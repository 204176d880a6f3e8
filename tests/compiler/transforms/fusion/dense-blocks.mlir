// Each layer of a dense block concatenates what all before it made. One that
// concatenates eight values stores the result, and those after it go on from
// there: the work for a layer does not grow with the layers before it.
//
// RUN: %tensorc-opt %s --tx-fuse-ops | FileCheck %s
// RUN: %python %S/Inputs/dense_block.py %tensorc fuse 16
// RUN: %python %S/Inputs/dense_block.py %tensorc emit 16

// CHECK-LABEL: @extended
// CHECK:       %[[A:.*]]:2 = tx.fusion "loop" "concatenate_tanh"
// CHECK:         tx.concatenate {{(%arg[0-9]+, ){7}%arg[0-9]+}} dim = 1
// CHECK:       tx.fusion "loop" "concatenate_log"(%[[A]]#1, %arg1, %arg0)
// CHECK:         tx.concatenate {{(%arg[0-9]+, ){2}%arg[0-9]+}} dim = 1
// CHECK:       tx.fusion "loop" "concatenate_exp"(%[[A]]#1, %arg1)
// CHECK:         tx.concatenate {{%arg[0-9]+, %arg[0-9]+}} dim = 1
func.func @extended(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>)
    -> (tensor<2x28xf32>, tensor<2x32xf32>, tensor<2x35xf32>) {
  %a = tx.concatenate %x, %x, %y, %x, %y, %x, %y, %y dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x28xf32>
  %ta = tx.tanh %a : tensor<2x28xf32>
  %b = tx.concatenate %x, %x, %y, %x, %y, %x, %y, %y, %y dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x32xf32>
  %eb = tx.exp %b : tensor<2x32xf32>
  %c = tx.concatenate %x, %x, %y, %x, %y, %x, %y, %y, %y, %x dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<2x35xf32>
  %lc = tx.log %c : tensor<2x35xf32>
  return %ta, %eb, %lc : tensor<2x28xf32>, tensor<2x32xf32>, tensor<2x35xf32>
}

// Other operands, and the same along another dim.
// CHECK-LABEL: @others
// CHECK:       tx.concatenate {{(%arg[0-9]+, ){8}%arg[0-9]+}} dim = 0
// CHECK:       tx.concatenate {{(%arg[0-9]+, ){8}%arg[0-9]+}} dim = 1
// CHECK:       return
func.func @others(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>)
    -> (tensor<2x16xf32>, tensor<2x18xf32>, tensor<18x2xf32>) {
  %a = tx.concatenate %x, %x, %y, %x, %y, %x, %y, %y dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x16xf32>
  %ta = tx.tanh %a : tensor<2x16xf32>
  %b = tx.concatenate %x, %x, %y, %x, %y, %x, %y, %x, %y dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x18xf32>
  %eb = tx.exp %b : tensor<2x18xf32>
  %c = tx.concatenate %x, %x, %y, %x, %y, %x, %y, %y, %y dim = 0 : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<18x2xf32>
  %lc = tx.log %c : tensor<18x2xf32>
  return %ta, %eb, %lc : tensor<2x16xf32>, tensor<2x18xf32>, tensor<18x2xf32>
}
