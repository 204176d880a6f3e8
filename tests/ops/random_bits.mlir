// The known answers that are published with Random123 (kat_vectors), and where
// a block's words go.
//
// RUN: %npy %t.zero.npy ui32 '[0, 0]'
// RUN: %npy %t.zeros.npy ui32 '[0, 0, 0, 0]'
// RUN: %npy %t.one.npy ui32 '[0xffffffff, 0xffffffff]'
// RUN: %npy %t.ones.npy ui32 '[0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]'
// RUN: %npy %t.pi.npy ui32 '[0xa4093822, 0x299f31d0]'
// RUN: %npy %t.pis.npy ui32 '[0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344]'
// RUN: %npy %t.pik.npy ui32 '[0x13198a2e, 0x03707344]'
// RUN: %npy %t.pic.npy ui32 '[0x243f6a88, 0x85a308d3]'
//
// 6627e8d5 e169c58d bc57ac4c 9b00dbd8
// RUN: %run_op --entry=philox --input=%t.zero.npy --input=%t.zeros.npy | FileCheck %s --check-prefix=PHILOX0
// PHILOX0: [1713891541, 3781805453, 3159862348, 2600524760]
// 408f276d 41c83b0e a20bc7c6 6d5451fd
// RUN: %run_op --entry=philox --input=%t.one.npy --input=%t.ones.npy | FileCheck %s --check-prefix=PHILOX1
// PHILOX1: [1083123565, 1103641358, 2718681030, 1834242557]
// d16cfe09 94fdcceb 5001e420 24126ea1
// RUN: %run_op --entry=philox --input=%t.pi.npy --input=%t.pis.npy | FileCheck %s --check-prefix=PHILOX2
// PHILOX2: [3513581065, 2499661035, 1342301216, 605187745]
// 6b200159 99ba4efe
// RUN: %run_op --entry=threefry --input=%t.zero.npy --input=%t.zero.npy | FileCheck %s --check-prefix=THREEFRY0
// THREEFRY0: [1797259609, 2579123966]
// 1cb996fc bb002be7
// RUN: %run_op --entry=threefry --input=%t.one.npy --input=%t.one.npy | FileCheck %s --check-prefix=THREEFRY1
// THREEFRY1: [481924860, 3137350631]
// c4923a9c 483df7a0
// RUN: %run_op --entry=threefry --input=%t.pik.npy --input=%t.pic.npy | FileCheck %s --check-prefix=THREEFRY2
// THREEFRY2: [3297917596, 1212020640]
//
// RUN: %run_op --entry=layout --input=%t.pi.npy | FileCheck %s --check-prefix=LAYOUT
// RUN: %run_op --entry=carries --input=%t.zero.npy --input=%t.ones.npy --input=%t.one.npy | FileCheck %s --check-prefix=CARRY
// RUN: %npy %t.k.npy ui32 '[12345, 67890]'
// RUN: %npy %t.c.npy ui32 '[0xfffffffe, 0xffffffff, 0xffffffff, 7]'
// RUN: %run_op --entry=fused --input=%t.k.npy --input=%t.c.npy --compare=reference
// RUN: %run_op --entry=sizes --input=%t.k.npy --shape=n:129 --shape=m:5 --compare=reference
//
// One word for all, of a key that is padded: a vector where the place is not.
// RUN: %run_op --entry=padded --random-inputs --compare=reference
// RUN: %run_op --entry=joined --random-inputs --compare=reference

func.func @philox(%key: tensor<2xui32>, %counter: tensor<4xui32>) -> tensor<4xui32> {
  %0 = tx.random_bits %key counter = %counter philox4x32_10 : tensor<2xui32>, tensor<4xui32> -> tensor<4xui32>
  return %0 : tensor<4xui32>
}

func.func @threefry(%key: tensor<2xui32>, %counter: tensor<2xui32>) -> tensor<2xui32> {
  %0 = tx.random_bits %key counter = %counter threefry2x32 : tensor<2xui32>, tensor<2xui32> -> tensor<2xui32>
  return %0 : tensor<2xui32>
}

// A ui64 is two words; the shape plays no part; a second block follows.
func.func @layout(%key: tensor<2xui32>)
    -> (tensor<6xui32>, tensor<3xui64>, tensor<3x1x2xui32>, tensor<ui32>, tensor<0xui64>, tensor<3xui32>, tensor<1xui64>) {
  %0 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<6xui32>
  %1 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<3xui64>
  %2 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<3x1x2xui32>
  %3 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<ui32>
  %4 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<0xui64>
  %5 = tx.random_bits %key threefry2x32 : tensor<2xui32> -> tensor<3xui32>
  %6 = tx.random_bits %key threefry2x32 : tensor<2xui32> -> tensor<1xui64>
  return %0, %1, %2, %3, %4, %5, %6
      : tensor<6xui32>, tensor<3xui64>, tensor<3x1x2xui32>, tensor<ui32>, tensor<0xui64>, tensor<3xui32>, tensor<1xui64>
}

