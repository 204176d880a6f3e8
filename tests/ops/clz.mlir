// How many zero bits lead; the width for 0.
//
// RUN: %npy %t.ix.npy i64 '[0, 1, -1, 5, -128, 127, 255, -2147483648, 1234567890123, 65535]'
// RUN: %run_op --entry=ints --input=%t.ix.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @ints(%x: tensor<10xi64>)
    -> (tensor<10xi8> {tx.name = "i8"},
        tensor<10xi16> {tx.name = "i16"},
        tensor<10xi32> {tx.name = "i32"},
        tensor<10xi64> {tx.name = "i64"},
        tensor<10xui8> {tx.name = "ui8"},
        tensor<10xui16> {tx.name = "ui16"},
        tensor<10xui32> {tx.name = "ui32"},
        tensor<10xui64> {tx.name = "ui64"}) {
  %x_i8 = tx.convert %x : tensor<10xi64> -> tensor<10xi8>
  %r_i8 = tx.clz %x_i8 : tensor<10xi8>
  %x_i16 = tx.convert %x : tensor<10xi64> -> tensor<10xi16>
  %r_i16 = tx.clz %x_i16 : tensor<10xi16>
  %x_i32 = tx.convert %x : tensor<10xi64> -> tensor<10xi32>
  %r_i32 = tx.clz %x_i32 : tensor<10xi32>
  %r_i64 = tx.clz %x : tensor<10xi64>
  %x_ui8 = tx.convert %x : tensor<10xi64> -> tensor<10xui8>
  %r_ui8 = tx.clz %x_ui8 : tensor<10xui8>
  %x_ui16 = tx.convert %x : tensor<10xi64> -> tensor<10xui16>
  %r_ui16 = tx.clz %x_ui16 : tensor<10xui16>
  %x_ui32 = tx.convert %x : tensor<10xi64> -> tensor<10xui32>
  %r_ui32 = tx.clz %x_ui32 : tensor<10xui32>
  %x_ui64 = tx.convert %x : tensor<10xi64> -> tensor<10xui64>
  %r_ui64 = tx.clz %x_ui64 : tensor<10xui64>
  return %r_i8, %r_i16, %r_i32, %r_i64, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<10xi8>, tensor<10xi16>, tensor<10xi32>, tensor<10xi64>, tensor<10xui8>, tensor<10xui16>, tensor<10xui32>, tensor<10xui64>
}
// INT: i8: i8[10]
// INT-NEXT: [8, 7, 0, 5, 0, 1, 0, 8, 0, 0]
// INT-NEXT: i16: i16[10]
// INT-NEXT: [16, 15, 0, 13, 0, 9, 8, 16, 5, 0]
// INT-NEXT: i32: i32[10]
// INT-NEXT: [32, 31, 0, 29, 0, 25, 24, 0, 1, 16]
// INT-NEXT: i64: i64[10]
// INT-NEXT: [64, 63, 0, 61, 0, 57, 56, 0, 23, 48]
// INT-NEXT: ui8: ui8[10]
// INT-NEXT: [8, 7, 0, 5, 0, 1, 0, 8, 0, 0]
// INT-NEXT: ui16: ui16[10]
// INT-NEXT: [16, 15, 0, 13, 0, 9, 8, 16, 5, 0]
// INT-NEXT: ui32: ui32[10]
// INT-NEXT: [32, 31, 0, 29, 0, 25, 24, 0, 1, 16]
// INT-NEXT: ui64: ui64[10]
// INT-NEXT: [64, 63, 0, 61, 0, 57, 56, 0, 23, 48]

func.func @sizes(%x0: tensor<i32>,
                 %x1: tensor<0xi32>,
                 %x2: tensor<1xi32>,
                 %x3: tensor<37xi8>,
                 %x4: tensor<1000xi32>,
                 %x5: tensor<3x5x67xi16>,
                 %x6: tensor<129xi64>,
                 %x7: tensor<65xui32>,
                 %xn: tensor<?x?xi32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<i32>,
        tensor<0xi32>,
        tensor<1xi32>,
        tensor<37xi8>,
        tensor<1000xi32>,
        tensor<3x5x67xi16>,
        tensor<129xi64>,
        tensor<65xui32>,
        tensor<?x?xi32, #tx.dims<[n, m]>>) {
  %r0 = tx.clz %x0 : tensor<i32>
  %r1 = tx.clz %x1 : tensor<0xi32>
  %r2 = tx.clz %x2 : tensor<1xi32>
  %r3 = tx.clz %x3 : tensor<37xi8>
  %r4 = tx.clz %x4 : tensor<1000xi32>
  %r5 = tx.clz %x5 : tensor<3x5x67xi16>
  %r6 = tx.clz %x6 : tensor<129xi64>
  %r7 = tx.clz %x7 : tensor<65xui32>
  %rn = tx.clz %xn : tensor<?x?xi32, #tx.dims<[n, m]>>
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
