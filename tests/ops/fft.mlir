// Transforms of every kind of length: powers of two, small factors, primes, and those that are matrices.
// Expected numbers are NumPy's.
//
// RUN: %npy %t.x.npy f64 '[[[1, 2, 0, -1], [0.5, -3, 2.25, 4]], [[0, 0, 0, 0], [1, -1, 0.5, 2]]]'
// RUN: %npy %t.six.npy f64 '[[1, -2, 0.5, 3, 0, -1.5], [0, 1, 1, -1, 2, 0.25]]'
// RUN: %npy %t.bad.npy f64 '[[[1, 2, 3, 4, 5], [inf, 1, 1, 1, 1], [1, 1, nan, 1, 1]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=six --input=%t.six.npy | FileCheck %s --check-prefix=SIX
// RUN: %run_op --entry=not_finite --input=%t.bad.npy | FileCheck %s --check-prefix=BAD
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:2,3,5,12 --shape=y:2,0,7 --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:2,1,1,12 --shape=y:2,33,7 --compare=reference
// RUN: %run_op --entry=halves --random-inputs --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference
// RUN: %run_op --entry=there_and_back --random-inputs --compare=reference

func.func @main(%x: tensor<2x2x4xf64>) -> (tensor<2x2x4xf64>, tensor<2x2x4xf64>) {
  %0 = tx.fft %x length = 4 : tensor<2x2x4xf64>
  %1 = tx.fft %x length = 4 inverse : tensor<2x2x4xf64>
  return %0, %1 : tensor<2x2x4xf64>, tensor<2x2x4xf64>
}
// CHECK:      out0: f64[2,2,4]
// CHECK-NEXT: {{\[\[\[}}2, 1, 0, 1],
// CHECK-NEXT:  [3.75, -4.75, 1.75, 1.25]],
// CHECK-NEXT: {{\[\[}}0, -3, 0, 3],
// CHECK-NEXT:  [2.5, 7.5, 0.5, -6.5]]]
// CHECK:      out1: f64[2,2,4]
// CHECK-NEXT: {{\[\[\[}}2, 1, 0, 1],
// CHECK-NEXT:  [3.75, 1.25, 1.75, -4.75]],
// CHECK-NEXT: {{\[\[}}0, 3, 0, -3],
// CHECK-NEXT:  [2.5, -6.5, 0.5, 7.5]]]

func.func @six(%x: tensor<2x6xf64>) -> tensor<2x6xf64> {
  %0 = tx.fft %x length = 6 : tensor<2x6xf64>
  return %0 : tensor<2x6xf64>
}
// SIX:      {{1|1\.0000[0-9]*|0\.9999[0-9]*}}, -4.216506{{[0-9]*}}, 7.015544{{[0-9]*}}, {{2|2\.0000[0-9]*|1\.9999[0-9]*}}, 3.984455{{[0-9]*}}, -3.783493{{[0-9]*}}
// SIX-NEXT: {{3\.25|3\.2500[0-9]*|3\.2499[0-9]*}}, {{0\.125|0\.12500[0-9]*|0\.12499[0-9]*}}, -2.258974{{[0-9]*}}, {{2\.75|2\.7500[0-9]*|2\.7499[0-9]*}}, -3.991025{{[0-9]*}}, {{0\.125|0\.12500[0-9]*|0\.12499[0-9]*}}

// What is not finite spreads over its row, and over no other.
func.func @not_finite(%x: tensor<2x3x5xf64>) -> tensor<1x3x5xi1> {
  %0 = tx.fft %x length = 5 : tensor<2x3x5xf64>
  %1 = tx.slice %0 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x3x5xf64> -> tensor<1x3x5xf64>
  %2 = tx.is_finite %1 : tensor<1x3x5xf64>
  return %2 : tensor<1x3x5xi1>
}
// BAD:      true, true, true, true, true
// BAD-NEXT: false, false, false, false, false
// BAD-NEXT: false, false, false, false, false

