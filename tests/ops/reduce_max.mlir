// Largest elements: NaN wins, -0 < +0; over no elements the smallest value of the dtype.
//
// RUN: %npy %t.x.npy f64 '[[1.0, 2.0, -4.5], [inf, 1.0, -inf], [nan, 1.0, 2.0], [1.0, 2.0, nan], [-0.0, 0.0, -0.0]]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %npy %t.i.npy i64 '[[1, 2, -4], [9223372036854775807, 1, 0], [100, 100, 100], [-128, 127, -1]]'
// RUN: %run_op --entry=ints --input=%t.i.npy | FileCheck %s --check-prefix=INT
// RUN: %npy %t.p.npy i1 '[[true, true, true], [true, false, true], [false, false, false]]'
// RUN: %run_op --entry=bools --input=%t.p.npy | FileCheck %s --check-prefix=BOOL
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,67 --compare=reference

func.func @main(%x: tensor<5x3xf64>)
    -> (tensor<5xf64> {tx.name = "f64"}, tensor<5xf64> {tx.name = "f64_empty"}, tensor<5x3xf64> {tx.name = "f64_none"},
        tensor<5xf32> {tx.name = "f32"}, tensor<5xf32> {tx.name = "f32_empty"}, tensor<5x3xf32> {tx.name = "f32_none"},
        tensor<5xbf16> {tx.name = "bf16"}, tensor<5xbf16> {tx.name = "bf16_empty"}, tensor<5x3xbf16> {tx.name = "bf16_none"}) {
  %r_f64 = tx.reduce_max %x dims = [1] : tensor<5x3xf64> -> tensor<5xf64>
  %s_f64 = tx.slice %x offsets = [0, 0] strides = [1, 1] : tensor<5x3xf64> -> tensor<5x0xf64>
  %e_f64 = tx.reduce_max %s_f64 dims = [1] : tensor<5x0xf64> -> tensor<5xf64>
  %n_f64 = tx.reduce_max %x dims = [] : tensor<5x3xf64> -> tensor<5x3xf64>
  %x_f32 = tx.convert %x : tensor<5x3xf64> -> tensor<5x3xf32>
  %r_f32 = tx.reduce_max %x_f32 dims = [1] : tensor<5x3xf32> -> tensor<5xf32>
  %s_f32 = tx.slice %x_f32 offsets = [0, 0] strides = [1, 1] : tensor<5x3xf32> -> tensor<5x0xf32>
  %e_f32 = tx.reduce_max %s_f32 dims = [1] : tensor<5x0xf32> -> tensor<5xf32>
  %n_f32 = tx.reduce_max %x_f32 dims = [] : tensor<5x3xf32> -> tensor<5x3xf32>
  %x_bf16 = tx.convert %x : tensor<5x3xf64> -> tensor<5x3xbf16>
  %r_bf16 = tx.reduce_max %x_bf16 dims = [1] : tensor<5x3xbf16> -> tensor<5xbf16>
  %s_bf16 = tx.slice %x_bf16 offsets = [0, 0] strides = [1, 1] : tensor<5x3xbf16> -> tensor<5x0xbf16>
  %e_bf16 = tx.reduce_max %s_bf16 dims = [1] : tensor<5x0xbf16> -> tensor<5xbf16>
  %n_bf16 = tx.reduce_max %x_bf16 dims = [] : tensor<5x3xbf16> -> tensor<5x3xbf16>
  return %r_f64, %e_f64, %n_f64, %r_f32, %e_f32, %n_f32, %r_bf16, %e_bf16, %n_bf16
      : tensor<5xf64>, tensor<5xf64>, tensor<5x3xf64>,
        tensor<5xf32>, tensor<5xf32>, tensor<5x3xf32>,
        tensor<5xbf16>, tensor<5xbf16>, tensor<5x3xbf16>
}
// CHECK: f64: f64[5]
// CHECK-NEXT: [2, inf, nan, nan, 0]
// CHECK-NEXT: f64_empty: f64[5]
// CHECK-NEXT: [-inf, -inf, -inf, -inf, -inf]
// CHECK-NEXT: f64_none: f64[5,3]
// CHECK-NEXT: {{\[\[}}1, 2, -4.5],
// CHECK-NEXT:  [inf, 1, -inf],
// CHECK-NEXT:  [nan, 1, 2],
// CHECK-NEXT:  [1, 2, nan],
// CHECK-NEXT:  [-0, 0, -0]]
// CHECK-NEXT: f32: f32[5]
// CHECK-NEXT: [2, inf, nan, nan, 0]
// CHECK-NEXT: f32_empty: f32[5]
// CHECK-NEXT: [-inf, -inf, -inf, -inf, -inf]
// CHECK-NEXT: f32_none: f32[5,3]
// CHECK-NEXT: {{\[\[}}1, 2, -4.5],
// CHECK-NEXT:  [inf, 1, -inf],
// CHECK-NEXT:  [nan, 1, 2],
// CHECK-NEXT:  [1, 2, nan],
// CHECK-NEXT:  [-0, 0, -0]]
// CHECK-NEXT: bf16: bf16[5]
// CHECK-NEXT: [2, inf, nan, nan, 0]
// CHECK-NEXT: bf16_empty: bf16[5]
// CHECK-NEXT: [-inf, -inf, -inf, -inf, -inf]
// CHECK-NEXT: bf16_none: bf16[5,3]
// CHECK-NEXT: {{\[\[}}1, 2, -4.5],
// CHECK-NEXT:  [inf, 1, -inf],
// CHECK-NEXT:  [nan, 1, 2],
// CHECK-NEXT:  [1, 2, nan],
// CHECK-NEXT:  [-0, 0, -0]]

