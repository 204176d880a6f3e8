// -1, 0 or 1; zeros and NaN as they are.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 2.5, -2.5, inf, -inf, nan, 0.001, -300.0]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %npy %t.ix.npy i64 '[0, 5, -5, -9223372036854775808, 127, -128, 1, -1]'
// RUN: %run_op --entry=ints --input=%t.ix.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<9xf64>)
    -> (tensor<9xf64> {tx.name = "f64"},
        tensor<9xf32> {tx.name = "f32"},
        tensor<9xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.sign %x : tensor<9xf64>
  %x_f32 = tx.convert %x : tensor<9xf64> -> tensor<9xf32>
  %r_f32 = tx.sign %x_f32 : tensor<9xf32>
  %x_bf16 = tx.convert %x : tensor<9xf64> -> tensor<9xbf16>
  %r_bf16 = tx.sign %x_bf16 : tensor<9xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<9xf64>, tensor<9xf32>, tensor<9xbf16>
}
// CHECK: f64: f64[9]
// CHECK-NEXT: [0, -0, 1, -1, 1, -1, nan, 1, -1]
// CHECK-NEXT: f32: f32[9]
// CHECK-NEXT: [0, -0, 1, -1, 1, -1, nan, 1, -1]
// CHECK-NEXT: bf16: bf16[9]
// CHECK-NEXT: [0, -0, 1, -1, 1, -1, nan, 1, -1]

func.func @half(%x: tensor<9xf64>)
    -> (tensor<9xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<9xf64> -> tensor<9xf16>
  %r_f16 = tx.sign %x_f16 : tensor<9xf16>
  return %r_f16
      : tensor<9xf16>
}
// HALF: f16: f16[9]
// HALF-NEXT: [0, -0, 1, -1, 1, -1, nan, 1, -1]

func.func @ints(%x: tensor<8xi64>)
    -> (tensor<8xi8> {tx.name = "i8"},
        tensor<8xi16> {tx.name = "i16"},
        tensor<8xi32> {tx.name = "i32"},
        tensor<8xi64> {tx.name = "i64"},
        tensor<8xui8> {tx.name = "ui8"},
        tensor<8xui16> {tx.name = "ui16"},
        tensor<8xui32> {tx.name = "ui32"},
        tensor<8xui64> {tx.name = "ui64"}) {
  %x_i8 = tx.convert %x : tensor<8xi64> -> tensor<8xi8>
  %r_i8 = tx.sign %x_i8 : tensor<8xi8>
  %x_i16 = tx.convert %x : tensor<8xi64> -> tensor<8xi16>
  %r_i16 = tx.sign %x_i16 : tensor<8xi16>
  %x_i32 = tx.convert %x : tensor<8xi64> -> tensor<8xi32>
  %r_i32 = tx.sign %x_i32 : tensor<8xi32>
  %r_i64 = tx.sign %x : tensor<8xi64>
  %x_ui8 = tx.convert %x : tensor<8xi64> -> tensor<8xui8>
  %r_ui8 = tx.sign %x_ui8 : tensor<8xui8>
  %x_ui16 = tx.convert %x : tensor<8xi64> -> tensor<8xui16>
  %r_ui16 = tx.sign %x_ui16 : tensor<8xui16>
  %x_ui32 = tx.convert %x : tensor<8xi64> -> tensor<8xui32>
  %r_ui32 = tx.sign %x_ui32 : tensor<8xui32>
  %x_ui64 = tx.convert %x : tensor<8xi64> -> tensor<8xui64>
  %r_ui64 = tx.sign %x_ui64 : tensor<8xui64>
  return %r_i8, %r_i16, %r_i32, %r_i64, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<8xi8>, tensor<8xi16>, tensor<8xi32>, tensor<8xi64>, tensor<8xui8>, tensor<8xui16>, tensor<8xui32>, tensor<8xui64>
}
// INT: i8: i8[8]
// INT-NEXT: [0, 1, -1, 0, 1, -1, 1, -1]
// INT-NEXT: i16: i16[8]
// INT-NEXT: [0, 1, -1, 0, 1, -1, 1, -1]
// INT-NEXT: i32: i32[8]
// INT-NEXT: [0, 1, -1, 0, 1, -1, 1, -1]
// INT-NEXT: i64: i64[8]
// INT-NEXT: [0, 1, -1, -1, 1, -1, 1, -1]
// INT-NEXT: ui8: ui8[8]
// INT-NEXT: [0, 1, 1, 0, 1, 1, 1, 1]
// INT-NEXT: ui16: ui16[8]
// INT-NEXT: [0, 1, 1, 0, 1, 1, 1, 1]
// INT-NEXT: ui32: ui32[8]
// INT-NEXT: [0, 1, 1, 0, 1, 1, 1, 1]
// INT-NEXT: ui64: ui64[8]
// INT-NEXT: [0, 1, 1, 1, 1, 1, 1, 1]

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
  %r0 = tx.sign %x0 : tensor<f32>
  %r1 = tx.sign %x1 : tensor<0xf32>
  %r2 = tx.sign %x2 : tensor<1xf32>
  %r3 = tx.sign %x3 : tensor<37xbf16>
  %r4 = tx.sign %x4 : tensor<1000xf32>
  %r5 = tx.sign %x5 : tensor<3x5x67xf32>
  %rn = tx.sign %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
