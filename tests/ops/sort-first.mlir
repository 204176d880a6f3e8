// The first elements of a sort, which are selected: the same as of a whole one.
//
// RUN: %npy %t.x.npy f64 '[[3, nan, -1, 0.0, inf, -0.0, 7, 7, 0.0, 2, 5, 9, -inf, -0.0, nan, 4], [nan, nan, nan, nan, 1, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan], [2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1]]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=dtypes --random-inputs --compare=reference
// RUN: %run_op --entry=across --input=%t.x.npy | FileCheck %s --check-prefix=ACROSS
// RUN: %run_op --entry=columns --random-inputs --compare=reference
// RUN: %run_op --entry=named_columns --random-inputs --shape=x:300,37 --compare=reference
// RUN: %run_op --entry=named_columns --random-inputs --shape=x:6,1 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=ordered --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:3,400 --shape=k:5 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:5,2000 --shape=k:1 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:2,1031 --shape=k:1031 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:2,1031 --shape=k:700 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:3,1 --shape=k:1 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:3,40 --shape=k:0 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:0,40 --shape=k:2 --compare=reference

func.func @main(%x: tensor<3x16xf64>)
    -> (tensor<3x2xf64>, tensor<3x2xi64>, tensor<3x2xf64>, tensor<3x2xi64>) {
  %s0 = tx.sort %x dim = 1 : tensor<3x16xf64>
  %r0 = tx.slice %s0 offsets = [0, 0] strides = [1, 1] : tensor<3x16xf64> -> tensor<3x2xf64>
  %s1 = tx.argsort %x dim = 1 : tensor<3x16xf64>
  %r1 = tx.slice %s1 offsets = [0, 0] strides = [1, 1] : tensor<3x16xi64> -> tensor<3x2xi64>
  %s2 = tx.sort %x dim = 1 descending : tensor<3x16xf64>
  %r2 = tx.slice %s2 offsets = [0, 0] strides = [1, 1] : tensor<3x16xf64> -> tensor<3x2xf64>
  %s3 = tx.argsort %x dim = 1 descending : tensor<3x16xf64>
  %r3 = tx.slice %s3 offsets = [0, 0] strides = [1, 1] : tensor<3x16xi64> -> tensor<3x2xi64>
  return %r0, %r1, %r2, %r3
      : tensor<3x2xf64>, tensor<3x2xi64>, tensor<3x2xf64>, tensor<3x2xi64>
}
// CHECK:      out0: f64[3,2]
// CHECK-NEXT: {{\[\[}}-inf, -1],
// CHECK-NEXT:  [1, nan],
// CHECK-NEXT:  [1, 1]]
// CHECK-NEXT: out1: i64[3,2]
// CHECK-NEXT: {{\[\[}}12, 2],
// CHECK-NEXT:  [4, 0],
// CHECK-NEXT:  [1, 2]]
// CHECK-NEXT: out2: f64[3,2]
// CHECK-NEXT: {{\[\[}}nan, nan],
// CHECK-NEXT:  [nan, nan],
// CHECK-NEXT:  [2, 2]]
// CHECK-NEXT: out3: i64[3,2]
// CHECK-NEXT: {{\[\[}}1, 14],
// CHECK-NEXT:  [0, 1],
// CHECK-NEXT:  [0, 4]]

