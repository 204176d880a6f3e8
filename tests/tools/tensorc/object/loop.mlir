// Loops in a package, and in an object, whose workspace has room for what an
// iteration reads beside what it makes.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %npy %t/x.npy f32 '[1, 2, 3]'
// RUN: %tensorc compile %s -o %t/loop.tcpkg
// RUN: %tensorc run %t/loop.tcpkg --input=%t/x.npy | FileCheck %s --check-prefix=PACKAGE
// PACKAGE: [112, 200, 248]
//
// RUN: %tensorc compile %s --emit=header -o %t/loop.h
// RUN: %tensorc compile %s --emit=object -o %t/loop.o
// RUN: gcc -std=c99 -Wall -Wextra -pedantic -Werror -I%t %S/Inputs/loop.c %t/loop.o -o %t/loop
// RUN: %t/loop | FileCheck %s
//
// Both loops call small kernels, and are one function each.
// RUN: %tensorc explain %s | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: loops, each one function
// EXPLAIN-NEXT: loop_of_add: add
// EXPLAIN-NEXT: loop_of_sum_lt_partial_and_{{.*}}_more: sum_lt_partial {{.*}}sort
// RUN: %tensorc explain %s --json | FileCheck %s --check-prefix=JSON
// JSON: "loops": [
// CHECK: 0: 112 200 248

#n = #tx.dims<[n]>
func.func @main(%x: tensor<?xf32, #n> {tx.name="x"}) -> (tensor<?xf32, #n> {tx.name="y"}) {
  // Sums of a row and of what it was before: x, 2x, 3x, 5x, 8x.
  %0:2 = tx.scan <[4]> carried = 2 scanned = 0 (%x, %x) : (tensor<?xf32, #n>, tensor<?xf32, #n>) -> (tensor<?xf32, #n>, tensor<?xf32, #n>) {
  ^bb0(%i: tensor<i64>, %a: tensor<?xf32, #n>, %b: tensor<?xf32, #n>):
    %c = tx.add %a, %b : tensor<?xf32, #n>
    tx.return %b, %c : tensor<?xf32, #n>, tensor<?xf32, #n>
  }
  // Doubled until the sum is large, with a kernel that needs all of it.
  %1 = tx.while (%0#1) : (tensor<?xf32, #n>) -> tensor<?xf32, #n> {
  ^bb0(%a: tensor<?xf32, #n>):
    %t = tx.constant dense<500.0> : tensor<f32>
    %s = tx.sum %a dims = [0] : tensor<?xf32, #n> -> tensor<f32>
    %p = tx.lt %s, %t : tensor<f32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<?xf32, #n>):
    %s = tx.cumsum %a dim = 0 reverse : tensor<?xf32, #n>
    %r = tx.sort %s dim = 0 : tensor<?xf32, #n>
    tx.return %r : tensor<?xf32, #n>
  }
  return %1 : tensor<?xf32, #n>
}
