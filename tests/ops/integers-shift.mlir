// Shifts by the width, more, and negative amounts, which count as unsigned.
// Each case from inputs, and from constants, which passes may fold.
//
// RUN: %npy %t.i8.x.npy i64 '[-1, -1, -1, -1, -1, -1, -1, -1, -128, -128, -128, -128, -128, -128, -128, -128, 5, 5, 5, 5, 5, 5, 5, 5]'
// RUN: %npy %t.i8.y.npy i64 '[0, 1, 7, 8, 9, -1, -128, 127, 0, 1, 7, 8, 9, -1, -128, 127, 0, 1, 7, 8, 9, -1, -128, 127]'
// RUN: %run_op --entry=i8 --input=%t.i8.x.npy --input=%t.i8.y.npy | FileCheck %s --check-prefix=I8
// RUN: %run_op --entry=i8_folded | FileCheck %s --check-prefix=I8
// RUN: %npy %t.i16.x.npy i64 '[-1, -1, -1, -1, -1, -1, -1, -1, -32768, -32768, -32768, -32768, -32768, -32768, -32768, -32768, 5, 5, 5, 5, 5, 5, 5, 5]'
// RUN: %npy %t.i16.y.npy i64 '[0, 1, 15, 16, 17, -1, -32768, 32767, 0, 1, 15, 16, 17, -1, -32768, 32767, 0, 1, 15, 16, 17, -1, -32768, 32767]'
// RUN: %run_op --entry=i16 --input=%t.i16.x.npy --input=%t.i16.y.npy | FileCheck %s --check-prefix=I16
// RUN: %run_op --entry=i16_folded | FileCheck %s --check-prefix=I16
// RUN: %npy %t.i32.x.npy i64 '[-1, -1, -1, -1, -1, -1, -1, -1, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, 5, 5, 5, 5, 5, 5, 5, 5]'
// RUN: %npy %t.i32.y.npy i64 '[0, 1, 31, 32, 33, -1, -2147483648, 2147483647, 0, 1, 31, 32, 33, -1, -2147483648, 2147483647, 0, 1, 31, 32, 33, -1, -2147483648, 2147483647]'
// RUN: %run_op --entry=i32 --input=%t.i32.x.npy --input=%t.i32.y.npy | FileCheck %s --check-prefix=I32
// RUN: %run_op --entry=i32_folded | FileCheck %s --check-prefix=I32
// RUN: %npy %t.i64.x.npy i64 '[-1, -1, -1, -1, -1, -1, -1, -1, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, 5, 5, 5, 5, 5, 5, 5, 5]'
// RUN: %npy %t.i64.y.npy i64 '[0, 1, 63, 64, 65, -1, -9223372036854775808, 9223372036854775807, 0, 1, 63, 64, 65, -1, -9223372036854775808, 9223372036854775807, 0, 1, 63, 64, 65, -1, -9223372036854775808, 9223372036854775807]'
// RUN: %run_op --entry=i64 --input=%t.i64.x.npy --input=%t.i64.y.npy | FileCheck %s --check-prefix=I64
// RUN: %run_op --entry=i64_folded | FileCheck %s --check-prefix=I64
// RUN: %npy %t.ui8.x.npy i64 '[255, 255, 255, 255, 255, 255, 255, 255, 128, 128, 128, 128, 128, 128, 128, 128, 5, 5, 5, 5, 5, 5, 5, 5]'
// RUN: %npy %t.ui8.y.npy i64 '[0, 1, 7, 8, 9, 255, 254, 128, 0, 1, 7, 8, 9, 255, 254, 128, 0, 1, 7, 8, 9, 255, 254, 128]'
// RUN: %run_op --entry=ui8 --input=%t.ui8.x.npy --input=%t.ui8.y.npy | FileCheck %s --check-prefix=UI8
// RUN: %run_op --entry=ui8_folded | FileCheck %s --check-prefix=UI8
// RUN: %npy %t.ui16.x.npy i64 '[65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 5, 5, 5, 5, 5, 5, 5, 5]'
// RUN: %npy %t.ui16.y.npy i64 '[0, 1, 15, 16, 17, 65535, 65534, 32768, 0, 1, 15, 16, 17, 65535, 65534, 32768, 0, 1, 15, 16, 17, 65535, 65534, 32768]'
// RUN: %run_op --entry=ui16 --input=%t.ui16.x.npy --input=%t.ui16.y.npy | FileCheck %s --check-prefix=UI16
// RUN: %run_op --entry=ui16_folded | FileCheck %s --check-prefix=UI16
// RUN: %npy %t.ui32.x.npy i64 '[4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 2147483648, 2147483648, 2147483648, 2147483648, 2147483648, 2147483648, 2147483648, 2147483648, 5, 5, 5, 5, 5, 5, 5, 5]'
// RUN: %npy %t.ui32.y.npy i64 '[0, 1, 31, 32, 33, 4294967295, 4294967294, 2147483648, 0, 1, 31, 32, 33, 4294967295, 4294967294, 2147483648, 0, 1, 31, 32, 33, 4294967295, 4294967294, 2147483648]'
// RUN: %run_op --entry=ui32 --input=%t.ui32.x.npy --input=%t.ui32.y.npy | FileCheck %s --check-prefix=UI32
// RUN: %run_op --entry=ui32_folded | FileCheck %s --check-prefix=UI32
// RUN: %npy %t.ui64.x.npy i64 '[-1, -1, -1, -1, -1, -1, -1, -1, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, 5, 5, 5, 5, 5, 5, 5, 5]'
// RUN: %npy %t.ui64.y.npy i64 '[0, 1, 63, 64, 65, -1, -2, -9223372036854775808, 0, 1, 63, 64, 65, -1, -2, -9223372036854775808, 0, 1, 63, 64, 65, -1, -2, -9223372036854775808]'
// RUN: %run_op --entry=ui64 --input=%t.ui64.x.npy --input=%t.ui64.y.npy | FileCheck %s --check-prefix=UI64
// RUN: %run_op --entry=ui64_folded | FileCheck %s --check-prefix=UI64

