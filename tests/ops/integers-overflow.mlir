// Sums, products, negation and abs at the ends of the range wrap around; bits of 0 and of all ones.
// Each case from inputs, and from constants, which passes may fold.
//
// RUN: %npy %t.i8.x.npy i64 '[127, 127, -128, -128, 127, -128, 0, 16]'
// RUN: %npy %t.i8.y.npy i64 '[1, 127, 1, -128, 2, -1, 1, 16]'
// RUN: %run_op --entry=i8 --input=%t.i8.x.npy --input=%t.i8.y.npy | FileCheck %s --check-prefix=I8
// RUN: %run_op --entry=i8_folded | FileCheck %s --check-prefix=I8
// RUN: %npy %t.i16.x.npy i64 '[32767, 32767, -32768, -32768, 32767, -32768, 0, 256]'
// RUN: %npy %t.i16.y.npy i64 '[1, 32767, 1, -32768, 2, -1, 1, 256]'
// RUN: %run_op --entry=i16 --input=%t.i16.x.npy --input=%t.i16.y.npy | FileCheck %s --check-prefix=I16
// RUN: %run_op --entry=i16_folded | FileCheck %s --check-prefix=I16
// RUN: %npy %t.i32.x.npy i64 '[2147483647, 2147483647, -2147483648, -2147483648, 2147483647, -2147483648, 0, 65536]'
// RUN: %npy %t.i32.y.npy i64 '[1, 2147483647, 1, -2147483648, 2, -1, 1, 65536]'
// RUN: %run_op --entry=i32 --input=%t.i32.x.npy --input=%t.i32.y.npy | FileCheck %s --check-prefix=I32
// RUN: %run_op --entry=i32_folded | FileCheck %s --check-prefix=I32
// RUN: %npy %t.i64.x.npy i64 '[9223372036854775807, 9223372036854775807, -9223372036854775808, -9223372036854775808, 9223372036854775807, -9223372036854775808, 0, 4294967296]'
// RUN: %npy %t.i64.y.npy i64 '[1, 9223372036854775807, 1, -9223372036854775808, 2, -1, 1, 4294967296]'
// RUN: %run_op --entry=i64 --input=%t.i64.x.npy --input=%t.i64.y.npy | FileCheck %s --check-prefix=I64
// RUN: %run_op --entry=i64_folded | FileCheck %s --check-prefix=I64
// RUN: %npy %t.ui8.x.npy i64 '[255, 255, 0, 0, 255, 0, 0, 16]'
// RUN: %npy %t.ui8.y.npy i64 '[1, 255, 1, 0, 2, 255, 1, 16]'
// RUN: %run_op --entry=ui8 --input=%t.ui8.x.npy --input=%t.ui8.y.npy | FileCheck %s --check-prefix=UI8
// RUN: %run_op --entry=ui8_folded | FileCheck %s --check-prefix=UI8
// RUN: %npy %t.ui16.x.npy i64 '[65535, 65535, 0, 0, 65535, 0, 0, 256]'
// RUN: %npy %t.ui16.y.npy i64 '[1, 65535, 1, 0, 2, 65535, 1, 256]'
// RUN: %run_op --entry=ui16 --input=%t.ui16.x.npy --input=%t.ui16.y.npy | FileCheck %s --check-prefix=UI16
// RUN: %run_op --entry=ui16_folded | FileCheck %s --check-prefix=UI16
// RUN: %npy %t.ui32.x.npy i64 '[4294967295, 4294967295, 0, 0, 4294967295, 0, 0, 65536]'
// RUN: %npy %t.ui32.y.npy i64 '[1, 4294967295, 1, 0, 2, 4294967295, 1, 65536]'
// RUN: %run_op --entry=ui32 --input=%t.ui32.x.npy --input=%t.ui32.y.npy | FileCheck %s --check-prefix=UI32
// RUN: %run_op --entry=ui32_folded | FileCheck %s --check-prefix=UI32
// RUN: %npy %t.ui64.x.npy i64 '[-1, -1, 0, 0, -1, 0, 0, 4294967296]'
// RUN: %npy %t.ui64.y.npy i64 '[1, -1, 1, 0, 2, -1, 1, 4294967296]'
// RUN: %run_op --entry=ui64 --input=%t.ui64.x.npy --input=%t.ui64.y.npy | FileCheck %s --check-prefix=UI64
// RUN: %run_op --entry=ui64_folded | FileCheck %s --check-prefix=UI64

