// Products round to the dtype; integers wrap around.
//
// RUN: %npy %t.x.npy f64 '[3.0, -0.0, 0.0, inf, inf, nan, 1e+30, 0.1, -2.5]'
// RUN: %npy %t.y.npy f64 '[2.0, 5.0, inf, -inf, 2.0, 1.0, 1e+30, 0.1, 0.5]'
// RUN: %run_op --input=%t.x.npy --input=%t.y.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy --input=%t.y.npy | FileCheck %s --check-prefix=HALF
// RUN: %npy %t.i.npy i64 '[7, -7, 9223372036854775807, 2147483647, -128, 200, 0]'
// RUN: %npy %t.j.npy i64 '[2, 2, 2, 3, -1, 100, 5]'
// RUN: %run_op --entry=ints --input=%t.i.npy --input=%t.j.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=narrow --input=%t.i.npy --input=%t.j.npy | FileCheck %s --check-prefix=NARROW
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<9xf64>, %y: tensor<9xf64>)
    -> (tensor<9xf64> {tx.name = "f64"},
        tensor<9xf32> {tx.name = "f32"},
        tensor<9xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.mul %x, %y : tensor<9xf64>
  %x_f32 = tx.convert %x : tensor<9xf64> -> tensor<9xf32>
  %y_f32 = tx.convert %y : tensor<9xf64> -> tensor<9xf32>
  %r_f32 = tx.mul %x_f32, %y_f32 : tensor<9xf32>
  %x_bf16 = tx.convert %x : tensor<9xf64> -> tensor<9xbf16>
  %y_bf16 = tx.convert %y : tensor<9xf64> -> tensor<9xbf16>
  %r_bf16 = tx.mul %x_bf16, %y_bf16 : tensor<9xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<9xf64>, tensor<9xf32>, tensor<9xbf16>
}
// CHECK: f64: f64[9]
// CHECK-NEXT: [6, -0, nan, -inf, inf, nan, 1.0000000000000001e+60, 0.010000000000000002, -1.25]
// CHECK-NEXT: f32: f32[9]
// CHECK-NEXT: [6, -0, nan, -inf, inf, nan, inf, 0.010000001, -1.25]
// CHECK-NEXT: bf16: bf16[9]
// CHECK-NEXT: [6, -0, nan, -inf, inf, nan, inf, 0.01, -1.25]

func.func @half(%x: tensor<9xf64>, %y: tensor<9xf64>)
    -> (tensor<9xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<9xf64> -> tensor<9xf16>
  %y_f16 = tx.convert %y : tensor<9xf64> -> tensor<9xf16>
  %r_f16 = tx.mul %x_f16, %y_f16 : tensor<9xf16>
  return %r_f16
      : tensor<9xf16>
}
// HALF: f16: f16[9]
// HALF-NEXT: [6, -0, nan, -inf, inf, nan, inf, 0.009995, -1.25]

func.func @ints(%x: tensor<7xi64>, %y: tensor<7xi64>)
    -> (tensor<7xi64> {tx.name = "i64"},
        tensor<7xi32> {tx.name = "i32"}) {
  %r_i64 = tx.mul %x, %y : tensor<7xi64>
  %x_i32 = tx.convert %x : tensor<7xi64> -> tensor<7xi32>
  %y_i32 = tx.convert %y : tensor<7xi64> -> tensor<7xi32>
  %r_i32 = tx.mul %x_i32, %y_i32 : tensor<7xi32>
  return %r_i64, %r_i32
      : tensor<7xi64>, tensor<7xi32>
}
// INT: i64: i64[7]
// INT-NEXT: [14, -14, -2, 6442450941, 128, 20000, 0]
// INT-NEXT: i32: i32[7]
// INT-NEXT: [14, -14, -2, 2147483645, 128, 20000, 0]