func.func @i8(%in_x: tensor<24xi64>, %in_y: tensor<24xi64>)
    -> (tensor<24xi8> {tx.name = "shl"},
        tensor<24xi8> {tx.name = "shr_arith"},
        tensor<24xi8> {tx.name = "shr_logical"}) {
  %x = tx.convert %in_x : tensor<24xi64> -> tensor<24xi8>
  %y = tx.convert %in_y : tensor<24xi64> -> tensor<24xi8>
  %0 = tx.shl %x, %y : tensor<24xi8>
  %1 = tx.shr_arith %x, %y : tensor<24xi8>
  %2 = tx.shr_logical %x, %y : tensor<24xi8>
  return %0, %1, %2
      : tensor<24xi8>, tensor<24xi8>, tensor<24xi8>
}
// I8: shl: i8[24]
// I8-NEXT: [-1, -2, -128, 0, 0, 0, 0, 0, -128, 0, 0, 0, 0, 0, 0, 0, 5, 10, -128, 0, 0, 0, 0, 0]
// I8-NEXT: shr_arith: i8[24]
// I8-NEXT: [-1, -1, -1, -1, -1, -1, -1, -1, -128, -64, -1, -1, -1, -1, -1, -1, 5, 2, 0, 0, 0, 0, 0, 0]
// I8-NEXT: shr_logical: i8[24]
// I8-NEXT: [-1, 127, 1, 0, 0, 0, 0, 0, -128, 64, 1, 0, 0, 0, 0, 0, 5, 2, 0, 0, 0, 0, 0, 0]

