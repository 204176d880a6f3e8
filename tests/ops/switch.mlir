// Only the chosen block counts.
//
// RUN: %npy %t.x.npy f32 '[1, -2, 4]'
// RUN: %npy %t.low.npy i32 -2147483648
// RUN: %npy %t.zero.npy i32 0
// RUN: %npy %t.one.npy i32 1
// RUN: %npy %t.two.npy i32 2
// RUN: %npy %t.high.npy i32 2147483647
// RUN: %npy %t.longlow.npy i64 -4294967295
// RUN: %npy %t.longone.npy i64 1
// RUN: %npy %t.longhigh.npy i64 4294967296
// RUN: %run_op --input=i=%t.low.npy --input=x=%t.x.npy | FileCheck %s --check-prefix=ZERO
// RUN: %run_op --input=i=%t.zero.npy --input=x=%t.x.npy | FileCheck %s --check-prefix=ZERO
// RUN: %run_op --input=i=%t.one.npy --input=x=%t.x.npy | FileCheck %s --check-prefix=ONE
// RUN: %run_op --input=i=%t.two.npy --input=x=%t.x.npy | FileCheck %s --check-prefix=TWO
// RUN: %run_op --input=i=%t.high.npy --input=x=%t.x.npy | FileCheck %s --check-prefix=TWO
// RUN: %run_op --entry=scalar --input=i=%t.low.npy | FileCheck %s --check-prefix=FIRST
// RUN: %run_op --entry=scalar --input=i=%t.one.npy | FileCheck %s --check-prefix=SECOND
// RUN: %run_op --entry=scalar --input=i=%t.high.npy | FileCheck %s --check-prefix=LAST
// RUN: %run_op --entry=long --input=i=%t.longlow.npy | FileCheck %s --check-prefix=FIRST
// RUN: %run_op --entry=long --input=i=%t.longone.npy | FileCheck %s --check-prefix=SECOND
// RUN: %run_op --entry=long --input=i=%t.longhigh.npy | FileCheck %s --check-prefix=LAST
// RUN: %run_op --entry=alone --input=i=%t.two.npy --input=x=%t.x.npy | FileCheck %s --check-prefix=ALONE
// RUN: %npy %t.ones.npy i32 '[1]'
// RUN: %run_op --entry=sizes --input=i=%t.ones.npy --random-inputs --compare=reference
// RUN: %npy %t.twos.npy i32 '[2]'
// RUN: %run_op --entry=sizes --input=i=%t.twos.npy --random-inputs=1 --shape=x:7,33 --compare=reference
// RUN: %npy %t.zeros.npy i32 '[0]'
// RUN: %run_op --entry=sizes --input=i=%t.zeros.npy --random-inputs=2 --shape=x:1,0 --compare=reference

// Results of several dtypes and shapes; a block may yield what it was given.
func.func @main(%i: tensor<i32> {tx.name = "i"}, %x: tensor<3xf32> {tx.name = "x"}) -> (tensor<3xf32>, tensor<i64>) {
  %0:2 = tx.switch %i (%x) : tensor<i32>, (tensor<3xf32>) -> (tensor<3xf32>, tensor<i64>) {
  ^bb0(%a: tensor<3xf32>):
    %d = tx.add %a, %a : tensor<3xf32>
    %s = tx.constant dense<5> : tensor<i64>
    tx.return %d, %s : tensor<3xf32>, tensor<i64>
  }, {
  ^bb0(%a: tensor<3xf32>):
    %m = tx.argmax %a dims = [0] : tensor<3xf32> -> tensor<i64>
    tx.return %a, %m : tensor<3xf32>, tensor<i64>
  }, {
  ^bb0(%a: tensor<3xf32>):
    %d = tx.mul %a, %a : tensor<3xf32>
    %m = tx.argmin %a dims = [0] : tensor<3xf32> -> tensor<i64>
    tx.return %d, %m : tensor<3xf32>, tensor<i64>
  }
  %1 = tx.neg %0#0 : tensor<3xf32>
  return %1, %0#1 : tensor<3xf32>, tensor<i64>
}
// ZERO:      [-2, 4, -8]
// ZERO-NEXT: out1: i64[]
// ZERO-NEXT: 5
// ONE:       [-1, 2, -4]
// ONE-NEXT:  out1: i64[]
// ONE-NEXT:  2
// TWO:       [-1, -4, -16]
// TWO-NEXT:  out1: i64[]
// TWO-NEXT:  1

// Indices of the call have no buffers.
func.func @scalar(%i: tensor<i32> {tx.name = "i", tx.scalar}) -> tensor<f32> {
  %c = tx.constant dense<1.0> : tensor<f32>
  %0 = tx.switch %i (%c) : tensor<i32>, (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    tx.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    %r = tx.neg %a : tensor<f32>
    tx.return %r : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    %r = tx.add %a, %a : tensor<f32>
    tx.return %r : tensor<f32>
  }
  return %0 : tensor<f32>
}
func.func @long(%i: tensor<i64> {tx.name = "i", tx.scalar}) -> tensor<f32> {
  %c = tx.constant dense<1.0> : tensor<f32>
  %0 = tx.switch %i (%c) : tensor<i64>, (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    tx.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    %r = tx.neg %a : tensor<f32>
    tx.return %r : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    %r = tx.add %a, %a : tensor<f32>
    tx.return %r : tensor<f32>
  }
  return %0 : tensor<f32>
}
// FIRST:  {{^}}1{{$}}
// SECOND: {{^}}-1{{$}}
// LAST:   {{^}}2{{$}}

func.func @alone(%i: tensor<i32> {tx.name = "i"}, %x: tensor<3xf32> {tx.name = "x"}) -> tensor<3xf32> {
  %0 = tx.switch %i (%x) : tensor<i32>, (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    %r = tx.neg %a : tensor<3xf32>
    tx.return %r : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}
// ALONE: [-1, 2, -4]

#all = #tx.dims<[n, m]>
func.func @sizes(%i: tensor<1xi32> {tx.name = "i"}, %x: tensor<?x?xf32, #all> {tx.name = "x"}) -> tensor<?x?xf32, #all> {
  %0 = tx.switch %i (%x) : tensor<1xi32>, (tensor<?x?xf32, #all>) -> tensor<?x?xf32, #all> {
  ^bb0(%a: tensor<?x?xf32, #all>):
    %r = tx.sin %a : tensor<?x?xf32, #all>
    tx.return %r : tensor<?x?xf32, #all>
  }, {
  ^bb0(%a: tensor<?x?xf32, #all>):
    %r = tx.softmax %a dim = 1 : tensor<?x?xf32, #all>
    tx.return %r : tensor<?x?xf32, #all>
  }, {
  ^bb0(%a: tensor<?x?xf32, #all>):
    tx.return %a : tensor<?x?xf32, #all>
  }
  return %0 : tensor<?x?xf32, #all>
}
