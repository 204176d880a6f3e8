// Dimension i of the result is dimension permutation[i] of x.
//
// RUN: %npy %t.npy f32 '[[1, 2, nan], [4, 5, -0.0]]'
// RUN: %run_op --input=%t.npy | FileCheck %s
// RUN: %run_op --entry=rank3 | FileCheck %s --check-prefix=RANK3
// RUN: %run_op --entry=dtypes --random-inputs --compare=reference
// RUN: %run_op --entry=squares --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:67,3,33 --compare=reference

func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// CHECK:      out0: f32[3,2]
// CHECK-NEXT: {{\[\[}}1, 4],
// CHECK-NEXT:  [2, 5],
// CHECK-NEXT:  [nan, -0]]

// Elements 0...5 of shape [1, 2, 3]: [k, i, j] of the result is [i, j, k].
func.func @rank3() -> tensor<3x1x2xi32> {
  %0 = tx.iota dim = 0 : tensor<6xi32>
  %1 = tx.reshape %0 : tensor<6xi32> -> tensor<1x2x3xi32>
  %2 = tx.transpose %1 permutation = [2, 0, 1] : tensor<1x2x3xi32> -> tensor<3x1x2xi32>
  return %2 : tensor<3x1x2xi32>
}
// RANK3:      {{\[\[\[}}0, 3]],
// RANK3-NEXT:  {{\[\[}}1, 4]],
// RANK3-NEXT:  {{\[\[}}2, 5]]]

func.func @dtypes(%a: tensor<37x5xf64>, %b: tensor<37x5xbf16>, %c: tensor<0x3xi32>,
                  %d: tensor<129x70xf32>, %e: tensor<3x5xi1>, %f: tensor<2x3x5x7xi64>,
                  %g: tensor<3x5xi8>, %h: tensor<1x9xf16>)
    -> (tensor<5x37xf64>, tensor<5x37xbf16>, tensor<3x0xi32>, tensor<70x129xf32>,
        tensor<5x3xi1>, tensor<7x2x5x3xi64>, tensor<5x3xi8>, tensor<9x1xf16>) {
  %0 = tx.transpose %a permutation = [1, 0] : tensor<37x5xf64> -> tensor<5x37xf64>
  %1 = tx.transpose %b permutation = [1, 0] : tensor<37x5xbf16> -> tensor<5x37xbf16>
  %2 = tx.transpose %c permutation = [1, 0] : tensor<0x3xi32> -> tensor<3x0xi32>
  %3 = tx.transpose %d permutation = [1, 0] : tensor<129x70xf32> -> tensor<70x129xf32>
  %4 = tx.transpose %e permutation = [1, 0] : tensor<3x5xi1> -> tensor<5x3xi1>
  %5 = tx.transpose %f permutation = [3, 0, 2, 1] : tensor<2x3x5x7xi64> -> tensor<7x2x5x3xi64>
  %6 = tx.transpose %g permutation = [1, 0] : tensor<3x5xi8> -> tensor<5x3xi8>
  %7 = tx.transpose %h permutation = [1, 0] : tensor<1x9xf16> -> tensor<9x1xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<5x37xf64>, tensor<5x37xbf16>, tensor<3x0xi32>, tensor<70x129xf32>,
        tensor<5x3xi1>, tensor<7x2x5x3xi64>, tensor<5x3xi8>, tensor<9x1xf16>
}

func.func @symbolic(%x: tensor<?x3x?xf32, #tx.dims<[n, 3, m]>> {tx.name = "x"})
    -> (tensor<?x3x?xf32, #tx.dims<[m, 3, n]>>, tensor<3x?x?xf32, #tx.dims<[3, n, m]>>) {
  %0 = tx.transpose %x permutation = [2, 1, 0]
      : tensor<?x3x?xf32, #tx.dims<[n, 3, m]>> -> tensor<?x3x?xf32, #tx.dims<[m, 3, n]>>
  %1 = tx.transpose %x permutation = [1, 0, 2]
      : tensor<?x3x?xf32, #tx.dims<[n, 3, m]>> -> tensor<3x?x?xf32, #tx.dims<[3, n, m]>>
  return %0, %1
      : tensor<?x3x?xf32, #tx.dims<[m, 3, n]>>, tensor<3x?x?xf32, #tx.dims<[3, n, m]>>
}

// Squares of a block are turned in registers; sizes that are not multiples of it.
func.func @squares(%x0: tensor<37x41xf32>,
                   %x1: tensor<37x41xf64>,
                   %x2: tensor<37x41xf16>,
                   %x3: tensor<37x41xbf16>,
                   %x4: tensor<37x41xi8>,
                   %x5: tensor<37x41xui8>,
                   %x6: tensor<37x41xi1>,
                   %x7: tensor<37x41xi32>,
                   %x8: tensor<37x41xi64>,
                   %x9: tensor<3x33x20x17xf32>,
                   %x10: tensor<5x64x32xbf16>,
                   %x11: tensor<16x16xi64>)
    -> (tensor<41x37xf32>, tensor<41x37xf64>, tensor<41x37xf16>, tensor<41x37xbf16>, tensor<41x37xi8>, tensor<41x37xui8>, tensor<41x37xi1>, tensor<41x37xi32>, tensor<41x37xi64>, tensor<17x3x20x33xf32>, tensor<5x32x64xbf16>, tensor<16x16xi64>) {
  %0 = tx.transpose %x0 permutation = [1, 0] : tensor<37x41xf32> -> tensor<41x37xf32>
  %1 = tx.transpose %x1 permutation = [1, 0] : tensor<37x41xf64> -> tensor<41x37xf64>
  %2 = tx.transpose %x2 permutation = [1, 0] : tensor<37x41xf16> -> tensor<41x37xf16>
  %3 = tx.transpose %x3 permutation = [1, 0] : tensor<37x41xbf16> -> tensor<41x37xbf16>
  %4 = tx.transpose %x4 permutation = [1, 0] : tensor<37x41xi8> -> tensor<41x37xi8>
  %5 = tx.transpose %x5 permutation = [1, 0] : tensor<37x41xui8> -> tensor<41x37xui8>
  %6 = tx.transpose %x6 permutation = [1, 0] : tensor<37x41xi1> -> tensor<41x37xi1>
  %7 = tx.transpose %x7 permutation = [1, 0] : tensor<37x41xi32> -> tensor<41x37xi32>
  %8 = tx.transpose %x8 permutation = [1, 0] : tensor<37x41xi64> -> tensor<41x37xi64>
  %9 = tx.transpose %x9 permutation = [3, 0, 2, 1] : tensor<3x33x20x17xf32> -> tensor<17x3x20x33xf32>
  %10 = tx.transpose %x10 permutation = [0, 2, 1] : tensor<5x64x32xbf16> -> tensor<5x32x64xbf16>
  %11 = tx.transpose %x11 permutation = [1, 0] : tensor<16x16xi64> -> tensor<16x16xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11
      : tensor<41x37xf32>, tensor<41x37xf64>, tensor<41x37xf16>, tensor<41x37xbf16>, tensor<41x37xi8>, tensor<41x37xui8>, tensor<41x37xi1>, tensor<41x37xi32>, tensor<41x37xi64>, tensor<17x3x20x33xf32>, tensor<5x32x64xbf16>, tensor<16x16xi64>
}
