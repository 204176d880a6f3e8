// A branch in a package, and in an object, whose workspace has room for both
// blocks.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %npy %t/up.npy f32 '[1, 2, 3]'
// RUN: %npy %t/down.npy f32 '[-1, -2, -3]'
// RUN: %tensorc compile %s -o %t/branch.tcpkg
// RUN: %tensorc run %t/branch.tcpkg --input=%t/up.npy | FileCheck %s --check-prefix=UP
// RUN: %tensorc run %t/branch.tcpkg --input=%t/down.npy | FileCheck %s --check-prefix=DOWN
// UP:   [10, 8, 3]
// DOWN: [1, 2, 3]
//
// RUN: %tensorc compile %s --emit=header -o %t/branch.h
// RUN: %tensorc compile %s --emit=object -o %t/branch.o
// RUN: gcc -std=c99 -Wall -Wextra -pedantic -Werror -I%t %S/Inputs/branch.c %t/branch.o -o %t/branch
// RUN: %t/branch | FileCheck %s
// CHECK:      0: 10 8 3
// CHECK-NEXT: 0: 1 2 3

#n = #tx.dims<[n]>
func.func @main(%x: tensor<?xf32, #n> {tx.name="x"}) -> (tensor<?xf32, #n> {tx.name="y"}) {
  %z = tx.constant dense<0.0> : tensor<f32>
  %s = tx.sum %x dims = [0] : tensor<?xf32, #n> -> tensor<f32>
  %p = tx.gt %s, %z : tensor<f32>
  %y = tx.if %p (%x) : tensor<i1>, (tensor<?xf32, #n>) -> tensor<?xf32, #n> {
  ^bb0(%a: tensor<?xf32, #n>):
    %c = tx.cumsum %a dim = 0 : tensor<?xf32, #n>
    %d = tx.cumsum %c dim = 0 reverse : tensor<?xf32, #n>
    %e = tx.sub %d, %c : tensor<?xf32, #n>
    %f = tx.add %e, %a : tensor<?xf32, #n>
    tx.return %f : tensor<?xf32, #n>
  } else {
  ^bb0(%a: tensor<?xf32, #n>):
    %f = tx.neg %a : tensor<?xf32, #n>
    tx.return %f : tensor<?xf32, #n>
  }
  return %y : tensor<?xf32, #n>
}