func.func @dtypes(%x: tensor<5x1003xf64>, %i: tensor<5x1003xi64>)
    -> (tensor<5x7xf32>, tensor<5x7xi64>, tensor<5x7xf32>, tensor<5x7xi64>, tensor<5x7xf64>, tensor<5x7xi64>, tensor<5x7xf64>, tensor<5x7xi64>, tensor<5x7xf16>, tensor<5x7xi64>, tensor<5x7xf16>, tensor<5x7xi64>, tensor<5x7xbf16>, tensor<5x7xi64>, tensor<5x7xbf16>, tensor<5x7xi64>, tensor<5x7xi8>, tensor<5x7xi64>, tensor<5x7xi8>, tensor<5x7xi64>, tensor<5x7xui8>, tensor<5x7xi64>, tensor<5x7xui8>, tensor<5x7xi64>, tensor<5x7xi16>, tensor<5x7xi64>, tensor<5x7xi16>, tensor<5x7xi64>, tensor<5x7xui16>, tensor<5x7xi64>, tensor<5x7xui16>, tensor<5x7xi64>, tensor<5x7xi32>, tensor<5x7xi64>, tensor<5x7xi32>, tensor<5x7xi64>, tensor<5x7xui32>, tensor<5x7xi64>, tensor<5x7xui32>, tensor<5x7xi64>, tensor<5x7xi64>, tensor<5x7xi64>, tensor<5x7xi64>, tensor<5x7xi64>, tensor<5x7xui64>, tensor<5x7xi64>, tensor<5x7xui64>, tensor<5x7xi64>, tensor<5x7xi1>, tensor<5x7xi64>, tensor<5x7xi1>, tensor<5x7xi64>) {
  %f32 = tx.convert %x : tensor<5x1003xf64> -> tensor<5x1003xf32>
  %s4 = tx.sort %f32 dim = 1 : tensor<5x1003xf32>
  %r4 = tx.slice %s4 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xf32> -> tensor<5x7xf32>
  %s5 = tx.argsort %f32 dim = 1 : tensor<5x1003xf32>
  %r5 = tx.slice %s5 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s6 = tx.sort %f32 dim = 1 descending : tensor<5x1003xf32>
  %r6 = tx.slice %s6 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xf32> -> tensor<5x7xf32>
  %s7 = tx.argsort %f32 dim = 1 descending : tensor<5x1003xf32>
  %r7 = tx.slice %s7 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s8 = tx.sort %x dim = 1 : tensor<5x1003xf64>
  %r8 = tx.slice %s8 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xf64> -> tensor<5x7xf64>
  %s9 = tx.argsort %x dim = 1 : tensor<5x1003xf64>
  %r9 = tx.slice %s9 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s10 = tx.sort %x dim = 1 descending : tensor<5x1003xf64>
  %r10 = tx.slice %s10 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xf64> -> tensor<5x7xf64>
  %s11 = tx.argsort %x dim = 1 descending : tensor<5x1003xf64>
  %r11 = tx.slice %s11 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %f16 = tx.convert %x : tensor<5x1003xf64> -> tensor<5x1003xf16>
  %s12 = tx.sort %f16 dim = 1 : tensor<5x1003xf16>
  %r12 = tx.slice %s12 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xf16> -> tensor<5x7xf16>
  %s13 = tx.argsort %f16 dim = 1 : tensor<5x1003xf16>
  %r13 = tx.slice %s13 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s14 = tx.sort %f16 dim = 1 descending : tensor<5x1003xf16>
  %r14 = tx.slice %s14 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xf16> -> tensor<5x7xf16>
  %s15 = tx.argsort %f16 dim = 1 descending : tensor<5x1003xf16>
  %r15 = tx.slice %s15 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %bf16 = tx.convert %x : tensor<5x1003xf64> -> tensor<5x1003xbf16>
  %s16 = tx.sort %bf16 dim = 1 : tensor<5x1003xbf16>
  %r16 = tx.slice %s16 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xbf16> -> tensor<5x7xbf16>
  %s17 = tx.argsort %bf16 dim = 1 : tensor<5x1003xbf16>
  %r17 = tx.slice %s17 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s18 = tx.sort %bf16 dim = 1 descending : tensor<5x1003xbf16>
  %r18 = tx.slice %s18 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xbf16> -> tensor<5x7xbf16>
  %s19 = tx.argsort %bf16 dim = 1 descending : tensor<5x1003xbf16>
  %r19 = tx.slice %s19 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %i8 = tx.convert %i : tensor<5x1003xi64> -> tensor<5x1003xi8>
  %s20 = tx.sort %i8 dim = 1 : tensor<5x1003xi8>
  %r20 = tx.slice %s20 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi8> -> tensor<5x7xi8>
  %s21 = tx.argsort %i8 dim = 1 : tensor<5x1003xi8>
  %r21 = tx.slice %s21 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s22 = tx.sort %i8 dim = 1 descending : tensor<5x1003xi8>
  %r22 = tx.slice %s22 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi8> -> tensor<5x7xi8>
  %s23 = tx.argsort %i8 dim = 1 descending : tensor<5x1003xi8>
  %r23 = tx.slice %s23 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %ui8 = tx.convert %i : tensor<5x1003xi64> -> tensor<5x1003xui8>
  %s24 = tx.sort %ui8 dim = 1 : tensor<5x1003xui8>
  %r24 = tx.slice %s24 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xui8> -> tensor<5x7xui8>
  %s25 = tx.argsort %ui8 dim = 1 : tensor<5x1003xui8>
  %r25 = tx.slice %s25 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s26 = tx.sort %ui8 dim = 1 descending : tensor<5x1003xui8>
  %r26 = tx.slice %s26 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xui8> -> tensor<5x7xui8>
  %s27 = tx.argsort %ui8 dim = 1 descending : tensor<5x1003xui8>
  %r27 = tx.slice %s27 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %i16 = tx.convert %i : tensor<5x1003xi64> -> tensor<5x1003xi16>
  %s28 = tx.sort %i16 dim = 1 : tensor<5x1003xi16>
  %r28 = tx.slice %s28 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi16> -> tensor<5x7xi16>
  %s29 = tx.argsort %i16 dim = 1 : tensor<5x1003xi16>
  %r29 = tx.slice %s29 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s30 = tx.sort %i16 dim = 1 descending : tensor<5x1003xi16>
  %r30 = tx.slice %s30 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi16> -> tensor<5x7xi16>
  %s31 = tx.argsort %i16 dim = 1 descending : tensor<5x1003xi16>
  %r31 = tx.slice %s31 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %ui16 = tx.convert %i : tensor<5x1003xi64> -> tensor<5x1003xui16>
  %s32 = tx.sort %ui16 dim = 1 : tensor<5x1003xui16>
  %r32 = tx.slice %s32 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xui16> -> tensor<5x7xui16>
  %s33 = tx.argsort %ui16 dim = 1 : tensor<5x1003xui16>
  %r33 = tx.slice %s33 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s34 = tx.sort %ui16 dim = 1 descending : tensor<5x1003xui16>
  %r34 = tx.slice %s34 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xui16> -> tensor<5x7xui16>
  %s35 = tx.argsort %ui16 dim = 1 descending : tensor<5x1003xui16>
  %r35 = tx.slice %s35 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %i32 = tx.convert %i : tensor<5x1003xi64> -> tensor<5x1003xi32>
  %s36 = tx.sort %i32 dim = 1 : tensor<5x1003xi32>
  %r36 = tx.slice %s36 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi32> -> tensor<5x7xi32>
  %s37 = tx.argsort %i32 dim = 1 : tensor<5x1003xi32>
  %r37 = tx.slice %s37 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s38 = tx.sort %i32 dim = 1 descending : tensor<5x1003xi32>
  %r38 = tx.slice %s38 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi32> -> tensor<5x7xi32>
  %s39 = tx.argsort %i32 dim = 1 descending : tensor<5x1003xi32>
  %r39 = tx.slice %s39 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %ui32 = tx.convert %i : tensor<5x1003xi64> -> tensor<5x1003xui32>
  %s40 = tx.sort %ui32 dim = 1 : tensor<5x1003xui32>
  %r40 = tx.slice %s40 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xui32> -> tensor<5x7xui32>
  %s41 = tx.argsort %ui32 dim = 1 : tensor<5x1003xui32>
  %r41 = tx.slice %s41 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s42 = tx.sort %ui32 dim = 1 descending : tensor<5x1003xui32>
  %r42 = tx.slice %s42 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xui32> -> tensor<5x7xui32>
  %s43 = tx.argsort %ui32 dim = 1 descending : tensor<5x1003xui32>
  %r43 = tx.slice %s43 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s44 = tx.sort %i dim = 1 : tensor<5x1003xi64>
  %r44 = tx.slice %s44 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s45 = tx.argsort %i dim = 1 : tensor<5x1003xi64>
  %r45 = tx.slice %s45 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s46 = tx.sort %i dim = 1 descending : tensor<5x1003xi64>
  %r46 = tx.slice %s46 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s47 = tx.argsort %i dim = 1 descending : tensor<5x1003xi64>
  %r47 = tx.slice %s47 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %ui64 = tx.convert %i : tensor<5x1003xi64> -> tensor<5x1003xui64>
  %s48 = tx.sort %ui64 dim = 1 : tensor<5x1003xui64>
  %r48 = tx.slice %s48 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xui64> -> tensor<5x7xui64>
  %s49 = tx.argsort %ui64 dim = 1 : tensor<5x1003xui64>
  %r49 = tx.slice %s49 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s50 = tx.sort %ui64 dim = 1 descending : tensor<5x1003xui64>
  %r50 = tx.slice %s50 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xui64> -> tensor<5x7xui64>
  %s51 = tx.argsort %ui64 dim = 1 descending : tensor<5x1003xui64>
  %r51 = tx.slice %s51 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %i1 = tx.convert %i : tensor<5x1003xi64> -> tensor<5x1003xi1>
  %s52 = tx.sort %i1 dim = 1 : tensor<5x1003xi1>
  %r52 = tx.slice %s52 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi1> -> tensor<5x7xi1>
  %s53 = tx.argsort %i1 dim = 1 : tensor<5x1003xi1>
  %r53 = tx.slice %s53 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  %s54 = tx.sort %i1 dim = 1 descending : tensor<5x1003xi1>
  %r54 = tx.slice %s54 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi1> -> tensor<5x7xi1>
  %s55 = tx.argsort %i1 dim = 1 descending : tensor<5x1003xi1>
  %r55 = tx.slice %s55 offsets = [0, 0] strides = [1, 1] : tensor<5x1003xi64> -> tensor<5x7xi64>
  return %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27, %r28, %r29, %r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37, %r38, %r39, %r40, %r41, %r42, %r43, %r44, %r45, %r46, %r47, %r48, %r49, %r50, %r51, %r52, %r53, %r54, %r55
      : tensor<5x7xf32>, tensor<5x7xi64>, tensor<5x7xf32>, tensor<5x7xi64>, tensor<5x7xf64>, tensor<5x7xi64>, tensor<5x7xf64>, tensor<5x7xi64>, tensor<5x7xf16>, tensor<5x7xi64>, tensor<5x7xf16>, tensor<5x7xi64>, tensor<5x7xbf16>, tensor<5x7xi64>, tensor<5x7xbf16>, tensor<5x7xi64>, tensor<5x7xi8>, tensor<5x7xi64>, tensor<5x7xi8>, tensor<5x7xi64>, tensor<5x7xui8>, tensor<5x7xi64>, tensor<5x7xui8>, tensor<5x7xi64>, tensor<5x7xi16>, tensor<5x7xi64>, tensor<5x7xi16>, tensor<5x7xi64>, tensor<5x7xui16>, tensor<5x7xi64>, tensor<5x7xui16>, tensor<5x7xi64>, tensor<5x7xi32>, tensor<5x7xi64>, tensor<5x7xi32>, tensor<5x7xi64>, tensor<5x7xui32>, tensor<5x7xi64>, tensor<5x7xui32>, tensor<5x7xi64>, tensor<5x7xi64>, tensor<5x7xi64>, tensor<5x7xi64>, tensor<5x7xi64>, tensor<5x7xui64>, tensor<5x7xi64>, tensor<5x7xui64>, tensor<5x7xi64>, tensor<5x7xi1>, tensor<5x7xi64>, tensor<5x7xi1>, tensor<5x7xi64>
}