func.func @i8_folded()
    -> (tensor<24xi8> {tx.name = "shl"},
        tensor<24xi8> {tx.name = "shr_arith"},
        tensor<24xi8> {tx.name = "shr_logical"}) {
  %x = tx.constant dense<[-1, -1, -1, -1, -1, -1, -1, -1, -128, -128, -128, -128, -128, -128, -128, -128, 5, 5, 5, 5, 5, 5, 5, 5]> : tensor<24xi8>
  %y = tx.constant dense<[0, 1, 7, 8, 9, -1, -128, 127, 0, 1, 7, 8, 9, -1, -128, 127, 0, 1, 7, 8, 9, -1, -128, 127]> : tensor<24xi8>
  %0 = tx.shl %x, %y : tensor<24xi8>
  %1 = tx.shr_arith %x, %y : tensor<24xi8>
  %2 = tx.shr_logical %x, %y : tensor<24xi8>
  return %0, %1, %2
      : tensor<24xi8>, tensor<24xi8>, tensor<24xi8>
}

func.func @i16(%in_x: tensor<24xi64>, %in_y: tensor<24xi64>)
    -> (tensor<24xi16> {tx.name = "shl"},
        tensor<24xi16> {tx.name = "shr_arith"},
        tensor<24xi16> {tx.name = "shr_logical"}) {
  %x = tx.convert %in_x : tensor<24xi64> -> tensor<24xi16>
  %y = tx.convert %in_y : tensor<24xi64> -> tensor<24xi16>
  %0 = tx.shl %x, %y : tensor<24xi16>
  %1 = tx.shr_arith %x, %y : tensor<24xi16>
  %2 = tx.shr_logical %x, %y : tensor<24xi16>
  return %0, %1, %2
      : tensor<24xi16>, tensor<24xi16>, tensor<24xi16>
}
// I16: shl: i16[24]
// I16-NEXT: [-1, -2, -32768, 0, 0, 0, 0, 0, -32768, 0, 0, 0, 0, 0, 0, 0, 5, 10, -32768, 0, 0, 0, 0, 0]
// I16-NEXT: shr_arith: i16[24]
// I16-NEXT: [-1, -1, -1, -1, -1, -1, -1, -1, -32768, -16384, -1, -1, -1, -1, -1, -1, 5, 2, 0, 0, 0, 0, 0, 0]
// I16-NEXT: shr_logical: i16[24]
// I16-NEXT: [-1, 32767, 1, 0, 0, 0, 0, 0, -32768, 16384, 1, 0, 0, 0, 0, 0, 5, 2, 0, 0, 0, 0, 0, 0]

func.func @i16_folded()
    -> (tensor<24xi16> {tx.name = "shl"},
        tensor<24xi16> {tx.name = "shr_arith"},
        tensor<24xi16> {tx.name = "shr_logical"}) {
  %x = tx.constant dense<[-1, -1, -1, -1, -1, -1, -1, -1, -32768, -32768, -32768, -32768, -32768, -32768, -32768, -32768, 5, 5, 5, 5, 5, 5, 5, 5]> : tensor<24xi16>
  %y = tx.constant dense<[0, 1, 15, 16, 17, -1, -32768, 32767, 0, 1, 15, 16, 17, -1, -32768, 32767, 0, 1, 15, 16, 17, -1, -32768, 32767]> : tensor<24xi16>
  %0 = tx.shl %x, %y : tensor<24xi16>
  %1 = tx.shr_arith %x, %y : tensor<24xi16>
  %2 = tx.shr_logical %x, %y : tensor<24xi16>
  return %0, %1, %2
      : tensor<24xi16>, tensor<24xi16>, tensor<24xi16>
}