func.func @i8(%in_x: tensor<8xi64>, %in_y: tensor<8xi64>)
    -> (tensor<8xi8> {tx.name = "add"},
        tensor<8xi8> {tx.name = "sub"},
        tensor<8xi8> {tx.name = "mul"},
        tensor<8xi8> {tx.name = "neg"},
        tensor<8xi8> {tx.name = "abs"},
        tensor<8xi8> {tx.name = "sign"},
        tensor<8xi8> {tx.name = "popcount"},
        tensor<8xi8> {tx.name = "clz"}) {
  %x = tx.convert %in_x : tensor<8xi64> -> tensor<8xi8>
  %y = tx.convert %in_y : tensor<8xi64> -> tensor<8xi8>
  %0 = tx.add %x, %y : tensor<8xi8>
  %1 = tx.sub %x, %y : tensor<8xi8>
  %2 = tx.mul %x, %y : tensor<8xi8>
  %3 = tx.neg %x : tensor<8xi8>
  %4 = tx.abs %x : tensor<8xi8>
  %5 = tx.sign %x : tensor<8xi8>
  %6 = tx.popcount %x : tensor<8xi8>
  %7 = tx.clz %x : tensor<8xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>,
        tensor<8xi8>, tensor<8xi8>
}
// I8: add: i8[8]
// I8-NEXT: [-128, -2, -127, 0, -127, 127, 1, 32]
// I8-NEXT: sub: i8[8]
// I8-NEXT: [126, 0, 127, 0, 125, -127, -1, 0]
// I8-NEXT: mul: i8[8]
// I8-NEXT: [127, 1, -128, 0, -2, -128, 0, 0]
// I8-NEXT: neg: i8[8]
// I8-NEXT: [-127, -127, -128, -128, -127, -128, 0, -16]
// I8-NEXT: abs: i8[8]
// I8-NEXT: [127, 127, -128, -128, 127, -128, 0, 16]
// I8-NEXT: sign: i8[8]
// I8-NEXT: [1, 1, -1, -1, 1, -1, 0, 1]
// I8-NEXT: popcount: i8[8]
// I8-NEXT: [7, 7, 1, 1, 7, 1, 0, 1]
// I8-NEXT: clz: i8[8]
// I8-NEXT: [1, 1, 0, 0, 1, 0, 8, 3]

func.func @i8_folded()
    -> (tensor<8xi8> {tx.name = "add"},
        tensor<8xi8> {tx.name = "sub"},
        tensor<8xi8> {tx.name = "mul"},
        tensor<8xi8> {tx.name = "neg"},
        tensor<8xi8> {tx.name = "abs"},
        tensor<8xi8> {tx.name = "sign"},
        tensor<8xi8> {tx.name = "popcount"},
        tensor<8xi8> {tx.name = "clz"}) {
  %x = tx.constant dense<[127, 127, -128, -128, 127, -128, 0, 16]> : tensor<8xi8>
  %y = tx.constant dense<[1, 127, 1, -128, 2, -1, 1, 16]> : tensor<8xi8>
  %0 = tx.add %x, %y : tensor<8xi8>
  %1 = tx.sub %x, %y : tensor<8xi8>
  %2 = tx.mul %x, %y : tensor<8xi8>
  %3 = tx.neg %x : tensor<8xi8>
  %4 = tx.abs %x : tensor<8xi8>
  %5 = tx.sign %x : tensor<8xi8>
  %6 = tx.popcount %x : tensor<8xi8>
  %7 = tx.clz %x : tensor<8xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>,
        tensor<8xi8>, tensor<8xi8>
}

