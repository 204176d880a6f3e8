// Integers by zero, and the smallest by -1: docs/numerics.md.
// Each case from inputs, and from constants, which passes may fold.
//
// RUN: %npy %t.i8.x.npy i64 '[-128, -128, -128, 127, 0, -1, 127, -128, -128, 127, -128, -1, 7, -7, 7, -7]'
// RUN: %npy %t.i8.y.npy i64 '[-1, 1, 0, 0, 0, 0, -1, 2, 127, -128, -128, -128, 2, 2, -2, -2]'
// RUN: %run_op --entry=i8 --input=%t.i8.x.npy --input=%t.i8.y.npy | FileCheck %s --check-prefix=I8
// RUN: %run_op --entry=i8_folded | FileCheck %s --check-prefix=I8
// RUN: %npy %t.i16.x.npy i64 '[-32768, -32768, -32768, 32767, 0, -1, 32767, -32768, -32768, 32767, -32768, -1, 7, -7, 7, -7]'
// RUN: %npy %t.i16.y.npy i64 '[-1, 1, 0, 0, 0, 0, -1, 2, 32767, -32768, -32768, -32768, 2, 2, -2, -2]'
// RUN: %run_op --entry=i16 --input=%t.i16.x.npy --input=%t.i16.y.npy | FileCheck %s --check-prefix=I16
// RUN: %run_op --entry=i16_folded | FileCheck %s --check-prefix=I16
// RUN: %npy %t.i32.x.npy i64 '[-2147483648, -2147483648, -2147483648, 2147483647, 0, -1, 2147483647, -2147483648, -2147483648, 2147483647, -2147483648, -1, 7, -7, 7, -7]'
// RUN: %npy %t.i32.y.npy i64 '[-1, 1, 0, 0, 0, 0, -1, 2, 2147483647, -2147483648, -2147483648, -2147483648, 2, 2, -2, -2]'
// RUN: %run_op --entry=i32 --input=%t.i32.x.npy --input=%t.i32.y.npy | FileCheck %s --check-prefix=I32
// RUN: %run_op --entry=i32_folded | FileCheck %s --check-prefix=I32
// RUN: %npy %t.i64.x.npy i64 '[-9223372036854775808, -9223372036854775808, -9223372036854775808, 9223372036854775807, 0, -1, 9223372036854775807, -9223372036854775808, -9223372036854775808, 9223372036854775807, -9223372036854775808, -1, 7, -7, 7, -7]'
// RUN: %npy %t.i64.y.npy i64 '[-1, 1, 0, 0, 0, 0, -1, 2, 9223372036854775807, -9223372036854775808, -9223372036854775808, -9223372036854775808, 2, 2, -2, -2]'
// RUN: %run_op --entry=i64 --input=%t.i64.x.npy --input=%t.i64.y.npy | FileCheck %s --check-prefix=I64
// RUN: %run_op --entry=i64_folded | FileCheck %s --check-prefix=I64
// RUN: %npy %t.ui8.x.npy i64 '[255, 0, 1, 255, 255, 1, 255, 128, 255, 7, 254, 0]'
// RUN: %npy %t.ui8.y.npy i64 '[0, 0, 0, 1, 255, 255, 2, 255, 128, 2, 255, 255]'
// RUN: %run_op --entry=ui8 --input=%t.ui8.x.npy --input=%t.ui8.y.npy | FileCheck %s --check-prefix=UI8
// RUN: %run_op --entry=ui8_folded | FileCheck %s --check-prefix=UI8
// RUN: %npy %t.ui16.x.npy i64 '[65535, 0, 1, 65535, 65535, 1, 65535, 32768, 65535, 7, 65534, 0]'
// RUN: %npy %t.ui16.y.npy i64 '[0, 0, 0, 1, 65535, 65535, 2, 65535, 32768, 2, 65535, 65535]'
// RUN: %run_op --entry=ui16 --input=%t.ui16.x.npy --input=%t.ui16.y.npy | FileCheck %s --check-prefix=UI16
// RUN: %run_op --entry=ui16_folded | FileCheck %s --check-prefix=UI16
// RUN: %npy %t.ui32.x.npy i64 '[4294967295, 0, 1, 4294967295, 4294967295, 1, 4294967295, 2147483648, 4294967295, 7, 4294967294, 0]'
// RUN: %npy %t.ui32.y.npy i64 '[0, 0, 0, 1, 4294967295, 4294967295, 2, 4294967295, 2147483648, 2, 4294967295, 4294967295]'
// RUN: %run_op --entry=ui32 --input=%t.ui32.x.npy --input=%t.ui32.y.npy | FileCheck %s --check-prefix=UI32
// RUN: %run_op --entry=ui32_folded | FileCheck %s --check-prefix=UI32
// RUN: %npy %t.ui64.x.npy i64 '[-1, 0, 1, -1, -1, 1, -1, -9223372036854775808, -1, 7, -2, 0]'
// RUN: %npy %t.ui64.y.npy i64 '[0, 0, 0, 1, -1, -1, 2, -1, -9223372036854775808, 2, -1, -1]'
// RUN: %run_op --entry=ui64 --input=%t.ui64.x.npy --input=%t.ui64.y.npy | FileCheck %s --check-prefix=UI64
// RUN: %run_op --entry=ui64_folded | FileCheck %s --check-prefix=UI64