func.func @i32(%in_x: tensor<24xi64>, %in_y: tensor<24xi64>)
    -> (tensor<24xi32> {tx.name = "shl"},
        tensor<24xi32> {tx.name = "shr_arith"},
        tensor<24xi32> {tx.name = "shr_logical"}) {
  %x = tx.convert %in_x : tensor<24xi64> -> tensor<24xi32>
  %y = tx.convert %in_y : tensor<24xi64> -> tensor<24xi32>
  %0 = tx.shl %x, %y : tensor<24xi32>
  %1 = tx.shr_arith %x, %y : tensor<24xi32>
  %2 = tx.shr_logical %x, %y : tensor<24xi32>
  return %0, %1, %2
      : tensor<24xi32>, tensor<24xi32>, tensor<24xi32>
}
// I32: shl: i32[24]
// I32-NEXT: [-1, -2, -2147483648, 0, 0, 0, 0, 0, -2147483648, 0, 0, 0, 0, 0, 0, 0, 5, 10, -2147483648, 0, 0, 0, 0, 0]
// I32-NEXT: shr_arith: i32[24]
// I32-NEXT: [-1, -1, -1, -1, -1, -1, -1, -1, -2147483648, -1073741824, -1, -1, -1, -1, -1, -1, 5, 2, 0, 0, 0, 0, 0, 0]
// I32-NEXT: shr_logical: i32[24]
// I32-NEXT: [-1, 2147483647, 1, 0, 0, 0, 0, 0, -2147483648, 1073741824, 1, 0, 0, 0, 0, 0, 5, 2, 0, 0, 0, 0, 0, 0]

func.func @i32_folded()
    -> (tensor<24xi32> {tx.name = "shl"},
        tensor<24xi32> {tx.name = "shr_arith"},
        tensor<24xi32> {tx.name = "shr_logical"}) {
  %x = tx.constant dense<[-1, -1, -1, -1, -1, -1, -1, -1, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, 5, 5, 5, 5, 5, 5, 5, 5]> : tensor<24xi32>
  %y = tx.constant dense<[0, 1, 31, 32, 33, -1, -2147483648, 2147483647, 0, 1, 31, 32, 33, -1, -2147483648, 2147483647, 0, 1, 31, 32, 33, -1, -2147483648, 2147483647]> : tensor<24xi32>
  %0 = tx.shl %x, %y : tensor<24xi32>
  %1 = tx.shr_arith %x, %y : tensor<24xi32>
  %2 = tx.shr_logical %x, %y : tensor<24xi32>
  return %0, %1, %2
      : tensor<24xi32>, tensor<24xi32>, tensor<24xi32>
}

func.func @i64(%in_x: tensor<24xi64>, %in_y: tensor<24xi64>)
    -> (tensor<24xi64> {tx.name = "shl"},
        tensor<24xi64> {tx.name = "shr_arith"},
        tensor<24xi64> {tx.name = "shr_logical"}) {
  %0 = tx.shl %in_x, %in_y : tensor<24xi64>
  %1 = tx.shr_arith %in_x, %in_y : tensor<24xi64>
  %2 = tx.shr_logical %in_x, %in_y : tensor<24xi64>
  return %0, %1, %2
      : tensor<24xi64>, tensor<24xi64>, tensor<24xi64>
}
// I64: shl: i64[24]
// I64-NEXT: [-1, -2, -9223372036854775808, 0, 0, 0, 0, 0, -9223372036854775808, 0, 0, 0, 0, 0, 0, 0, 5, 10, -9223372036854775808, 0, 0, 0, 0, 0]
// I64-NEXT: shr_arith: i64[24]
// I64-NEXT: [-1, -1, -1, -1, -1, -1, -1, -1, -9223372036854775808, -4611686018427387904, -1, -1, -1, -1, -1, -1, 5, 2, 0, 0, 0, 0, 0, 0]
// I64-NEXT: shr_logical: i64[24]
// I64-NEXT: [-1, 9223372036854775807, 1, 0, 0, 0, 0, 0, -9223372036854775808, 4611686018427387904, 1, 0, 0, 0, 0, 0, 5, 2, 0, 0, 0, 0, 0, 0]