func.func @i16(%in_x: tensor<8xi64>, %in_y: tensor<8xi64>)
    -> (tensor<8xi16> {tx.name = "add"},
        tensor<8xi16> {tx.name = "sub"},
        tensor<8xi16> {tx.name = "mul"},
        tensor<8xi16> {tx.name = "neg"},
        tensor<8xi16> {tx.name = "abs"},
        tensor<8xi16> {tx.name = "sign"},
        tensor<8xi16> {tx.name = "popcount"},
        tensor<8xi16> {tx.name = "clz"}) {
  %x = tx.convert %in_x : tensor<8xi64> -> tensor<8xi16>
  %y = tx.convert %in_y : tensor<8xi64> -> tensor<8xi16>
  %0 = tx.add %x, %y : tensor<8xi16>
  %1 = tx.sub %x, %y : tensor<8xi16>
  %2 = tx.mul %x, %y : tensor<8xi16>
  %3 = tx.neg %x : tensor<8xi16>
  %4 = tx.abs %x : tensor<8xi16>
  %5 = tx.sign %x : tensor<8xi16>
  %6 = tx.popcount %x : tensor<8xi16>
  %7 = tx.clz %x : tensor<8xi16>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>,
        tensor<8xi16>, tensor<8xi16>, tensor<8xi16>
}
// I16: add: i16[8]
// I16-NEXT: [-32768, -2, -32767, 0, -32767, 32767, 1, 512]
// I16-NEXT: sub: i16[8]
// I16-NEXT: [32766, 0, 32767, 0, 32765, -32767, -1, 0]
// I16-NEXT: mul: i16[8]
// I16-NEXT: [32767, 1, -32768, 0, -2, -32768, 0, 0]
// I16-NEXT: neg: i16[8]
// I16-NEXT: [-32767, -32767, -32768, -32768, -32767, -32768, 0, -256]
// I16-NEXT: abs: i16[8]
// I16-NEXT: [32767, 32767, -32768, -32768, 32767, -32768, 0, 256]
// I16-NEXT: sign: i16[8]
// I16-NEXT: [1, 1, -1, -1, 1, -1, 0, 1]
// I16-NEXT: popcount: i16[8]
// I16-NEXT: [15, 15, 1, 1, 15, 1, 0, 1]
// I16-NEXT: clz: i16[8]
// I16-NEXT: [1, 1, 0, 0, 1, 0, 16, 7]

func.func @i16_folded()
    -> (tensor<8xi16> {tx.name = "add"},
        tensor<8xi16> {tx.name = "sub"},
        tensor<8xi16> {tx.name = "mul"},
        tensor<8xi16> {tx.name = "neg"},
        tensor<8xi16> {tx.name = "abs"},
        tensor<8xi16> {tx.name = "sign"},
        tensor<8xi16> {tx.name = "popcount"},
        tensor<8xi16> {tx.name = "clz"}) {
  %x = tx.constant dense<[32767, 32767, -32768, -32768, 32767, -32768, 0, 256]> : tensor<8xi16>
  %y = tx.constant dense<[1, 32767, 1, -32768, 2, -1, 1, 256]> : tensor<8xi16>
  %0 = tx.add %x, %y : tensor<8xi16>
  %1 = tx.sub %x, %y : tensor<8xi16>
  %2 = tx.mul %x, %y : tensor<8xi16>
  %3 = tx.neg %x : tensor<8xi16>
  %4 = tx.abs %x : tensor<8xi16>
  %5 = tx.sign %x : tensor<8xi16>
  %6 = tx.popcount %x : tensor<8xi16>
  %7 = tx.clz %x : tensor<8xi16>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>, tensor<8xi16>,
        tensor<8xi16>, tensor<8xi16>, tensor<8xi16>
}

func.func @i32(%in_x: tensor<8xi64>, %in_y: tensor<8xi64>)
    -> (tensor<8xi32> {tx.name = "add"},
        tensor<8xi32> {tx.name = "sub"},
        tensor<8xi32> {tx.name = "mul"},
        tensor<8xi32> {tx.name = "neg"},
        tensor<8xi32> {tx.name = "abs"},
        tensor<8xi32> {tx.name = "sign"},
        tensor<8xi32> {tx.name = "popcount"},
        tensor<8xi32> {tx.name = "clz"}) {
  %x = tx.convert %in_x : tensor<8xi64> -> tensor<8xi32>
  %y = tx.convert %in_y : tensor<8xi64> -> tensor<8xi32>
  %0 = tx.add %x, %y : tensor<8xi32>
  %1 = tx.sub %x, %y : tensor<8xi32>
  %2 = tx.mul %x, %y : tensor<8xi32>
  %3 = tx.neg %x : tensor<8xi32>
  %4 = tx.abs %x : tensor<8xi32>
  %5 = tx.sign %x : tensor<8xi32>
  %6 = tx.popcount %x : tensor<8xi32>
  %7 = tx.clz %x : tensor<8xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>,
        tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}
