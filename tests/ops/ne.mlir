// NaN differs from everything, also from itself.
//
// RUN: %npy %t.x.npy f64 '[1.0, 2.0, 2.0, -0.0, nan, nan, inf, -inf, 1.0]'
// RUN: %npy %t.y.npy f64 '[2.0, 1.0, 2.0, 0.0, nan, 1.0, inf, inf, nan]'
// RUN: %run_op --input=%t.x.npy --input=%t.y.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy --input=%t.y.npy | FileCheck %s --check-prefix=HALF
// RUN: %npy %t.i.npy i64 '[1, 2, 2, -1, -9223372036854775808, 200]'
// RUN: %npy %t.j.npy i64 '[2, 1, 2, 1, 9223372036854775807, -56]'
// RUN: %run_op --entry=ints --input=%t.i.npy --input=%t.j.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=narrow --input=%t.i.npy --input=%t.j.npy | FileCheck %s --check-prefix=NARROW
// RUN: %npy %t.p.npy i1 '[true, true, false, false]'
// RUN: %npy %t.q.npy i1 '[true, false, true, false]'
// RUN: %run_op --entry=bools --input=%t.p.npy --input=%t.q.npy | FileCheck %s --check-prefix=BOOL
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<9xf64>, %y: tensor<9xf64>)
    -> (tensor<9xi1> {tx.name = "f64"},
        tensor<9xi1> {tx.name = "f32"},
        tensor<9xi1> {tx.name = "bf16"}) {
  %r_f64 = tx.ne %x, %y : tensor<9xf64>
  %x_f32 = tx.convert %x : tensor<9xf64> -> tensor<9xf32>
  %y_f32 = tx.convert %y : tensor<9xf64> -> tensor<9xf32>
  %r_f32 = tx.ne %x_f32, %y_f32 : tensor<9xf32>
  %x_bf16 = tx.convert %x : tensor<9xf64> -> tensor<9xbf16>
  %y_bf16 = tx.convert %y : tensor<9xf64> -> tensor<9xbf16>
  %r_bf16 = tx.ne %x_bf16, %y_bf16 : tensor<9xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<9xi1>, tensor<9xi1>, tensor<9xi1>
}
// CHECK: f64: i1[9]
// CHECK-NEXT: [true, true, false, false, true, true, false, true, true]
// CHECK-NEXT: f32: i1[9]
// CHECK-NEXT: [true, true, false, false, true, true, false, true, true]
// CHECK-NEXT: bf16: i1[9]
// CHECK-NEXT: [true, true, false, false, true, true, false, true, true]

func.func @half(%x: tensor<9xf64>, %y: tensor<9xf64>)
    -> (tensor<9xi1> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<9xf64> -> tensor<9xf16>
  %y_f16 = tx.convert %y : tensor<9xf64> -> tensor<9xf16>
  %r_f16 = tx.ne %x_f16, %y_f16 : tensor<9xf16>
  return %r_f16
      : tensor<9xi1>
}
// HALF: f16: i1[9]
// HALF-NEXT: [true, true, false, false, true, true, false, true, true]

func.func @ints(%x: tensor<6xi64>, %y: tensor<6xi64>)
    -> (tensor<6xi1> {tx.name = "i64"},
        tensor<6xi1> {tx.name = "i32"}) {
  %r_i64 = tx.ne %x, %y : tensor<6xi64>
  %x_i32 = tx.convert %x : tensor<6xi64> -> tensor<6xi32>
  %y_i32 = tx.convert %y : tensor<6xi64> -> tensor<6xi32>
  %r_i32 = tx.ne %x_i32, %y_i32 : tensor<6xi32>
  return %r_i64, %r_i32
      : tensor<6xi1>, tensor<6xi1>
}
// INT: i64: i1[6]
// INT-NEXT: [true, true, false, true, true, true]
// INT-NEXT: i32: i1[6]
// INT-NEXT: [true, true, false, true, true, true]

