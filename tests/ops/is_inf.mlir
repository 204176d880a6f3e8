// Either infinity. Of integers: never.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 1.0, nan, inf, -inf, 70000.0, -2.5]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy | FileCheck %s --check-prefix=HALF
// RUN: %npy %t.ix.npy i64 '[0, 1, -1]'
// RUN: %run_op --entry=ints --input=%t.ix.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<8xf64>)
    -> (tensor<8xi1> {tx.name = "f64"},
        tensor<8xi1> {tx.name = "f32"},
        tensor<8xi1> {tx.name = "bf16"}) {
  %r_f64 = tx.is_inf %x : tensor<8xf64>
  %x_f32 = tx.convert %x : tensor<8xf64> -> tensor<8xf32>
  %r_f32 = tx.is_inf %x_f32 : tensor<8xf32>
  %x_bf16 = tx.convert %x : tensor<8xf64> -> tensor<8xbf16>
  %r_bf16 = tx.is_inf %x_bf16 : tensor<8xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<8xi1>, tensor<8xi1>, tensor<8xi1>
}
// CHECK: f64: i1[8]
// CHECK-NEXT: [false, false, false, false, true, true, false, false]
// CHECK-NEXT: f32: i1[8]
// CHECK-NEXT: [false, false, false, false, true, true, false, false]
// CHECK-NEXT: bf16: i1[8]
// CHECK-NEXT: [false, false, false, false, true, true, false, false]

func.func @half(%x: tensor<8xf64>)
    -> (tensor<8xi1> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<8xf64> -> tensor<8xf16>
  %r_f16 = tx.is_inf %x_f16 : tensor<8xf16>
  return %r_f16
      : tensor<8xi1>
}
// HALF: f16: i1[8]
// HALF-NEXT: [false, false, false, false, true, true, true, false]

func.func @ints(%x: tensor<3xi64>)
    -> (tensor<3xi1> {tx.name = "i8"},
        tensor<3xi1> {tx.name = "i16"},
        tensor<3xi1> {tx.name = "i32"},
        tensor<3xi1> {tx.name = "i64"},
        tensor<3xi1> {tx.name = "ui8"},
        tensor<3xi1> {tx.name = "ui16"},
        tensor<3xi1> {tx.name = "ui32"},
        tensor<3xi1> {tx.name = "ui64"}) {
  %x_i8 = tx.convert %x : tensor<3xi64> -> tensor<3xi8>
  %r_i8 = tx.is_inf %x_i8 : tensor<3xi8>
  %x_i16 = tx.convert %x : tensor<3xi64> -> tensor<3xi16>
  %r_i16 = tx.is_inf %x_i16 : tensor<3xi16>
  %x_i32 = tx.convert %x : tensor<3xi64> -> tensor<3xi32>
  %r_i32 = tx.is_inf %x_i32 : tensor<3xi32>
  %r_i64 = tx.is_inf %x : tensor<3xi64>
  %x_ui8 = tx.convert %x : tensor<3xi64> -> tensor<3xui8>
  %r_ui8 = tx.is_inf %x_ui8 : tensor<3xui8>
  %x_ui16 = tx.convert %x : tensor<3xi64> -> tensor<3xui16>
  %r_ui16 = tx.is_inf %x_ui16 : tensor<3xui16>
  %x_ui32 = tx.convert %x : tensor<3xi64> -> tensor<3xui32>
  %r_ui32 = tx.is_inf %x_ui32 : tensor<3xui32>
  %x_ui64 = tx.convert %x : tensor<3xi64> -> tensor<3xui64>
  %r_ui64 = tx.is_inf %x_ui64 : tensor<3xui64>
  return %r_i8, %r_i16, %r_i32, %r_i64, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}
// INT: i8: i1[3]
// INT-NEXT: [false, false, false]
// INT-NEXT: i16: i1[3]
// INT-NEXT: [false, false, false]
// INT-NEXT: i32: i1[3]
// INT-NEXT: [false, false, false]
// INT-NEXT: i64: i1[3]
// INT-NEXT: [false, false, false]
// INT-NEXT: ui8: i1[3]
// INT-NEXT: [false, false, false]
// INT-NEXT: ui16: i1[3]
// INT-NEXT: [false, false, false]
// INT-NEXT: ui32: i1[3]
// INT-NEXT: [false, false, false]
// INT-NEXT: ui64: i1[3]
// INT-NEXT: [false, false, false]

func.func @sizes(%x0: tensor<f32>,
                 %x1: tensor<0xf32>,
                 %x2: tensor<1xf32>,
                 %x3: tensor<37xbf16>,
                 %x4: tensor<1000xf32>,
                 %x5: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<i1>,
        tensor<0xi1>,
        tensor<1xi1>,
        tensor<37xi1>,
        tensor<1000xi1>,
        tensor<3x5x67xi1>,
        tensor<?x?xi1, #tx.dims<[n, m]>>) {
  %r0 = tx.is_inf %x0 : tensor<f32>
  %r1 = tx.is_inf %x1 : tensor<0xf32>
  %r2 = tx.is_inf %x2 : tensor<1xf32>
  %r3 = tx.is_inf %x3 : tensor<37xbf16>
  %r4 = tx.is_inf %x4 : tensor<1000xf32>
  %r5 = tx.is_inf %x5 : tensor<3x5x67xf32>
  %rn = tx.is_inf %xn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<i1>,
        tensor<0xi1>,
        tensor<1xi1>,
        tensor<37xi1>,
        tensor<1000xi1>,
        tensor<3x5x67xi1>,
        tensor<?x?xi1, #tx.dims<[n, m]>>
}