// I32: add: i32[8]
// I32-NEXT: [-2147483648, -2, -2147483647, 0, -2147483647, 2147483647, 1, 131072]
// I32-NEXT: sub: i32[8]
// I32-NEXT: [2147483646, 0, 2147483647, 0, 2147483645, -2147483647, -1, 0]
// I32-NEXT: mul: i32[8]
// I32-NEXT: [2147483647, 1, -2147483648, 0, -2, -2147483648, 0, 0]
// I32-NEXT: neg: i32[8]
// I32-NEXT: [-2147483647, -2147483647, -2147483648, -2147483648, -2147483647, -2147483648, 0, -65536]
// I32-NEXT: abs: i32[8]
// I32-NEXT: [2147483647, 2147483647, -2147483648, -2147483648, 2147483647, -2147483648, 0, 65536]
// I32-NEXT: sign: i32[8]
// I32-NEXT: [1, 1, -1, -1, 1, -1, 0, 1]
// I32-NEXT: popcount: i32[8]
// I32-NEXT: [31, 31, 1, 1, 31, 1, 0, 1]
// I32-NEXT: clz: i32[8]
// I32-NEXT: [1, 1, 0, 0, 1, 0, 32, 15]

func.func @i32_folded()
    -> (tensor<8xi32> {tx.name = "add"},
        tensor<8xi32> {tx.name = "sub"},
        tensor<8xi32> {tx.name = "mul"},
        tensor<8xi32> {tx.name = "neg"},
        tensor<8xi32> {tx.name = "abs"},
        tensor<8xi32> {tx.name = "sign"},
        tensor<8xi32> {tx.name = "popcount"},
        tensor<8xi32> {tx.name = "clz"}) {
  %x = tx.constant dense<[2147483647, 2147483647, -2147483648, -2147483648, 2147483647, -2147483648, 0, 65536]> : tensor<8xi32>
  %y = tx.constant dense<[1, 2147483647, 1, -2147483648, 2, -1, 1, 65536]> : tensor<8xi32>
  %0 = tx.add %x, %y : tensor<8xi32>
  %1 = tx.sub %x, %y : tensor<8xi32>
  %2 = tx.mul %x, %y : tensor<8xi32>
  %3 = tx.neg %x : tensor<8xi32>
  %4 = tx.abs %x : tensor<8xi32>
  %5 = tx.sign %x : tensor<8xi32>
  %6 = tx.popcount %x : tensor<8xi32>
  %7 = tx.clz %x : tensor<8xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>,
        tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}

func.func @i64(%in_x: tensor<8xi64>, %in_y: tensor<8xi64>)
    -> (tensor<8xi64> {tx.name = "add"},
        tensor<8xi64> {tx.name = "sub"},
        tensor<8xi64> {tx.name = "mul"},
        tensor<8xi64> {tx.name = "neg"},
        tensor<8xi64> {tx.name = "abs"},
        tensor<8xi64> {tx.name = "sign"},
        tensor<8xi64> {tx.name = "popcount"},
        tensor<8xi64> {tx.name = "clz"}) {
  %0 = tx.add %in_x, %in_y : tensor<8xi64>
  %1 = tx.sub %in_x, %in_y : tensor<8xi64>
  %2 = tx.mul %in_x, %in_y : tensor<8xi64>
  %3 = tx.neg %in_x : tensor<8xi64>
  %4 = tx.abs %in_x : tensor<8xi64>
  %5 = tx.sign %in_x : tensor<8xi64>
  %6 = tx.popcount %in_x : tensor<8xi64>
  %7 = tx.clz %in_x : tensor<8xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>,
        tensor<8xi64>, tensor<8xi64>, tensor<8xi64>
}
// I64: add: i64[8]
// I64-NEXT: [-9223372036854775808, -2, -9223372036854775807, 0, -9223372036854775807, 9223372036854775807, 1, 8589934592]
// I64-NEXT: sub: i64[8]
// I64-NEXT: [9223372036854775806, 0, 9223372036854775807, 0, 9223372036854775805, -9223372036854775807, -1, 0]
// I64-NEXT: mul: i64[8]
// I64-NEXT: [9223372036854775807, 1, -9223372036854775808, 0, -2, -9223372036854775808, 0, 0]
// I64-NEXT: neg: i64[8]
// I64-NEXT: [-9223372036854775807, -9223372036854775807, -9223372036854775808, -9223372036854775808, -9223372036854775807, -9223372036854775808, 0, -4294967296]
// I64-NEXT: abs: i64[8]
// I64-NEXT: [9223372036854775807, 9223372036854775807, -9223372036854775808, -9223372036854775808, 9223372036854775807, -9223372036854775808, 0, 4294967296]
// I64-NEXT: sign: i64[8]
// I64-NEXT: [1, 1, -1, -1, 1, -1, 0, 1]
// I64-NEXT: popcount: i64[8]
// I64-NEXT: [63, 63, 1, 1, 63, 1, 0, 1]
// I64-NEXT: clz: i64[8]
// I64-NEXT: [1, 1, 0, 0, 1, 0, 64, 31]