func.func @i8(%in_x: tensor<16xi64>, %in_y: tensor<16xi64>)
    -> (tensor<16xi8> {tx.name = "div"},
        tensor<16xi8> {tx.name = "rem"},
        tensor<16xi8> {tx.name = "floor_div"},
        tensor<16xi8> {tx.name = "mod"}) {
  %x = tx.convert %in_x : tensor<16xi64> -> tensor<16xi8>
  %y = tx.convert %in_y : tensor<16xi64> -> tensor<16xi8>
  %0 = tx.div %x, %y : tensor<16xi8>
  %1 = tx.rem %x, %y : tensor<16xi8>
  %2 = tx.floor_div %x, %y : tensor<16xi8>
  %3 = tx.mod %x, %y : tensor<16xi8>
  return %0, %1, %2, %3
      : tensor<16xi8>, tensor<16xi8>, tensor<16xi8>, tensor<16xi8>
}
// I8: div: i8[16]
// I8-NEXT: [-128, -128, 0, 0, 0, 0, -127, -64, -1, 0, 1, 0, 3, -3, -3, 3]
// I8-NEXT: rem: i8[16]
// I8-NEXT: [0, 0, -128, 127, 0, -1, 0, 0, -1, 127, 0, -1, 1, -1, 1, -1]
// I8-NEXT: floor_div: i8[16]
// I8-NEXT: [-128, -128, 0, 0, 0, 0, -127, -64, -2, -1, 1, 0, 3, -4, -4, 3]
// I8-NEXT: mod: i8[16]
// I8-NEXT: [0, 0, -128, 127, 0, -1, 0, 0, 126, -1, 0, -1, 1, 1, -1, -1]

func.func @i8_folded()
    -> (tensor<16xi8> {tx.name = "div"},
        tensor<16xi8> {tx.name = "rem"},
        tensor<16xi8> {tx.name = "floor_div"},
        tensor<16xi8> {tx.name = "mod"}) {
  %x = tx.constant dense<[-128, -128, -128, 127, 0, -1, 127, -128, -128, 127, -128, -1, 7, -7, 7, -7]> : tensor<16xi8>
  %y = tx.constant dense<[-1, 1, 0, 0, 0, 0, -1, 2, 127, -128, -128, -128, 2, 2, -2, -2]> : tensor<16xi8>
  %0 = tx.div %x, %y : tensor<16xi8>
  %1 = tx.rem %x, %y : tensor<16xi8>
  %2 = tx.floor_div %x, %y : tensor<16xi8>
  %3 = tx.mod %x, %y : tensor<16xi8>
  return %0, %1, %2, %3
      : tensor<16xi8>, tensor<16xi8>, tensor<16xi8>, tensor<16xi8>
}