func.func @i64_folded()
    -> (tensor<24xi64> {tx.name = "shl"},
        tensor<24xi64> {tx.name = "shr_arith"},
        tensor<24xi64> {tx.name = "shr_logical"}) {
  %x = tx.constant dense<[-1, -1, -1, -1, -1, -1, -1, -1, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, 5, 5, 5, 5, 5, 5, 5, 5]> : tensor<24xi64>
  %y = tx.constant dense<[0, 1, 63, 64, 65, -1, -9223372036854775808, 9223372036854775807, 0, 1, 63, 64, 65, -1, -9223372036854775808, 9223372036854775807, 0, 1, 63, 64, 65, -1, -9223372036854775808, 9223372036854775807]> : tensor<24xi64>
  %0 = tx.shl %x, %y : tensor<24xi64>
  %1 = tx.shr_arith %x, %y : tensor<24xi64>
  %2 = tx.shr_logical %x, %y : tensor<24xi64>
  return %0, %1, %2
      : tensor<24xi64>, tensor<24xi64>, tensor<24xi64>
}

func.func @ui8(%in_x: tensor<24xi64>, %in_y: tensor<24xi64>)
    -> (tensor<24xui8> {tx.name = "shl"},
        tensor<24xui8> {tx.name = "shr_arith"},
        tensor<24xui8> {tx.name = "shr_logical"}) {
  %x = tx.convert %in_x : tensor<24xi64> -> tensor<24xui8>
  %y = tx.convert %in_y : tensor<24xi64> -> tensor<24xui8>
  %0 = tx.shl %x, %y : tensor<24xui8>
  %1 = tx.shr_arith %x, %y : tensor<24xui8>
  %2 = tx.shr_logical %x, %y : tensor<24xui8>
  return %0, %1, %2
      : tensor<24xui8>, tensor<24xui8>, tensor<24xui8>
}
// UI8: shl: ui8[24]
// UI8-NEXT: [255, 254, 128, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 5, 10, 128, 0, 0, 0, 0, 0]
// UI8-NEXT: shr_arith: ui8[24]
// UI8-NEXT: [255, 255, 255, 255, 255, 255, 255, 255, 128, 192, 255, 255, 255, 255, 255, 255, 5, 2, 0, 0, 0, 0, 0, 0]
// UI8-NEXT: shr_logical: ui8[24]
// UI8-NEXT: [255, 127, 1, 0, 0, 0, 0, 0, 128, 64, 1, 0, 0, 0, 0, 0, 5, 2, 0, 0, 0, 0, 0, 0]

func.func @ui8_folded()
    -> (tensor<24xui8> {tx.name = "shl"},
        tensor<24xui8> {tx.name = "shr_arith"},
        tensor<24xui8> {tx.name = "shr_logical"}) {
  %x = tx.constant dense<[255, 255, 255, 255, 255, 255, 255, 255, 128, 128, 128, 128, 128, 128, 128, 128, 5, 5, 5, 5, 5, 5, 5, 5]> : tensor<24xui8>
  %y = tx.constant dense<[0, 1, 7, 8, 9, 255, 254, 128, 0, 1, 7, 8, 9, 255, 254, 128, 0, 1, 7, 8, 9, 255, 254, 128]> : tensor<24xui8>
  %0 = tx.shl %x, %y : tensor<24xui8>
  %1 = tx.shr_arith %x, %y : tensor<24xui8>
  %2 = tx.shr_logical %x, %y : tensor<24xui8>
  return %0, %1, %2
      : tensor<24xui8>, tensor<24xui8>, tensor<24xui8>
}