func.func @i64_folded()
    -> (tensor<8xi64> {tx.name = "add"},
        tensor<8xi64> {tx.name = "sub"},
        tensor<8xi64> {tx.name = "mul"},
        tensor<8xi64> {tx.name = "neg"},
        tensor<8xi64> {tx.name = "abs"},
        tensor<8xi64> {tx.name = "sign"},
        tensor<8xi64> {tx.name = "popcount"},
        tensor<8xi64> {tx.name = "clz"}) {
  %x = tx.constant dense<[9223372036854775807, 9223372036854775807, -9223372036854775808, -9223372036854775808, 9223372036854775807, -9223372036854775808, 0, 4294967296]> : tensor<8xi64>
  %y = tx.constant dense<[1, 9223372036854775807, 1, -9223372036854775808, 2, -1, 1, 4294967296]> : tensor<8xi64>
  %0 = tx.add %x, %y : tensor<8xi64>
  %1 = tx.sub %x, %y : tensor<8xi64>
  %2 = tx.mul %x, %y : tensor<8xi64>
  %3 = tx.neg %x : tensor<8xi64>
  %4 = tx.abs %x : tensor<8xi64>
  %5 = tx.sign %x : tensor<8xi64>
  %6 = tx.popcount %x : tensor<8xi64>
  %7 = tx.clz %x : tensor<8xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>,
        tensor<8xi64>, tensor<8xi64>, tensor<8xi64>
}

func.func @ui8(%in_x: tensor<8xi64>, %in_y: tensor<8xi64>)
    -> (tensor<8xui8> {tx.name = "add"},
        tensor<8xui8> {tx.name = "sub"},
        tensor<8xui8> {tx.name = "mul"},
        tensor<8xui8> {tx.name = "neg"},
        tensor<8xui8> {tx.name = "abs"},
        tensor<8xui8> {tx.name = "sign"},
        tensor<8xui8> {tx.name = "popcount"},
        tensor<8xui8> {tx.name = "clz"}) {
  %x = tx.convert %in_x : tensor<8xi64> -> tensor<8xui8>
  %y = tx.convert %in_y : tensor<8xi64> -> tensor<8xui8>
  %0 = tx.add %x, %y : tensor<8xui8>
  %1 = tx.sub %x, %y : tensor<8xui8>
  %2 = tx.mul %x, %y : tensor<8xui8>
  %3 = tx.neg %x : tensor<8xui8>
  %4 = tx.abs %x : tensor<8xui8>
  %5 = tx.sign %x : tensor<8xui8>
  %6 = tx.popcount %x : tensor<8xui8>
  %7 = tx.clz %x : tensor<8xui8>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>,
        tensor<8xui8>, tensor<8xui8>, tensor<8xui8>
}
// UI8: add: ui8[8]
// UI8-NEXT: [0, 254, 1, 0, 1, 255, 1, 32]
// UI8-NEXT: sub: ui8[8]
// UI8-NEXT: [254, 0, 255, 0, 253, 1, 255, 0]
// UI8-NEXT: mul: ui8[8]
// UI8-NEXT: [255, 1, 0, 0, 254, 0, 0, 0]
// UI8-NEXT: neg: ui8[8]
// UI8-NEXT: [1, 1, 0, 0, 1, 0, 0, 240]
// UI8-NEXT: abs: ui8[8]
// UI8-NEXT: [255, 255, 0, 0, 255, 0, 0, 16]
// UI8-NEXT: sign: ui8[8]
// UI8-NEXT: [1, 1, 0, 0, 1, 0, 0, 1]
// UI8-NEXT: popcount: ui8[8]
// UI8-NEXT: [8, 8, 0, 0, 8, 0, 0, 1]
// UI8-NEXT: clz: ui8[8]
// UI8-NEXT: [0, 0, 8, 8, 0, 8, 8, 3]