// All ways: along the last and other dims, values or places alone, one element, rows shorter than a vector and long
// ones, more elements than there is room for at first.
func.func @sizes(%a: tensor<1x8xf32>, %b: tensor<7x9xf32>, %c: tensor<65x3x11xf32>, %d: tensor<2x40961xf32>, %e: tensor<100003xf32>, %f: tensor<3x5x640xbf16>, %g: tensor<0x50xf32>, %h: tensor<9x1000xf32>)
    -> (tensor<1x1xf32>, tensor<1x1xi64>, tensor<7x1xf32>, tensor<4x3x11xf32>, tensor<4x3x11xi64>, tensor<8x3x11xi64>, tensor<2x300xf32>, tensor<2x300xi64>, tensor<2x17xf32>, tensor<100xf32>, tensor<100xi64>, tensor<3x5x64xbf16>, tensor<3x5x64xi64>, tensor<0x3xf32>, tensor<0x3xi64>, tensor<1x1000xf32>, tensor<1x1000xi64>, tensor<9x999xf32>, tensor<9x999xi64>) {
  %s56 = tx.sort %a dim = 1 : tensor<1x8xf32>
  %r56 = tx.slice %s56 offsets = [0, 0] strides = [1, 1] : tensor<1x8xf32> -> tensor<1x1xf32>
  %s57 = tx.argsort %a dim = 1 : tensor<1x8xf32>
  %r57 = tx.slice %s57 offsets = [0, 0] strides = [1, 1] : tensor<1x8xi64> -> tensor<1x1xi64>
  %s58 = tx.sort %b dim = 1 descending : tensor<7x9xf32>
  %r58 = tx.slice %s58 offsets = [0, 0] strides = [1, 1] : tensor<7x9xf32> -> tensor<7x1xf32>
  %s59 = tx.sort %c dim = 0 : tensor<65x3x11xf32>
  %r59 = tx.slice %s59 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<65x3x11xf32> -> tensor<4x3x11xf32>
  %s60 = tx.argsort %c dim = 0 : tensor<65x3x11xf32>
  %r60 = tx.slice %s60 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<65x3x11xi64> -> tensor<4x3x11xi64>
  %s61 = tx.argsort %c dim = 0 descending : tensor<65x3x11xf32>
  %r61 = tx.slice %s61 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<65x3x11xi64> -> tensor<8x3x11xi64>
  %s62 = tx.sort %d dim = 1 descending : tensor<2x40961xf32>
  %r62 = tx.slice %s62 offsets = [0, 0] strides = [1, 1] : tensor<2x40961xf32> -> tensor<2x300xf32>
  %s63 = tx.argsort %d dim = 1 descending : tensor<2x40961xf32>
  %r63 = tx.slice %s63 offsets = [0, 0] strides = [1, 1] : tensor<2x40961xi64> -> tensor<2x300xi64>
  %s64 = tx.sort %d dim = 1 : tensor<2x40961xf32>
  %r64 = tx.slice %s64 offsets = [0, 0] strides = [1, 1] : tensor<2x40961xf32> -> tensor<2x17xf32>
  %s65 = tx.sort %e dim = 0 descending : tensor<100003xf32>
  %r65 = tx.slice %s65 offsets = [0] strides = [1] : tensor<100003xf32> -> tensor<100xf32>
  %s66 = tx.argsort %e dim = 0 descending : tensor<100003xf32>
  %r66 = tx.slice %s66 offsets = [0] strides = [1] : tensor<100003xi64> -> tensor<100xi64>
  %s67 = tx.sort %f dim = 2 : tensor<3x5x640xbf16>
  %r67 = tx.slice %s67 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<3x5x640xbf16> -> tensor<3x5x64xbf16>
  %s68 = tx.argsort %f dim = 2 : tensor<3x5x640xbf16>
  %r68 = tx.slice %s68 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<3x5x640xi64> -> tensor<3x5x64xi64>
  %s69 = tx.sort %g dim = 1 : tensor<0x50xf32>
  %r69 = tx.slice %s69 offsets = [0, 0] strides = [1, 1] : tensor<0x50xf32> -> tensor<0x3xf32>
  %s70 = tx.argsort %g dim = 1 : tensor<0x50xf32>
  %r70 = tx.slice %s70 offsets = [0, 0] strides = [1, 1] : tensor<0x50xi64> -> tensor<0x3xi64>
  %s71 = tx.sort %h dim = 0 : tensor<9x1000xf32>
  %r71 = tx.slice %s71 offsets = [0, 0] strides = [1, 1] : tensor<9x1000xf32> -> tensor<1x1000xf32>
  %s72 = tx.argsort %h dim = 0 : tensor<9x1000xf32>
  %r72 = tx.slice %s72 offsets = [0, 0] strides = [1, 1] : tensor<9x1000xi64> -> tensor<1x1000xi64>
  %s73 = tx.sort %h dim = 1 : tensor<9x1000xf32>
  %r73 = tx.slice %s73 offsets = [0, 0] strides = [1, 1] : tensor<9x1000xf32> -> tensor<9x999xf32>
  %s74 = tx.argsort %h dim = 1 : tensor<9x1000xf32>
  %r74 = tx.slice %s74 offsets = [0, 0] strides = [1, 1] : tensor<9x1000xi64> -> tensor<9x999xi64>
  return %r56, %r57, %r58, %r59, %r60, %r61, %r62, %r63, %r64, %r65, %r66, %r67, %r68, %r69, %r70, %r71, %r72, %r73, %r74
      : tensor<1x1xf32>, tensor<1x1xi64>, tensor<7x1xf32>, tensor<4x3x11xf32>, tensor<4x3x11xi64>, tensor<8x3x11xi64>, tensor<2x300xf32>, tensor<2x300xi64>, tensor<2x17xf32>, tensor<100xf32>, tensor<100xi64>, tensor<3x5x64xbf16>, tensor<3x5x64xi64>, tensor<0x3xf32>, tensor<0x3xi64>, tensor<1x1000xf32>, tensor<1x1000xi64>, tensor<9x999xf32>, tensor<9x999xi64>
}

