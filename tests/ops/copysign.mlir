// |x| with the sign of y, of zeros too.
//
// RUN: %npy %t.x.npy f64 '[1.5, -1.5, 0.0, -0.0, inf, nan, 2.0, -3.0]'
// RUN: %npy %t.y.npy f64 '[-1.0, 1.0, -0.0, 2.0, -5.0, 1.0, -inf, inf]'
// RUN: %run_op --input=%t.x.npy --input=%t.y.npy | FileCheck %s
// RUN: %run_op --entry=half --input=%t.x.npy --input=%t.y.npy | FileCheck %s --check-prefix=HALF
// RUN: %run_op --entry=narrowed --random-inputs --compare=reference
// RUN: %run_op --entry=narrowed_after --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,9 --compare=reference

func.func @main(%x: tensor<8xf64>, %y: tensor<8xf64>)
    -> (tensor<8xf64> {tx.name = "f64"},
        tensor<8xf32> {tx.name = "f32"},
        tensor<8xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.copysign %x, %y : tensor<8xf64>
  %x_f32 = tx.convert %x : tensor<8xf64> -> tensor<8xf32>
  %y_f32 = tx.convert %y : tensor<8xf64> -> tensor<8xf32>
  %r_f32 = tx.copysign %x_f32, %y_f32 : tensor<8xf32>
  %x_bf16 = tx.convert %x : tensor<8xf64> -> tensor<8xbf16>
  %y_bf16 = tx.convert %y : tensor<8xf64> -> tensor<8xbf16>
  %r_bf16 = tx.copysign %x_bf16, %y_bf16 : tensor<8xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<8xf64>, tensor<8xf32>, tensor<8xbf16>
}
// CHECK: f64: f64[8]
// CHECK-NEXT: [-1.5, 1.5, -0, 0, -inf, nan, -2, 3]
// CHECK-NEXT: f32: f32[8]
// CHECK-NEXT: [-1.5{{[0-9]*}}, 1.5{{[0-9]*}}, -0, 0, -inf, nan, -2, 3]
// CHECK-NEXT: bf16: bf16[8]
// CHECK-NEXT: [-1.5, 1.5, -0, 0, -inf, nan, -2, 3]

func.func @half(%x: tensor<8xf64>, %y: tensor<8xf64>)
    -> (tensor<8xf16> {tx.name = "f16"}) {
  %x_f16 = tx.convert %x : tensor<8xf64> -> tensor<8xf16>
  %y_f16 = tx.convert %y : tensor<8xf64> -> tensor<8xf16>
  %r_f16 = tx.copysign %x_f16, %y_f16 : tensor<8xf16>
  return %r_f16
      : tensor<8xf16>
}
// HALF: f16: f16[8]
// HALF-NEXT: [-1.5, 1.5, -0, 0, -inf, nan, -2, 3]

// LLVM would take the sign from the f64, beyond both roundings.
func.func @narrowed(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f16> {
  %0 = tx.copysign %x, %y : tensor<f64>
  %1 = tx.convert %0 : tensor<f64> -> tensor<f32>
  %2 = tx.convert %1 : tensor<f32> -> tensor<f16>
  return %2 : tensor<f16>
}

// As here, where the functions compute in f64.
func.func @narrowed_after(%x: tensor<f16>) -> (tensor<f16>, tensor<f16>) {
  %half = tx.constant dense<5.000000e-01> : tensor<f16>
  %0 = tx.sin %x : tensor<f16>
  %1 = tx.mul %0, %half : tensor<f16>
  %2 = tx.atanh %1 : tensor<f16>
  %3 = tx.erf %2 : tensor<f16>
  %4 = tx.asinh %x : tensor<f16>
  %5 = tx.tanh %4 : tensor<f16>
  return %3, %5 : tensor<f16>, tensor<f16>
}

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
  %r0 = tx.copysign %x0, %y0 : tensor<f32>
  %r1 = tx.copysign %x1, %y1 : tensor<0xf32>
  %r2 = tx.copysign %x2, %y2 : tensor<1xf32>
  %r3 = tx.copysign %x3, %y3 : tensor<37xbf16>
  %r4 = tx.copysign %x4, %y4 : tensor<1000xf32>
  %r5 = tx.copysign %x5, %y5 : tensor<3x5x67xf32>
  %rn = tx.copysign %xn, %yn : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %rn
      : tensor<f32>,
        tensor<0xf32>,
        tensor<1xf32>,
        tensor<37xbf16>,
        tensor<1000xf32>,
        tensor<3x5x67xf32>,
        tensor<?x?xf32, #tx.dims<[n, m]>>
}
