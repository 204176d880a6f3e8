// The same bits as another dtype: NaNs keep their payload, zeros their sign.
//
// RUN: %npy %t.f.npy f32 '[1.0, -0.0, inf, -inf, 1e-45, 3.4028235e38]'
// RUN: %run_op --input=%t.f.npy | FileCheck %s
// RUN: %npy %t.i.npy i64 '[-4194303, 2139095041, 2143289345, 32001, -31, 65409, 32767, 0]'
// RUN: %run_op --entry=payloads --input=%t.i.npy | FileCheck %s --check-prefix=PAYLOAD
// RUN: %npy %t.d.npy f64 '[1.0, -0.0, nan, 5e-324]'
// RUN: %run_op --entry=doubles --input=%t.d.npy | FileCheck %s --check-prefix=DOUBLE
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<6xf32>)
    -> (tensor<6xi32> {tx.name = "i32"}, tensor<6xui32> {tx.name = "ui32"},
        tensor<6xf32> {tx.name = "back"}) {
  %0 = tx.bitcast %x : tensor<6xf32> -> tensor<6xi32>
  %1 = tx.bitcast %0 : tensor<6xi32> -> tensor<6xui32>
  %2 = tx.neg %0 : tensor<6xi32>
  %3 = tx.neg %2 : tensor<6xi32>
  %4 = tx.bitcast %3 : tensor<6xi32> -> tensor<6xf32>
  return %0, %1, %4 : tensor<6xi32>, tensor<6xui32>, tensor<6xf32>
}
// CHECK:      i32: i32[6]
// CHECK-NEXT: [1065353216, -2147483648, 2139095040, -8388608, 1, 2139095039]
// CHECK-NEXT: ui32: ui32[6]
// CHECK-NEXT: [1065353216, 2147483648, 2139095040, 4286578688, 1, 2139095039]
// CHECK-NEXT: back: f32[6]
// CHECK-NEXT: [1, -0, inf, -inf, 1e-45, 3.4028235e+38]

// Through every float dtype and a choice, which must not quiet a NaN.
func.func @payloads(%x: tensor<8xi64>)
    -> (tensor<8xi16> {tx.name = "f16"}, tensor<8xi16> {tx.name = "bf16"},
        tensor<8xi32> {tx.name = "f32"}, tensor<8xi64> {tx.name = "f64"}) {
  %p = tx.iota dim = 0 : tensor<8xi64>
  %q = tx.lt %x, %p : tensor<8xi64>
  %i16 = tx.convert %x : tensor<8xi64> -> tensor<8xi16>
  %i32 = tx.convert %x : tensor<8xi64> -> tensor<8xi32>
  %f16 = tx.bitcast %i16 : tensor<8xi16> -> tensor<8xf16>
  %s16 = tx.select %q, %f16, %f16 : tensor<8xi1>, tensor<8xf16>
  %r16 = tx.bitcast %s16 : tensor<8xf16> -> tensor<8xi16>
  %b16 = tx.bitcast %i16 : tensor<8xi16> -> tensor<8xbf16>
  %h16 = tx.bitcast %b16 : tensor<8xbf16> -> tensor<8xf16>
  %rb16 = tx.bitcast %h16 : tensor<8xf16> -> tensor<8xi16>
  %f32 = tx.bitcast %i32 : tensor<8xi32> -> tensor<8xf32>
  %t = tx.transpose %f32 permutation = [0] : tensor<8xf32> -> tensor<8xf32>
  %r32 = tx.bitcast %t : tensor<8xf32> -> tensor<8xi32>
  %f64 = tx.bitcast %x : tensor<8xi64> -> tensor<8xf64>
  %r64 = tx.bitcast %f64 : tensor<8xf64> -> tensor<8xi64>
  return %r16, %rb16, %r32, %r64 : tensor<8xi16>, tensor<8xi16>, tensor<8xi32>, tensor<8xi64>
}
// PAYLOAD:      f16: i16[8]
// PAYLOAD-NEXT: [1, 1, 1, 32001, -31, -127, 32767, 0]
// PAYLOAD-NEXT: bf16: i16[8]
// PAYLOAD-NEXT: [1, 1, 1, 32001, -31, -127, 32767, 0]
// PAYLOAD-NEXT: f32: i32[8]
// PAYLOAD-NEXT: [-4194303, 2139095041, 2143289345, 32001, -31, 65409, 32767, 0]
// PAYLOAD-NEXT: f64: i64[8]
// PAYLOAD-NEXT: [-4194303, 2139095041, 2143289345, 32001, -31, 65409, 32767, 0]

func.func @doubles(%x: tensor<4xf64>) -> (tensor<4xui64>, tensor<4xf64>) {
  %0 = tx.bitcast %x : tensor<4xf64> -> tensor<4xui64>
  %one = tx.constant dense<1> : tensor<4xui64>
  %1 = tx.add %0, %one : tensor<4xui64>
  %2 = tx.bitcast %1 : tensor<4xui64> -> tensor<4xf64>
  return %0, %2 : tensor<4xui64>, tensor<4xf64>
}
// DOUBLE:      out0: ui64[4]
// DOUBLE-NEXT: [4607182418800017408, 9223372036854775808, 9221120237041090560, 1]
// DOUBLE-NEXT: out1: f64[4]
// DOUBLE-NEXT: [1.0000000000000002, -5e-324, nan, 1e-323]

func.func @sizes(%x0: tensor<f32>, %x1: tensor<0xf64>, %x2: tensor<1xi8>,
                 %x3: tensor<37xui8>, %x4: tensor<1000xf16>,
                 %x5: tensor<3x5x67xbf16>,
                 %xn: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<i32>, tensor<0xi64>, tensor<1xui8>, tensor<37xi8>,
        tensor<1000xui16>, tensor<3x5x67xi16>,
        tensor<?x?xui32, #tx.dims<[n, m]>>) {
  %r0 = tx.bitcast %x0 : tensor<f32> -> tensor<i32>
  %r1 = tx.bitcast %x1 : tensor<0xf64> -> tensor<0xi64>
  %r2 = tx.bitcast %x2 : tensor<1xi8> -> tensor<1xui8>
  %r3 = tx.bitcast %x3 : tensor<37xui8> -> tensor<37xi8>
  %r4 = tx.bitcast %x4 : tensor<1000xf16> -> tensor<1000xui16>
  %r5 = tx.bitcast %x5 : tensor<3x5x67xbf16> -> tensor<3x5x67xi16>
  %rn = tx.bitcast %xn : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xui32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<i32>, tensor<0xi64>, tensor<1xui8>, tensor<37xi8>,
        tensor<1000xui16>, tensor<3x5x67xi16>,
        tensor<?x?xui32, #tx.dims<[n, m]>>
}