// In order, in the opposite one, all equal.
func.func @ordered()
    -> (tensor<20xi32>, tensor<20xi64>, tensor<20xi32>, tensor<20xi64>, tensor<20xi32>, tensor<20xi64>, tensor<20xi32>, tensor<20xi64>, tensor<20xi32>, tensor<20xi64>, tensor<20xi32>, tensor<20xi64>, tensor<20xf32>, tensor<20xi64>, tensor<20xf32>, tensor<20xi64>) {
  %i = tx.iota dim = 0 : tensor<5000xi32>
  %n = tx.neg %i : tensor<5000xi32>
  %c = tx.constant dense<3> : tensor<5000xi32>
  %u = tx.convert %i : tensor<5000xi32> -> tensor<5000xf32>
  %v = tx.sin %u : tensor<5000xf32>
  %t = tx.floor %v : tensor<5000xf32>
  %s75 = tx.sort %i dim = 0 : tensor<5000xi32>
  %r75 = tx.slice %s75 offsets = [0] strides = [1] : tensor<5000xi32> -> tensor<20xi32>
  %s76 = tx.argsort %i dim = 0 : tensor<5000xi32>
  %r76 = tx.slice %s76 offsets = [0] strides = [1] : tensor<5000xi64> -> tensor<20xi64>
  %s77 = tx.sort %i dim = 0 descending : tensor<5000xi32>
  %r77 = tx.slice %s77 offsets = [0] strides = [1] : tensor<5000xi32> -> tensor<20xi32>
  %s78 = tx.argsort %i dim = 0 descending : tensor<5000xi32>
  %r78 = tx.slice %s78 offsets = [0] strides = [1] : tensor<5000xi64> -> tensor<20xi64>
  %s79 = tx.sort %n dim = 0 : tensor<5000xi32>
  %r79 = tx.slice %s79 offsets = [0] strides = [1] : tensor<5000xi32> -> tensor<20xi32>
  %s80 = tx.argsort %n dim = 0 : tensor<5000xi32>
  %r80 = tx.slice %s80 offsets = [0] strides = [1] : tensor<5000xi64> -> tensor<20xi64>
  %s81 = tx.sort %n dim = 0 descending : tensor<5000xi32>
  %r81 = tx.slice %s81 offsets = [0] strides = [1] : tensor<5000xi32> -> tensor<20xi32>
  %s82 = tx.argsort %n dim = 0 descending : tensor<5000xi32>
  %r82 = tx.slice %s82 offsets = [0] strides = [1] : tensor<5000xi64> -> tensor<20xi64>
  %s83 = tx.sort %c dim = 0 : tensor<5000xi32>
  %r83 = tx.slice %s83 offsets = [0] strides = [1] : tensor<5000xi32> -> tensor<20xi32>
  %s84 = tx.argsort %c dim = 0 : tensor<5000xi32>
  %r84 = tx.slice %s84 offsets = [0] strides = [1] : tensor<5000xi64> -> tensor<20xi64>
  %s85 = tx.sort %c dim = 0 descending : tensor<5000xi32>
  %r85 = tx.slice %s85 offsets = [0] strides = [1] : tensor<5000xi32> -> tensor<20xi32>
  %s86 = tx.argsort %c dim = 0 descending : tensor<5000xi32>
  %r86 = tx.slice %s86 offsets = [0] strides = [1] : tensor<5000xi64> -> tensor<20xi64>
  %s87 = tx.sort %t dim = 0 : tensor<5000xf32>
  %r87 = tx.slice %s87 offsets = [0] strides = [1] : tensor<5000xf32> -> tensor<20xf32>
  %s88 = tx.argsort %t dim = 0 : tensor<5000xf32>
  %r88 = tx.slice %s88 offsets = [0] strides = [1] : tensor<5000xi64> -> tensor<20xi64>
  %s89 = tx.sort %t dim = 0 descending : tensor<5000xf32>
  %r89 = tx.slice %s89 offsets = [0] strides = [1] : tensor<5000xf32> -> tensor<20xf32>
  %s90 = tx.argsort %t dim = 0 descending : tensor<5000xf32>
  %r90 = tx.slice %s90 offsets = [0] strides = [1] : tensor<5000xi64> -> tensor<20xi64>
  return %r75, %r76, %r77, %r78, %r79, %r80, %r81, %r82, %r83, %r84, %r85, %r86, %r87, %r88, %r89, %r90
      : tensor<20xi32>, tensor<20xi64>, tensor<20xi32>, tensor<20xi64>, tensor<20xi32>, tensor<20xi64>, tensor<20xi32>, tensor<20xi64>, tensor<20xi32>, tensor<20xi64>, tensor<20xi32>, tensor<20xi64>, tensor<20xf32>, tensor<20xi64>, tensor<20xf32>, tensor<20xi64>
}

