// Complex numbers are sorted by their real parts, then by their imaginary parts, as JAX's comparators say.
//
// RUN: %npy %t.npy c64 '[c(2, 1), c(nan, 0), c(-0.0, 3), c(0, -1), c(2, -1), c(0, nan)]'
// RUN: %tensorc run %s --input=%t.npy | FileCheck %s
//
//      CHECK: out0: c64[6]
// CHECK-NEXT: [0-1j, -0+3j, 0+nanj, 2-1j, 2+1j, nan+0j]
//      CHECK: out1: i32[6]
// CHECK-NEXT: [3, 2, 5, 4, 0, 1]
func.func public @main(%x: tensor<6xcomplex<f32>>) -> (tensor<6xcomplex<f32>>, tensor<6xi32>) {
  %i = stablehlo.iota dim = 0 : tensor<6xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>, %j: tensor<i32>, %k: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %ar = stablehlo.real %a : (tensor<complex<f32>>) -> tensor<f32>
    %arz = stablehlo.compare EQ, %ar, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %ars = stablehlo.select %arz, %zero, %ar : tensor<i1>, tensor<f32>
    %arn = stablehlo.compare NE, %ar, %ar, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %arc = stablehlo.select %arn, %nan, %ars : tensor<i1>, tensor<f32>
    %ai = stablehlo.imag %a : (tensor<complex<f32>>) -> tensor<f32>
    %aiz = stablehlo.compare EQ, %ai, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %ais = stablehlo.select %aiz, %zero, %ai : tensor<i1>, tensor<f32>
    %ain = stablehlo.compare NE, %ai, %ai, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %aic = stablehlo.select %ain, %nan, %ais : tensor<i1>, tensor<f32>
    %br = stablehlo.real %b : (tensor<complex<f32>>) -> tensor<f32>
    %brz = stablehlo.compare EQ, %br, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %brs = stablehlo.select %brz, %zero, %br : tensor<i1>, tensor<f32>
    %brn = stablehlo.compare NE, %br, %br, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %brc = stablehlo.select %brn, %nan, %brs : tensor<i1>, tensor<f32>
    %bi = stablehlo.imag %b : (tensor<complex<f32>>) -> tensor<f32>
    %biz = stablehlo.compare EQ, %bi, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %bis = stablehlo.select %biz, %zero, %bi : tensor<i1>, tensor<f32>
    %bin = stablehlo.compare NE, %bi, %bi, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %bic = stablehlo.select %bin, %nan, %bis : tensor<i1>, tensor<f32>
    %then = stablehlo.compare LT, %aic, %bic, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %first = stablehlo.compare LT, %arc, %brc, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %same = stablehlo.compare EQ, %arc, %brc, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %both = stablehlo.and %same, %then : tensor<i1>
    %less = stablehlo.or %first, %both : tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<6xcomplex<f32>>, tensor<6xi32>) -> (tensor<6xcomplex<f32>>, tensor<6xi32>)
  return %0#0, %0#1 : tensor<6xcomplex<f32>>, tensor<6xi32>
}
