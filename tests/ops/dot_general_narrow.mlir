// Products of narrow integers with sums of i32: both signs, steps that fill no group, edges of all sizes, extremes, epilogues.
//
// RUN: %run_op --entry=rows --random-inputs --shape=x:130,72 --shape=y:72,70 --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:29,67 --shape=y:67,131 --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:1,3 --shape=y:3,1 --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:5,0 --shape=y:0,17 --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:0,9 --shape=y:9,17 --compare=reference
// RUN: %run_op --entry=rows --random-inputs --shape=x:31,321 --shape=y:321,33 --compare=reference
// RUN: %run_op --entry=unsigned_columns --random-inputs --shape=x:67,35 --shape=y:70,67 --compare=reference
// RUN: %run_op --entry=unsigned_columns --random-inputs --shape=x:130,15 --shape=y:1,130 --compare=reference
// RUN: %run_op --entry=mixed --random-inputs --compare=reference
// RUN: %run_op --entry=mixed_turned --random-inputs --compare=reference
// RUN: %run_op --entry=words --random-inputs --compare=reference
// RUN: %run_op --entry=zero_points --random-inputs --compare=reference
// RUN: %run_op --entry=batches --random-inputs --shape=x:3,21,66 --shape=y:3,66,40 --compare=reference
// RUN: %run_op --entry=image --random-inputs --compare=reference
// RUN: %npy %t.x.npy i8 '[-128, -128, -128, -128, -128, -128, -128, -128, -128]'
// RUN: %npy %t.y.npy i8 '[-128, -128, -128, -128, -128, -128, -128, -128, -128]'
// RUN: %run_op --entry=extremes --input=%t.x.npy --input=%t.y.npy | FileCheck %s

func.func @rows(%x: tensor<?x?xi8, #tx.dims<[m, k]>> {tx.name = "x"},
                %y: tensor<?x?xi8, #tx.dims<[k, n]>> {tx.name = "y"})
    -> tensor<?x?xi32, #tx.dims<[m, n]>> {
  %a = tx.convert %x : tensor<?x?xi8, #tx.dims<[m, k]>> -> tensor<?x?xi32, #tx.dims<[m, k]>>
  %b = tx.convert %y : tensor<?x?xi8, #tx.dims<[k, n]>> -> tensor<?x?xi32, #tx.dims<[k, n]>>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xi32, #tx.dims<[m, k]>>, tensor<?x?xi32, #tx.dims<[k, n]>>)
      -> tensor<?x?xi32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xi32, #tx.dims<[m, n]>>
}

// Both are the other way round in memory.
func.func @unsigned_columns(%x: tensor<?x?xui8, #tx.dims<[k, m]>> {tx.name = "x"},
                            %y: tensor<?x?xui8, #tx.dims<[n, k]>> {tx.name = "y"})
    -> tensor<?x?xi32, #tx.dims<[m, n]>> {
  %a = tx.convert %x : tensor<?x?xui8, #tx.dims<[k, m]>> -> tensor<?x?xi32, #tx.dims<[k, m]>>
  %b = tx.convert %y : tensor<?x?xui8, #tx.dims<[n, k]>> -> tensor<?x?xi32, #tx.dims<[n, k]>>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [0] x [1]
      : (tensor<?x?xi32, #tx.dims<[k, m]>>, tensor<?x?xi32, #tx.dims<[n, k]>>)
      -> tensor<?x?xi32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xi32, #tx.dims<[m, n]>>
}

// The epilogue: scaled, with a bias, clamped.
func.func @mixed(%x: tensor<45x70xui8>, %y: tensor<70x83xi8>, %s: tensor<83xf32>, %bias: tensor<83xf32>) -> tensor<45x83xf32> {
  %zero = tx.constant dense<0.0> : tensor<45x83xf32>
  %a = tx.convert %x : tensor<45x70xui8> -> tensor<45x70xi32>
  %b = tx.convert %y : tensor<70x83xi8> -> tensor<70x83xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<45x70xi32>, tensor<70x83xi32>) -> tensor<45x83xi32>
  %1 = tx.convert %0 : tensor<45x83xi32> -> tensor<45x83xf32>
  %scales = tx.broadcast %s dims = [1] : tensor<83xf32> -> tensor<45x83xf32>
  %biases = tx.broadcast %bias dims = [1] : tensor<83xf32> -> tensor<45x83xf32>
  %2 = tx.mul %1, %scales : tensor<45x83xf32>
  %3 = tx.add %2, %biases : tensor<45x83xf32>
  %4 = tx.max %3, %zero : tensor<45x83xf32>
  return %4 : tensor<45x83xf32>
}

func.func @mixed_turned(%x: tensor<45x131xi8>, %y: tensor<83x131xui8>) -> tensor<45x83xi32> {
  %a = tx.convert %x : tensor<45x131xi8> -> tensor<45x131xi32>
  %b = tx.convert %y : tensor<83x131xui8> -> tensor<83x131xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [1] : (tensor<45x131xi32>, tensor<83x131xi32>) -> tensor<45x83xi32>
  return %0 : tensor<45x83xi32>
}