func.func @ints(%x: tensor<4x3xi64>)
    -> (tensor<4xi64> {tx.name = "i64"}, tensor<4xi64> {tx.name = "i64_empty"},
        tensor<4xi32> {tx.name = "i32"}, tensor<4xi32> {tx.name = "i32_empty"},
        tensor<4xi8> {tx.name = "i8"}, tensor<4xi8> {tx.name = "i8_empty"},
        tensor<4xui8> {tx.name = "ui8"}, tensor<4xui8> {tx.name = "ui8_empty"}) {
  %r_i64 = tx.reduce_max %x dims = [1] : tensor<4x3xi64> -> tensor<4xi64>
  %s_i64 = tx.slice %x offsets = [0, 0] strides = [1, 1] : tensor<4x3xi64> -> tensor<4x0xi64>
  %e_i64 = tx.reduce_max %s_i64 dims = [1] : tensor<4x0xi64> -> tensor<4xi64>
  %x_i32 = tx.convert %x : tensor<4x3xi64> -> tensor<4x3xi32>
  %r_i32 = tx.reduce_max %x_i32 dims = [1] : tensor<4x3xi32> -> tensor<4xi32>
  %s_i32 = tx.slice %x_i32 offsets = [0, 0] strides = [1, 1] : tensor<4x3xi32> -> tensor<4x0xi32>
  %e_i32 = tx.reduce_max %s_i32 dims = [1] : tensor<4x0xi32> -> tensor<4xi32>
  %x_i8 = tx.convert %x : tensor<4x3xi64> -> tensor<4x3xi8>
  %r_i8 = tx.reduce_max %x_i8 dims = [1] : tensor<4x3xi8> -> tensor<4xi8>
  %s_i8 = tx.slice %x_i8 offsets = [0, 0] strides = [1, 1] : tensor<4x3xi8> -> tensor<4x0xi8>
  %e_i8 = tx.reduce_max %s_i8 dims = [1] : tensor<4x0xi8> -> tensor<4xi8>
  %x_ui8 = tx.convert %x : tensor<4x3xi64> -> tensor<4x3xui8>
  %r_ui8 = tx.reduce_max %x_ui8 dims = [1] : tensor<4x3xui8> -> tensor<4xui8>
  %s_ui8 = tx.slice %x_ui8 offsets = [0, 0] strides = [1, 1] : tensor<4x3xui8> -> tensor<4x0xui8>
  %e_ui8 = tx.reduce_max %s_ui8 dims = [1] : tensor<4x0xui8> -> tensor<4xui8>
  return %r_i64, %e_i64, %r_i32, %e_i32, %r_i8, %e_i8, %r_ui8, %e_ui8
      : tensor<4xi64>, tensor<4xi64>,
        tensor<4xi32>, tensor<4xi32>,
        tensor<4xi8>, tensor<4xi8>,
        tensor<4xui8>, tensor<4xui8>
}
// INT: i64: i64[4]
// INT-NEXT: [2, 9223372036854775807, 100, 127]
// INT-NEXT: i64_empty: i64[4]
// INT-NEXT: [-9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808]
// INT-NEXT: i32: i32[4]
// INT-NEXT: [2, 1, 100, 127]
// INT-NEXT: i32_empty: i32[4]
// INT-NEXT: [-2147483648, -2147483648, -2147483648, -2147483648]
// INT-NEXT: i8: i8[4]
// INT-NEXT: [2, 1, 100, 127]
// INT-NEXT: i8_empty: i8[4]
// INT-NEXT: [-128, -128, -128, -128]
// INT-NEXT: ui8: ui8[4]
// INT-NEXT: [252, 255, 100, 255]
// INT-NEXT: ui8_empty: ui8[4]
// INT-NEXT: [0, 0, 0, 0]

