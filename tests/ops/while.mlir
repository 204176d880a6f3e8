// A block is repeated while another says so.
//
// RUN: %npy %t.x.npy f32 '[1, -2, 3]'
// RUN: %npy %t.n.npy i32 5
// RUN: %npy %t.none.npy i32 0
// RUN: %run_op --input=x=%t.x.npy --input=n=%t.n.npy | FileCheck %s --check-prefix=FIVE
// RUN: %run_op --input=x=%t.x.npy --input=n=%t.none.npy | FileCheck %s --check-prefix=NONE
// RUN: %run_op --entry=fibonacci --input=n=%t.n.npy | FileCheck %s --check-prefix=SWAP
// RUN: %run_op --entry=newton --input=x=%t.n.npy | FileCheck %s --check-prefix=NEWTON
// RUN: %run_op --entry=nested --input=x=%t.x.npy | FileCheck %s --check-prefix=NESTED
// RUN: %run_op --entry=many | FileCheck %s --check-prefix=MANY
// RUN: %run_op --entry=bounded --input=x=%t.x.npy | FileCheck %s --check-prefix=BOUNDED
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=x:7,33 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=2 --shape=x:1,0 --compare=reference

// x doubled n times; n is a scalar of the call.
func.func @main(%x: tensor<3xf32> {tx.name = "x"}, %n: tensor<i32> {tx.name = "n", tx.scalar}) -> (tensor<3xf32>, tensor<i32>) {
  %zero = tx.constant dense<0> : tensor<i32>
  %0:2 = tx.while (%x, %zero, %n) : (tensor<3xf32>, tensor<i32>, tensor<i32>) -> (tensor<3xf32>, tensor<i32>) {
  ^bb0(%a: tensor<3xf32>, %i: tensor<i32>, %m: tensor<i32>):
    %p = tx.lt %i, %m : tensor<i32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<3xf32>, %i: tensor<i32>, %m: tensor<i32>):
    %one = tx.constant dense<1> : tensor<i32>
    %b = tx.add %a, %a : tensor<3xf32>
    %j = tx.add %i, %one : tensor<i32>
    tx.return %b, %j : tensor<3xf32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<i32>
}
// FIVE: [32, -64, 96]
// FIVE: 5
// NONE: [1, -2, 3]
// NONE: 0

// What is carried changes places.
func.func @fibonacci(%n: tensor<i32> {tx.name = "n"}) -> (tensor<i32>, tensor<i32>) {
  %zero = tx.constant dense<0> : tensor<i32>
  %one = tx.constant dense<1> : tensor<i32>
  %0:3 = tx.while (%zero, %one, %zero, %n) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %i: tensor<i32>, %m: tensor<i32>):
    %p = tx.lt %i, %m : tensor<i32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %i: tensor<i32>, %m: tensor<i32>):
    %one1 = tx.constant dense<1> : tensor<i32>
    %c = tx.add %a, %b : tensor<i32>
    %j = tx.add %i, %one1 : tensor<i32>
    tx.return %b, %c, %j : tensor<i32>, tensor<i32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<i32>
}
// SWAP: out0: i32[]
// SWAP-NEXT: 5
// SWAP-NEXT: out1: i32[]
// SWAP-NEXT: 8

// The root, until it no longer changes.
func.func @newton(%x: tensor<i32> {tx.name = "x"}) -> tensor<1xf32> {
  %f = tx.convert %x : tensor<i32> -> tensor<f32>
  %s = tx.reshape %f : tensor<f32> -> tensor<1xf32>
  %z = tx.constant dense<0.0> : tensor<1xf32>
  %0:2 = tx.while (%s, %z, %s) : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  ^bb0(%a: tensor<1xf32>, %before: tensor<1xf32>, %v: tensor<1xf32>):
    %d = tx.sub %a, %before : tensor<1xf32>
    %e = tx.abs %d : tensor<1xf32>
    %t = tx.constant dense<1.0e-3> : tensor<1xf32>
    %p = tx.gt %e, %t : tensor<1xf32>
    tx.return %p : tensor<1xi1>
  } do {
  ^bb0(%a: tensor<1xf32>, %before: tensor<1xf32>, %v: tensor<1xf32>):
    %h = tx.constant dense<0.5> : tensor<1xf32>
    %q = tx.div %v, %a : tensor<1xf32>
    %w = tx.add %a, %q : tensor<1xf32>
    %m = tx.mul %w, %h : tensor<1xf32>
    tx.return %m, %a : tensor<1xf32>, tensor<1xf32>
  }
  return %0#0 : tensor<1xf32>
}
// NEWTON: [2.23606{{[0-9]*}}]

