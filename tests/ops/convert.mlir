// Floats round to nearest even; float to integer truncates and saturates, NaN
// becomes 0; integers wrap; to i1: whether different from zero.
//
// RUN: %npy %t.x.npy f64 '[1.5, -1.5, nan, inf, -inf, 3e9, 0.3, -0.0]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=unsigned --input=%t.x.npy | FileCheck %s --check-prefix=UNSIGNED
// RUN: %npy %t.i.npy i64 '[16777217, -1, 256, 4294967297, 9007199254740993, -9223372036854775808, 0]'
// RUN: %run_op --entry=ints --input=%t.i.npy | FileCheck %s --check-prefix=INT
// RUN: %npy %t.p.npy i1 '[true, false]'
// RUN: %run_op --entry=bools --input=%t.p.npy | FileCheck %s --check-prefix=BOOL
// RUN: %npy %t.f.npy f32 '[1.00390625, 1.01171875, 3.4e38, 1e-40, 2147483520, -2147483648]'
// RUN: %run_op --entry=floats --input=%t.f.npy | FileCheck %s --check-prefix=FLOAT
// RUN: %run_op --entry=sizes --random-inputs --compare=reference

func.func @main(%x: tensor<8xf64>)
    -> (tensor<8xf32> {tx.name = "f32"}, tensor<8xbf16> {tx.name = "bf16"},
        tensor<8xi64> {tx.name = "i64"}, tensor<8xi32> {tx.name = "i32"},
        tensor<8xi8> {tx.name = "i8"}, tensor<8xi1> {tx.name = "i1"}) {
  %0 = tx.convert %x : tensor<8xf64> -> tensor<8xf32>
  %1 = tx.convert %x : tensor<8xf64> -> tensor<8xbf16>
  %2 = tx.convert %x : tensor<8xf64> -> tensor<8xi64>
  %3 = tx.convert %x : tensor<8xf64> -> tensor<8xi32>
  %4 = tx.convert %x : tensor<8xf64> -> tensor<8xi8>
  %5 = tx.convert %x : tensor<8xf64> -> tensor<8xi1>
  return %0, %1, %2, %3, %4, %5
      : tensor<8xf32>, tensor<8xbf16>, tensor<8xi64>, tensor<8xi32>,
        tensor<8xi8>, tensor<8xi1>
}
// CHECK:      f32: f32[8]
// CHECK-NEXT: [1.5, -1.5, nan, inf, -inf, 3e+09, 0.3, -0]
// CHECK-NEXT: bf16: bf16[8]
// CHECK-NEXT: [1.5, -1.5, nan, inf, -inf, 3e+09, 0.3, -0]
// CHECK-NEXT: i64: i64[8]
// CHECK-NEXT: [1, -1, 0, 9223372036854775807, -9223372036854775808, 3000000000, 0, 0]
// CHECK-NEXT: i32: i32[8]
// CHECK-NEXT: [1, -1, 0, 2147483647, -2147483648, 2147483647, 0, 0]
// CHECK-NEXT: i8: i8[8]
// CHECK-NEXT: [1, -1, 0, 127, -128, 127, 0, 0]
// CHECK-NEXT: i1: i1[8]
// CHECK-NEXT: [true, true, true, true, true, true, true, false]

func.func @unsigned(%x: tensor<8xf64>)
    -> (tensor<8xui8> {tx.name = "ui8"}, tensor<8xui32> {tx.name = "ui32"},
        tensor<8xui64> {tx.name = "ui64"}, tensor<8xf16> {tx.name = "f16"}) {
  %0 = tx.convert %x : tensor<8xf64> -> tensor<8xui8>
  %1 = tx.convert %x : tensor<8xf64> -> tensor<8xui32>
  %2 = tx.convert %x : tensor<8xf64> -> tensor<8xui64>
  %3 = tx.convert %x : tensor<8xf64> -> tensor<8xf16>
  return %0, %1, %2, %3
      : tensor<8xui8>, tensor<8xui32>, tensor<8xui64>, tensor<8xf16>
}
// UNSIGNED:      ui8: ui8[8]
// UNSIGNED-NEXT: [1, 0, 0, 255, 0, 255, 0, 0]
// UNSIGNED-NEXT: ui32: ui32[8]
// UNSIGNED-NEXT: [1, 0, 0, 4294967295, 0, 3000000000, 0, 0]
// UNSIGNED-NEXT: ui64: ui64[8]
// UNSIGNED-NEXT: [1, 0, 0, 18446744073709551615, 0, 3000000000, 0, 0]
// UNSIGNED-NEXT: f16: f16[8]
// UNSIGNED-NEXT: [1.5, -1.5, nan, inf, -inf, inf, 0.3, -0]

