// Constants of an object are as many as the program has, each with its own
// bytes.
//
// RUN: rm -rf %t && %tensorc compile %s --emit=source -o %t
// RUN: gcc -std=c99 %t/test.c %t/constants.o -lm -o %t/test
// RUN: %t/test %t/data | FileCheck %s
// CHECK: y: 6 elements agree
// CHECK: z: 6 elements agree

func.func @main(%x: tensor<2x3xf32> {tx.name = "x"})
    -> (tensor<2x3xf32> {tx.name = "y"}, tensor<2x3xf32> {tx.name = "z"}) {
  %0 = tx.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %1 = tx.constant dense<[-5.0, 7.0, 9.0]> : tensor<3xf32>
  %2 = tx.broadcast %0 dims = [1] : tensor<3xf32> -> tensor<2x3xf32>
  %3 = tx.broadcast %1 dims = [1] : tensor<3xf32> -> tensor<2x3xf32>
  %y = tx.add %x, %2 : tensor<2x3xf32>
  %z = tx.mul %x, %3 : tensor<2x3xf32>
  return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
}