func.func @ui16(%in_x: tensor<24xi64>, %in_y: tensor<24xi64>)
    -> (tensor<24xui16> {tx.name = "shl"},
        tensor<24xui16> {tx.name = "shr_arith"},
        tensor<24xui16> {tx.name = "shr_logical"}) {
  %x = tx.convert %in_x : tensor<24xi64> -> tensor<24xui16>
  %y = tx.convert %in_y : tensor<24xi64> -> tensor<24xui16>
  %0 = tx.shl %x, %y : tensor<24xui16>
  %1 = tx.shr_arith %x, %y : tensor<24xui16>
  %2 = tx.shr_logical %x, %y : tensor<24xui16>
  return %0, %1, %2
      : tensor<24xui16>, tensor<24xui16>, tensor<24xui16>
}
// UI16: shl: ui16[24]
// UI16-NEXT: [65535, 65534, 32768, 0, 0, 0, 0, 0, 32768, 0, 0, 0, 0, 0, 0, 0, 5, 10, 32768, 0, 0, 0, 0, 0]
// UI16-NEXT: shr_arith: ui16[24]
// UI16-NEXT: [65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 32768, 49152, 65535, 65535, 65535, 65535, 65535, 65535, 5, 2, 0, 0, 0, 0, 0, 0]
// UI16-NEXT: shr_logical: ui16[24]
// UI16-NEXT: [65535, 32767, 1, 0, 0, 0, 0, 0, 32768, 16384, 1, 0, 0, 0, 0, 0, 5, 2, 0, 0, 0, 0, 0, 0]

func.func @ui16_folded()
    -> (tensor<24xui16> {tx.name = "shl"},
        tensor<24xui16> {tx.name = "shr_arith"},
        tensor<24xui16> {tx.name = "shr_logical"}) {
  %x = tx.constant dense<[65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 5, 5, 5, 5, 5, 5, 5, 5]> : tensor<24xui16>
  %y = tx.constant dense<[0, 1, 15, 16, 17, 65535, 65534, 32768, 0, 1, 15, 16, 17, 65535, 65534, 32768, 0, 1, 15, 16, 17, 65535, 65534, 32768]> : tensor<24xui16>
  %0 = tx.shl %x, %y : tensor<24xui16>
  %1 = tx.shr_arith %x, %y : tensor<24xui16>
  %2 = tx.shr_logical %x, %y : tensor<24xui16>
  return %0, %1, %2
      : tensor<24xui16>, tensor<24xui16>, tensor<24xui16>
}

func.func @ui32(%in_x: tensor<24xi64>, %in_y: tensor<24xi64>)
    -> (tensor<24xui32> {tx.name = "shl"},
        tensor<24xui32> {tx.name = "shr_arith"},
        tensor<24xui32> {tx.name = "shr_logical"}) {
  %x = tx.convert %in_x : tensor<24xi64> -> tensor<24xui32>
  %y = tx.convert %in_y : tensor<24xi64> -> tensor<24xui32>
  %0 = tx.shl %x, %y : tensor<24xui32>
  %1 = tx.shr_arith %x, %y : tensor<24xui32>
  %2 = tx.shr_logical %x, %y : tensor<24xui32>
  return %0, %1, %2
      : tensor<24xui32>, tensor<24xui32>, tensor<24xui32>
}
// UI32: shl: ui32[24]
// UI32-NEXT: [4294967295, 4294967294, 2147483648, 0, 0, 0, 0, 0, 2147483648, 0, 0, 0, 0, 0, 0, 0, 5, 10, 2147483648, 0, 0, 0, 0, 0]
// UI32-NEXT: shr_arith: ui32[24]
// UI32-NEXT: [4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 2147483648, 3221225472, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 5, 2, 0, 0, 0, 0, 0, 0]
// UI32-NEXT: shr_logical: ui32[24]
// UI32-NEXT: [4294967295, 2147483647, 1, 0, 0, 0, 0, 0, 2147483648, 1073741824, 1, 0, 0, 0, 0, 0, 5, 2, 0, 0, 0, 0, 0, 0]

