// min(max(x, low), high), NaN if any is.
//
// RUN: %npy %t.l.npy f64 '[0.0, 0.0, 0.0, 2.0, -inf, nan, 0.0, 0.0, 1.0]'
// RUN: %npy %t.x.npy f64 '[-1.0, 0.5, 3.0, 1.5, nan, 1.0, inf, -inf, 1.0]'
// RUN: %npy %t.h.npy f64 '[1.0, 1.0, 1.0, 1.0, inf, 2.0, 1.0, 1.0, nan]'
// RUN: %run_op --input=%t.l.npy --input=%t.x.npy --input=%t.h.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.l.npy --input=%t.x.npy --input=%t.h.npy | FileCheck %s --check-prefix=HALF
// RUN: %npy %t.il.npy i64 '[0, 0, 0, 5, -128, -1]'
// RUN: %npy %t.ix.npy i64 '[-3, 7, 100, 6, -5, -1]'
// RUN: %npy %t.ih.npy i64 '[10, 10, 10, 4, 127, 1]'
// RUN: %run_op --entry=ints --input=%t.il.npy --input=%t.ix.npy --input=%t.ih.npy | FileCheck %s --check-prefix=INT
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%l: tensor<9xf64>, %x: tensor<9xf64>, %h: tensor<9xf64>)
    -> (tensor<9xf64> {tx.name = "f64"},
        tensor<9xf32> {tx.name = "f32"},
        tensor<9xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.clamp %l, %x, %h : tensor<9xf64>
  %l_f32 = tx.convert %l : tensor<9xf64> -> tensor<9xf32>
  %x_f32 = tx.convert %x : tensor<9xf64> -> tensor<9xf32>
  %h_f32 = tx.convert %h : tensor<9xf64> -> tensor<9xf32>
  %r_f32 = tx.clamp %l_f32, %x_f32, %h_f32 : tensor<9xf32>
  %l_bf16 = tx.convert %l : tensor<9xf64> -> tensor<9xbf16>
  %x_bf16 = tx.convert %x : tensor<9xf64> -> tensor<9xbf16>
  %h_bf16 = tx.convert %h : tensor<9xf64> -> tensor<9xbf16>
  %r_bf16 = tx.clamp %l_bf16, %x_bf16, %h_bf16 : tensor<9xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<9xf64>, tensor<9xf32>, tensor<9xbf16>
}
// CHECK: f64: f64[9]
// CHECK-NEXT: [0, 0.5, 1, 1, nan, nan, 1, 0, nan]
// CHECK-NEXT: f32: f32[9]
// CHECK-NEXT: [0, 0.5{{[0-9]*}}, 1, 1, nan, nan, 1, 0, nan]
// CHECK-NEXT: bf16: bf16[9]
// CHECK-NEXT: [0, 0.5, 1, 1, nan, nan, 1, 0, nan]

func.func @half(%l: tensor<9xf64>, %x: tensor<9xf64>, %h: tensor<9xf64>)
    -> (tensor<9xf16> {tx.name = "f16"}) {
  %l_f16 = tx.convert %l : tensor<9xf64> -> tensor<9xf16>
  %x_f16 = tx.convert %x : tensor<9xf64> -> tensor<9xf16>
  %h_f16 = tx.convert %h : tensor<9xf64> -> tensor<9xf16>
  %r_f16 = tx.clamp %l_f16, %x_f16, %h_f16 : tensor<9xf16>
  return %r_f16
      : tensor<9xf16>
}
// HALF: f16: f16[9]
// HALF-NEXT: [0, 0.5, 1, 1, nan, nan, 1, 0, nan]