// A loop and a branch in a loop.
func.func @nested(%x: tensor<3xf32> {tx.name = "x"}) -> tensor<3xf32> {
  %zero = tx.constant dense<0> : tensor<i32>
  %0:2 = tx.while (%x, %zero) : (tensor<3xf32>, tensor<i32>) -> (tensor<3xf32>, tensor<i32>) {
  ^bb0(%a: tensor<3xf32>, %i: tensor<i32>):
    %three = tx.constant dense<3> : tensor<i32>
    %p = tx.lt %i, %three : tensor<i32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<3xf32>, %i: tensor<i32>):
    %one = tx.constant dense<1> : tensor<i32>
    %j = tx.add %i, %one : tensor<i32>
    %r = tx.scan <[2]> carried = 1 scanned = 0 (%a) : (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%k: tensor<i64>, %b: tensor<3xf32>):
      %f = tx.convert %k : tensor<i64> -> tensor<f32>
      %g = tx.broadcast %f dims = [] : tensor<f32> -> tensor<3xf32>
      %c = tx.add %b, %g : tensor<3xf32>
      tx.return %c : tensor<3xf32>
    }
    %q = tx.eq %j, %one : tensor<i32>
    %s = tx.if %q (%r) : tensor<i1>, (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%b: tensor<3xf32>):
      %n = tx.neg %b : tensor<3xf32>
      tx.return %n : tensor<3xf32>
    } else {
    ^bb0(%b: tensor<3xf32>):
      tx.return %b : tensor<3xf32>
    }
    tx.return %s, %j : tensor<3xf32>, tensor<i32>
  }
  return %0#0 : tensor<3xf32>
}
// NESTED: [0, 3, -2]

// Kernels with temporaries between them.
#all = #tx.dims<[n, m]>
func.func @sizes(%x: tensor<?x?xf32, #all> {tx.name = "x"}) -> tensor<?x?xf32, #all> {
  %zero = tx.constant dense<0> : tensor<i32>
  %0:2 = tx.while (%x, %zero, %x) : (tensor<?x?xf32, #all>, tensor<i32>, tensor<?x?xf32, #all>) -> (tensor<?x?xf32, #all>, tensor<i32>) {
  ^bb0(%a: tensor<?x?xf32, #all>, %i: tensor<i32>, %b: tensor<?x?xf32, #all>):
    %three = tx.constant dense<3> : tensor<i32>
    %p = tx.lt %i, %three : tensor<i32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<?x?xf32, #all>, %i: tensor<i32>, %b: tensor<?x?xf32, #all>):
    %one = tx.constant dense<1> : tensor<i32>
    %j = tx.add %i, %one : tensor<i32>
    %c = tx.cumsum %a dim = 1 : tensor<?x?xf32, #all>
    %d = tx.sort %c dim = 0 : tensor<?x?xf32, #all>
    %e = tx.sub %d, %b : tensor<?x?xf32, #all>
    %f = tx.tanh %e : tensor<?x?xf32, #all>
    tx.return %f, %j : tensor<?x?xf32, #all>, tensor<i32>
  }
  return %0#0 : tensor<?x?xf32, #all>
}

// More steps than a part of a loop has; the last one ends a part.
func.func @many() -> (tensor<i32>, tensor<i32>) {
  %zero = tx.constant dense<0> : tensor<i32>
  %0 = tx.while (%zero) : (tensor<i32>) -> tensor<i32> {
  ^bb0(%i: tensor<i32>):
    %n = tx.constant dense<1000> : tensor<i32>
    %p = tx.lt %i, %n : tensor<i32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    %one = tx.constant dense<1> : tensor<i32>
    %j = tx.add %i, %one : tensor<i32>
    tx.return %j : tensor<i32>
  }
  %1 = tx.while (%zero) : (tensor<i32>) -> tensor<i32> {
  ^bb0(%i: tensor<i32>):
    %n = tx.constant dense<768> : tensor<i32>
    %p = tx.lt %i, %n : tensor<i32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    %one = tx.constant dense<1> : tensor<i32>
    %j = tx.add %i, %one : tensor<i32>
    tx.return %j : tensor<i32>
  }
  return %0, %1 : tensor<i32>, tensor<i32>
}
// MANY: 1000
// MANY: 768

// A bound ends a loop that would go on, and not one that is done before. The
// condition has a dim.
func.func @bounded(%x: tensor<3xf32> {tx.name = "x"}) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = tx.while most = 4 (%x) : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    %p = tx.constant dense<true> : tensor<1xi1>
    tx.return %p : tensor<1xi1>
  } do {
  ^bb0(%a: tensor<3xf32>):
    %b = tx.add %a, %a : tensor<3xf32>
    tx.return %b : tensor<3xf32>
  }
  %1 = tx.while most = 1000 (%x) : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    %s = tx.sum %a dims = [0] : tensor<3xf32> -> tensor<f32>
    %t = tx.constant dense<15.0> : tensor<f32>
    %p = tx.lt %s, %t : tensor<f32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<3xf32>):
    %b = tx.add %a, %a : tensor<3xf32>
    tx.return %b : tensor<3xf32>
  }
  %2 = tx.while most = 9223372036854775807 (%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>, %c: tensor<3xf32>):
    %p = tx.constant dense<false> : tensor<i1>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<3xf32>, %c: tensor<3xf32>):
    %b = tx.add %a, %c : tensor<3xf32>
    tx.return %b : tensor<3xf32>
  }
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
// BOUNDED: [16, -32, 48]
// BOUNDED: [8, -16, 24]
// BOUNDED: [1, -2, 3]