func.func @ui32_folded()
    -> (tensor<24xui32> {tx.name = "shl"},
        tensor<24xui32> {tx.name = "shr_arith"},
        tensor<24xui32> {tx.name = "shr_logical"}) {
  %x = tx.constant dense<[4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 2147483648, 2147483648, 2147483648, 2147483648, 2147483648, 2147483648, 2147483648, 2147483648, 5, 5, 5, 5, 5, 5, 5, 5]> : tensor<24xui32>
  %y = tx.constant dense<[0, 1, 31, 32, 33, 4294967295, 4294967294, 2147483648, 0, 1, 31, 32, 33, 4294967295, 4294967294, 2147483648, 0, 1, 31, 32, 33, 4294967295, 4294967294, 2147483648]> : tensor<24xui32>
  %0 = tx.shl %x, %y : tensor<24xui32>
  %1 = tx.shr_arith %x, %y : tensor<24xui32>
  %2 = tx.shr_logical %x, %y : tensor<24xui32>
  return %0, %1, %2
      : tensor<24xui32>, tensor<24xui32>, tensor<24xui32>
}

func.func @ui64(%in_x: tensor<24xi64>, %in_y: tensor<24xi64>)
    -> (tensor<24xui64> {tx.name = "shl"},
        tensor<24xui64> {tx.name = "shr_arith"},
        tensor<24xui64> {tx.name = "shr_logical"}) {
  %x = tx.convert %in_x : tensor<24xi64> -> tensor<24xui64>
  %y = tx.convert %in_y : tensor<24xi64> -> tensor<24xui64>
  %0 = tx.shl %x, %y : tensor<24xui64>
  %1 = tx.shr_arith %x, %y : tensor<24xui64>
  %2 = tx.shr_logical %x, %y : tensor<24xui64>
  return %0, %1, %2
      : tensor<24xui64>, tensor<24xui64>, tensor<24xui64>
}
// UI64: shl: ui64[24]
// UI64-NEXT: [18446744073709551615, 18446744073709551614, 9223372036854775808, 0, 0, 0, 0, 0, 9223372036854775808, 0, 0, 0, 0, 0, 0, 0, 5, 10, 9223372036854775808, 0, 0, 0, 0, 0]
// UI64-NEXT: shr_arith: ui64[24]
// UI64-NEXT: [18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 9223372036854775808, 13835058055282163712, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 5, 2, 0, 0, 0, 0, 0, 0]
// UI64-NEXT: shr_logical: ui64[24]
// UI64-NEXT: [18446744073709551615, 9223372036854775807, 1, 0, 0, 0, 0, 0, 9223372036854775808, 4611686018427387904, 1, 0, 0, 0, 0, 0, 5, 2, 0, 0, 0, 0, 0, 0]

func.func @ui64_folded()
    -> (tensor<24xui64> {tx.name = "shl"},
        tensor<24xui64> {tx.name = "shr_arith"},
        tensor<24xui64> {tx.name = "shr_logical"}) {
  %x = tx.constant dense<[18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 9223372036854775808, 9223372036854775808, 9223372036854775808, 9223372036854775808, 9223372036854775808, 9223372036854775808, 9223372036854775808, 9223372036854775808, 5, 5, 5, 5, 5, 5, 5, 5]> : tensor<24xui64>
  %y = tx.constant dense<[0, 1, 63, 64, 65, 18446744073709551615, 18446744073709551614, 9223372036854775808, 0, 1, 63, 64, 65, 18446744073709551615, 18446744073709551614, 9223372036854775808, 0, 1, 63, 64, 65, 18446744073709551615, 18446744073709551614, 9223372036854775808]> : tensor<24xui64>
  %0 = tx.shl %x, %y : tensor<24xui64>
  %1 = tx.shr_arith %x, %y : tensor<24xui64>
  %2 = tx.shr_logical %x, %y : tensor<24xui64>
  return %0, %1, %2
      : tensor<24xui64>, tensor<24xui64>, tensor<24xui64>
}