func.func @i16(%in_x: tensor<16xi64>, %in_y: tensor<16xi64>)
    -> (tensor<16xi16> {tx.name = "div"},
        tensor<16xi16> {tx.name = "rem"},
        tensor<16xi16> {tx.name = "floor_div"},
        tensor<16xi16> {tx.name = "mod"}) {
  %x = tx.convert %in_x : tensor<16xi64> -> tensor<16xi16>
  %y = tx.convert %in_y : tensor<16xi64> -> tensor<16xi16>
  %0 = tx.div %x, %y : tensor<16xi16>
  %1 = tx.rem %x, %y : tensor<16xi16>
  %2 = tx.floor_div %x, %y : tensor<16xi16>
  %3 = tx.mod %x, %y : tensor<16xi16>
  return %0, %1, %2, %3
      : tensor<16xi16>, tensor<16xi16>, tensor<16xi16>, tensor<16xi16>
}
// I16: div: i16[16]
// I16-NEXT: [-32768, -32768, 0, 0, 0, 0, -32767, -16384, -1, 0, 1, 0, 3, -3, -3, 3]
// I16-NEXT: rem: i16[16]
// I16-NEXT: [0, 0, -32768, 32767, 0, -1, 0, 0, -1, 32767, 0, -1, 1, -1, 1, -1]
// I16-NEXT: floor_div: i16[16]
// I16-NEXT: [-32768, -32768, 0, 0, 0, 0, -32767, -16384, -2, -1, 1, 0, 3, -4, -4, 3]
// I16-NEXT: mod: i16[16]
// I16-NEXT: [0, 0, -32768, 32767, 0, -1, 0, 0, 32766, -1, 0, -1, 1, 1, -1, -1]

func.func @i16_folded()
    -> (tensor<16xi16> {tx.name = "div"},
        tensor<16xi16> {tx.name = "rem"},
        tensor<16xi16> {tx.name = "floor_div"},
        tensor<16xi16> {tx.name = "mod"}) {
  %x = tx.constant dense<[-32768, -32768, -32768, 32767, 0, -1, 32767, -32768, -32768, 32767, -32768, -1, 7, -7, 7, -7]> : tensor<16xi16>
  %y = tx.constant dense<[-1, 1, 0, 0, 0, 0, -1, 2, 32767, -32768, -32768, -32768, 2, 2, -2, -2]> : tensor<16xi16>
  %0 = tx.div %x, %y : tensor<16xi16>
  %1 = tx.rem %x, %y : tensor<16xi16>
  %2 = tx.floor_div %x, %y : tensor<16xi16>
  %3 = tx.mod %x, %y : tensor<16xi16>
  return %0, %1, %2, %3
      : tensor<16xi16>, tensor<16xi16>, tensor<16xi16>, tensor<16xi16>
}

