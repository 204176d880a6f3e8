// The next float in the direction of another, by its bits; 7 stands for NaN.
// The numbers are NumPy's, and ml_dtypes' of bf16; equal zeros of f16 are C's.
//
// RUN: %npy %t.f64.x.npy f64 '[1.0, 1.0, -1.0, -1.0, 0.0, 0.0, -0.0, -0.0, 0.0, -0.0, 5e-324, -5e-324, 5e-324, 2.2250738585072014e-308, -2.2250738585072014e-308, 1.7976931348623157e+308, -1.7976931348623157e+308, 1.7976931348623157e+308, inf, -inf, inf, -inf, 3.0, nan, 1.0]'
// RUN: %npy %t.f64.y.npy f64 '[2.0, 0.0, inf, -inf, 1.0, -1.0, 1.0, -inf, -0.0, 0.0, 0.0, 1.0, 1.0, 0.0, -1.0, inf, -inf, 0.0, 0.0, 1.0, inf, -inf, 3.0, 1.0, nan]'
// RUN: %run_op --input=%t.f64.x.npy --input=%t.f64.y.npy | FileCheck %s
// RUN: %npy %t.f32.x.npy f32 '[1.0, 1.0, -1.0, -1.0, 0.0, 0.0, -0.0, -0.0, 0.0, -0.0, 1.401298464324817e-45, -1.401298464324817e-45, 1.401298464324817e-45, 1.1754943508222875e-38, -1.1754943508222875e-38, 3.4028234663852886e+38, -3.4028234663852886e+38, 3.4028234663852886e+38, inf, -inf, inf, -inf, 3.0, nan, 1.0]'
// RUN: %npy %t.f32.y.npy f32 '[2.0, 0.0, inf, -inf, 1.0, -1.0, 1.0, -inf, -0.0, 0.0, 0.0, 1.0, 1.0, 0.0, -1.0, inf, -inf, 0.0, 0.0, 1.0, inf, -inf, 3.0, 1.0, nan]'
// RUN: %run_op --entry=single --input=%t.f32.x.npy --input=%t.f32.y.npy | FileCheck %s --check-prefix=SINGLE
// RUN: %npy %t.f16.x.npy f32 '[1.0, 1.0, -1.0, -1.0, 0.0, 0.0, -0.0, -0.0, 0.0, -0.0, 5.960464477539063e-08, -5.960464477539063e-08, 5.960464477539063e-08, 6.103515625e-05, -6.103515625e-05, 65504.0, -65504.0, 65504.0, inf, -inf, inf, -inf, 3.0, nan, 1.0]'
// RUN: %npy %t.f16.y.npy f32 '[2.0, 0.0, inf, -inf, 1.0, -1.0, 1.0, -inf, -0.0, 0.0, 0.0, 1.0, 1.0, 0.0, -1.0, inf, -inf, 0.0, 0.0, 1.0, inf, -inf, 3.0, 1.0, nan]'
// RUN: %run_op --entry=half --input=%t.f16.x.npy --input=%t.f16.y.npy | FileCheck %s --check-prefix=HALF
// RUN: %npy %t.bf16.x.npy f32 '[1.0, 1.0, -1.0, -1.0, 0.0, 0.0, -0.0, -0.0, 0.0, -0.0, 9.183549615799121e-41, -9.183549615799121e-41, 9.183549615799121e-41, 1.1754943508222875e-38, -1.1754943508222875e-38, 3.3895313892515355e+38, -3.3895313892515355e+38, 3.3895313892515355e+38, inf, -inf, inf, -inf, 3.0, nan, 1.0]'
// RUN: %npy %t.bf16.y.npy f32 '[2.0, 0.0, inf, -inf, 1.0, -1.0, 1.0, -inf, -0.0, 0.0, 0.0, 1.0, 1.0, 0.0, -1.0, inf, -inf, 0.0, 0.0, 1.0, inf, -inf, 3.0, 1.0, nan]'
// RUN: %run_op --entry=brain --input=%t.bf16.x.npy --input=%t.bf16.y.npy | FileCheck %s --check-prefix=BRAIN
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<25xf64>, %y: tensor<25xf64>) -> tensor<25xi64> {
  %0 = tx.nextafter %x, %y : tensor<25xf64>
  %1 = tx.bitcast %0 : tensor<25xf64> -> tensor<25xi64>
  %2 = tx.is_nan %0 : tensor<25xf64>
  %nan = tx.constant dense<7> : tensor<25xi64>
  %3 = tx.select %2, %nan, %1 : tensor<25xi1>, tensor<25xi64>
  return %3 : tensor<25xi64>
}
// CHECK: out0: i64[25]
// CHECK-NEXT: [4607182418800017409, 4607182418800017407, -4616189618054758401, -4616189618054758399, 1, -9223372036854775807, 1, -9223372036854775807, -9223372036854775808, 0, 0, -9223372036854775808, 2, 4503599627370495, -9218868437227405311, 9218868437227405312, -4503599627370496, 9218868437227405310, 9218868437227405311, -4503599627370497, 9218868437227405312, -4503599627370496, 4613937818241073152, 7, 7]