func.func @bools(%p: tensor<3x3xi1>) -> (tensor<3xi1>, tensor<i1>, tensor<3xi1>) {
  %0 = tx.reduce_max %p dims = [1] : tensor<3x3xi1> -> tensor<3xi1>
  %1 = tx.reduce_max %p dims = [0, 1] : tensor<3x3xi1> -> tensor<i1>
  %e = tx.slice %p offsets = [0, 0] strides = [1, 1] : tensor<3x3xi1> -> tensor<3x0xi1>
  %2 = tx.reduce_max %e dims = [1] : tensor<3x0xi1> -> tensor<3xi1>
  return %0, %1, %2 : tensor<3xi1>, tensor<i1>, tensor<3xi1>
}
// BOOL:      out0: i1[3]
// BOOL-NEXT: [true, true, false]
// BOOL-NEXT: out1: i1[]
// BOOL-NEXT: true
// BOOL-NEXT: out2: i1[3]
// BOOL-NEXT: [false, false, false]

func.func @sizes(%x0: tensor<1000xf32>,
                 %x1: tensor<37x41xf32>,
                 %x2: tensor<37x41xf32>,
                 %x3: tensor<37x41xf32>,
                 %x4: tensor<3x5x67xf32>,
                 %x5: tensor<3x5x67xf32>,
                 %x6: tensor<3x5x67xf32>,
                 %x7: tensor<1x1xf32>,
                 %x8: tensor<0x5xf32>,
                 %x9: tensor<0x5xf32>,
                 %x10: tensor<64x37xbf16>,
                 %x11: tensor<64x37xbf16>,
                 %x12: tensor<f32>,
                 %x13: tensor<37x41xf64>,
                 %x14: tensor<37x41xi32>,
                 %x15: tensor<37x41xi64>,
                 %x16: tensor<3x129xf16>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<f32>, tensor<37xf32>, tensor<41xf32>, tensor<f32>,
        tensor<3x67xf32>, tensor<5xf32>, tensor<3xf32>, tensor<1xf32>,
        tensor<5xf32>, tensor<0xf32>, tensor<64xbf16>, tensor<37xbf16>,
        tensor<f32>, tensor<37xf64>, tensor<41xi32>, tensor<37xi64>,
        tensor<3xf16>, tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>, tensor<f32>) {
  %r0 = tx.reduce_max %x0 dims = [0] : tensor<1000xf32> -> tensor<f32>
  %r1 = tx.reduce_max %x1 dims = [1] : tensor<37x41xf32> -> tensor<37xf32>
  %r2 = tx.reduce_max %x2 dims = [0] : tensor<37x41xf32> -> tensor<41xf32>
  %r3 = tx.reduce_max %x3 dims = [0, 1] : tensor<37x41xf32> -> tensor<f32>
  %r4 = tx.reduce_max %x4 dims = [1] : tensor<3x5x67xf32> -> tensor<3x67xf32>
  %r5 = tx.reduce_max %x5 dims = [0, 2] : tensor<3x5x67xf32> -> tensor<5xf32>
  %r6 = tx.reduce_max %x6 dims = [1, 2] : tensor<3x5x67xf32> -> tensor<3xf32>
  %r7 = tx.reduce_max %x7 dims = [0] : tensor<1x1xf32> -> tensor<1xf32>
  %r8 = tx.reduce_max %x8 dims = [0] : tensor<0x5xf32> -> tensor<5xf32>
  %r9 = tx.reduce_max %x9 dims = [1] : tensor<0x5xf32> -> tensor<0xf32>
  %r10 = tx.reduce_max %x10 dims = [1] : tensor<64x37xbf16> -> tensor<64xbf16>
  %r11 = tx.reduce_max %x11 dims = [0] : tensor<64x37xbf16> -> tensor<37xbf16>
  %r12 = tx.reduce_max %x12 dims = [] : tensor<f32> -> tensor<f32>
  %r13 = tx.reduce_max %x13 dims = [1] : tensor<37x41xf64> -> tensor<37xf64>
  %r14 = tx.reduce_max %x14 dims = [0] : tensor<37x41xi32> -> tensor<41xi32>
  %r15 = tx.reduce_max %x15 dims = [1] : tensor<37x41xi64> -> tensor<37xi64>
  %r16 = tx.reduce_max %x16 dims = [1] : tensor<3x129xf16> -> tensor<3xf16>
  %n0 = tx.reduce_max %xn dims = [1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[n]>>
  %n1 = tx.reduce_max %xn dims = [0] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[m]>>
  %n2 = tx.reduce_max %xn dims = [0, 1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<f32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %n0, %n1, %n2
      : tensor<f32>, tensor<37xf32>, tensor<41xf32>, tensor<f32>,
        tensor<3x67xf32>, tensor<5xf32>, tensor<3xf32>, tensor<1xf32>,
        tensor<5xf32>, tensor<0xf32>, tensor<64xbf16>, tensor<37xbf16>,
        tensor<f32>, tensor<37xf64>, tensor<41xi32>, tensor<37xi64>,
        tensor<3xf16>, tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[m]>>, tensor<f32>
}
