// The remainder with the sign of x, exactly.
//
// RUN: %npy %t.x.npy f64 '[7.0, -7.0, 7.0, -7.0, 5.5, -5.5, 0.0, -0.0, 1.0, inf, 1.0, -1.0, nan, 6.0, -6.0, 0.0]'
// RUN: %npy %t.y.npy f64 '[2.0, 2.0, -2.0, -2.0, 0.5, 0.75, 3.0, 3.0, 0.0, 2.0, inf, inf, 1.0, -3.0, 3.0, 0.0]'
// RUN: %run_op --input=%t.x.npy --input=%t.y.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy --input=%t.y.npy | FileCheck %s --check-prefix=HALF
// RUN: %npy %t.ix.npy i64 '[7, -7, 7, -7, 5, 0, -9223372036854775808, -2147483648, -128, 6, -6, 100]'
// RUN: %npy %t.iy.npy i64 '[2, 2, -2, -2, 0, 0, -1, -1, -1, 3, 3, -7]'
// RUN: %run_op --entry=ints --input=%t.ix.npy --input=%t.iy.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<16xf64>, %y: tensor<16xf64>)
    -> (tensor<16xf64> {tx.name = "f64"},
        tensor<16xf32> {tx.name = "f32"},
        tensor<16xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.rem %x, %y : tensor<16xf64>
  %x_f32 = tx.convert %x : tensor<16xf64> -> tensor<16xf32>
  %y_f32 = tx.convert %y : tensor<16xf64> -> tensor<16xf32>
  %r_f32 = tx.rem %x_f32, %y_f32 : tensor<16xf32>
  %x_bf16 = tx.convert %x : tensor<16xf64> -> tensor<16xbf16>
  %y_bf16 = tx.convert %y : tensor<16xf64> -> tensor<16xbf16>
  %r_bf16 = tx.rem %x_bf16, %y_bf16 : tensor<16xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<16xf64>, tensor<16xf32>, tensor<16xbf16>
}
// CHECK: f64: f64[16]
// CHECK-NEXT: [1, -1, 1, -1, 0, -0.25, 0, -0, nan, nan, 1, -1, nan, 0, -0, nan]
// CHECK-NEXT: f32: f32[16]
// CHECK-NEXT: [1, -1, 1, -1, 0, -0.25{{[0-9]*}}, 0, -0, nan, nan, 1, -1, nan, 0, -0, nan]
// CHECK-NEXT: bf16: bf16[16]
// CHECK-NEXT: [1, -1, 1, -1, 0, -0.25, 0, -0, nan, nan, 1, -1, nan, 0, -0, nan]

func.func @half(%x: tensor<16xf64>, %y: tensor<16xf64>)
    -> (tensor<16xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<16xf64> -> tensor<16xf16>
  %y_f16 = tx.convert %y : tensor<16xf64> -> tensor<16xf16>
  %r_f16 = tx.rem %x_f16, %y_f16 : tensor<16xf16>
  return %r_f16
      : tensor<16xf16>
}
// HALF: f16: f16[16]
// HALF-NEXT: [1, -1, 1, -1, 0, -0.25, 0, -0, nan, nan, 1, -1, nan, 0, -0, nan]

