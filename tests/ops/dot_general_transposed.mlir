// Contractions with an operand that memory holds along the summed dim: linear layers, scores of an attention.
//
// RUN: %run_op --entry=main --random-inputs --compare=reference
// RUN: %run_op --entry=batches --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:1,45 --shape=w:70,45 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:33,16 --shape=w:5,16 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:0,3 --shape=w:2,3 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:2,0 --shape=w:2,0 --compare=reference
// RUN: %run_op --entry=named_depth --random-inputs --shape=x:3,1 --shape=w:20,1 --compare=reference
// RUN: %run_op --entry=named_depth --random-inputs --shape=x:3,50 --shape=w:20,50 --compare=reference
// RUN: %npy %t.x.npy f32 '[[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, -0.0]]'
// RUN: %npy %t.n.npy f32 '[nan, inf, -0.0, 2, 3, 4, 5, 6]'
// RUN: %run_op --entry=special --input=%t.x.npy --input=%t.n.npy | FileCheck %s

// NaN and inf stay in their columns, at the end of k too: 0 * inf is NaN.
// CHECK: out0: f32[1,8]
// CHECK-NEXT: {{\[\[}}nan, nan, 0, 32, 48, 64, 80, 96]]
func.func @special(%x: tensor<1x18xf32>, %n: tensor<8xf32>) -> tensor<1x8xf32> {
  %w = tx.broadcast %n dims = [0] : tensor<8xf32> -> tensor<8x18xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<1x18xf32>, tensor<8x18xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

func.func @main(%x0: tensor<1x16xf32>, %w0: tensor<16x16xf32>,
                %x1: tensor<1x17xf32>, %w1: tensor<33x17xf32>,
                %x2: tensor<3x31xf32>, %w2: tensor<8x31xf32>,
                %x3: tensor<8x64xf32>, %w3: tensor<65x64xf32>,
                %x4: tensor<40x33xf32>, %w4: tensor<7x33xf32>,
                %x5: tensor<15x100xf32>, %w5: tensor<20x100xf32>,
                %x6: tensor<2x160xf32>, %w6: tensor<1x160xf32>,
                %x7: tensor<1x40xf32>, %w7: tensor<9x40xf32>,
                %x8: tensor<1x17xf64>, %w8: tensor<33x17xf64>,
                %x9: tensor<8x64xf64>, %w9: tensor<65x64xf64>,
                %x10: tensor<15x100xf64>, %w10: tensor<20x100xf64>,
                %x11: tensor<40x33xf64>, %w11: tensor<7x33xf64>,
                %x12: tensor<1x17xf16>, %w12: tensor<33x17xf16>,
                %x13: tensor<8x64xf16>, %w13: tensor<65x64xf16>,
                %x14: tensor<15x100xf16>, %w14: tensor<20x100xf16>,
                %x15: tensor<40x33xf16>, %w15: tensor<7x33xf16>,
                %x16: tensor<1x16xbf16>, %w16: tensor<16x16xbf16>,
                %x17: tensor<1x17xbf16>, %w17: tensor<33x17xbf16>,
                %x18: tensor<3x31xbf16>, %w18: tensor<8x31xbf16>,
                %x19: tensor<8x64xbf16>, %w19: tensor<65x64xbf16>,
                %x20: tensor<40x33xbf16>, %w20: tensor<7x33xbf16>,
                %x21: tensor<15x100xbf16>, %w21: tensor<20x100xbf16>,
                %x22: tensor<2x160xbf16>, %w22: tensor<1x160xbf16>,
                %x23: tensor<1x40xbf16>, %w23: tensor<9x40xbf16>,
                %x24: tensor<1x17xi8>, %w24: tensor<33x17xi8>,
                %x25: tensor<8x64xi8>, %w25: tensor<65x64xi8>,
                %x26: tensor<15x100xi8>, %w26: tensor<20x100xi8>,
                %x27: tensor<40x33xi8>, %w27: tensor<7x33xi8>,
                %x28: tensor<1x17xi32>, %w28: tensor<33x17xi32>,
                %x29: tensor<8x64xi32>, %w29: tensor<65x64xi32>,
                %x30: tensor<15x100xi32>, %w30: tensor<20x100xi32>,
                %x31: tensor<40x33xi32>, %w31: tensor<7x33xi32>,
                %x32: tensor<1x17xi64>, %w32: tensor<33x17xi64>,
                %x33: tensor<8x64xi64>, %w33: tensor<65x64xi64>,
                %x34: tensor<15x100xi64>, %w34: tensor<20x100xi64>,
                %x35: tensor<40x33xi64>, %w35: tensor<7x33xi64>,
                %x36: tensor<1x17xui8>, %w36: tensor<33x17xui8>,
                %x37: tensor<8x64xui8>, %w37: tensor<65x64xui8>,
                %x38: tensor<15x100xui8>, %w38: tensor<20x100xui8>,
                %x39: tensor<40x33xui8>, %w39: tensor<7x33xui8>)
    -> (tensor<1x16xf32>, tensor<1x33xf32>, tensor<3x8xf32>, tensor<8x65xf32>, tensor<40x7xf32>, tensor<15x20xf32>, tensor<2x1xf32>, tensor<1x9xf32>, tensor<1x33xf64>, tensor<8x65xf64>, tensor<15x20xf64>, tensor<40x7xf64>, tensor<1x33xf16>, tensor<8x65xf16>, tensor<15x20xf16>, tensor<40x7xf16>, tensor<1x16xbf16>, tensor<1x33xbf16>, tensor<3x8xbf16>, tensor<8x65xbf16>, tensor<40x7xbf16>, tensor<15x20xbf16>, tensor<2x1xbf16>, tensor<1x9xbf16>, tensor<1x33xi8>, tensor<8x65xi8>, tensor<15x20xi8>, tensor<40x7xi8>, tensor<1x33xi32>, tensor<8x65xi32>, tensor<15x20xi32>, tensor<40x7xi32>, tensor<1x33xi64>, tensor<8x65xi64>, tensor<15x20xi64>, tensor<40x7xi64>, tensor<1x33xui8>, tensor<8x65xui8>, tensor<15x20xui8>, tensor<40x7xui8>) {
  %r0 = tx.dot_general %x0, %w0 batch = [] x [] contracting = [1] x [1]
      : (tensor<1x16xf32>, tensor<16x16xf32>) -> tensor<1x16xf32>
  %r1 = tx.dot_general %x1, %w1 batch = [] x [] contracting = [1] x [1]
      : (tensor<1x17xf32>, tensor<33x17xf32>) -> tensor<1x33xf32>
  %r2 = tx.dot_general %x2, %w2 batch = [] x [] contracting = [1] x [1]
      : (tensor<3x31xf32>, tensor<8x31xf32>) -> tensor<3x8xf32>
  %r3 = tx.dot_general %x3, %w3 batch = [] x [] contracting = [1] x [1]
      : (tensor<8x64xf32>, tensor<65x64xf32>) -> tensor<8x65xf32>
  %r4 = tx.dot_general %x4, %w4 batch = [] x [] contracting = [1] x [1]
      : (tensor<40x33xf32>, tensor<7x33xf32>) -> tensor<40x7xf32>
  %r5 = tx.dot_general %x5, %w5 batch = [] x [] contracting = [1] x [1]
      : (tensor<15x100xf32>, tensor<20x100xf32>) -> tensor<15x20xf32>
  %r6 = tx.dot_general %x6, %w6 batch = [] x [] contracting = [1] x [1]
      : (tensor<2x160xf32>, tensor<1x160xf32>) -> tensor<2x1xf32>
  %r7 = tx.dot_general %x7, %w7 batch = [] x [] contracting = [1] x [1]
      : (tensor<1x40xf32>, tensor<9x40xf32>) -> tensor<1x9xf32>
  %r8 = tx.dot_general %x8, %w8 batch = [] x [] contracting = [1] x [1]
      : (tensor<1x17xf64>, tensor<33x17xf64>) -> tensor<1x33xf64>
  %r9 = tx.dot_general %x9, %w9 batch = [] x [] contracting = [1] x [1]
      : (tensor<8x64xf64>, tensor<65x64xf64>) -> tensor<8x65xf64>
  %r10 = tx.dot_general %x10, %w10 batch = [] x [] contracting = [1] x [1]
      : (tensor<15x100xf64>, tensor<20x100xf64>) -> tensor<15x20xf64>
  %r11 = tx.dot_general %x11, %w11 batch = [] x [] contracting = [1] x [1]
      : (tensor<40x33xf64>, tensor<7x33xf64>) -> tensor<40x7xf64>
  %r12 = tx.dot_general %x12, %w12 batch = [] x [] contracting = [1] x [1]
      : (tensor<1x17xf16>, tensor<33x17xf16>) -> tensor<1x33xf16>
  %r13 = tx.dot_general %x13, %w13 batch = [] x [] contracting = [1] x [1]
      : (tensor<8x64xf16>, tensor<65x64xf16>) -> tensor<8x65xf16>
  %r14 = tx.dot_general %x14, %w14 batch = [] x [] contracting = [1] x [1]
      : (tensor<15x100xf16>, tensor<20x100xf16>) -> tensor<15x20xf16>
  %r15 = tx.dot_general %x15, %w15 batch = [] x [] contracting = [1] x [1]
      : (tensor<40x33xf16>, tensor<7x33xf16>) -> tensor<40x7xf16>
  %r16 = tx.dot_general %x16, %w16 batch = [] x [] contracting = [1] x [1]
      : (tensor<1x16xbf16>, tensor<16x16xbf16>) -> tensor<1x16xbf16>
  %r17 = tx.dot_general %x17, %w17 batch = [] x [] contracting = [1] x [1]
      : (tensor<1x17xbf16>, tensor<33x17xbf16>) -> tensor<1x33xbf16>
  %r18 = tx.dot_general %x18, %w18 batch = [] x [] contracting = [1] x [1]
      : (tensor<3x31xbf16>, tensor<8x31xbf16>) -> tensor<3x8xbf16>
  %r19 = tx.dot_general %x19, %w19 batch = [] x [] contracting = [1] x [1]
      : (tensor<8x64xbf16>, tensor<65x64xbf16>) -> tensor<8x65xbf16>
  %r20 = tx.dot_general %x20, %w20 batch = [] x [] contracting = [1] x [1]
      : (tensor<40x33xbf16>, tensor<7x33xbf16>) -> tensor<40x7xbf16>
  %r21 = tx.dot_general %x21, %w21 batch = [] x [] contracting = [1] x [1]
      : (tensor<15x100xbf16>, tensor<20x100xbf16>) -> tensor<15x20xbf16>
  %r22 = tx.dot_general %x22, %w22 batch = [] x [] contracting = [1] x [1]
      : (tensor<2x160xbf16>, tensor<1x160xbf16>) -> tensor<2x1xbf16>
  %r23 = tx.dot_general %x23, %w23 batch = [] x [] contracting = [1] x [1]
      : (tensor<1x40xbf16>, tensor<9x40xbf16>) -> tensor<1x9xbf16>
  %r24 = tx.dot_general %x24, %w24 batch = [] x [] contracting = [1] x [1]
      : (tensor<1x17xi8>, tensor<33x17xi8>) -> tensor<1x33xi8>
  %r25 = tx.dot_general %x25, %w25 batch = [] x [] contracting = [1] x [1]
      : (tensor<8x64xi8>, tensor<65x64xi8>) -> tensor<8x65xi8>
  %r26 = tx.dot_general %x26, %w26 batch = [] x [] contracting = [1] x [1]
      : (tensor<15x100xi8>, tensor<20x100xi8>) -> tensor<15x20xi8>
  %r27 = tx.dot_general %x27, %w27 batch = [] x [] contracting = [1] x [1]
      : (tensor<40x33xi8>, tensor<7x33xi8>) -> tensor<40x7xi8>
  %r28 = tx.dot_general %x28, %w28 batch = [] x [] contracting = [1] x [1]
      : (tensor<1x17xi32>, tensor<33x17xi32>) -> tensor<1x33xi32>
  %r29 = tx.dot_general %x29, %w29 batch = [] x [] contracting = [1] x [1]
      : (tensor<8x64xi32>, tensor<65x64xi32>) -> tensor<8x65xi32>
  %r30 = tx.dot_general %x30, %w30 batch = [] x [] contracting = [1] x [1]
      : (tensor<15x100xi32>, tensor<20x100xi32>) -> tensor<15x20xi32>
  %r31 = tx.dot_general %x31, %w31 batch = [] x [] contracting = [1] x [1]
      : (tensor<40x33xi32>, tensor<7x33xi32>) -> tensor<40x7xi32>
  %r32 = tx.dot_general %x32, %w32 batch = [] x [] contracting = [1] x [1]
      : (tensor<1x17xi64>, tensor<33x17xi64>) -> tensor<1x33xi64>
  %r33 = tx.dot_general %x33, %w33 batch = [] x [] contracting = [1] x [1]
      : (tensor<8x64xi64>, tensor<65x64xi64>) -> tensor<8x65xi64>
  %r34 = tx.dot_general %x34, %w34 batch = [] x [] contracting = [1] x [1]
      : (tensor<15x100xi64>, tensor<20x100xi64>) -> tensor<15x20xi64>
  %r35 = tx.dot_general %x35, %w35 batch = [] x [] contracting = [1] x [1]
      : (tensor<40x33xi64>, tensor<7x33xi64>) -> tensor<40x7xi64>
  %r36 = tx.dot_general %x36, %w36 batch = [] x [] contracting = [1] x [1]
      : (tensor<1x17xui8>, tensor<33x17xui8>) -> tensor<1x33xui8>
  %r37 = tx.dot_general %x37, %w37 batch = [] x [] contracting = [1] x [1]
      : (tensor<8x64xui8>, tensor<65x64xui8>) -> tensor<8x65xui8>
  %r38 = tx.dot_general %x38, %w38 batch = [] x [] contracting = [1] x [1]
      : (tensor<15x100xui8>, tensor<20x100xui8>) -> tensor<15x20xui8>
  %r39 = tx.dot_general %x39, %w39 batch = [] x [] contracting = [1] x [1]
      : (tensor<40x33xui8>, tensor<7x33xui8>) -> tensor<40x7xui8>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27, %r28, %r29, %r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37, %r38, %r39
      : tensor<1x16xf32>, tensor<1x33xf32>, tensor<3x8xf32>, tensor<8x65xf32>, tensor<40x7xf32>, tensor<15x20xf32>, tensor<2x1xf32>, tensor<1x9xf32>, tensor<1x33xf64>, tensor<8x65xf64>, tensor<15x20xf64>, tensor<40x7xf64>, tensor<1x33xf16>, tensor<8x65xf16>, tensor<15x20xf16>, tensor<40x7xf16>, tensor<1x16xbf16>, tensor<1x33xbf16>, tensor<3x8xbf16>, tensor<8x65xbf16>, tensor<40x7xbf16>, tensor<15x20xbf16>, tensor<2x1xbf16>, tensor<1x9xbf16>, tensor<1x33xi8>, tensor<8x65xi8>, tensor<15x20xi8>, tensor<40x7xi8>, tensor<1x33xi32>, tensor<8x65xi32>, tensor<15x20xi32>, tensor<40x7xi32>, tensor<1x33xi64>, tensor<8x65xi64>, tensor<15x20xi64>, tensor<40x7xi64>, tensor<1x33xui8>, tensor<8x65xui8>, tensor<15x20xui8>, tensor<40x7xui8>
}

// Batches, what is fused before and behind, and several summed dims.
func.func @batches(%q: tensor<2x3x9x40xf32>, %k: tensor<2x3x21x40xf32>, %h: tensor<21x40xbf16>, %b: tensor<21xf32>,
                   %x: tensor<5x6x20xf32>, %w: tensor<17x6x20xf32>)
    -> (tensor<2x3x9x21xf32>, tensor<2x3x9x21xf32>, tensor<5x17xf32>) {
  %0 = tx.dot_general %q, %k batch = [0, 1] x [0, 1] contracting = [3] x [3]
      : (tensor<2x3x9x40xf32>, tensor<2x3x21x40xf32>) -> tensor<2x3x9x21xf32>
  %1 = tx.convert %h : tensor<21x40xbf16> -> tensor<21x40xf32>
  %2 = tx.dot_general %q, %1 batch = [] x [] contracting = [3] x [1]
      : (tensor<2x3x9x40xf32>, tensor<21x40xf32>) -> tensor<2x3x9x21xf32>
  %3 = tx.broadcast %b dims = [3] : tensor<21xf32> -> tensor<2x3x9x21xf32>
  %4 = tx.add %2, %3 : tensor<2x3x9x21xf32>
  %5 = tx.dot_general %x, %w batch = [] x [] contracting = [1, 2] x [1, 2]
      : (tensor<5x6x20xf32>, tensor<17x6x20xf32>) -> tensor<5x17xf32>
  return %0, %4, %5 : tensor<2x3x9x21xf32>, tensor<2x3x9x21xf32>, tensor<5x17xf32>
}

func.func @named(%x: tensor<?x?xf32, #tx.dims<[n, k]>> {tx.name = "x"}, %w: tensor<?x?xf32, #tx.dims<[m, k]>> {tx.name = "w"})
    -> tensor<?x?xf32, #tx.dims<[n, m]>> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1]
      : (tensor<?x?xf32, #tx.dims<[n, k]>>, tensor<?x?xf32, #tx.dims<[m, k]>>) -> tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0 : tensor<?x?xf32, #tx.dims<[n, m]>>
}

// Few rows read y in place, and the rest of k is known when it runs.
func.func @named_depth(%x: tensor<3x?xf32, #tx.dims<[3, k]>> {tx.name = "x"}, %w: tensor<20x?xf32, #tx.dims<[20, k]>> {tx.name = "w"})
    -> tensor<3x20xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1]
      : (tensor<3x?xf32, #tx.dims<[3, k]>>, tensor<20x?xf32, #tx.dims<[20, k]>>) -> tensor<3x20xf32>
  return %0 : tensor<3x20xf32>
}