func.func @narrow(%x: tensor<6xi64>, %y: tensor<6xi64>)
    -> (tensor<6xi1> {tx.name = "i8"},
        tensor<6xi1> {tx.name = "i16"},
        tensor<6xi1> {tx.name = "ui8"},
        tensor<6xi1> {tx.name = "ui16"},
        tensor<6xi1> {tx.name = "ui32"},
        tensor<6xi1> {tx.name = "ui64"}) {
  %x_i8 = tx.convert %x : tensor<6xi64> -> tensor<6xi8>
  %y_i8 = tx.convert %y : tensor<6xi64> -> tensor<6xi8>
  %r_i8 = tx.ne %x_i8, %y_i8 : tensor<6xi8>
  %x_i16 = tx.convert %x : tensor<6xi64> -> tensor<6xi16>
  %y_i16 = tx.convert %y : tensor<6xi64> -> tensor<6xi16>
  %r_i16 = tx.ne %x_i16, %y_i16 : tensor<6xi16>
  %x_ui8 = tx.convert %x : tensor<6xi64> -> tensor<6xui8>
  %y_ui8 = tx.convert %y : tensor<6xi64> -> tensor<6xui8>
  %r_ui8 = tx.ne %x_ui8, %y_ui8 : tensor<6xui8>
  %x_ui16 = tx.convert %x : tensor<6xi64> -> tensor<6xui16>
  %y_ui16 = tx.convert %y : tensor<6xi64> -> tensor<6xui16>
  %r_ui16 = tx.ne %x_ui16, %y_ui16 : tensor<6xui16>
  %x_ui32 = tx.convert %x : tensor<6xi64> -> tensor<6xui32>
  %y_ui32 = tx.convert %y : tensor<6xi64> -> tensor<6xui32>
  %r_ui32 = tx.ne %x_ui32, %y_ui32 : tensor<6xui32>
  %x_ui64 = tx.convert %x : tensor<6xi64> -> tensor<6xui64>
  %y_ui64 = tx.convert %y : tensor<6xi64> -> tensor<6xui64>
  %r_ui64 = tx.ne %x_ui64, %y_ui64 : tensor<6xui64>
  return %r_i8, %r_i16, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>
}
// NARROW: i8: i1[6]
// NARROW-NEXT: [true, true, false, true, true, false]
// NARROW-NEXT: i16: i1[6]
// NARROW-NEXT: [true, true, false, true, true, true]
// NARROW-NEXT: ui8: i1[6]
// NARROW-NEXT: [true, true, false, true, true, false]
// NARROW-NEXT: ui16: i1[6]
// NARROW-NEXT: [true, true, false, true, true, true]
// NARROW-NEXT: ui32: i1[6]
// NARROW-NEXT: [true, true, false, true, true, true]
// NARROW-NEXT: ui64: i1[6]
// NARROW-NEXT: [true, true, false, true, true, true]

func.func @bools(%x: tensor<4xi1>, %y: tensor<4xi1>)
    -> (tensor<4xi1> {tx.name = "i1"}) {
  %r_i1 = tx.ne %x, %y : tensor<4xi1>
  return %r_i1
      : tensor<4xi1>
}
// BOOL: i1: i1[4]
// BOOL-NEXT: [false, true, true, false]

func.func @sizes(%x0: tensor<f32>, %y0: tensor<f32>,
                 %x1: tensor<0xf32>, %y1: tensor<0xf32>,
                 %x2: tensor<1xf32>, %y2: tensor<1xf32>,
                 %x3: tensor<37xbf16>, %y3: tensor<37xbf16>,
                 %x4: tensor<1000xf32>, %y4: tensor<1000xf32>,
                 %x5: tensor<3x5x67xf32>, %y5: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"}, %yn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "yn"})
    -> (tensor<i1>,
        tensor<0xi1>,
        tensor<1xi1>,
        tensor<37xi1>,
        tensor<1000xi1>,
        tensor<3x5x67xi1>,
        tensor<?x?xi1, #tx.dims<[n, m]>>) {
  %r0 = tx.ne %x0, %y0 : tensor<f32>
  %r1 = tx.ne %x1, %y1 : tensor<0xf32>
  %r2 = tx.ne %x2, %y2 : tensor<1xf32>
  %r3 = tx.ne %x3, %y3 : tensor<37xbf16>
  %r4 = tx.ne %x4, %y4 : tensor<1000xf32>
  %r5 = tx.ne %x5, %y5 : tensor<3x5x67xf32>
  %rn = tx.ne %xn, %yn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<i1>,
        tensor<0xi1>,
        tensor<1xi1>,
        tensor<37xi1>,
        tensor<1000xi1>,
        tensor<3x5x67xi1>,
        tensor<?x?xi1, #tx.dims<[n, m]>>
}
