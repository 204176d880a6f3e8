// How many bits are set.
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
  %r_i8 = tx.popcount %x_i8 : tensor<10xi8>
  %x_i16 = tx.convert %x : tensor<10xi64> -> tensor<10xi16>
  %r_i16 = tx.popcount %x_i16 : tensor<10xi16>
  %x_i32 = tx.convert %x : tensor<10xi64> -> tensor<10xi32>
  %r_i32 = tx.popcount %x_i32 : tensor<10xi32>
  %r_i64 = tx.popcount %x : tensor<10xi64>
  %x_ui8 = tx.convert %x : tensor<10xi64> -> tensor<10xui8>
  %r_ui8 = tx.popcount %x_ui8 : tensor<10xui8>
  %x_ui16 = tx.convert %x : tensor<10xi64> -> tensor<10xui16>
  %r_ui16 = tx.popcount %x_ui16 : tensor<10xui16>
  %x_ui32 = tx.convert %x : tensor<10xi64> -> tensor<10xui32>
  %r_ui32 = tx.popcount %x_ui32 : tensor<10xui32>
  %x_ui64 = tx.convert %x : tensor<10xi64> -> tensor<10xui64>
  %r_ui64 = tx.popcount %x_ui64 : tensor<10xui64>
  return %r_i8, %r_i16, %r_i32, %r_i64, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<10xi8>, tensor<10xi16>, tensor<10xi32>, tensor<10xi64>, tensor<10xui8>, tensor<10xui16>, tensor<10xui32>, tensor<10xui64>
}
// INT: i8: i8[10]
// INT-NEXT: [0, 1, 8, 2, 1, 7, 8, 0, 5, 8]
// INT-NEXT: i16: i16[10]
// INT-NEXT: [0, 1, 16, 2, 9, 7, 8, 0, 6, 16]
// INT-NEXT: i32: i32[10]
// INT-NEXT: [0, 1, 32, 2, 25, 7, 8, 1, 17, 16]
// INT-NEXT: i64: i64[10]
// INT-NEXT: [0, 1, 64, 2, 57, 7, 8, 33, 23, 16]
// INT-NEXT: ui8: ui8[10]
// INT-NEXT: [0, 1, 8, 2, 1, 7, 8, 0, 5, 8]
// INT-NEXT: ui16: ui16[10]
// INT-NEXT: [0, 1, 16, 2, 9, 7, 8, 0, 6, 16]
// INT-NEXT: ui32: ui32[10]
// INT-NEXT: [0, 1, 32, 2, 25, 7, 8, 1, 17, 16]
// INT-NEXT: ui64: ui64[10]
// INT-NEXT: [0, 1, 64, 2, 57, 7, 8, 33, 23, 16]

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
  %r0 = tx.popcount %x0 : tensor<i32>
  %r1 = tx.popcount %x1 : tensor<0xi32>
  %r2 = tx.popcount %x2 : tensor<1xi32>
  %r3 = tx.popcount %x3 : tensor<37xi8>
  %r4 = tx.popcount %x4 : tensor<1000xi32>
  %r5 = tx.popcount %x5 : tensor<3x5x67xi16>
  %r6 = tx.popcount %x6 : tensor<129xi64>
  %r7 = tx.popcount %x7 : tensor<65xui32>
  %rn = tx.popcount %xn : tensor<?x?xi32, #tx.dims<[n, m]>>
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