func.func @ui8_folded()
    -> (tensor<8xui8> {tx.name = "add"},
        tensor<8xui8> {tx.name = "sub"},
        tensor<8xui8> {tx.name = "mul"},
        tensor<8xui8> {tx.name = "neg"},
        tensor<8xui8> {tx.name = "abs"},
        tensor<8xui8> {tx.name = "sign"},
        tensor<8xui8> {tx.name = "popcount"},
        tensor<8xui8> {tx.name = "clz"}) {
  %x = tx.constant dense<[255, 255, 0, 0, 255, 0, 0, 16]> : tensor<8xui8>
  %y = tx.constant dense<[1, 255, 1, 0, 2, 255, 1, 16]> : tensor<8xui8>
  %0 = tx.add %x, %y : tensor<8xui8>
  %1 = tx.sub %x, %y : tensor<8xui8>
  %2 = tx.mul %x, %y : tensor<8xui8>
  %3 = tx.neg %x : tensor<8xui8>
  %4 = tx.abs %x : tensor<8xui8>
  %5 = tx.sign %x : tensor<8xui8>
  %6 = tx.popcount %x : tensor<8xui8>
  %7 = tx.clz %x : tensor<8xui8>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>, tensor<8xui8>,
        tensor<8xui8>, tensor<8xui8>, tensor<8xui8>
}

func.func @ui16(%in_x: tensor<8xi64>, %in_y: tensor<8xi64>)
    -> (tensor<8xui16> {tx.name = "add"},
        tensor<8xui16> {tx.name = "sub"},
        tensor<8xui16> {tx.name = "mul"},
        tensor<8xui16> {tx.name = "neg"},
        tensor<8xui16> {tx.name = "abs"},
        tensor<8xui16> {tx.name = "sign"},
        tensor<8xui16> {tx.name = "popcount"},
        tensor<8xui16> {tx.name = "clz"}) {
  %x = tx.convert %in_x : tensor<8xi64> -> tensor<8xui16>
  %y = tx.convert %in_y : tensor<8xi64> -> tensor<8xui16>
  %0 = tx.add %x, %y : tensor<8xui16>
  %1 = tx.sub %x, %y : tensor<8xui16>
  %2 = tx.mul %x, %y : tensor<8xui16>
  %3 = tx.neg %x : tensor<8xui16>
  %4 = tx.abs %x : tensor<8xui16>
  %5 = tx.sign %x : tensor<8xui16>
  %6 = tx.popcount %x : tensor<8xui16>
  %7 = tx.clz %x : tensor<8xui16>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>,
        tensor<8xui16>, tensor<8xui16>, tensor<8xui16>
}
// UI16: add: ui16[8]
// UI16-NEXT: [0, 65534, 1, 0, 1, 65535, 1, 512]
// UI16-NEXT: sub: ui16[8]
// UI16-NEXT: [65534, 0, 65535, 0, 65533, 1, 65535, 0]
// UI16-NEXT: mul: ui16[8]
// UI16-NEXT: [65535, 1, 0, 0, 65534, 0, 0, 0]
// UI16-NEXT: neg: ui16[8]
// UI16-NEXT: [1, 1, 0, 0, 1, 0, 0, 65280]
// UI16-NEXT: abs: ui16[8]
// UI16-NEXT: [65535, 65535, 0, 0, 65535, 0, 0, 256]
// UI16-NEXT: sign: ui16[8]
// UI16-NEXT: [1, 1, 0, 0, 1, 0, 0, 1]
// UI16-NEXT: popcount: ui16[8]
// UI16-NEXT: [16, 16, 0, 0, 16, 0, 0, 1]
// UI16-NEXT: clz: ui16[8]
// UI16-NEXT: [0, 0, 16, 16, 0, 16, 16, 7]

