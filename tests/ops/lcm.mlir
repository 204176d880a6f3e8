// The least common multiple; it wraps where it is too large.
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
  %r_i8 = tx.lcm %x_i8, %y_i8 : tensor<37xi8>
  %x_i16 = tx.convert %x : tensor<37xi64> -> tensor<37xi16>
  %y_i16 = tx.convert %y : tensor<37xi64> -> tensor<37xi16>
  %r_i16 = tx.lcm %x_i16, %y_i16 : tensor<37xi16>
  %x_i32 = tx.convert %x : tensor<37xi64> -> tensor<37xi32>
  %y_i32 = tx.convert %y : tensor<37xi64> -> tensor<37xi32>
  %r_i32 = tx.lcm %x_i32, %y_i32 : tensor<37xi32>
  %r_i64 = tx.lcm %x, %y : tensor<37xi64>
  %x_ui8 = tx.convert %x : tensor<37xi64> -> tensor<37xui8>
  %y_ui8 = tx.convert %y : tensor<37xi64> -> tensor<37xui8>
  %r_ui8 = tx.lcm %x_ui8, %y_ui8 : tensor<37xui8>
  %x_ui16 = tx.convert %x : tensor<37xi64> -> tensor<37xui16>
  %y_ui16 = tx.convert %y : tensor<37xi64> -> tensor<37xui16>
  %r_ui16 = tx.lcm %x_ui16, %y_ui16 : tensor<37xui16>
  %x_ui32 = tx.convert %x : tensor<37xi64> -> tensor<37xui32>
  %y_ui32 = tx.convert %y : tensor<37xi64> -> tensor<37xui32>
  %r_ui32 = tx.lcm %x_ui32, %y_ui32 : tensor<37xui32>
  %x_ui64 = tx.convert %x : tensor<37xi64> -> tensor<37xui64>
  %y_ui64 = tx.convert %y : tensor<37xi64> -> tensor<37xui64>
  %r_ui64 = tx.lcm %x_ui64, %y_ui64 : tensor<37xui64>
  return %r_i8, %r_i16, %r_i32, %r_i64, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>
}
// CHECK: i8: i8[37]
// CHECK-NEXT: [0, 0, 0, 36, 36, 36, 36, 7, -64, 31, -19, -57, -84, -88, 51, 1, 2, -126, 0, 0, -128, -128, -128, -128, 2, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, -64]
// CHECK-NEXT: i16: i16[37]
// CHECK-NEXT: [0, 0, 0, 36, 36, 36, 36, 7, 192, 4895, 1261, 455, 9900, 1000, 255, 1, 2, 16002, 0, 0, 128, 384, 384, 16256, -32766, 0, -32768, -32768, 1, 0, 0, 2, 0, 0, 0, 0, 576]
// CHECK-NEXT: i32: i32[37]
// CHECK-NEXT: [0, 0, 0, 36, 36, 36, 36, 7, 192, 4895, 1261, 455, 9900, 1000, 255, 1, 2, 16002, 0, 0, 128, 384, 384, 16256, 1073643522, 0, 32768, 1073709056, 2147483647, 0, -2147483648, 2, 0, 0, 0, 0, 274267584]
// CHECK-NEXT: i64: i64[37]
// CHECK-NEXT: [0, 0, 0, 36, 36, 36, 36, 7, 192, 4895, 1261, 455, 9900, 1000, 255, 1, 2, 16002, 0, 0, 128, 384, 384, 16256, 1073643522, 0, 32768, 1073709056, 2147483647, 0, 6442450944, -9223372036854775806, 0, 0, -9223372036854775808, -9223372036854775808, -4162547458764242368]
// CHECK-NEXT: ui8: ui8[37]
// CHECK-NEXT: [0, 0, 0, 36, 148, 148, 108, 7, 192, 31, 237, 131, 172, 232, 255, 255, 2, 130, 0, 0, 128, 128, 128, 128, 2, 0, 0, 0, 255, 0, 0, 2, 0, 0, 0, 0, 64]
// CHECK-NEXT: ui16: ui16[37]
// CHECK-NEXT: [0, 0, 0, 36, 65428, 65428, 108, 7, 192, 4895, 1261, 64899, 9900, 1000, 255, 65535, 2, 16002, 0, 0, 65408, 65152, 65152, 16256, 32770, 0, 32768, 32768, 65535, 0, 0, 2, 0, 0, 0, 0, 576]
// CHECK-NEXT: ui32: ui32[37]
// CHECK-NEXT: [0, 0, 0, 36, 4294967188, 4294967188, 108, 7, 192, 4895, 1261, 4294966659, 9900, 1000, 255, 4294967295, 2, 16002, 0, 0, 4294967168, 4294966912, 4294966912, 16256, 1073643522, 0, 4294934528, 1073709056, 4294967295, 0, 2147483648, 2, 0, 0, 0, 0, 4020699712]
// CHECK-NEXT: ui64: ui64[37]
// CHECK-NEXT: [0, 0, 0, 36, 18446744073709551508, 18446744073709551508, 108, 7, 192, 4895, 1261, 18446744073709550979, 9900, 1000, 255, 18446744073709551615, 2, 16002, 0, 0, 18446744073709551488, 18446744073709551232, 18446744073709551232, 16256, 1073643522, 0, 18446744073709518848, 1073709056, 13835058059577131007, 0, 18446744067267100672, 9223372036854775810, 0, 0, 9223372036854775808, 9223372036854775808, 14284196614945309248]

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
  %r0 = tx.lcm %x0, %y0 : tensor<i32>
  %r1 = tx.lcm %x1, %y1 : tensor<0xi64>
  %r2 = tx.lcm %x2, %y2 : tensor<1xui8>
  %r3 = tx.lcm %x3, %y3 : tensor<37xi8>
  %r4 = tx.lcm %x4, %y4 : tensor<1000xi32>
  %r5 = tx.lcm %x5, %y5 : tensor<3x5x67xui16>
  %rn = tx.lcm %xn, %yn : tensor<?x?xi64, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<i32>,
        tensor<0xi64>,
        tensor<1xui8>,
        tensor<37xi8>,
        tensor<1000xi32>,
        tensor<3x5x67xui16>,
        tensor<?x?xi64, #tx.dims<[n, m]>>
}