func.func @words(%x: tensor<45x131xi16>, %y: tensor<83x131xui8>) -> tensor<45x83xi32> {
  %a = tx.convert %x : tensor<45x131xi16> -> tensor<45x131xi32>
  %b = tx.convert %y : tensor<83x131xui8> -> tensor<83x131xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [1] : (tensor<45x131xi32>, tensor<83x131xi32>) -> tensor<45x83xi32>
  return %0 : tensor<45x83xi32>
}

// One is known and leaves bytes; the other is not, and leaves 9 bits.
func.func @zero_points(%x: tensor<45x70xui8>, %y: tensor<70x83xui8>, %z: tensor<83xui8>) -> (tensor<45x83xi32>, tensor<45x83xi32>) {
  %middle = tx.constant dense<128> : tensor<45x70xi32>
  %a = tx.convert %x : tensor<45x70xui8> -> tensor<45x70xi32>
  %b = tx.convert %y : tensor<70x83xui8> -> tensor<70x83xi32>
  %c = tx.convert %z : tensor<83xui8> -> tensor<83xi32>
  %zeros = tx.broadcast %c dims = [1] : tensor<83xi32> -> tensor<70x83xi32>
  %left = tx.sub %a, %middle : tensor<45x70xi32>
  %right = tx.sub %b, %zeros : tensor<70x83xi32>
  %0 = tx.dot_general %left, %right batch = [] x [] contracting = [1] x [0] : (tensor<45x70xi32>, tensor<70x83xi32>) -> tensor<45x83xi32>
  %1 = tx.dot_general %left, %b batch = [] x [] contracting = [1] x [0] : (tensor<45x70xi32>, tensor<70x83xi32>) -> tensor<45x83xi32>
  return %0, %1 : tensor<45x83xi32>, tensor<45x83xi32>
}

func.func @batches(%x: tensor<?x21x?xi8, #tx.dims<[b, 21, k]>> {tx.name = "x"},
                   %y: tensor<?x?x40xi8, #tx.dims<[b, k, 40]>> {tx.name = "y"})
    -> tensor<?x21x40xi32, #tx.dims<[b, 21, 40]>> {
  %a = tx.convert %x : tensor<?x21x?xi8, #tx.dims<[b, 21, k]>> -> tensor<?x21x?xi32, #tx.dims<[b, 21, k]>>
  %b = tx.convert %y : tensor<?x?x40xi8, #tx.dims<[b, k, 40]>> -> tensor<?x?x40xi32, #tx.dims<[b, k, 40]>>
  %0 = tx.dot_general %a, %b batch = [0] x [0] contracting = [2] x [1]
      : (tensor<?x21x?xi32, #tx.dims<[b, 21, k]>>, tensor<?x?x40xi32, #tx.dims<[b, k, 40]>>)
      -> tensor<?x21x40xi32, #tx.dims<[b, 21, 40]>>
  return %0 : tensor<?x21x40xi32, #tx.dims<[b, 21, 40]>>
}

// A convolution: several loops of the sum, of which the innermost has 3 steps, and a padded image.
func.func @image(%x: tensor<2x5x19x19xi8>, %w: tensor<20x5x3x3xi8>) -> tensor<2x20x19x19xi32> {
  %zero = tx.constant dense<0> : tensor<i8>
  %p = tx.pad %x, %zero low = [0, 0, 1, 1] high = [0, 0, 1, 1] interior = [0, 0, 0, 0] : tensor<2x5x19x19xi8> -> tensor<2x5x21x21xi8>
  %v = tx.windows %p dims = [2, 3] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<2x5x21x21xi8> -> tensor<2x5x19x19x3x3xi8>
  %a = tx.convert %w : tensor<20x5x3x3xi8> -> tensor<20x5x3x3xi32>
  %b = tx.convert %v : tensor<2x5x19x19x3x3xi8> -> tensor<2x5x19x19x3x3xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1, 2, 3] x [1, 4, 5] : (tensor<20x5x3x3xi32>, tensor<2x5x19x19x3x3xi32>) -> tensor<20x2x19x19xi32>
  %1 = tx.transpose %0 permutation = [1, 0, 2, 3] : tensor<20x2x19x19xi32> -> tensor<2x20x19x19xi32>
  return %1 : tensor<2x20x19x19xi32>
}

// CHECK: 147456
// CHECK: 147456
func.func @extremes(%x: tensor<9xi8>, %y: tensor<9xi8>) -> tensor<16x16xi32> {
  %a = tx.convert %x : tensor<9xi8> -> tensor<9xi32>
  %b = tx.convert %y : tensor<9xi8> -> tensor<9xi32>
  %c = tx.broadcast %a dims = [1] : tensor<9xi32> -> tensor<16x9xi32>
  %d = tx.broadcast %b dims = [0] : tensor<9xi32> -> tensor<9x16xi32>
  %0 = tx.dot_general %c, %d batch = [] x [] contracting = [1] x [0] : (tensor<16x9xi32>, tensor<9x16xi32>) -> tensor<16x16xi32>
  return %0 : tensor<16x16xi32>
}
