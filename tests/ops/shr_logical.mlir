// Zeros come in from the left.
//
// RUN: %npy %t.ix.npy i64 '[0, 1, -1, 5, -128, 127, 255, -2147483648, 1234567890123, 65535]'
// RUN: %npy %t.iy.npy i64 '[3, 1, 7, -1, 2, 6, 15, 31, 40, 16]'
// RUN: %run_op --entry=ints --input=%t.ix.npy --input=%t.iy.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @ints(%x: tensor<10xi64>, %y: tensor<10xi64>)
    -> (tensor<10xi8> {tx.name = "i8"},
        tensor<10xi16> {tx.name = "i16"},
        tensor<10xi32> {tx.name = "i32"},
        tensor<10xi64> {tx.name = "i64"},
        tensor<10xui8> {tx.name = "ui8"},
        tensor<10xui16> {tx.name = "ui16"},
        tensor<10xui32> {tx.name = "ui32"},
        tensor<10xui64> {tx.name = "ui64"}) {
  %x_i8 = tx.convert %x : tensor<10xi64> -> tensor<10xi8>
  %y_i8 = tx.convert %y : tensor<10xi64> -> tensor<10xi8>
  %r_i8 = tx.shr_logical %x_i8, %y_i8 : tensor<10xi8>
  %x_i16 = tx.convert %x : tensor<10xi64> -> tensor<10xi16>
  %y_i16 = tx.convert %y : tensor<10xi64> -> tensor<10xi16>
  %r_i16 = tx.shr_logical %x_i16, %y_i16 : tensor<10xi16>
  %x_i32 = tx.convert %x : tensor<10xi64> -> tensor<10xi32>
  %y_i32 = tx.convert %y : tensor<10xi64> -> tensor<10xi32>
  %r_i32 = tx.shr_logical %x_i32, %y_i32 : tensor<10xi32>
  %r_i64 = tx.shr_logical %x, %y : tensor<10xi64>
  %x_ui8 = tx.convert %x : tensor<10xi64> -> tensor<10xui8>
  %y_ui8 = tx.convert %y : tensor<10xi64> -> tensor<10xui8>
  %r_ui8 = tx.shr_logical %x_ui8, %y_ui8 : tensor<10xui8>
  %x_ui16 = tx.convert %x : tensor<10xi64> -> tensor<10xui16>
  %y_ui16 = tx.convert %y : tensor<10xi64> -> tensor<10xui16>
  %r_ui16 = tx.shr_logical %x_ui16, %y_ui16 : tensor<10xui16>
  %x_ui32 = tx.convert %x : tensor<10xi64> -> tensor<10xui32>
  %y_ui32 = tx.convert %y : tensor<10xi64> -> tensor<10xui32>
  %r_ui32 = tx.shr_logical %x_ui32, %y_ui32 : tensor<10xui32>
  %x_ui64 = tx.convert %x : tensor<10xi64> -> tensor<10xui64>
  %y_ui64 = tx.convert %y : tensor<10xi64> -> tensor<10xui64>
  %r_ui64 = tx.shr_logical %x_ui64, %y_ui64 : tensor<10xui64>
  return %r_i8, %r_i16, %r_i32, %r_i64, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<10xi8>, tensor<10xi16>, tensor<10xi32>, tensor<10xi64>, tensor<10xui8>, tensor<10xui16>, tensor<10xui32>, tensor<10xui64>
}
// INT: i8: i8[10]
// INT-NEXT: [0, 0, 1, 0, 32, 1, 0, 0, 0, 0]
// INT-NEXT: i16: i16[10]
// INT-NEXT: [0, 0, 511, 0, 16352, 1, 0, 0, 0, 0]
// INT-NEXT: i32: i32[10]
// INT-NEXT: [0, 0, 33554431, 0, 1073741792, 1, 0, 1, 0, 0]
// INT-NEXT: i64: i64[10]
// INT-NEXT: [0, 0, 144115188075855871, 0, 4611686018427387872, 1, 0, 8589934591, 1, 0]
// INT-NEXT: ui8: ui8[10]
// INT-NEXT: [0, 0, 1, 0, 32, 1, 0, 0, 0, 0]
// INT-NEXT: ui16: ui16[10]
// INT-NEXT: [0, 0, 511, 0, 16352, 1, 0, 0, 0, 0]
// INT-NEXT: ui32: ui32[10]
// INT-NEXT: [0, 0, 33554431, 0, 1073741792, 1, 0, 1, 0, 0]
// INT-NEXT: ui64: ui64[10]
// INT-NEXT: [0, 0, 144115188075855871, 0, 4611686018427387872, 1, 0, 8589934591, 1, 0]

func.func @sizes(%x0: tensor<i32>, %y0: tensor<i32>,
                 %x1: tensor<0xi32>, %y1: tensor<0xi32>,
                 %x2: tensor<1xi32>, %y2: tensor<1xi32>,
                 %x3: tensor<37xi8>, %y3: tensor<37xi8>,
                 %x4: tensor<1000xi32>, %y4: tensor<1000xi32>,
                 %x5: tensor<3x5x67xi16>, %y5: tensor<3x5x67xi16>,
                 %x6: tensor<129xi64>, %y6: tensor<129xi64>,
                 %x7: tensor<65xui32>, %y7: tensor<65xui32>,
                 %xn: tensor<?x?xi32, #tx.dims<[n, m]>> {tx.name = "xn"}, %yn: tensor<?x?xi32, #tx.dims<[n, m]>> {tx.name = "yn"})
    -> (tensor<i32>,
        tensor<0xi32>,
        tensor<1xi32>,
        tensor<37xi8>,
        tensor<1000xi32>,
        tensor<3x5x67xi16>,
        tensor<129xi64>,
        tensor<65xui32>,
        tensor<?x?xi32, #tx.dims<[n, m]>>) {
  %r0 = tx.shr_logical %x0, %y0 : tensor<i32>
  %r1 = tx.shr_logical %x1, %y1 : tensor<0xi32>
  %r2 = tx.shr_logical %x2, %y2 : tensor<1xi32>
  %r3 = tx.shr_logical %x3, %y3 : tensor<37xi8>
  %r4 = tx.shr_logical %x4, %y4 : tensor<1000xi32>
  %r5 = tx.shr_logical %x5, %y5 : tensor<3x5x67xi16>
  %r6 = tx.shr_logical %x6, %y6 : tensor<129xi64>
  %r7 = tx.shr_logical %x7, %y7 : tensor<65xui32>
  %rn = tx.shr_logical %xn, %yn : tensor<?x?xi32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %rn
      : tensor<i32>,
        tensor<0xi32>,
        tensor<1xi32>,
        tensor<37xi8>,
        tensor<1000xi32>,
        tensor<3x5x67xi16>,
        tensor<129xi64>,
        tensor<65xui32>,
        tensor<?x?xi32, #tx.dims<[n, m]>>
}
