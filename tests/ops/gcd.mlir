// The greatest common divisor; it wraps where it is the magnitude of the smallest value.
// The numbers are NumPy's.
//
// RUN: %npy %t.x.npy i64 '[0, 0, 9, 12, -12, 12, -12, 7, 64, 89, 97, 35, 100, 200, 255, -1, -2, 127, -128, 0, -128, -128, 12, -128, 32767, -32768, -32768, -32768, 2147483647, -2147483648, -2147483648, 9223372036854775807, -9223372036854775808, 0, -9223372036854775808, -9223372036854775808, 4807526976]'
// RUN: %npy %t.y.npy i64 '[0, -6, 0, 18, 18, -18, -18, 7, 48, 55, 13, -91, 99, 250, 51, -1, -1, 126, 0, -128, -128, 6, -128, -127, 32766, 0, -32768, -32767, -2147483647, 0, 12, 9223372036854775806, 0, -9223372036854775808, -9223372036854775808, 96, 2971215073]'
// RUN: %run_op --input=%t.x.npy --input=%t.y.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<37xi64>, %y: tensor<37xi64>)
    -> (tensor<37xi8> {tx.name = "i8"},
        tensor<37xi16> {tx.name = "i16"},
        tensor<37xi32> {tx.name = "i32"},
        tensor<37xi64> {tx.name = "i64"},
        tensor<37xui8> {tx.name = "ui8"},
        tensor<37xui16> {tx.name = "ui16"},
        tensor<37xui32> {tx.name = "ui32"},
        tensor<37xui64> {tx.name = "ui64"}) {
  %x_i8 = tx.convert %x : tensor<37xi64> -> tensor<37xi8>
  %y_i8 = tx.convert %y : tensor<37xi64> -> tensor<37xi8>
  %r_i8 = tx.gcd %x_i8, %y_i8 : tensor<37xi8>
  %x_i16 = tx.convert %x : tensor<37xi64> -> tensor<37xi16>
  %y_i16 = tx.convert %y : tensor<37xi64> -> tensor<37xi16>
  %r_i16 = tx.gcd %x_i16, %y_i16 : tensor<37xi16>
  %x_i32 = tx.convert %x : tensor<37xi64> -> tensor<37xi32>
  %y_i32 = tx.convert %y : tensor<37xi64> -> tensor<37xi32>
  %r_i32 = tx.gcd %x_i32, %y_i32 : tensor<37xi32>
  %r_i64 = tx.gcd %x, %y : tensor<37xi64>
  %x_ui8 = tx.convert %x : tensor<37xi64> -> tensor<37xui8>
  %y_ui8 = tx.convert %y : tensor<37xi64> -> tensor<37xui8>
  %r_ui8 = tx.gcd %x_ui8, %y_ui8 : tensor<37xui8>
  %x_ui16 = tx.convert %x : tensor<37xi64> -> tensor<37xui16>
  %y_ui16 = tx.convert %y : tensor<37xi64> -> tensor<37xui16>
  %r_ui16 = tx.gcd %x_ui16, %y_ui16 : tensor<37xui16>
  %x_ui32 = tx.convert %x : tensor<37xi64> -> tensor<37xui32>
  %y_ui32 = tx.convert %y : tensor<37xi64> -> tensor<37xui32>
  %r_ui32 = tx.gcd %x_ui32, %y_ui32 : tensor<37xui32>
  %x_ui64 = tx.convert %x : tensor<37xi64> -> tensor<37xui64>
  %y_ui64 = tx.convert %y : tensor<37xi64> -> tensor<37xui64>
  %r_ui64 = tx.gcd %x_ui64, %y_ui64 : tensor<37xui64>
  return %r_i8, %r_i16, %r_i32, %r_i64, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>
}
// CHECK: i8: i8[37]
// CHECK-NEXT: [0, 6, 9, 6, 6, 6, 6, 7, 16, 1, 1, 7, 1, 2, 1, 1, 1, 1, -128, -128, -128, 2, 4, 1, 1, 0, 0, 1, 1, 0, 12, 1, 0, 0, 0, 96, 1]
// CHECK-NEXT: i16: i16[37]
// CHECK-NEXT: [0, 6, 9, 6, 6, 6, 6, 7, 16, 1, 1, 7, 1, 50, 51, 1, 1, 1, 128, 128, 128, 2, 4, 1, 1, -32768, -32768, 1, 1, 0, 12, 1, 0, 0, 0, 96, 1]
// CHECK-NEXT: i32: i32[37]
// CHECK-NEXT: [0, 6, 9, 6, 6, 6, 6, 7, 16, 1, 1, 7, 1, 50, 51, 1, 1, 1, 128, 128, 128, 2, 4, 1, 1, 32768, 32768, 1, 2147483647, -2147483648, 4, 1, 0, 0, 0, 96, 1]
// CHECK-NEXT: i64: i64[37]
// CHECK-NEXT: [0, 6, 9, 6, 6, 6, 6, 7, 16, 1, 1, 7, 1, 50, 51, 1, 1, 1, 128, 128, 128, 2, 4, 1, 1, 32768, 32768, 1, 2147483647, 2147483648, 4, 1, -9223372036854775808, -9223372036854775808, -9223372036854775808, 32, 1]
// CHECK-NEXT: ui8: ui8[37]
// CHECK-NEXT: [0, 250, 9, 6, 2, 2, 2, 7, 16, 1, 1, 5, 1, 50, 51, 255, 1, 1, 128, 128, 128, 2, 4, 1, 1, 0, 0, 1, 1, 0, 12, 1, 0, 0, 0, 96, 1]
// CHECK-NEXT: ui16: ui16[37]
// CHECK-NEXT: [0, 65530, 9, 6, 2, 2, 2, 7, 16, 1, 1, 5, 1, 50, 51, 65535, 1, 1, 65408, 65408, 65408, 2, 4, 1, 1, 32768, 32768, 1, 1, 0, 12, 1, 0, 0, 0, 96, 1]
// CHECK-NEXT: ui32: ui32[37]
// CHECK-NEXT: [0, 4294967290, 9, 6, 2, 2, 2, 7, 16, 1, 1, 5, 1, 50, 51, 4294967295, 1, 1, 4294967168, 4294967168, 4294967168, 2, 4, 1, 1, 4294934528, 4294934528, 1, 1, 2147483648, 4, 1, 0, 0, 0, 96, 1]
// CHECK-NEXT: ui64: ui64[37]
// CHECK-NEXT: [0, 18446744073709551610, 9, 6, 2, 2, 2, 7, 16, 1, 1, 5, 1, 50, 51, 18446744073709551615, 1, 1, 18446744073709551488, 18446744073709551488, 18446744073709551488, 2, 4, 1, 1, 18446744073709518848, 18446744073709518848, 1, 1, 18446744071562067968, 4, 1, 9223372036854775808, 9223372036854775808, 9223372036854775808, 32, 1]