// LAYOUT:      out0: ui32[6]
// LAYOUT-NEXT: [243562578, 2916815722, 1505081978, 1885514859, 4188376359, 2833520934]
// LAYOUT-NEXT: out1: ui64[3]
// LAYOUT-NEXT: [12527628134692190290, 8098224657032133242, 12169879748249750823]
// LAYOUT-NEXT: out2: ui32[3,1,2]
// LAYOUT-NEXT: {{\[\[\[}}243562578, 2916815722]],
// LAYOUT-NEXT:  {{\[\[}}1505081978, 1885514859]],
// LAYOUT-NEXT:  {{\[\[}}4188376359, 2833520934]]]
// LAYOUT-NEXT: out3: ui32[]
// LAYOUT-NEXT: 243562578
// LAYOUT-NEXT: out4: ui64[0]
// LAYOUT-NEXT: []
// LAYOUT-NEXT: out5: ui32[3]
// LAYOUT-NEXT: [3638344235, 467416241, 569224212]
// LAYOUT-NEXT: out6: ui64[1]
// LAYOUT-NEXT: [2007537472352598571]

// The counter is one number, which wraps to 0.
func.func @carries(%key: tensor<2xui32>, %c: tensor<4xui32>, %d: tensor<2xui32>) -> (tensor<8xui32>, tensor<4xui32>) {
  %0 = tx.random_bits %key counter = %c philox4x32_10 : tensor<2xui32>, tensor<4xui32> -> tensor<8xui32>
  %1 = tx.random_bits %key counter = %d threefry2x32 : tensor<2xui32>, tensor<2xui32> -> tensor<4xui32>
  return %0, %1 : tensor<8xui32>, tensor<4xui32>
}
// CARRY: , 1713891541, 3781805453, 3159862348, 2600524760]
// CARRY: , 1797259609, 2579123966]

// As an element of other kinds of kernels, at indices that are not its own.
func.func @fused(%key: tensor<2xui32>, %c: tensor<4xui32>)
    -> (tensor<37x70xui32>, tensor<70x37xui64>, tensor<37xui32>, tensor<70xui32>, tensor<33x67xui32>, tensor<2xui32>) {
  %0 = tx.random_bits %key counter = %c philox4x32_10 : tensor<2xui32>, tensor<4xui32> -> tensor<37x70xui32>
  %1 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<37x70xui64>
  %2 = tx.transpose %1 permutation = [1, 0] : tensor<37x70xui64> -> tensor<70x37xui64>
  %3 = tx.random_bits %key threefry2x32 : tensor<2xui32> -> tensor<37x70xui32>
  %4 = tx.sum %3 dims = [1] : tensor<37x70xui32> -> tensor<37xui32>
  %5 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<37x70xui32>
  %6 = tx.reduce_max %5 dims = [0] : tensor<37x70xui32> -> tensor<70xui32>
  %7 = tx.slice %5 offsets = [2, 1] strides = [1, 1] : tensor<37x70xui32> -> tensor<33x67xui32>
  // A key that is drawn itself.
  %8 = tx.random_bits %key threefry2x32 : tensor<2xui32> -> tensor<5x2xui32>
  %9 = tx.slice %8 offsets = [3, 0] strides = [1, 1] : tensor<5x2xui32> -> tensor<1x2xui32>
  %10 = tx.reshape %9 : tensor<1x2xui32> -> tensor<2xui32>
  %11 = tx.random_bits %10 philox4x32_10 : tensor<2xui32> -> tensor<2xui32>
  return %0, %2, %4, %6, %7, %11 : tensor<37x70xui32>, tensor<70x37xui64>, tensor<37xui32>, tensor<70xui32>, tensor<33x67xui32>, tensor<2xui32>
}

func.func @sizes(%key: tensor<2xui32>, %n: index {tx.symbol = "n"}, %m: index {tx.symbol = "m"})
    -> (tensor<1xui32>, tensor<1003xui32>, tensor<3x5x67xui64>,
        tensor<?x?xui32, #tx.dims<[n, m]>>, tensor<?xui64, #tx.dims<[n]>>) {
  %0 = tx.random_bits %key threefry2x32 : tensor<2xui32> -> tensor<1xui32>
  %1 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<1003xui32>
  %2 = tx.random_bits %key threefry2x32 : tensor<2xui32> -> tensor<3x5x67xui64>
  %3 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<?x?xui32, #tx.dims<[n, m]>>
  %4 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<?xui64, #tx.dims<[n]>>
  return %0, %1, %2, %3, %4 : tensor<1xui32>, tensor<1003xui32>, tensor<3x5x67xui64>,
      tensor<?x?xui32, #tx.dims<[n, m]>>, tensor<?xui64, #tx.dims<[n]>>
}

func.func @padded(%low: tensor<1xui32>, %high: tensor<ui32>) -> tensor<33xui32> {
  %key = tx.pad %low, %high low = [0] high = [1] interior = [0] : tensor<1xui32> -> tensor<2xui32>
  %0 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<ui32>
  %1 = tx.broadcast %0 dims = [] : tensor<ui32> -> tensor<33xui32>
  return %1 : tensor<33xui32>
}

func.func @joined(%low: tensor<1xui32>, %high: tensor<1xui32>, %counter: tensor<2xui32>) -> tensor<33xui64> {
  %key = tx.concatenate %low, %high dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
  %0 = tx.random_bits %key counter = %counter threefry2x32 : tensor<2xui32>, tensor<2xui32> -> tensor<ui64>
  %1 = tx.broadcast %0 dims = [] : tensor<ui64> -> tensor<33xui64>
  return %1 : tensor<33xui64>
}
