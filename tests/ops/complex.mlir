// Complex numbers are made of two parts and taken apart again, bit by bit.
//
// RUN: %npy %t.x.npy f32 '[1.0, -0.0, inf, nan, 0.25, 3e38, -2.5]'
// RUN: %npy %t.y.npy f32 '[2.0, -0.0, nan, -inf, -1.5, 1e-45, 0.0]'
// RUN: %run_op --input=%t.x.npy --input=%t.y.npy | FileCheck %s
// RUN: %npy %t.z.npy c128 '[[1+2j, c(-0.0, inf)], [c(nan, -0.0), 0.1-0.3j]]'
// RUN: %run_op --entry=parts --input=%t.z.npy | FileCheck %s --check-prefix=PARTS
// RUN: %run_op --entry=same --input=%t.z.npy | FileCheck %s --check-prefix=SAME
// RUN: %run_op --entry=same --input=%t.z.npy --output-dir=%t.out && %run_op --entry=same --input=%t.out/x.npy | FileCheck %s --check-prefix=SAME
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,3 --compare=reference

func.func @main(%x: tensor<7xf32>, %y: tensor<7xf32>)
    -> (tensor<7xcomplex<f32>> {tx.name = "z"}, tensor<7xcomplex<f64>> {tx.name = "wide"}) {
  %0 = tx.complex %x, %y : tensor<7xf32> -> tensor<7xcomplex<f32>>
  %1 = tx.convert %0 : tensor<7xcomplex<f32>> -> tensor<7xcomplex<f64>>
  return %0, %1 : tensor<7xcomplex<f32>>, tensor<7xcomplex<f64>>
}
// CHECK:      z: c64[7]
// CHECK-NEXT: [1+2j, -0-0j, inf+nanj, nan-infj, 0.25-1.5j, 3e+38+1e-45j, -2.5+0j]
// CHECK-NEXT: wide: c128[7]
// CHECK-NEXT: [1+2j, -0-0j, inf+nanj, nan-infj, 0.25-1.5j, {{.*}}, -2.5+0j]

func.func @parts(%x: tensor<2x2xcomplex<f64>>)
    -> (tensor<2x2xf64> {tx.name = "re"}, tensor<2x2xf64> {tx.name = "im"}, tensor<2x2xcomplex<f32>> {tx.name = "narrow"}) {
  %0 = tx.real %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xf64>
  %1 = tx.imag %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xf64>
  %2 = tx.convert %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f32>>
  return %0, %1, %2 : tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xcomplex<f32>>
}
// PARTS:      re: f64[2,2]
// PARTS-NEXT: {{\[}}[1, -0],
// PARTS-NEXT:  [nan, 0.1]]
// PARTS-NEXT: im: f64[2,2]
// PARTS-NEXT: {{\[}}[2, inf],
// PARTS-NEXT:  [-0, -0.3]]
// PARTS-NEXT: narrow: c64[2,2]
// PARTS-NEXT: {{\[}}[1+2j, -0+infj],
// PARTS-NEXT:  [nan-0j, 0.1-0.3j]]

func.func @same(%x: tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>> {tx.name = "x"}) {
  return %x : tensor<2x2xcomplex<f64>>
}
// SAME:      x: c128[2,2]
// SAME-NEXT: {{\[}}[1+2j, -0+infj],
// SAME-NEXT:  [nan-0j, 0.1-0.3j]]

// Constants, large ones too; i1 and integers.
func.func @sizes(%x0: tensor<complex<f32>>, %x1: tensor<0xcomplex<f32>>, %x2: tensor<1xcomplex<f64>>,
                 %x3: tensor<3x5x67xcomplex<f32>>, %i: tensor<37xi32>, %p: tensor<37xi1>, %h: tensor<37xbf16>,
                 %xn: tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<complex<f32>>, tensor<0xcomplex<f32>>, tensor<1xcomplex<f64>>, tensor<3x5x67xcomplex<f32>>,
        tensor<37xcomplex<f64>>, tensor<37xcomplex<f32>>, tensor<37xcomplex<f32>>, tensor<3x5x67xi1>,
        tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>, tensor<3xcomplex<f32>>, tensor<70xcomplex<f64>>) {
  %r0 = tx.neg %x0 : tensor<complex<f32>>
  %r1 = tx.neg %x1 : tensor<0xcomplex<f32>>
  %r2 = tx.neg %x2 : tensor<1xcomplex<f64>>
  %r3 = tx.neg %x3 : tensor<3x5x67xcomplex<f32>>
  %ri = tx.convert %i : tensor<37xi32> -> tensor<37xcomplex<f64>>
  %rp = tx.convert %p : tensor<37xi1> -> tensor<37xcomplex<f32>>
  %rh = tx.convert %h : tensor<37xbf16> -> tensor<37xcomplex<f32>>
  %rb = tx.convert %x3 : tensor<3x5x67xcomplex<f32>> -> tensor<3x5x67xi1>
  %rn = tx.neg %xn : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>
  %c = tx.constant dense<[(1.0, 2.0), (-0.0, 0.5), (3.0, -4.0)]> : tensor<3xcomplex<f32>>
  %s = tx.constant dense<(1.5, -2.0)> : tensor<70xcomplex<f64>>
  return %r0, %r1, %r2, %r3, %ri, %rp, %rh, %rb, %rn, %c, %s
      : tensor<complex<f32>>, tensor<0xcomplex<f32>>, tensor<1xcomplex<f64>>, tensor<3x5x67xcomplex<f32>>,
        tensor<37xcomplex<f64>>, tensor<37xcomplex<f32>>, tensor<37xcomplex<f32>>, tensor<3x5x67xi1>,
        tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>, tensor<3xcomplex<f32>>, tensor<70xcomplex<f64>>
}