func.func @narrow(%x: tensor<7xi64>, %y: tensor<7xi64>)
    -> (tensor<7xi8> {tx.name = "i8"},
        tensor<7xi16> {tx.name = "i16"},
        tensor<7xui8> {tx.name = "ui8"},
        tensor<7xui16> {tx.name = "ui16"},
        tensor<7xui32> {tx.name = "ui32"},
        tensor<7xui64> {tx.name = "ui64"}) {
  %x_i8 = tx.convert %x : tensor<7xi64> -> tensor<7xi8>
  %y_i8 = tx.convert %y : tensor<7xi64> -> tensor<7xi8>
  %r_i8 = tx.mul %x_i8, %y_i8 : tensor<7xi8>
  %x_i16 = tx.convert %x : tensor<7xi64> -> tensor<7xi16>
  %y_i16 = tx.convert %y : tensor<7xi64> -> tensor<7xi16>
  %r_i16 = tx.mul %x_i16, %y_i16 : tensor<7xi16>
  %x_ui8 = tx.convert %x : tensor<7xi64> -> tensor<7xui8>
  %y_ui8 = tx.convert %y : tensor<7xi64> -> tensor<7xui8>
  %r_ui8 = tx.mul %x_ui8, %y_ui8 : tensor<7xui8>
  %x_ui16 = tx.convert %x : tensor<7xi64> -> tensor<7xui16>
  %y_ui16 = tx.convert %y : tensor<7xi64> -> tensor<7xui16>
  %r_ui16 = tx.mul %x_ui16, %y_ui16 : tensor<7xui16>
  %x_ui32 = tx.convert %x : tensor<7xi64> -> tensor<7xui32>
  %y_ui32 = tx.convert %y : tensor<7xi64> -> tensor<7xui32>
  %r_ui32 = tx.mul %x_ui32, %y_ui32 : tensor<7xui32>
  %x_ui64 = tx.convert %x : tensor<7xi64> -> tensor<7xui64>
  %y_ui64 = tx.convert %y : tensor<7xi64> -> tensor<7xui64>
  %r_ui64 = tx.mul %x_ui64, %y_ui64 : tensor<7xui64>
  return %r_i8, %r_i16, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<7xi8>, tensor<7xi16>, tensor<7xui8>, tensor<7xui16>, tensor<7xui32>, tensor<7xui64>
}
// NARROW: i8: i8[7]
// NARROW-NEXT: [14, -14, -2, -3, -128, 32, 0]
// NARROW-NEXT: i16: i16[7]
// NARROW-NEXT: [14, -14, -2, -3, 128, 20000, 0]
// NARROW-NEXT: ui8: ui8[7]
// NARROW-NEXT: [14, 242, 254, 253, 128, 32, 0]
// NARROW-NEXT: ui16: ui16[7]
// NARROW-NEXT: [14, 65522, 65534, 65533, 128, 20000, 0]
// NARROW-NEXT: ui32: ui32[7]
// NARROW-NEXT: [14, 4294967282, 4294967294, 2147483645, 128, 20000, 0]
// NARROW-NEXT: ui64: ui64[7]
// NARROW-NEXT: [14, 18446744073709551602, 18446744073709551614, 6442450941, 128, 20000, 0]

func.func @sizes(%x0: tensor<f32>, %y0: tensor<f32>,
                 %x1: tensor<0xf32>, %y1: tensor<0xf32>,
                 %x2: tensor<1xf32>, %y2: tensor<1xf32>,
                 %x3: tensor<37xbf16>, %y3: tensor<37xbf16>,
                 %x4: tensor<1000xf32>, %y4: tensor<1000xf32>,
                 %x5: tensor<3x5x67xf32>, %y5: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"}, %yn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "yn"})
    -> (tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.mul %x0, %y0 : tensor<f32>
  %r1 = tx.mul %x1, %y1 : tensor<0xf32>
  %r2 = tx.mul %x2, %y2 : tensor<1xf32>
  %r3 = tx.mul %x3, %y3 : tensor<37xbf16>
  %r4 = tx.mul %x4, %y4 : tensor<1000xf32>
  %r5 = tx.mul %x5, %y5 : tensor<3x5x67xf32>
  %rn = tx.mul %xn, %yn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
