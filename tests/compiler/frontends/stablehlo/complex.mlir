// Complex numbers and Fourier transforms, as they are printed by default.
//
// RUN: %npy %t.0.npy f32 '[[1, 2, 0, -1], [0.5, -3, 2.25, 4]]'
// RUN: %tensorc run %s --input=%t.0.npy | FileCheck %s
// RUN: %tensorc run %s --random-inputs --compare=reference

//      CHECK: out0: c64[2,3]
// CHECK-NEXT: {{\[\[}}2{{[+-]}}0j, 1-3j, 0{{[+-]}}0j],
// CHECK-NEXT:  [3.75{{[+-]}}0j, -1.75+7j, 1.75{{[+-]}}0j]]
//      CHECK: out1: f32[2,4]
// CHECK-NEXT: {{\[\[}}1, 2, 0, -1],
// CHECK-NEXT:  [0.5, -3, 2.25, 4]]
//      CHECK: out2: f32[2,3]
// CHECK-NEXT: {{\[\[}}2, 3.162277{{[0-9]*}}, 0],
//      CHECK: out3: c64[]
// CHECK-NEXT: 6.75+4j
//      CHECK: out4: c64[2,2]
// CHECK-NEXT: {{\[\[}}-4-6j, 26.75+12.25j],
// CHECK-NEXT:  [26.75+12.25j, -28.8125-24.5j]]
//      CHECK: out5: i1[2,3]
// CHECK-NEXT: {{\[\[}}false, true, false],
// CHECK-NEXT:  [false, true, false]]
//      CHECK: out6: c64[2,3]
// CHECK-NEXT: {{\[\[0\.(5|49999).*}}
func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x3xcomplex<f32>>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<complex<f32>>,
    tensor<2x2xcomplex<f32>>, tensor<2x3xi1>, tensor<2x3xcomplex<f32>>) {
  %0 = stablehlo.fft %arg0, type = RFFT, length = [4] : (tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [4] : (tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32>
  %2 = stablehlo.abs %0 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  %zero = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
  %3 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  %4 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  %5 = stablehlo.dot_general %0, %4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %6 = stablehlo.real %0 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  %7 = stablehlo.imag %0 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  %8 = stablehlo.negate %7 : tensor<2x3xf32>
  %9 = stablehlo.complex %6, %8 : tensor<2x3xcomplex<f32>>
  %10 = stablehlo.compare NE, %0, %9, FLOAT : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3xi1>
  %11 = stablehlo.fft %9, type = FFT, length = [2, 3] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  %12 = stablehlo.fft %11, type = IFFT, length = [2, 3] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  %13 = stablehlo.subtract %12, %9 : tensor<2x3xcomplex<f32>>
  %14 = stablehlo.exponential %13 : tensor<2x3xcomplex<f32>>
  %half = stablehlo.constant dense<(5.000000e-01,0.000000e+00)> : tensor<2x3xcomplex<f32>>
  %15 = stablehlo.multiply %14, %half : tensor<2x3xcomplex<f32>>
  return %0, %1, %2, %3, %5, %10, %15 : tensor<2x3xcomplex<f32>>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<complex<f32>>,
      tensor<2x2xcomplex<f32>>, tensor<2x3xi1>, tensor<2x3xcomplex<f32>>
}