func.func @sizes(%x0: tensor<i32>, %y0: tensor<i32>,
                 %x1: tensor<0xi64>, %y1: tensor<0xi64>,
                 %x2: tensor<1xui8>, %y2: tensor<1xui8>,
                 %x3: tensor<37xi8>, %y3: tensor<37xi8>,
                 %x4: tensor<1000xi32>, %y4: tensor<1000xi32>,
                 %x5: tensor<3x5x67xui16>, %y5: tensor<3x5x67xui16>,
                 %xn: tensor<?x?xi64, #tx.dims<[n, m]>> {tx.name = "xn"}, %yn: tensor<?x?xi64, #tx.dims<[n, m]>> {tx.name = "yn"})
    -> (tensor<i32>,
        tensor<0xi64>,
        tensor<1xui8>,
        tensor<37xi8>,
        tensor<1000xi32>,
        tensor<3x5x67xui16>,
        tensor<?x?xi64, #tx.dims<[n, m]>>) {
  %r0 = tx.gcd %x0, %y0 : tensor<i32>
  %r1 = tx.gcd %x1, %y1 : tensor<0xi64>
  %r2 = tx.gcd %x2, %y2 : tensor<1xui8>
  %r3 = tx.gcd %x3, %y3 : tensor<37xi8>
  %r4 = tx.gcd %x4, %y4 : tensor<1000xi32>
  %r5 = tx.gcd %x5, %y5 : tensor<3x5x67xui16>
  %rn = tx.gcd %xn, %yn : tensor<?x?xi64, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<i32>,
        tensor<0xi64>,
        tensor<1xui8>,
        tensor<37xi8>,
        tensor<1000xi32>,
        tensor<3x5x67xui16>,
        tensor<?x?xi64, #tx.dims<[n, m]>>
}
