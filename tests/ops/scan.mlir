// A block is repeated for each element.
//
// RUN: %npy %t.x.npy f32 '[[1, 2], [3, 4], [5, 6]]'
// RUN: %npy %t.c.npy f32 '[10, 20]'
// RUN: %run_op --input=c=%t.c.npy --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=reverse --input=c=%t.c.npy --input=x=%t.x.npy | FileCheck %s --check-prefix=REVERSE
// RUN: %run_op --entry=count | FileCheck %s --check-prefix=COUNT
// RUN: %run_op --entry=swap --input=c=%t.c.npy | FileCheck %s --check-prefix=SWAP
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=x:7,16 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=x:5,33 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=2 --shape=x:0,3 --compare=reference
// RUN: %run_op --entry=aligned --random-inputs=2 --compare=reference
// RUN: %run_op --entry=many --random-inputs --compare=reference
// RUN: %run_op --entry=many --random-inputs --shape=x:20000 --compare=reference
// RUN: %run_op --entry=many --random-inputs --shape=x:0 --compare=reference

// Sums so far, before and after each row.
func.func @main(%c: tensor<2xf32> {tx.name = "c"}, %x: tensor<3x2xf32> {tx.name = "x"}) -> (tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %0:4 = tx.scan <[3]> carried = 1 scanned = 1 (%c, %x) : (tensor<2xf32>, tensor<3x2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<2xf32>, %b: tensor<2xf32>):
    %r = tx.add %a, %b : tensor<2xf32>
    tx.return %r, %a, %r, %b : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
  return %0#0, %0#1, %0#2, %0#3 : tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}
// CHECK: [19, 32]
// CHECK: {{\[}}[10, 20],
// CHECK-NEXT: [11, 22],
// CHECK-NEXT: [14, 26]]
// CHECK: {{\[}}[11, 22],
// CHECK-NEXT: [14, 26],
// CHECK-NEXT: [19, 32]]
// CHECK: {{\[}}[1, 2],
// CHECK-NEXT: [3, 4],
// CHECK-NEXT: [5, 6]]

// From the last row, with another input and the number of the row.
func.func @reverse(%c: tensor<2xf32> {tx.name = "c"}, %x: tensor<3x2xf32> {tx.name = "x"}) -> (tensor<2xf32>, tensor<3xi64>) {
  %0:2 = tx.scan <[3]> carried = 1 scanned = 1 (%c, %x, %c) reverse : (tensor<2xf32>, tensor<3x2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<3xi64>) {
  ^bb0(%i: tensor<i64>, %a: tensor<2xf32>, %b: tensor<2xf32>, %w: tensor<2xf32>):
    %h = tx.constant dense<0.5> : tensor<2xf32>
    %m = tx.mul %a, %h : tensor<2xf32>
    %r = tx.add %m, %b : tensor<2xf32>
    tx.return %r, %i : tensor<2xf32>, tensor<i64>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<3xi64>
}
// REVERSE: [5, 8]
// REVERSE: [0, 1, 2]

// Only counts.
func.func @count() -> (tensor<i64>) {
  %z = tx.constant dense<0> : tensor<i64>
  %0 = tx.scan <[10]> carried = 1 scanned = 0 (%z) : (tensor<i64>) -> tensor<i64> {
  ^bb0(%i: tensor<i64>, %a: tensor<i64>):
    %r = tx.add %a, %i : tensor<i64>
    tx.return %r : tensor<i64>
  }
  return %0 : tensor<i64>
}
// COUNT: 45

// What is carried changes places, an odd number of times.
func.func @swap(%c: tensor<2xf32> {tx.name = "c"}) -> (tensor<2xf32>, tensor<2xf32>) {
  %d = tx.neg %c : tensor<2xf32>
  %0:2 = tx.scan <[3]> carried = 2 scanned = 0 (%c, %d) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<2xf32>, %b: tensor<2xf32>):
    tx.return %b, %a : tensor<2xf32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}
// SWAP: [-10, -20]
// SWAP: [10, 20]

// A recurrent network over a named number of steps.
#all = #tx.dims<[n, m]>
#row = #tx.dims<[m]>
func.func @sizes(%x: tensor<?x?xf32, #all> {tx.name = "x"}) -> (tensor<?xf32, #row>, tensor<?x?xf32, #all>) {
  %z = tx.constant dense<0.0> : tensor<f32>
  %c = tx.broadcast %z dims = [] : tensor<f32> -> tensor<?xf32, #row>
  %0:2 = tx.scan <[n]> carried = 1 scanned = 1 (%c, %x) : (tensor<?xf32, #row>, tensor<?x?xf32, #all>) -> (tensor<?xf32, #row>, tensor<?x?xf32, #all>) {
  ^bb0(%i: tensor<i64>, %a: tensor<?xf32, #row>, %b: tensor<?xf32, #row>):
    %s = tx.cumsum %a dim = 0 : tensor<?xf32, #row>
    %t = tx.sort %s dim = 0 : tensor<?xf32, #row>
    %u = tx.add %t, %b : tensor<?xf32, #row>
    %r = tx.tanh %u : tensor<?xf32, #row>
    tx.return %r, %u : tensor<?xf32, #row>, tensor<?xf32, #row>
  }
  return %0#0, %0#1 : tensor<?xf32, #row>, tensor<?x?xf32, #all>
}

// Parts of a multiple of 64 bytes are made where they belong.
func.func @aligned(%x: tensor<5x16xf32> {tx.name = "x"}) -> (tensor<16xf32>, tensor<5x16xf32>) {
  %c = tx.constant dense<0.0> : tensor<16xf32>
  %0:2 = tx.scan <[5]> carried = 1 scanned = 1 (%c, %x) : (tensor<16xf32>, tensor<5x16xf32>) -> (tensor<16xf32>, tensor<5x16xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<16xf32>, %b: tensor<16xf32>):
    %r = tx.add %a, %b : tensor<16xf32>
    %s = tx.exp %r : tensor<16xf32>
    tx.return %r, %s : tensor<16xf32>, tensor<16xf32>
  }
  return %0#0, %0#1 : tensor<16xf32>, tensor<5x16xf32>
}

// More steps than a part of a loop has, with a branch, a loop within, and what stays as it was.
#n = #tx.dims<[n]>
func.func @many(%x: tensor<?xf32, #n> {tx.name = "x"}, %y: tensor<700x3xf32> {tx.name = "y"}) -> (tensor<?xf32, #n>, tensor<?xf32, #n>, tensor<3xf32>, tensor<i64>) {
  %zero = tx.constant dense<0> : tensor<i64>
  %start = tx.constant dense<0.0> : tensor<3xf32>
  %0:4 = tx.scan <[700]> carried = 4 scanned = 1 (%x, %x, %start, %zero, %y) : (tensor<?xf32, #n>, tensor<?xf32, #n>, tensor<3xf32>, tensor<i64>, tensor<700x3xf32>) -> (tensor<?xf32, #n>, tensor<?xf32, #n>, tensor<3xf32>, tensor<i64>) {
  ^bb0(%i: tensor<i64>, %a: tensor<?xf32, #n>, %b: tensor<?xf32, #n>, %c: tensor<3xf32>, %k: tensor<i64>, %p: tensor<3xf32>):
    %half = tx.constant dense<0.5> : tensor<f32>
    %sum = tx.sum %p dims = [0] : tensor<3xf32> -> tensor<f32>
    %keeps = tx.gt %sum, %half : tensor<f32>
    %d:2 = tx.if %keeps (%a, %b, %sum) : tensor<i1>, (tensor<?xf32, #n>, tensor<?xf32, #n>, tensor<f32>) -> (tensor<?xf32, #n>, tensor<?xf32, #n>) {
    ^bb0(%e: tensor<?xf32, #n>, %f: tensor<?xf32, #n>, %g: tensor<f32>):
      tx.return %e, %f : tensor<?xf32, #n>, tensor<?xf32, #n>
    } else {
    ^bb0(%e: tensor<?xf32, #n>, %f: tensor<?xf32, #n>, %g: tensor<f32>):
      %h = tx.broadcast %g dims = [] : tensor<f32> -> tensor<?xf32, #n>
      %u = tx.add %e, %h : tensor<?xf32, #n>
      %v = tx.sin %u : tensor<?xf32, #n>
      tx.return %f, %v : tensor<?xf32, #n>, tensor<?xf32, #n>
    }
    %w = tx.scan <[3]> carried = 1 scanned = 0 (%c, %p) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%j: tensor<i64>, %e: tensor<3xf32>, %f: tensor<3xf32>):
      %g = tx.add %e, %f : tensor<3xf32>
      %h = tx.tanh %g : tensor<3xf32>
      tx.return %h : tensor<3xf32>
    }
    %l = tx.add %k, %i : tensor<i64>
    tx.return %d#0, %d#1, %w, %l : tensor<?xf32, #n>, tensor<?xf32, #n>, tensor<3xf32>, tensor<i64>
  }
  return %0#0, %0#1, %0#2, %0#3 : tensor<?xf32, #n>, tensor<?xf32, #n>, tensor<3xf32>, tensor<i64>
}