func.func @i32(%in_x: tensor<16xi64>, %in_y: tensor<16xi64>)
    -> (tensor<16xi32> {tx.name = "div"},
        tensor<16xi32> {tx.name = "rem"},
        tensor<16xi32> {tx.name = "floor_div"},
        tensor<16xi32> {tx.name = "mod"}) {
  %x = tx.convert %in_x : tensor<16xi64> -> tensor<16xi32>
  %y = tx.convert %in_y : tensor<16xi64> -> tensor<16xi32>
  %0 = tx.div %x, %y : tensor<16xi32>
  %1 = tx.rem %x, %y : tensor<16xi32>
  %2 = tx.floor_div %x, %y : tensor<16xi32>
  %3 = tx.mod %x, %y : tensor<16xi32>
  return %0, %1, %2, %3
      : tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>
}
// I32: div: i32[16]
// I32-NEXT: [-2147483648, -2147483648, 0, 0, 0, 0, -2147483647, -1073741824, -1, 0, 1, 0, 3, -3, -3, 3]
// I32-NEXT: rem: i32[16]
// I32-NEXT: [0, 0, -2147483648, 2147483647, 0, -1, 0, 0, -1, 2147483647, 0, -1, 1, -1, 1, -1]
// I32-NEXT: floor_div: i32[16]
// I32-NEXT: [-2147483648, -2147483648, 0, 0, 0, 0, -2147483647, -1073741824, -2, -1, 1, 0, 3, -4, -4, 3]
// I32-NEXT: mod: i32[16]
// I32-NEXT: [0, 0, -2147483648, 2147483647, 0, -1, 0, 0, 2147483646, -1, 0, -1, 1, 1, -1, -1]

func.func @i32_folded()
    -> (tensor<16xi32> {tx.name = "div"},
        tensor<16xi32> {tx.name = "rem"},
        tensor<16xi32> {tx.name = "floor_div"},
        tensor<16xi32> {tx.name = "mod"}) {
  %x = tx.constant dense<[-2147483648, -2147483648, -2147483648, 2147483647, 0, -1, 2147483647, -2147483648, -2147483648, 2147483647, -2147483648, -1, 7, -7, 7, -7]> : tensor<16xi32>
  %y = tx.constant dense<[-1, 1, 0, 0, 0, 0, -1, 2, 2147483647, -2147483648, -2147483648, -2147483648, 2, 2, -2, -2]> : tensor<16xi32>
  %0 = tx.div %x, %y : tensor<16xi32>
  %1 = tx.rem %x, %y : tensor<16xi32>
  %2 = tx.floor_div %x, %y : tensor<16xi32>
  %3 = tx.mod %x, %y : tensor<16xi32>
  return %0, %1, %2, %3
      : tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>
}

func.func @i64(%in_x: tensor<16xi64>, %in_y: tensor<16xi64>)
    -> (tensor<16xi64> {tx.name = "div"},
        tensor<16xi64> {tx.name = "rem"},
        tensor<16xi64> {tx.name = "floor_div"},
        tensor<16xi64> {tx.name = "mod"}) {
  %0 = tx.div %in_x, %in_y : tensor<16xi64>
  %1 = tx.rem %in_x, %in_y : tensor<16xi64>
  %2 = tx.floor_div %in_x, %in_y : tensor<16xi64>
  %3 = tx.mod %in_x, %in_y : tensor<16xi64>
  return %0, %1, %2, %3
      : tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>
}
// I64: div: i64[16]
// I64-NEXT: [-9223372036854775808, -9223372036854775808, 0, 0, 0, 0, -9223372036854775807, -4611686018427387904, -1, 0, 1, 0, 3, -3, -3, 3]
// I64-NEXT: rem: i64[16]
// I64-NEXT: [0, 0, -9223372036854775808, 9223372036854775807, 0, -1, 0, 0, -1, 9223372036854775807, 0, -1, 1, -1, 1, -1]
// I64-NEXT: floor_div: i64[16]
// I64-NEXT: [-9223372036854775808, -9223372036854775808, 0, 0, 0, 0, -9223372036854775807, -4611686018427387904, -2, -1, 1, 0, 3, -4, -4, 3]
// I64-NEXT: mod: i64[16]
// I64-NEXT: [0, 0, -9223372036854775808, 9223372036854775807, 0, -1, 0, 0, 9223372036854775806, -1, 0, -1, 1, 1, -1, -1]