func.func @ints(%l: tensor<6xi64>, %x: tensor<6xi64>, %h: tensor<6xi64>)
    -> (tensor<6xi8> {tx.name = "i8"},
        tensor<6xi16> {tx.name = "i16"},
        tensor<6xi32> {tx.name = "i32"},
        tensor<6xi64> {tx.name = "i64"},
        tensor<6xui8> {tx.name = "ui8"},
        tensor<6xui16> {tx.name = "ui16"},
        tensor<6xui32> {tx.name = "ui32"},
        tensor<6xui64> {tx.name = "ui64"}) {
  %l_i8 = tx.convert %l : tensor<6xi64> -> tensor<6xi8>
  %x_i8 = tx.convert %x : tensor<6xi64> -> tensor<6xi8>
  %h_i8 = tx.convert %h : tensor<6xi64> -> tensor<6xi8>
  %r_i8 = tx.clamp %l_i8, %x_i8, %h_i8 : tensor<6xi8>
  %l_i16 = tx.convert %l : tensor<6xi64> -> tensor<6xi16>
  %x_i16 = tx.convert %x : tensor<6xi64> -> tensor<6xi16>
  %h_i16 = tx.convert %h : tensor<6xi64> -> tensor<6xi16>
  %r_i16 = tx.clamp %l_i16, %x_i16, %h_i16 : tensor<6xi16>
  %l_i32 = tx.convert %l : tensor<6xi64> -> tensor<6xi32>
  %x_i32 = tx.convert %x : tensor<6xi64> -> tensor<6xi32>
  %h_i32 = tx.convert %h : tensor<6xi64> -> tensor<6xi32>
  %r_i32 = tx.clamp %l_i32, %x_i32, %h_i32 : tensor<6xi32>
  %r_i64 = tx.clamp %l, %x, %h : tensor<6xi64>
  %l_ui8 = tx.convert %l : tensor<6xi64> -> tensor<6xui8>
  %x_ui8 = tx.convert %x : tensor<6xi64> -> tensor<6xui8>
  %h_ui8 = tx.convert %h : tensor<6xi64> -> tensor<6xui8>
  %r_ui8 = tx.clamp %l_ui8, %x_ui8, %h_ui8 : tensor<6xui8>
  %l_ui16 = tx.convert %l : tensor<6xi64> -> tensor<6xui16>
  %x_ui16 = tx.convert %x : tensor<6xi64> -> tensor<6xui16>
  %h_ui16 = tx.convert %h : tensor<6xi64> -> tensor<6xui16>
  %r_ui16 = tx.clamp %l_ui16, %x_ui16, %h_ui16 : tensor<6xui16>
  %l_ui32 = tx.convert %l : tensor<6xi64> -> tensor<6xui32>
  %x_ui32 = tx.convert %x : tensor<6xi64> -> tensor<6xui32>
  %h_ui32 = tx.convert %h : tensor<6xi64> -> tensor<6xui32>
  %r_ui32 = tx.clamp %l_ui32, %x_ui32, %h_ui32 : tensor<6xui32>
  %l_ui64 = tx.convert %l : tensor<6xi64> -> tensor<6xui64>
  %x_ui64 = tx.convert %x : tensor<6xi64> -> tensor<6xui64>
  %h_ui64 = tx.convert %h : tensor<6xi64> -> tensor<6xui64>
  %r_ui64 = tx.clamp %l_ui64, %x_ui64, %h_ui64 : tensor<6xui64>
  return %r_i8, %r_i16, %r_i32, %r_i64, %r_ui8, %r_ui16, %r_ui32, %r_ui64
      : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}
// INT: i8: i8[6]
// INT-NEXT: [0, 7, 10, 4, -5, -1]
// INT-NEXT: i16: i16[6]
// INT-NEXT: [0, 7, 10, 4, -5, -1]
// INT-NEXT: i32: i32[6]
// INT-NEXT: [0, 7, 10, 4, -5, -1]
// INT-NEXT: i64: i64[6]
// INT-NEXT: [0, 7, 10, 4, -5, -1]
// INT-NEXT: ui8: ui8[6]
// INT-NEXT: [10, 7, 10, 4, 127, 1]
// INT-NEXT: ui16: ui16[6]
// INT-NEXT: [10, 7, 10, 4, 127, 1]
// INT-NEXT: ui32: ui32[6]
// INT-NEXT: [10, 7, 10, 4, 127, 1]
// INT-NEXT: ui64: ui64[6]
// INT-NEXT: [10, 7, 10, 4, 127, 1]

func.func @sizes(%l0: tensor<f32>, %x0: tensor<f32>, %h0: tensor<f32>,
                 %l1: tensor<0xf32>, %x1: tensor<0xf32>, %h1: tensor<0xf32>,
                 %l2: tensor<1xf32>, %x2: tensor<1xf32>, %h2: tensor<1xf32>,
                 %l3: tensor<37xbf16>, %x3: tensor<37xbf16>, %h3: tensor<37xbf16>,
                 %l4: tensor<1000xf32>, %x4: tensor<1000xf32>, %h4: tensor<1000xf32>,
                 %l5: tensor<3x5x67xf32>, %x5: tensor<3x5x67xf32>, %h5: tensor<3x5x67xf32>,
                 %ln: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "ln"}, %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"}, %hn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "hn"})
    -> (tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.clamp %l0, %x0, %h0 : tensor<f32>
  %r1 = tx.clamp %l1, %x1, %h1 : tensor<0xf32>
  %r2 = tx.clamp %l2, %x2, %h2 : tensor<1xf32>
  %r3 = tx.clamp %l3, %x3, %h3 : tensor<37xbf16>
  %r4 = tx.clamp %l4, %x4, %h4 : tensor<1000xf32>
  %r5 = tx.clamp %l5, %x5, %h5 : tensor<3x5x67xf32>
  %rn = tx.clamp %ln, %xn, %hn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
