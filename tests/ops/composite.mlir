// A composite means its body, whether a rule knows its name or not.
//
// RUN: %npy %t.npy f32 '[[0, 0], [-1, 3]]'
// RUN: %run_op --input=%t.npy | FileCheck %s
// RUN: %run_op --entry=softmax --random-inputs --compare=reference
// RUN: %run_op --entry=softmax --random-inputs --shape=x:33,257 --compare=reference
// RUN: %run_op --entry=softmax --random-inputs --shape=x:1,0 --compare=reference

// Two results, and one composite inside another.
func.func @main(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  %0:2 = tx.composite "relu_and_sum" (%x) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  ^bb0(%a: tensor<2x2xf32>):
    %r = tx.composite "relu" (%a) : (tensor<2x2xf32>) -> tensor<2x2xf32> {
    ^bb0(%b: tensor<2x2xf32>):
      %z = tx.constant dense<0.0> : tensor<2x2xf32>
      %m = tx.max %b, %z : tensor<2x2xf32>
      tx.yield %m : tensor<2x2xf32>
    }
    %s = tx.sum %r dims = [1] : tensor<2x2xf32> -> tensor<2xf32>
    tx.yield %r, %s : tensor<2x2xf32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2xf32>
}
// CHECK:      out0: f32[2,2]
// CHECK-NEXT: {{\[\[}}0, 0],
// CHECK-NEXT:  [0, 3]]
// CHECK-NEXT: out1: f32[2]
// CHECK-NEXT: [0, 3]

#rows = #tx.dims<[n]>
#all = #tx.dims<[n, m]>
func.func @softmax(%x: tensor<?x?xf32, #all> {tx.name = "x"})
    -> (tensor<?x?xf32, #all>, tensor<?xf32, #rows>) {
  %0 = tx.composite "softmax" with {dims = array<i64: 1>} (%x) : (tensor<?x?xf32, #all>) -> tensor<?x?xf32, #all> {
  ^bb0(%a: tensor<?x?xf32, #all>):
    %m = tx.reduce_max %a dims = [1] : tensor<?x?xf32, #all> -> tensor<?xf32, #rows>
    %mb = tx.broadcast %m dims = [0] : tensor<?xf32, #rows> -> tensor<?x?xf32, #all>
    %d = tx.sub %a, %mb : tensor<?x?xf32, #all>
    %e = tx.exp %d : tensor<?x?xf32, #all>
    %s = tx.sum %e dims = [1] : tensor<?x?xf32, #all> -> tensor<?xf32, #rows>
    %sb = tx.broadcast %s dims = [0] : tensor<?xf32, #rows> -> tensor<?x?xf32, #all>
    %q = tx.div %e, %sb : tensor<?x?xf32, #all>
    tx.yield %q : tensor<?x?xf32, #all>
  }
  %1 = tx.sum %0 dims = [1] : tensor<?x?xf32, #all> -> tensor<?xf32, #rows>
  return %0, %1 : tensor<?x?xf32, #all>, tensor<?xf32, #rows>
}