func.func @ui16_folded()
    -> (tensor<8xui16> {tx.name = "add"},
        tensor<8xui16> {tx.name = "sub"},
        tensor<8xui16> {tx.name = "mul"},
        tensor<8xui16> {tx.name = "neg"},
        tensor<8xui16> {tx.name = "abs"},
        tensor<8xui16> {tx.name = "sign"},
        tensor<8xui16> {tx.name = "popcount"},
        tensor<8xui16> {tx.name = "clz"}) {
  %x = tx.constant dense<[65535, 65535, 0, 0, 65535, 0, 0, 256]> : tensor<8xui16>
  %y = tx.constant dense<[1, 65535, 1, 0, 2, 65535, 1, 256]> : tensor<8xui16>
  %0 = tx.add %x, %y : tensor<8xui16>
  %1 = tx.sub %x, %y : tensor<8xui16>
  %2 = tx.mul %x, %y : tensor<8xui16>
  %3 = tx.neg %x : tensor<8xui16>
  %4 = tx.abs %x : tensor<8xui16>
  %5 = tx.sign %x : tensor<8xui16>
  %6 = tx.popcount %x : tensor<8xui16>
  %7 = tx.clz %x : tensor<8xui16>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>, tensor<8xui16>,
        tensor<8xui16>, tensor<8xui16>, tensor<8xui16>
}

func.func @ui32(%in_x: tensor<8xi64>, %in_y: tensor<8xi64>)
    -> (tensor<8xui32> {tx.name = "add"},
        tensor<8xui32> {tx.name = "sub"},
        tensor<8xui32> {tx.name = "mul"},
        tensor<8xui32> {tx.name = "neg"},
        tensor<8xui32> {tx.name = "abs"},
        tensor<8xui32> {tx.name = "sign"},
        tensor<8xui32> {tx.name = "popcount"},
        tensor<8xui32> {tx.name = "clz"}) {
  %x = tx.convert %in_x : tensor<8xi64> -> tensor<8xui32>
  %y = tx.convert %in_y : tensor<8xi64> -> tensor<8xui32>
  %0 = tx.add %x, %y : tensor<8xui32>
  %1 = tx.sub %x, %y : tensor<8xui32>
  %2 = tx.mul %x, %y : tensor<8xui32>
  %3 = tx.neg %x : tensor<8xui32>
  %4 = tx.abs %x : tensor<8xui32>
  %5 = tx.sign %x : tensor<8xui32>
  %6 = tx.popcount %x : tensor<8xui32>
  %7 = tx.clz %x : tensor<8xui32>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>,
        tensor<8xui32>, tensor<8xui32>, tensor<8xui32>
}
// UI32: add: ui32[8]
// UI32-NEXT: [0, 4294967294, 1, 0, 1, 4294967295, 1, 131072]
// UI32-NEXT: sub: ui32[8]
// UI32-NEXT: [4294967294, 0, 4294967295, 0, 4294967293, 1, 4294967295, 0]
// UI32-NEXT: mul: ui32[8]
// UI32-NEXT: [4294967295, 1, 0, 0, 4294967294, 0, 0, 0]
// UI32-NEXT: neg: ui32[8]
// UI32-NEXT: [1, 1, 0, 0, 1, 0, 0, 4294901760]
// UI32-NEXT: abs: ui32[8]
// UI32-NEXT: [4294967295, 4294967295, 0, 0, 4294967295, 0, 0, 65536]
// UI32-NEXT: sign: ui32[8]
// UI32-NEXT: [1, 1, 0, 0, 1, 0, 0, 1]
// UI32-NEXT: popcount: ui32[8]
// UI32-NEXT: [32, 32, 0, 0, 32, 0, 0, 1]
// UI32-NEXT: clz: ui32[8]
// UI32-NEXT: [0, 0, 32, 32, 0, 32, 32, 15]

func.func @ui32_folded()
    -> (tensor<8xui32> {tx.name = "add"},
        tensor<8xui32> {tx.name = "sub"},
        tensor<8xui32> {tx.name = "mul"},
        tensor<8xui32> {tx.name = "neg"},
        tensor<8xui32> {tx.name = "abs"},
        tensor<8xui32> {tx.name = "sign"},
        tensor<8xui32> {tx.name = "popcount"},
        tensor<8xui32> {tx.name = "clz"}) {
  %x = tx.constant dense<[4294967295, 4294967295, 0, 0, 4294967295, 0, 0, 65536]> : tensor<8xui32>
  %y = tx.constant dense<[1, 4294967295, 1, 0, 2, 4294967295, 1, 65536]> : tensor<8xui32>
  %0 = tx.add %x, %y : tensor<8xui32>
  %1 = tx.sub %x, %y : tensor<8xui32>
  %2 = tx.mul %x, %y : tensor<8xui32>
  %3 = tx.neg %x : tensor<8xui32>
  %4 = tx.abs %x : tensor<8xui32>
  %5 = tx.sign %x : tensor<8xui32>
  %6 = tx.popcount %x : tensor<8xui32>
  %7 = tx.clz %x : tensor<8xui32>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>, tensor<8xui32>,
        tensor<8xui32>, tensor<8xui32>, tensor<8xui32>
}