func.func @sizes(%a: tensor<2x3x1xf32>, %b: tensor<2x17x2xf32>, %c: tensor<2x16x3xf32>, %d: tensor<2x5x8xf64>,
                 %e: tensor<2x13xf32>, %f: tensor<2x3x16xf32>, %g: tensor<2x2x30xf32>, %h: tensor<2x3x17xf64>,
                 %i: tensor<2x2x64xf32>, %j: tensor<2x1x77xf64>, %k: tensor<2x2x256xf32>, %l: tensor<2x2x360xf64>)
    -> (tensor<2x3x1xf32>, tensor<2x17x2xf32>, tensor<2x16x3xf32>, tensor<2x5x8xf64>, tensor<2x13xf32>,
        tensor<2x3x16xf32>, tensor<2x2x30xf32>, tensor<2x3x17xf64>, tensor<2x2x64xf32>, tensor<2x1x77xf64>,
        tensor<2x2x256xf32>, tensor<2x2x360xf64>) {
  %0 = tx.fft %a length = 1 : tensor<2x3x1xf32>
  %1 = tx.fft %b length = 2 inverse : tensor<2x17x2xf32>
  %2 = tx.fft %c length = 3 : tensor<2x16x3xf32>
  %3 = tx.fft %d length = 8 inverse : tensor<2x5x8xf64>
  %4 = tx.fft %e length = 13 : tensor<2x13xf32>
  %5 = tx.fft %f length = 16 inverse : tensor<2x3x16xf32>
  %6 = tx.fft %g length = 30 : tensor<2x2x30xf32>
  %7 = tx.fft %h length = 17 inverse : tensor<2x3x17xf64>
  %8 = tx.fft %i length = 64 : tensor<2x2x64xf32>
  %9 = tx.fft %j length = 77 inverse : tensor<2x1x77xf64>
  %10 = tx.fft %k length = 256 inverse : tensor<2x2x256xf32>
  %11 = tx.fft %l length = 360 : tensor<2x2x360xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11
      : tensor<2x3x1xf32>, tensor<2x17x2xf32>, tensor<2x16x3xf32>, tensor<2x5x8xf64>, tensor<2x13xf32>,
        tensor<2x3x16xf32>, tensor<2x2x30xf32>, tensor<2x3x17xf64>, tensor<2x2x64xf32>, tensor<2x1x77xf64>,
        tensor<2x2x256xf32>, tensor<2x2x360xf64>
}

func.func @rows(%x: tensor<2x?x?x12xf32, #tx.dims<[2, a, b, 12]>> {tx.name = "x"},
                %y: tensor<2x?x7xf64, #tx.dims<[2, c, 7]>> {tx.name = "y"})
    -> (tensor<2x?x?x12xf32, #tx.dims<[2, a, b, 12]>>, tensor<2x?x7xf64, #tx.dims<[2, c, 7]>>) {
  %0 = tx.fft %x length = 12 : tensor<2x?x?x12xf32, #tx.dims<[2, a, b, 12]>>
  %1 = tx.fft %y length = 7 inverse : tensor<2x?x7xf64, #tx.dims<[2, c, 7]>>
  return %0, %1 : tensor<2x?x?x12xf32, #tx.dims<[2, a, b, 12]>>, tensor<2x?x7xf64, #tx.dims<[2, c, 7]>>
}

func.func @halves(%x: tensor<2x3x10xf16>, %y: tensor<2x3x10xbf16>) -> (tensor<2x3x10xf16>, tensor<2x3x10xbf16>) {
  %0 = tx.fft %x length = 10 : tensor<2x3x10xf16>
  %1 = tx.fft %y length = 10 inverse : tensor<2x3x10xbf16>
  return %0, %1 : tensor<2x3x10xf16>, tensor<2x3x10xbf16>
}

// Read along another axis, and every other element; the power of each frequency.
func.func @fused(%x: tensor<2x24x9xf32>, %y: tensor<5x64xf32>) -> (tensor<2x9x24xf32>, tensor<5x32xf32>) {
  %0 = tx.transpose %x permutation = [0, 2, 1] : tensor<2x24x9xf32> -> tensor<2x9x24xf32>
  %1 = tx.fft %0 length = 24 : tensor<2x9x24xf32>
  %2 = tx.neg %1 : tensor<2x9x24xf32>
  %3 = tx.slice %y offsets = [0, 0] strides = [1, 2] : tensor<5x64xf32> -> tensor<5x32xf32>
  %4 = tx.slice %y offsets = [0, 1] strides = [1, 2] : tensor<5x64xf32> -> tensor<5x32xf32>
  %5 = tx.reshape %3 : tensor<5x32xf32> -> tensor<1x5x32xf32>
  %6 = tx.reshape %4 : tensor<5x32xf32> -> tensor<1x5x32xf32>
  %7 = tx.concatenate %5, %6 dim = 0 : (tensor<1x5x32xf32>, tensor<1x5x32xf32>) -> tensor<2x5x32xf32>
  %8 = tx.fft %7 length = 32 : tensor<2x5x32xf32>
  %9 = tx.slice %8 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x5x32xf32> -> tensor<1x5x32xf32>
  %10 = tx.slice %8 offsets = [1, 0, 0] strides = [1, 1, 1] : tensor<2x5x32xf32> -> tensor<1x5x32xf32>
  %11 = tx.reshape %9 : tensor<1x5x32xf32> -> tensor<5x32xf32>
  %12 = tx.reshape %10 : tensor<1x5x32xf32> -> tensor<5x32xf32>
  %13 = tx.mul %11, %11 : tensor<5x32xf32>
  %14 = tx.mul %12, %12 : tensor<5x32xf32>
  %15 = tx.add %13, %14 : tensor<5x32xf32>
  return %2, %15 : tensor<2x9x24xf32>, tensor<5x32xf32>
}

func.func @there_and_back(%x: tensor<2x3x45xf64>) -> tensor<2x3x45xf64> {
  %0 = tx.fft %x length = 45 : tensor<2x3x45xf64>
  %1 = tx.fft %0 length = 45 inverse : tensor<2x3x45xf64>
  return %1 : tensor<2x3x45xf64>
}