func.func @ints(%x: tensor<12xi64>, %y: tensor<12xi64>)
    -> (tensor<12xi8> {tx.name = "i8"},
        tensor<12xi16> {tx.name = "i16"},
        tensor<12xi32> {tx.name = "i32"},
        tensor<12xi64> {tx.name = "i64"},
        tensor<12xui8> {tx.name = "ui8"},
        tensor<12xui16> {tx.name = "ui16"},
        tensor<12xui32> {tx.name = "ui32"},
        tensor<12xui64> {tx.name = "ui64"}) {
  %x_i8 = tx.convert %x : tensor<12xi64> -> tensor<12xi8>
  %y_i8 = tx.convert %y : tensor<12xi64> -> tensor<12xi8>
  %r_i8 = tx.rem %x_i8, %y_i8 : tensor<12xi8>
  %x_i16 = tx.convert %x : tensor<12xi64> -> tensor<12xi16>
  %y_i16 = tx.convert %y : tensor<12xi64> -> tensor<12xi16>
  %r_i16 = tx.rem %x_i16, %y_i16 : tensor<12xi16>
  %x_i32 = tx.convert %x : tensor<12xi64> -> tensor<12xi32>
  %y_i32 = tx.convert %y : tensor<12xi64> -> tensor<12xi32>
  %r_i32 = tx.rem %x_i32, %y_i32 : tensor<12xi32>
  %r_i64 = tx.rem %x, %y : tensor<12xi64>
  %x_ui8 = tx.convert %x : tensor<12xi64> -> tensor<12xui8>
  %y_ui8 = tx.convert %y : tensor<12xi64> -> tensor<12xui8>
  %r_ui8 = tx.rem %x_ui8, %y_ui8 : tensor<12xui8>
  %x_ui16 = tx.convert %x : tensor<12xi64> -> tensor<12xui16>
  %y_ui16 = tx.convert %y : tensor<12xi64> -> tensor<12xui16>
  %r_ui16 = tx.rem %x_ui16, %y_ui16 : tensor<12xui16>
  %x_ui32 = tx.convert %x : tensor<12xi64> -> tensor<12xui32>
  %y_ui32 = tx.convert %y : tensor<12xi64> -> tensor<12xui32>
  %r_ui32 = tx.rem %x_ui32, %y_ui32 : tensor<12xui32>
  %x_ui64 = tx.convert %x : tensor<12xi64> -> tensor<12xui64>
  %y_ui64 = tx.convert %y : tensor<12xi64> -> tensor<12xui64>
  %r_ui64 = tx.rem %x_ui64, %y_ui64 : tensor<12xui64>
  return %r_i8, %r_i16, %r_i32, %r_i64, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>
}
// INT: i8: i8[12]
// INT-NEXT: [1, -1, 1, -1, 5, 0, 0, 0, 0, 0, 0, 2]
// INT-NEXT: i16: i16[12]
// INT-NEXT: [1, -1, 1, -1, 5, 0, 0, 0, 0, 0, 0, 2]
// INT-NEXT: i32: i32[12]
// INT-NEXT: [1, -1, 1, -1, 5, 0, 0, 0, 0, 0, 0, 2]
// INT-NEXT: i64: i64[12]
// INT-NEXT: [1, -1, 1, -1, 5, 0, 0, 0, 0, 0, 0, 2]
// INT-NEXT: ui8: ui8[12]
// INT-NEXT: [1, 1, 7, 249, 5, 0, 0, 0, 128, 0, 1, 100]
// INT-NEXT: ui16: ui16[12]
// INT-NEXT: [1, 1, 7, 65529, 5, 0, 0, 0, 65408, 0, 1, 100]
// INT-NEXT: ui32: ui32[12]
// INT-NEXT: [1, 1, 7, 4294967289, 5, 0, 0, 2147483648, 4294967168, 0, 1, 100]
// INT-NEXT: ui64: ui64[12]
// INT-NEXT: [1, 1, 7, 18446744073709551609, 5, 0, 9223372036854775808, 18446744071562067968, 18446744073709551488, 0, 1, 100]

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
  %r0 = tx.rem %x0, %y0 : tensor<f32>
  %r1 = tx.rem %x1, %y1 : tensor<0xf32>
  %r2 = tx.rem %x2, %y2 : tensor<1xf32>
  %r3 = tx.rem %x3, %y3 : tensor<37xbf16>
  %r4 = tx.rem %x4, %y4 : tensor<1000xf32>
  %r5 = tx.rem %x5, %y5 : tensor<3x5x67xf32>
  %rn = tx.rem %xn, %yn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
