// Clears the sign bit of floats; the smallest integer stays as it is.
//
// RUN: %npy %t.x.npy f64 '[1.5, -0.0, 0.0, inf, -inf, nan, -3.0]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %npy %t.i.npy i64 '[7, -7, 0, -9223372036854775808, -2147483648, -128]'
// RUN: %run_op --entry=ints --input=%t.i.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=narrow --input=%t.i.npy | FileCheck %s --check-prefix=NARROW
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<7xf64>)
    -> (tensor<7xf64> {tx.name = "f64"},
        tensor<7xf32> {tx.name = "f32"},
        tensor<7xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.abs %x : tensor<7xf64>
  %x_f32 = tx.convert %x : tensor<7xf64> -> tensor<7xf32>
  %r_f32 = tx.abs %x_f32 : tensor<7xf32>
  %x_bf16 = tx.convert %x : tensor<7xf64> -> tensor<7xbf16>
  %r_bf16 = tx.abs %x_bf16 : tensor<7xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<7xf64>, tensor<7xf32>, tensor<7xbf16>
}
// CHECK: f64: f64[7]
// CHECK-NEXT: [1.5, 0, 0, inf, inf, nan, 3]
// CHECK-NEXT: f32: f32[7]
// CHECK-NEXT: [1.5, 0, 0, inf, inf, nan, 3]
// CHECK-NEXT: bf16: bf16[7]
// CHECK-NEXT: [1.5, 0, 0, inf, inf, nan, 3]

func.func @half(%x: tensor<7xf64>)
    -> (tensor<7xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<7xf64> -> tensor<7xf16>
  %r_f16 = tx.abs %x_f16 : tensor<7xf16>
  return %r_f16
      : tensor<7xf16>
}
// HALF: f16: f16[7]
// HALF-NEXT: [1.5, 0, 0, inf, inf, nan, 3]

func.func @ints(%x: tensor<6xi64>)
    -> (tensor<6xi64> {tx.name = "i64"},
        tensor<6xi32> {tx.name = "i32"}) {
  %r_i64 = tx.abs %x : tensor<6xi64>
  %x_i32 = tx.convert %x : tensor<6xi64> -> tensor<6xi32>
  %r_i32 = tx.abs %x_i32 : tensor<6xi32>
  return %r_i64, %r_i32
      : tensor<6xi64>, tensor<6xi32>
}
// INT: i64: i64[6]
// INT-NEXT: [7, 7, 0, -9223372036854775808, 2147483648, 128]
// INT-NEXT: i32: i32[6]
// INT-NEXT: [7, 7, 0, 0, -2147483648, 128]

func.func @narrow(%x: tensor<6xi64>)
    -> (tensor<6xi8> {tx.name = "i8"},
        tensor<6xi16> {tx.name = "i16"},
        tensor<6xui8> {tx.name = "ui8"},
        tensor<6xui16> {tx.name = "ui16"},
        tensor<6xui32> {tx.name = "ui32"},
        tensor<6xui64> {tx.name = "ui64"}) {
  %x_i8 = tx.convert %x : tensor<6xi64> -> tensor<6xi8>
  %r_i8 = tx.abs %x_i8 : tensor<6xi8>
  %x_i16 = tx.convert %x : tensor<6xi64> -> tensor<6xi16>
  %r_i16 = tx.abs %x_i16 : tensor<6xi16>
  %x_ui8 = tx.convert %x : tensor<6xi64> -> tensor<6xui8>
  %r_ui8 = tx.abs %x_ui8 : tensor<6xui8>
  %x_ui16 = tx.convert %x : tensor<6xi64> -> tensor<6xui16>
  %r_ui16 = tx.abs %x_ui16 : tensor<6xui16>
  %x_ui32 = tx.convert %x : tensor<6xi64> -> tensor<6xui32>
  %r_ui32 = tx.abs %x_ui32 : tensor<6xui32>
  %x_ui64 = tx.convert %x : tensor<6xi64> -> tensor<6xui64>
  %r_ui64 = tx.abs %x_ui64 : tensor<6xui64>
  return %r_i8, %r_i16, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<6xi8>, tensor<6xi16>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}
// NARROW: i8: i8[6]
// NARROW-NEXT: [7, 7, 0, 0, 0, -128]
// NARROW-NEXT: i16: i16[6]
// NARROW-NEXT: [7, 7, 0, 0, 0, 128]
// NARROW-NEXT: ui8: ui8[6]
// NARROW-NEXT: [7, 249, 0, 0, 0, 128]
// NARROW-NEXT: ui16: ui16[6]
// NARROW-NEXT: [7, 65529, 0, 0, 0, 65408]
// NARROW-NEXT: ui32: ui32[6]
// NARROW-NEXT: [7, 4294967289, 0, 0, 2147483648, 4294967168]
// NARROW-NEXT: ui64: ui64[6]
// NARROW-NEXT: [7, 18446744073709551609, 0, 9223372036854775808, 18446744071562067968, 18446744073709551488]

func.func @sizes(%x0: tensor<f32>,
                 %x1: tensor<0xf32>,
                 %x2: tensor<1xf32>,
                 %x3: tensor<37xbf16>,
                 %x4: tensor<1000xf32>,
                 %x5: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.abs %x0 : tensor<f32>
  %r1 = tx.abs %x1 : tensor<0xf32>
  %r2 = tx.abs %x2 : tensor<1xf32>
  %r3 = tx.abs %x3 : tensor<37xbf16>
  %r4 = tx.abs %x4 : tensor<1000xf32>
  %r5 = tx.abs %x5 : tensor<3x5x67xf32>
  %rn = tx.abs %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