// What is before and behind it; a slice that starts elsewhere, and a sort that is read whole, are not selected.
func.func @fused(%x: tensor<33x400xf32>, %y: tensor<33x400xf32>)
    -> (tensor<33x6xf32>, tensor<33x6xi64>, tensor<5x33xf32>, tensor<5x33xi64>, tensor<33x3xf32>, tensor<33x6xf32>, tensor<33x6xf32>, tensor<30x6xf32>, tensor<33x3xf32>) {
  %e = tx.mul %x, %y : tensor<33x400xf32>
  %s91 = tx.sort %e dim = 1 descending : tensor<33x400xf32>
  %r91 = tx.slice %s91 offsets = [0, 0] strides = [1, 1] : tensor<33x400xf32> -> tensor<33x6xf32>
  %s92 = tx.argsort %e dim = 1 descending : tensor<33x400xf32>
  %r92 = tx.slice %s92 offsets = [0, 0] strides = [1, 1] : tensor<33x400xi64> -> tensor<33x6xi64>
  %f = tx.convert %r92 : tensor<33x6xi64> -> tensor<33x6xf32>
  %g = tx.mul %r91, %f : tensor<33x6xf32>
  %p = tx.transpose %x permutation = [1, 0] : tensor<33x400xf32> -> tensor<400x33xf32>
  %s93 = tx.sort %p dim = 0 : tensor<400x33xf32>
  %r93 = tx.slice %s93 offsets = [0, 0] strides = [1, 1] : tensor<400x33xf32> -> tensor<5x33xf32>
  %s94 = tx.argsort %p dim = 0 : tensor<400x33xf32>
  %r94 = tx.slice %s94 offsets = [0, 0] strides = [1, 1] : tensor<400x33xi64> -> tensor<5x33xi64>
  %q = tx.sort %y dim = 1 : tensor<33x400xf32>
  %q1 = tx.slice %q offsets = [0, 1] strides = [1, 1] : tensor<33x400xf32> -> tensor<33x6xf32>
  %q0 = tx.slice %q offsets = [0, 0] strides = [1, 1] : tensor<33x400xf32> -> tensor<33x6xf32>
  %qd = tx.sub %q1, %q0 : tensor<33x6xf32>
  %w = tx.sort %y dim = 1 descending : tensor<33x400xf32>
  %w0 = tx.slice %w offsets = [2, 0] strides = [1, 1] : tensor<33x400xf32> -> tensor<30x6xf32>
  %s95 = tx.sort %y dim = 1 descending : tensor<33x400xf32>
  %r95 = tx.slice %s95 offsets = [0, 0] strides = [1, 1] : tensor<33x400xf32> -> tensor<33x3xf32>
  %m = tx.softmax %r95 dim = 1 : tensor<33x3xf32>
  return %r91, %r92, %r93, %r94, %r95, %g, %qd, %w0, %m
      : tensor<33x6xf32>, tensor<33x6xi64>, tensor<5x33xf32>, tensor<5x33xi64>, tensor<33x3xf32>, tensor<33x6xf32>, tensor<33x6xf32>, tensor<30x6xf32>, tensor<33x3xf32>
}