func.func @i64_folded()
    -> (tensor<16xi64> {tx.name = "div"},
        tensor<16xi64> {tx.name = "rem"},
        tensor<16xi64> {tx.name = "floor_div"},
        tensor<16xi64> {tx.name = "mod"}) {
  %x = tx.constant dense<[-9223372036854775808, -9223372036854775808, -9223372036854775808, 9223372036854775807, 0, -1, 9223372036854775807, -9223372036854775808, -9223372036854775808, 9223372036854775807, -9223372036854775808, -1, 7, -7, 7, -7]> : tensor<16xi64>
  %y = tx.constant dense<[-1, 1, 0, 0, 0, 0, -1, 2, 9223372036854775807, -9223372036854775808, -9223372036854775808, -9223372036854775808, 2, 2, -2, -2]> : tensor<16xi64>
  %0 = tx.div %x, %y : tensor<16xi64>
  %1 = tx.rem %x, %y : tensor<16xi64>
  %2 = tx.floor_div %x, %y : tensor<16xi64>
  %3 = tx.mod %x, %y : tensor<16xi64>
  return %0, %1, %2, %3
      : tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>
}

func.func @ui8(%in_x: tensor<12xi64>, %in_y: tensor<12xi64>)
    -> (tensor<12xui8> {tx.name = "div"},
        tensor<12xui8> {tx.name = "rem"},
        tensor<12xui8> {tx.name = "floor_div"},
        tensor<12xui8> {tx.name = "mod"}) {
  %x = tx.convert %in_x : tensor<12xi64> -> tensor<12xui8>
  %y = tx.convert %in_y : tensor<12xi64> -> tensor<12xui8>
  %0 = tx.div %x, %y : tensor<12xui8>
  %1 = tx.rem %x, %y : tensor<12xui8>
  %2 = tx.floor_div %x, %y : tensor<12xui8>
  %3 = tx.mod %x, %y : tensor<12xui8>
  return %0, %1, %2, %3
      : tensor<12xui8>, tensor<12xui8>, tensor<12xui8>, tensor<12xui8>
}
// UI8: div: ui8[12]
// UI8-NEXT: [0, 0, 0, 255, 1, 0, 127, 0, 1, 3, 0, 0]
// UI8-NEXT: rem: ui8[12]
// UI8-NEXT: [255, 0, 1, 0, 0, 1, 1, 128, 127, 1, 254, 0]
// UI8-NEXT: floor_div: ui8[12]
// UI8-NEXT: [0, 0, 0, 255, 1, 0, 127, 0, 1, 3, 0, 0]
// UI8-NEXT: mod: ui8[12]
// UI8-NEXT: [255, 0, 1, 0, 0, 1, 1, 128, 127, 1, 254, 0]

func.func @ui8_folded()
    -> (tensor<12xui8> {tx.name = "div"},
        tensor<12xui8> {tx.name = "rem"},
        tensor<12xui8> {tx.name = "floor_div"},
        tensor<12xui8> {tx.name = "mod"}) {
  %x = tx.constant dense<[255, 0, 1, 255, 255, 1, 255, 128, 255, 7, 254, 0]> : tensor<12xui8>
  %y = tx.constant dense<[0, 0, 0, 1, 255, 255, 2, 255, 128, 2, 255, 255]> : tensor<12xui8>
  %0 = tx.div %x, %y : tensor<12xui8>
  %1 = tx.rem %x, %y : tensor<12xui8>
  %2 = tx.floor_div %x, %y : tensor<12xui8>
  %3 = tx.mod %x, %y : tensor<12xui8>
  return %0, %1, %2, %3
      : tensor<12xui8>, tensor<12xui8>, tensor<12xui8>, tensor<12xui8>
}