// 2^24 + 1 and 2^53 + 1 are ties of f32 and f64.
func.func @ints(%x: tensor<7xi64>)
    -> (tensor<7xf64> {tx.name = "f64"}, tensor<7xf32> {tx.name = "f32"},
        tensor<7xi32> {tx.name = "i32"}, tensor<7xi8> {tx.name = "i8"},
        tensor<7xui8> {tx.name = "ui8"}, tensor<7xui64> {tx.name = "ui64"},
        tensor<7xi1> {tx.name = "i1"}) {
  %0 = tx.convert %x : tensor<7xi64> -> tensor<7xf64>
  %1 = tx.convert %x : tensor<7xi64> -> tensor<7xf32>
  %2 = tx.convert %x : tensor<7xi64> -> tensor<7xi32>
  %3 = tx.convert %x : tensor<7xi64> -> tensor<7xi8>
  %4 = tx.convert %x : tensor<7xi64> -> tensor<7xui8>
  %5 = tx.convert %x : tensor<7xi64> -> tensor<7xui64>
  %6 = tx.convert %x : tensor<7xi64> -> tensor<7xi1>
  return %0, %1, %2, %3, %4, %5, %6
      : tensor<7xf64>, tensor<7xf32>, tensor<7xi32>, tensor<7xi8>,
        tensor<7xui8>, tensor<7xui64>, tensor<7xi1>
}
// INT:      f64: f64[7]
// INT-NEXT: [16777217, -1, 256, 4.294967297e+09, 9.007199254740992e+15, -9.223372036854776e+18, 0]
// INT-NEXT: f32: f32[7]
// INT-NEXT: [16777216, -1, 256, 4.2949673e+09, 9.007199e+15, -9.223372e+18, 0]
// INT-NEXT: i32: i32[7]
// INT-NEXT: [16777217, -1, 256, 1, 1, 0, 0]
// INT-NEXT: i8: i8[7]
// INT-NEXT: [1, -1, 0, 1, 1, 0, 0]
// INT-NEXT: ui8: ui8[7]
// INT-NEXT: [1, 255, 0, 1, 1, 0, 0]
// INT-NEXT: ui64: ui64[7]
// INT-NEXT: [16777217, 18446744073709551615, 256, 4294967297, 9007199254740993, 9223372036854775808, 0]
// INT-NEXT: i1: i1[7]
// INT-NEXT: [true, true, true, true, true, true, false]

func.func @bools(%p: tensor<2xi1>)
    -> (tensor<2xf32> {tx.name = "f32"}, tensor<2xi64> {tx.name = "i64"},
        tensor<2xi8> {tx.name = "i8"}) {
  %0 = tx.convert %p : tensor<2xi1> -> tensor<2xf32>
  %1 = tx.convert %p : tensor<2xi1> -> tensor<2xi64>
  %2 = tx.convert %p : tensor<2xi1> -> tensor<2xi8>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xi64>, tensor<2xi8>
}
// BOOL:      f32: f32[2]
// BOOL-NEXT: [1, 0]
// BOOL-NEXT: i64: i64[2]
// BOOL-NEXT: [1, 0]
// BOOL-NEXT: i8: i8[2]
// BOOL-NEXT: [1, 0]

// The first two are ties of bf16 and go to even; 3.4e38 is beyond its largest
// value; subnormals are kept.
func.func @floats(%x: tensor<6xf32>)
    -> (tensor<6xbf16> {tx.name = "bf16"}, tensor<6xf64> {tx.name = "f64"},
        tensor<6xi32> {tx.name = "i32"}) {
  %0 = tx.convert %x : tensor<6xf32> -> tensor<6xbf16>
  %1 = tx.convert %x : tensor<6xf32> -> tensor<6xf64>
  %2 = tx.convert %x : tensor<6xf32> -> tensor<6xi32>
  return %0, %1, %2 : tensor<6xbf16>, tensor<6xf64>, tensor<6xi32>
}
// FLOAT:      bf16: bf16[6]
// FLOAT-NEXT: [1, 1.016, inf, 9e-41, 2.15e+09, -2.15e+09]
// FLOAT-NEXT: f64: f64[6]
// FLOAT-NEXT: [1.00390625, 1.01171875, 3.3999999521443642e+38, 9.99994610111476e-41, 2.14748352e+09, -2.147483648e+09]
// FLOAT-NEXT: i32: i32[6]
// FLOAT-NEXT: [1, 1, 2147483647, 0, 2147483520, -2147483648]

func.func @sizes(%a: tensor<f32>, %b: tensor<0xf32>, %c: tensor<37xbf16>,
                 %d: tensor<1000xi32>, %e: tensor<?x?xi64, #tx.dims<[n, m]>>)
    -> (tensor<i32>, tensor<0xf64>, tensor<37xf32>, tensor<1000xbf16>,
        tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %0 = tx.convert %a : tensor<f32> -> tensor<i32>
  %1 = tx.convert %b : tensor<0xf32> -> tensor<0xf64>
  %2 = tx.convert %c : tensor<37xbf16> -> tensor<37xf32>
  %3 = tx.convert %d : tensor<1000xi32> -> tensor<1000xbf16>
  %4 = tx.convert %e : tensor<?x?xi64, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0, %1, %2, %3, %4
      : tensor<i32>, tensor<0xf64>, tensor<37xf32>, tensor<1000xbf16>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