func.func @named(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}, %k: tensor<?xf32, #tx.dims<[k]>> {tx.name = "k"})
    -> (tensor<?x?xf32, #tx.dims<[n, k]>>, tensor<?x?xi64, #tx.dims<[n, k]>>, tensor<?x?xf32, #tx.dims<[n, k]>>) {
  %s96 = tx.sort %x dim = 1 descending : tensor<?x?xf32, #tx.dims<[n, m]>>
  %r96 = tx.slice %s96 offsets = [0, 0] strides = [1, 1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[n, k]>>
  %s97 = tx.argsort %x dim = 1 descending : tensor<?x?xf32, #tx.dims<[n, m]>>
  %r97 = tx.slice %s97 offsets = [0, 0] strides = [1, 1] : tensor<?x?xi64, #tx.dims<[n, m]>> -> tensor<?x?xi64, #tx.dims<[n, k]>>
  %s98 = tx.sort %x dim = 1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %r98 = tx.slice %s98 offsets = [0, 0] strides = [1, 1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[n, k]>>
  return %r96, %r97, %r98
      : tensor<?x?xf32, #tx.dims<[n, k]>>, tensor<?x?xi64, #tx.dims<[n, k]>>, tensor<?x?xf32, #tx.dims<[n, k]>>
}

// Rows that lie in lanes: the columns, and short rows side by side.
func.func @across(%x: tensor<3x16xf64>)
    -> (tensor<2x3xf64>, tensor<2x3xi64>, tensor<2x3xf64>, tensor<2x3xi64>) {
  %t = tx.transpose %x permutation = [1, 0] : tensor<3x16xf64> -> tensor<16x3xf64>
  %s0 = tx.sort %t dim = 0 : tensor<16x3xf64>
  %r0 = tx.slice %s0 offsets = [0, 0] strides = [1, 1] : tensor<16x3xf64> -> tensor<2x3xf64>
  %s1 = tx.argsort %t dim = 0 : tensor<16x3xf64>
  %r1 = tx.slice %s1 offsets = [0, 0] strides = [1, 1] : tensor<16x3xi64> -> tensor<2x3xi64>
  %s2 = tx.sort %t dim = 0 descending : tensor<16x3xf64>
  %r2 = tx.slice %s2 offsets = [0, 0] strides = [1, 1] : tensor<16x3xf64> -> tensor<2x3xf64>
  %s3 = tx.argsort %t dim = 0 descending : tensor<16x3xf64>
  %r3 = tx.slice %s3 offsets = [0, 0] strides = [1, 1] : tensor<16x3xi64> -> tensor<2x3xi64>
  return %r0, %r1, %r2, %r3
      : tensor<2x3xf64>, tensor<2x3xi64>, tensor<2x3xf64>, tensor<2x3xi64>
}
// ACROSS:      out0: f64[2,3]
// ACROSS-NEXT: {{\[\[}}-inf, 1, 1],
// ACROSS-NEXT:  [-1, nan, 1]]
// ACROSS-NEXT: out1: i64[2,3]
// ACROSS-NEXT: {{\[\[}}12, 4, 1],
// ACROSS-NEXT:  [2, 0, 2]]
// ACROSS-NEXT: out2: f64[2,3]
// ACROSS-NEXT: {{\[\[}}nan, nan, 2],
// ACROSS-NEXT:  [nan, nan, 2]]
// ACROSS-NEXT: out3: i64[2,3]
// ACROSS-NEXT: {{\[\[}}1, 0, 0],
// ACROSS-NEXT:  [14, 1, 4]]

func.func @columns(%a: tensor<2x70x33xf32>, %b: tensor<300x19xi8>, %c: tensor<37x50xf16>, %d: tensor<40x33xf64>, %e: tensor<600x300xui64>)
    -> (tensor<2x5x33xf32>, tensor<2x5x33xi64>, tensor<2x1x33xf32>, tensor<2x1x33xi64>, tensor<1x70x33xf32>, tensor<1x70x33xi64>, tensor<40x19xi8>, tensor<40x19xi64>, tensor<3x19xi64>, tensor<37x6xf16>, tensor<37x6xi64>, tensor<2x50xf16>, tensor<40x32xf64>, tensor<40x32xi64>, tensor<40x1xf64>, tensor<40x1xi64>, tensor<3x300xui64>, tensor<3x300xi64>, tensor<255x300xui64>) {
  %s0 = tx.sort %a dim = 1 descending : tensor<2x70x33xf32>
  %r0 = tx.slice %s0 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x70x33xf32> -> tensor<2x5x33xf32>
  %s1 = tx.argsort %a dim = 1 descending : tensor<2x70x33xf32>
  %r1 = tx.slice %s1 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x70x33xi64> -> tensor<2x5x33xi64>
  %s2 = tx.sort %a dim = 1 : tensor<2x70x33xf32>
  %r2 = tx.slice %s2 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x70x33xf32> -> tensor<2x1x33xf32>
  %s3 = tx.argsort %a dim = 1 : tensor<2x70x33xf32>
  %r3 = tx.slice %s3 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x70x33xi64> -> tensor<2x1x33xi64>
  %s4 = tx.sort %a dim = 0 descending : tensor<2x70x33xf32>
  %r4 = tx.slice %s4 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x70x33xf32> -> tensor<1x70x33xf32>
  %s5 = tx.argsort %a dim = 0 descending : tensor<2x70x33xf32>
  %r5 = tx.slice %s5 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x70x33xi64> -> tensor<1x70x33xi64>
  %s6 = tx.sort %b dim = 0 : tensor<300x19xi8>
  %r6 = tx.slice %s6 offsets = [0, 0] strides = [1, 1] : tensor<300x19xi8> -> tensor<40x19xi8>
  %s7 = tx.argsort %b dim = 0 : tensor<300x19xi8>
  %r7 = tx.slice %s7 offsets = [0, 0] strides = [1, 1] : tensor<300x19xi64> -> tensor<40x19xi64>
  %s8 = tx.argsort %b dim = 0 descending : tensor<300x19xi8>
  %r8 = tx.slice %s8 offsets = [0, 0] strides = [1, 1] : tensor<300x19xi64> -> tensor<3x19xi64>
  %s9 = tx.sort %c dim = 1 descending : tensor<37x50xf16>
  %r9 = tx.slice %s9 offsets = [0, 0] strides = [1, 1] : tensor<37x50xf16> -> tensor<37x6xf16>
  %s10 = tx.argsort %c dim = 1 descending : tensor<37x50xf16>
  %r10 = tx.slice %s10 offsets = [0, 0] strides = [1, 1] : tensor<37x50xi64> -> tensor<37x6xi64>
  %s11 = tx.sort %c dim = 0 : tensor<37x50xf16>
  %r11 = tx.slice %s11 offsets = [0, 0] strides = [1, 1] : tensor<37x50xf16> -> tensor<2x50xf16>
  %s12 = tx.sort %d dim = 1 descending : tensor<40x33xf64>
  %r12 = tx.slice %s12 offsets = [0, 0] strides = [1, 1] : tensor<40x33xf64> -> tensor<40x32xf64>
  %s13 = tx.argsort %d dim = 1 descending : tensor<40x33xf64>
  %r13 = tx.slice %s13 offsets = [0, 0] strides = [1, 1] : tensor<40x33xi64> -> tensor<40x32xi64>
  %s14 = tx.sort %d dim = 1 descending : tensor<40x33xf64>
  %r14 = tx.slice %s14 offsets = [0, 0] strides = [1, 1] : tensor<40x33xf64> -> tensor<40x1xf64>
  %s15 = tx.argsort %d dim = 1 descending : tensor<40x33xf64>
  %r15 = tx.slice %s15 offsets = [0, 0] strides = [1, 1] : tensor<40x33xi64> -> tensor<40x1xi64>
  %s16 = tx.sort %e dim = 0 descending : tensor<600x300xui64>
  %r16 = tx.slice %s16 offsets = [0, 0] strides = [1, 1] : tensor<600x300xui64> -> tensor<3x300xui64>
  %s17 = tx.argsort %e dim = 0 descending : tensor<600x300xui64>
  %r17 = tx.slice %s17 offsets = [0, 0] strides = [1, 1] : tensor<600x300xi64> -> tensor<3x300xi64>
  %s18 = tx.sort %e dim = 0 : tensor<600x300xui64>
  %r18 = tx.slice %s18 offsets = [0, 0] strides = [1, 1] : tensor<600x300xui64> -> tensor<255x300xui64>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18
      : tensor<2x5x33xf32>, tensor<2x5x33xi64>, tensor<2x1x33xf32>, tensor<2x1x33xi64>, tensor<1x70x33xf32>, tensor<1x70x33xi64>, tensor<40x19xi8>, tensor<40x19xi64>, tensor<3x19xi64>, tensor<37x6xf16>, tensor<37x6xi64>, tensor<2x50xf16>, tensor<40x32xf64>, tensor<40x32xi64>, tensor<40x1xf64>, tensor<40x1xi64>, tensor<3x300xui64>, tensor<3x300xi64>, tensor<255x300xui64>
}

func.func @named_columns(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"})
    -> (tensor<5x?xf32, #tx.dims<[5, m]>>, tensor<5x?xi64, #tx.dims<[5, m]>>) {
  %0 = tx.sort %x dim = 0 descending : tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<5x?xf32, #tx.dims<[5, m]>>
  %2 = tx.argsort %x dim = 0 descending : tensor<?x?xf32, #tx.dims<[n, m]>>
  %3 = tx.slice %2 offsets = [0, 0] strides = [1, 1] : tensor<?x?xi64, #tx.dims<[n, m]>> -> tensor<5x?xi64, #tx.dims<[5, m]>>
  return %1, %3 : tensor<5x?xf32, #tx.dims<[5, m]>>, tensor<5x?xi64, #tx.dims<[5, m]>>
}