func.func @ui64(%in_x: tensor<8xi64>, %in_y: tensor<8xi64>)
    -> (tensor<8xui64> {tx.name = "add"},
        tensor<8xui64> {tx.name = "sub"},
        tensor<8xui64> {tx.name = "mul"},
        tensor<8xui64> {tx.name = "neg"},
        tensor<8xui64> {tx.name = "abs"},
        tensor<8xui64> {tx.name = "sign"},
        tensor<8xui64> {tx.name = "popcount"},
        tensor<8xui64> {tx.name = "clz"}) {
  %x = tx.convert %in_x : tensor<8xi64> -> tensor<8xui64>
  %y = tx.convert %in_y : tensor<8xi64> -> tensor<8xui64>
  %0 = tx.add %x, %y : tensor<8xui64>
  %1 = tx.sub %x, %y : tensor<8xui64>
  %2 = tx.mul %x, %y : tensor<8xui64>
  %3 = tx.neg %x : tensor<8xui64>
  %4 = tx.abs %x : tensor<8xui64>
  %5 = tx.sign %x : tensor<8xui64>
  %6 = tx.popcount %x : tensor<8xui64>
  %7 = tx.clz %x : tensor<8xui64>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>,
        tensor<8xui64>, tensor<8xui64>, tensor<8xui64>
}
// UI64: add: ui64[8]
// UI64-NEXT: [0, 18446744073709551614, 1, 0, 1, 18446744073709551615, 1, 8589934592]
// UI64-NEXT: sub: ui64[8]
// UI64-NEXT: [18446744073709551614, 0, 18446744073709551615, 0, 18446744073709551613, 1, 18446744073709551615, 0]
// UI64-NEXT: mul: ui64[8]
// UI64-NEXT: [18446744073709551615, 1, 0, 0, 18446744073709551614, 0, 0, 0]
// UI64-NEXT: neg: ui64[8]
// UI64-NEXT: [1, 1, 0, 0, 1, 0, 0, 18446744069414584320]
// UI64-NEXT: abs: ui64[8]
// UI64-NEXT: [18446744073709551615, 18446744073709551615, 0, 0, 18446744073709551615, 0, 0, 4294967296]
// UI64-NEXT: sign: ui64[8]
// UI64-NEXT: [1, 1, 0, 0, 1, 0, 0, 1]
// UI64-NEXT: popcount: ui64[8]
// UI64-NEXT: [64, 64, 0, 0, 64, 0, 0, 1]
// UI64-NEXT: clz: ui64[8]
// UI64-NEXT: [0, 0, 64, 64, 0, 64, 64, 31]

func.func @ui64_folded()
    -> (tensor<8xui64> {tx.name = "add"},
        tensor<8xui64> {tx.name = "sub"},
        tensor<8xui64> {tx.name = "mul"},
        tensor<8xui64> {tx.name = "neg"},
        tensor<8xui64> {tx.name = "abs"},
        tensor<8xui64> {tx.name = "sign"},
        tensor<8xui64> {tx.name = "popcount"},
        tensor<8xui64> {tx.name = "clz"}) {
  %x = tx.constant dense<[18446744073709551615, 18446744073709551615, 0, 0, 18446744073709551615, 0, 0, 4294967296]> : tensor<8xui64>
  %y = tx.constant dense<[1, 18446744073709551615, 1, 0, 2, 18446744073709551615, 1, 4294967296]> : tensor<8xui64>
  %0 = tx.add %x, %y : tensor<8xui64>
  %1 = tx.sub %x, %y : tensor<8xui64>
  %2 = tx.mul %x, %y : tensor<8xui64>
  %3 = tx.neg %x : tensor<8xui64>
  %4 = tx.abs %x : tensor<8xui64>
  %5 = tx.sign %x : tensor<8xui64>
  %6 = tx.popcount %x : tensor<8xui64>
  %7 = tx.clz %x : tensor<8xui64>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>, tensor<8xui64>,
        tensor<8xui64>, tensor<8xui64>, tensor<8xui64>
}