func.func @single(%x: tensor<25xf32>, %y: tensor<25xf32>) -> tensor<25xi32> {
  %0 = tx.nextafter %x, %y : tensor<25xf32>
  %1 = tx.bitcast %0 : tensor<25xf32> -> tensor<25xi32>
  %2 = tx.is_nan %0 : tensor<25xf32>
  %nan = tx.constant dense<7> : tensor<25xi32>
  %3 = tx.select %2, %nan, %1 : tensor<25xi1>, tensor<25xi32>
  return %3 : tensor<25xi32>
}
// SINGLE: out0: i32[25]
// SINGLE-NEXT: [1065353217, 1065353215, -1082130433, -1082130431, 1, -2147483647, 1, -2147483647, -2147483648, 0, 0, -2147483648, 2, 8388607, -2139095039, 2139095040, -8388608, 2139095038, 2139095039, -8388609, 2139095040, -8388608, 1077936128, 7, 7]

func.func @half(%x: tensor<25xf32>, %y: tensor<25xf32>) -> tensor<25xi16> {
  %xn = tx.convert %x : tensor<25xf32> -> tensor<25xf16>
  %yn = tx.convert %y : tensor<25xf32> -> tensor<25xf16>
  %0 = tx.nextafter %xn, %yn : tensor<25xf16>
  %1 = tx.bitcast %0 : tensor<25xf16> -> tensor<25xi16>
  %2 = tx.is_nan %0 : tensor<25xf16>
  %nan = tx.constant dense<7> : tensor<25xi16>
  %3 = tx.select %2, %nan, %1 : tensor<25xi1>, tensor<25xi16>
  return %3 : tensor<25xi16>
}
// HALF: out0: i16[25]
// HALF-NEXT: [15361, 15359, -17409, -17407, 1, -32767, 1, -32767, -32768, 0, 0, -32768, 2, 1023, -31743, 31744, -1024, 31742, 31743, -1025, 31744, -1024, 16896, 7, 7]

func.func @brain(%x: tensor<25xf32>, %y: tensor<25xf32>) -> tensor<25xi16> {
  %xn = tx.convert %x : tensor<25xf32> -> tensor<25xbf16>
  %yn = tx.convert %y : tensor<25xf32> -> tensor<25xbf16>
  %0 = tx.nextafter %xn, %yn : tensor<25xbf16>
  %1 = tx.bitcast %0 : tensor<25xbf16> -> tensor<25xi16>
  %2 = tx.is_nan %0 : tensor<25xbf16>
  %nan = tx.constant dense<7> : tensor<25xi16>
  %3 = tx.select %2, %nan, %1 : tensor<25xi1>, tensor<25xi16>
  return %3 : tensor<25xi16>
}
// BRAIN: out0: i16[25]
// BRAIN-NEXT: [16257, 16255, -16513, -16511, 1, -32767, 1, -32767, -32768, 0, 0, -32768, 2, 127, -32639, 32640, -128, 32638, 32639, -129, 32640, -128, 16448, 7, 7]

func.func @sizes(%x0: tensor<f32>, %y0: tensor<f32>,
                 %x1: tensor<0xf32>, %y1: tensor<0xf32>,
                 %x2: tensor<1xf32>, %y2: tensor<1xf32>,
                 %x3: tensor<37xbf16>, %y3: tensor<37xbf16>,
                 %x4: tensor<1000xf32>, %y4: tensor<1000xf32>,
                 %x5: tensor<3x5x67xf32>, %y5: tensor<3x5x67xf32>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"}, %yn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "yn"})
    -> (tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %r0 = tx.nextafter %x0, %y0 : tensor<f32>
  %r1 = tx.nextafter %x1, %y1 : tensor<0xf32>
  %r2 = tx.nextafter %x2, %y2 : tensor<1xf32>
  %r3 = tx.nextafter %x3, %y3 : tensor<37xbf16>
  %r4 = tx.nextafter %x4, %y4 : tensor<1000xf32>
  %r5 = tx.nextafter %x5, %y5 : tensor<3x5x67xf32>
  %rn = tx.nextafter %xn, %yn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