func.func @ui16(%in_x: tensor<12xi64>, %in_y: tensor<12xi64>)
    -> (tensor<12xui16> {tx.name = "div"},
        tensor<12xui16> {tx.name = "rem"},
        tensor<12xui16> {tx.name = "floor_div"},
        tensor<12xui16> {tx.name = "mod"}) {
  %x = tx.convert %in_x : tensor<12xi64> -> tensor<12xui16>
  %y = tx.convert %in_y : tensor<12xi64> -> tensor<12xui16>
  %0 = tx.div %x, %y : tensor<12xui16>
  %1 = tx.rem %x, %y : tensor<12xui16>
  %2 = tx.floor_div %x, %y : tensor<12xui16>
  %3 = tx.mod %x, %y : tensor<12xui16>
  return %0, %1, %2, %3
      : tensor<12xui16>, tensor<12xui16>, tensor<12xui16>, tensor<12xui16>
}
// UI16: div: ui16[12]
// UI16-NEXT: [0, 0, 0, 65535, 1, 0, 32767, 0, 1, 3, 0, 0]
// UI16-NEXT: rem: ui16[12]
// UI16-NEXT: [65535, 0, 1, 0, 0, 1, 1, 32768, 32767, 1, 65534, 0]
// UI16-NEXT: floor_div: ui16[12]
// UI16-NEXT: [0, 0, 0, 65535, 1, 0, 32767, 0, 1, 3, 0, 0]
// UI16-NEXT: mod: ui16[12]
// UI16-NEXT: [65535, 0, 1, 0, 0, 1, 1, 32768, 32767, 1, 65534, 0]

func.func @ui16_folded()
    -> (tensor<12xui16> {tx.name = "div"},
        tensor<12xui16> {tx.name = "rem"},
        tensor<12xui16> {tx.name = "floor_div"},
        tensor<12xui16> {tx.name = "mod"}) {
  %x = tx.constant dense<[65535, 0, 1, 65535, 65535, 1, 65535, 32768, 65535, 7, 65534, 0]> : tensor<12xui16>
  %y = tx.constant dense<[0, 0, 0, 1, 65535, 65535, 2, 65535, 32768, 2, 65535, 65535]> : tensor<12xui16>
  %0 = tx.div %x, %y : tensor<12xui16>
  %1 = tx.rem %x, %y : tensor<12xui16>
  %2 = tx.floor_div %x, %y : tensor<12xui16>
  %3 = tx.mod %x, %y : tensor<12xui16>
  return %0, %1, %2, %3
      : tensor<12xui16>, tensor<12xui16>, tensor<12xui16>, tensor<12xui16>
}

func.func @ui32(%in_x: tensor<12xi64>, %in_y: tensor<12xi64>)
    -> (tensor<12xui32> {tx.name = "div"},
        tensor<12xui32> {tx.name = "rem"},
        tensor<12xui32> {tx.name = "floor_div"},
        tensor<12xui32> {tx.name = "mod"}) {
  %x = tx.convert %in_x : tensor<12xi64> -> tensor<12xui32>
  %y = tx.convert %in_y : tensor<12xi64> -> tensor<12xui32>
  %0 = tx.div %x, %y : tensor<12xui32>
  %1 = tx.rem %x, %y : tensor<12xui32>
  %2 = tx.floor_div %x, %y : tensor<12xui32>
  %3 = tx.mod %x, %y : tensor<12xui32>
  return %0, %1, %2, %3
      : tensor<12xui32>, tensor<12xui32>, tensor<12xui32>, tensor<12xui32>
}
// UI32: div: ui32[12]
// UI32-NEXT: [0, 0, 0, 4294967295, 1, 0, 2147483647, 0, 1, 3, 0, 0]
// UI32-NEXT: rem: ui32[12]
// UI32-NEXT: [4294967295, 0, 1, 0, 0, 1, 1, 2147483648, 2147483647, 1, 4294967294, 0]
// UI32-NEXT: floor_div: ui32[12]
// UI32-NEXT: [0, 0, 0, 4294967295, 1, 0, 2147483647, 0, 1, 3, 0, 0]
// UI32-NEXT: mod: ui32[12]
// UI32-NEXT: [4294967295, 0, 1, 0, 0, 1, 1, 2147483648, 2147483647, 1, 4294967294, 0]

