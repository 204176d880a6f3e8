// Nothing is written behind the outputs that a caller hands over.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc compile %s --emit=header -o %t/outputs.h
// RUN: %tensorc compile %s --emit=object -o %t/outputs.o
// RUN: gcc -std=c99 -Wall -Wextra -pedantic -Werror -I%t %S/Inputs/outputs.c %t/outputs.o -o %t/outputs
// RUN: %t/outputs | FileCheck %s

// CHECK: status 0, behind y 0, behind a 0 changed
// CHECK: 6 3 2 2

func.func @main(%x: tensor<5x32xf32> {tx.name="x"}, %w: tensor<3x5x64xf32> {tx.name="w"})
    -> (tensor<5x64xf32> {tx.name="y"}, tensor<5x32xf32> {tx.name="a"}) {
  %a = tx.add %x, %x : tensor<5x32xf32>
  %c = tx.concatenate %a, %x dim = 1 : (tensor<5x32xf32>, tensor<5x32xf32>) -> tensor<5x64xf32>
  %s = tx.sum %w dims = [0] : tensor<3x5x64xf32> -> tensor<5x64xf32>
  %y = tx.mul %c, %s : tensor<5x64xf32>
  return %y, %a : tensor<5x64xf32>, tensor<5x32xf32>
}
