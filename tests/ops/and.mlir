// Bitwise on integers.
//
// RUN: %npy %t.i.npy i64 '[12, -1, 0, 255, -128]'
// RUN: %npy %t.j.npy i64 '[10, 7, 5, 15, 127]'
// RUN: %run_op --entry=ints --input=%t.i.npy --input=%t.j.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=narrow --input=%t.i.npy --input=%t.j.npy | FileCheck %s --check-prefix=NARROW
// RUN: %npy %t.p.npy i1 '[true, true, false, false]'
// RUN: %npy %t.q.npy i1 '[true, false, true, false]'
// RUN: %run_op --entry=bools --input=%t.p.npy --input=%t.q.npy | FileCheck %s --check-prefix=BOOL
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @ints(%x: tensor<5xi64>, %y: tensor<5xi64>)
    -> (tensor<5xi64> {tx.name = "i64"},
        tensor<5xi32> {tx.name = "i32"}) {
  %r_i64 = tx.and %x, %y : tensor<5xi64>
  %x_i32 = tx.convert %x : tensor<5xi64> -> tensor<5xi32>
  %y_i32 = tx.convert %y : tensor<5xi64> -> tensor<5xi32>
  %r_i32 = tx.and %x_i32, %y_i32 : tensor<5xi32>
  return %r_i64, %r_i32
      : tensor<5xi64>, tensor<5xi32>
}
// INT: i64: i64[5]
// INT-NEXT: [8, 7, 0, 15, 0]
// INT-NEXT: i32: i32[5]
// INT-NEXT: [8, 7, 0, 15, 0]

func.func @narrow(%x: tensor<5xi64>, %y: tensor<5xi64>)
    -> (tensor<5xi8> {tx.name = "i8"},
        tensor<5xi16> {tx.name = "i16"},
        tensor<5xui8> {tx.name = "ui8"},
        tensor<5xui16> {tx.name = "ui16"},
        tensor<5xui32> {tx.name = "ui32"},
        tensor<5xui64> {tx.name = "ui64"}) {
  %x_i8 = tx.convert %x : tensor<5xi64> -> tensor<5xi8>
  %y_i8 = tx.convert %y : tensor<5xi64> -> tensor<5xi8>
  %r_i8 = tx.and %x_i8, %y_i8 : tensor<5xi8>
  %x_i16 = tx.convert %x : tensor<5xi64> -> tensor<5xi16>
  %y_i16 = tx.convert %y : tensor<5xi64> -> tensor<5xi16>
  %r_i16 = tx.and %x_i16, %y_i16 : tensor<5xi16>
  %x_ui8 = tx.convert %x : tensor<5xi64> -> tensor<5xui8>
  %y_ui8 = tx.convert %y : tensor<5xi64> -> tensor<5xui8>
  %r_ui8 = tx.and %x_ui8, %y_ui8 : tensor<5xui8>
  %x_ui16 = tx.convert %x : tensor<5xi64> -> tensor<5xui16>
  %y_ui16 = tx.convert %y : tensor<5xi64> -> tensor<5xui16>
  %r_ui16 = tx.and %x_ui16, %y_ui16 : tensor<5xui16>
  %x_ui32 = tx.convert %x : tensor<5xi64> -> tensor<5xui32>
  %y_ui32 = tx.convert %y : tensor<5xi64> -> tensor<5xui32>
  %r_ui32 = tx.and %x_ui32, %y_ui32 : tensor<5xui32>
  %x_ui64 = tx.convert %x : tensor<5xi64> -> tensor<5xui64>
  %y_ui64 = tx.convert %y : tensor<5xi64> -> tensor<5xui64>
  %r_ui64 = tx.and %x_ui64, %y_ui64 : tensor<5xui64>
  return %r_i8, %r_i16, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<5xi8>, tensor<5xi16>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>
}
// NARROW: i8: i8[5]
// NARROW-NEXT: [8, 7, 0, 15, 0]
// NARROW-NEXT: i16: i16[5]
// NARROW-NEXT: [8, 7, 0, 15, 0]
// NARROW-NEXT: ui8: ui8[5]
// NARROW-NEXT: [8, 7, 0, 15, 0]
// NARROW-NEXT: ui16: ui16[5]
// NARROW-NEXT: [8, 7, 0, 15, 0]
// NARROW-NEXT: ui32: ui32[5]
// NARROW-NEXT: [8, 7, 0, 15, 0]
// NARROW-NEXT: ui64: ui64[5]
// NARROW-NEXT: [8, 7, 0, 15, 0]

func.func @bools(%x: tensor<4xi1>, %y: tensor<4xi1>)
    -> (tensor<4xi1> {tx.name = "i1"}) {
  %r_i1 = tx.and %x, %y : tensor<4xi1>
  return %r_i1
      : tensor<4xi1>
}
// BOOL: i1: i1[4]
// BOOL-NEXT: [true, false, false, false]

func.func @sizes(%x0: tensor<i32>, %y0: tensor<i32>,
                 %x1: tensor<0xi32>, %y1: tensor<0xi32>,
                 %x2: tensor<1xi32>, %y2: tensor<1xi32>,
                 %x3: tensor<37xi64>, %y3: tensor<37xi64>,
                 %x4: tensor<1000xi32>, %y4: tensor<1000xi32>,
                 %x5: tensor<3x5x67xi32>, %y5: tensor<3x5x67xi32>,
                 %xn: tensor<?x?xi32, #tx.dims<[n, m]>> {tx.name = "xn"}, %yn: tensor<?x?xi32, #tx.dims<[n, m]>> {tx.name = "yn"})
    -> (tensor<i32>,
        tensor<0xi32>,
        tensor<1xi32>,
        tensor<37xi64>,
        tensor<1000xi32>,
        tensor<3x5x67xi32>,
        tensor<?x?xi32, #tx.dims<[n, m]>>) {
  %r0 = tx.and %x0, %y0 : tensor<i32>
  %r1 = tx.and %x1, %y1 : tensor<0xi32>
  %r2 = tx.and %x2, %y2 : tensor<1xi32>
  %r3 = tx.and %x3, %y3 : tensor<37xi64>
  %r4 = tx.and %x4, %y4 : tensor<1000xi32>
  %r5 = tx.and %x5, %y5 : tensor<3x5x67xi32>
  %rn = tx.and %xn, %yn : tensor<?x?xi32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<i32>,
        tensor<0xi32>,
        tensor<1xi32>,
        tensor<37xi64>,
        tensor<1000xi32>,
        tensor<3x5x67xi32>,
        tensor<?x?xi32, #tx.dims<[n, m]>>
}