func.func @ui32_folded()
    -> (tensor<12xui32> {tx.name = "div"},
        tensor<12xui32> {tx.name = "rem"},
        tensor<12xui32> {tx.name = "floor_div"},
        tensor<12xui32> {tx.name = "mod"}) {
  %x = tx.constant dense<[4294967295, 0, 1, 4294967295, 4294967295, 1, 4294967295, 2147483648, 4294967295, 7, 4294967294, 0]> : tensor<12xui32>
  %y = tx.constant dense<[0, 0, 0, 1, 4294967295, 4294967295, 2, 4294967295, 2147483648, 2, 4294967295, 4294967295]> : tensor<12xui32>
  %0 = tx.div %x, %y : tensor<12xui32>
  %1 = tx.rem %x, %y : tensor<12xui32>
  %2 = tx.floor_div %x, %y : tensor<12xui32>
  %3 = tx.mod %x, %y : tensor<12xui32>
  return %0, %1, %2, %3
      : tensor<12xui32>, tensor<12xui32>, tensor<12xui32>, tensor<12xui32>
}

func.func @ui64(%in_x: tensor<12xi64>, %in_y: tensor<12xi64>)
    -> (tensor<12xui64> {tx.name = "div"},
        tensor<12xui64> {tx.name = "rem"},
        tensor<12xui64> {tx.name = "floor_div"},
        tensor<12xui64> {tx.name = "mod"}) {
  %x = tx.convert %in_x : tensor<12xi64> -> tensor<12xui64>
  %y = tx.convert %in_y : tensor<12xi64> -> tensor<12xui64>
  %0 = tx.div %x, %y : tensor<12xui64>
  %1 = tx.rem %x, %y : tensor<12xui64>
  %2 = tx.floor_div %x, %y : tensor<12xui64>
  %3 = tx.mod %x, %y : tensor<12xui64>
  return %0, %1, %2, %3
      : tensor<12xui64>, tensor<12xui64>, tensor<12xui64>, tensor<12xui64>
}
// UI64: div: ui64[12]
// UI64-NEXT: [0, 0, 0, 18446744073709551615, 1, 0, 9223372036854775807, 0, 1, 3, 0, 0]
// UI64-NEXT: rem: ui64[12]
// UI64-NEXT: [18446744073709551615, 0, 1, 0, 0, 1, 1, 9223372036854775808, 9223372036854775807, 1, 18446744073709551614, 0]
// UI64-NEXT: floor_div: ui64[12]
// UI64-NEXT: [0, 0, 0, 18446744073709551615, 1, 0, 9223372036854775807, 0, 1, 3, 0, 0]
// UI64-NEXT: mod: ui64[12]
// UI64-NEXT: [18446744073709551615, 0, 1, 0, 0, 1, 1, 9223372036854775808, 9223372036854775807, 1, 18446744073709551614, 0]

func.func @ui64_folded()
    -> (tensor<12xui64> {tx.name = "div"},
        tensor<12xui64> {tx.name = "rem"},
        tensor<12xui64> {tx.name = "floor_div"},
        tensor<12xui64> {tx.name = "mod"}) {
  %x = tx.constant dense<[18446744073709551615, 0, 1, 18446744073709551615, 18446744073709551615, 1, 18446744073709551615, 9223372036854775808, 18446744073709551615, 7, 18446744073709551614, 0]> : tensor<12xui64>
  %y = tx.constant dense<[0, 0, 0, 1, 18446744073709551615, 18446744073709551615, 2, 18446744073709551615, 9223372036854775808, 2, 18446744073709551615, 18446744073709551615]> : tensor<12xui64>
  %0 = tx.div %x, %y : tensor<12xui64>
  %1 = tx.rem %x, %y : tensor<12xui64>
  %2 = tx.floor_div %x, %y : tensor<12xui64>
  %3 = tx.mod %x, %y : tensor<12xui64>
  return %0, %1, %2, %3
      : tensor<12xui64>, tensor<12xui64>, tensor<12xui64>, tensor<12xui64>
}
