// StableHLO's own ops for matrices: cholesky and triangular_solve, of all forms of the matrix.
//
// RUN: %npy %t.a.npy f32 '[[4, 2, 0], [2, 5, 2], [0, 2, 5]]'
// RUN: %tensorc run %s --entry=cholesky --input=%t.a.npy | FileCheck %s
// CHECK: lower: f32[3,3]
// CHECK-NEXT: {{\[}}[2, 0, 0],
// CHECK-NEXT: [1, 2, 0],
// CHECK-NEXT: [0, 1, 2]]
// CHECK: upper: f32[3,3]
// CHECK-NEXT: {{\[}}[2, 1, 0],
// CHECK-NEXT: [0, 2, 1],
// CHECK-NEXT: [0, 0, 2]]
// CHECK: half: f16[3,3]
// CHECK-NEXT: {{\[}}[2, 0, 0],
func.func public @cholesky(%a: tensor<3x3xf32>) -> (tensor<3x3xf32> {jax.result_info = "lower"}, tensor<3x3xf32> {jax.result_info = "upper"}, tensor<3x3xf16> {jax.result_info = "half"}) {
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  %1 = stablehlo.cholesky %a : tensor<3x3xf32>
  %2 = stablehlo.convert %a : (tensor<3x3xf32>) -> tensor<3x3xf16>
  %3 = "stablehlo.cholesky"(%2) <{lower = true}> : (tensor<3x3xf16>) -> tensor<3x3xf16>
  return %0, %1, %3 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf16>
}

// Of Hermitian matrices the triangle that `lower` names is read.
// RUN: %tensorc run %s --entry=hermitian | FileCheck %s --check-prefix=HERMITIAN
// HERMITIAN: lower: c64[2,2]
// HERMITIAN-NEXT: {{\[}}[2+0j, 0+0j],
// HERMITIAN-NEXT: [0-1j, 3+0j]]
// HERMITIAN: upper: c64[2,2]
// HERMITIAN-NEXT: {{\[}}[2+0j, 0+1j],
// HERMITIAN-NEXT: [0{{[+-]}}0j, 3{{[+-]}}0j]]
func.func public @hermitian() -> (tensor<2x2xcomplex<f32>> {jax.result_info = "lower"}, tensor<2x2xcomplex<f32>> {jax.result_info = "upper"}) {
  %a = stablehlo.constant dense<[[(4.0, 0.0), (7.0, 7.0)], [(0.0, -2.0), (10.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %b = stablehlo.constant dense<[[(4.0, 0.0), (0.0, 2.0)], [(7.0, 7.0), (10.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2xcomplex<f32>>
  %1 = stablehlo.cholesky %b, lower = false : tensor<2x2xcomplex<f32>>
  return %0, %1 : tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>
}

// What lies in the other triangle is not read, nor is a diagonal of ones.
// RUN: %tensorc run %s --entry=solve | FileCheck %s --check-prefix=SOLVE
// SOLVE: left: f32[2,1]
// SOLVE-NEXT: {{\[}}[2],
// SOLVE-NEXT: [3]]
// SOLVE: transposed: f32[2,1]
// SOLVE-NEXT: {{\[}}[-1],
// SOLVE-NEXT: [3.5]]
// SOLVE: right: f32[1,2]
// SOLVE-NEXT: {{\[}}[-1, 3.5]]
// SOLVE: unit: f32[2,1]
// SOLVE-NEXT: {{\[}}[4],
// SOLVE-NEXT: [10]]
// SOLVE: upper: f32[2,1]
// SOLVE-NEXT: {{\[}}[-29.5],
// SOLVE-NEXT: [7]]
// SOLVE: adjoint: c64[2,1]
// SOLVE-NEXT: {{\[}}[4+0j],
// SOLVE-NEXT: [1+2j]]
// SOLVE: half: bf16[2,1]
// SOLVE-NEXT: {{\[}}[2],
// SOLVE-NEXT: [3]]
func.func public @solve() -> (tensor<2x1xf32> {jax.result_info = "left"}, tensor<2x1xf32> {jax.result_info = "transposed"}, tensor<1x2xf32> {jax.result_info = "right"}, tensor<2x1xf32> {jax.result_info = "unit"}, tensor<2x1xf32> {jax.result_info = "upper"},
    tensor<2x1xcomplex<f32>> {jax.result_info = "adjoint"}, tensor<2x1xbf16> {jax.result_info = "half"}) {
  %m = stablehlo.constant dense<[[2.0, 9.0], [4.0, 2.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[4.0], [14.0]]> : tensor<2x1xf32>
  %c = stablehlo.constant dense<[[12.0], [7.0]]> : tensor<2x1xf32>
  %d = stablehlo.constant dense<[[12.0, 7.0]]> : tensor<1x2xf32>
  %e = stablehlo.constant dense<[[4.0], [26.0]]> : tensor<2x1xf32>
  %0 = "stablehlo.triangular_solve"(%m, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %1 = "stablehlo.triangular_solve"(%m, %c) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %2 = "stablehlo.triangular_solve"(%m, %d) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %3 = "stablehlo.triangular_solve"(%m, %e) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %4 = "stablehlo.triangular_solve"(%m, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %z = stablehlo.constant dense<[[(1.0, 0.0), (9.0, 9.0)], [(0.0, 2.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %v = stablehlo.constant dense<[[(8.0, -2.0)], [(2.0, 4.0)]]> : tensor<2x1xcomplex<f32>>
  %5 = "stablehlo.triangular_solve"(%z, %v) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<2x2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  %6 = stablehlo.convert %m : (tensor<2x2xf32>) -> tensor<2x2xbf16>
  %7 = stablehlo.convert %b : (tensor<2x1xf32>) -> tensor<2x1xbf16>
  %8 = "stablehlo.triangular_solve"(%6, %7) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xbf16>, tensor<2x1xbf16>) -> tensor<2x1xbf16>
  return %0, %1, %2, %3, %4, %5, %8 : tensor<2x1xf32>, tensor<2x1xf32>, tensor<1x2xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xcomplex<f32>>, tensor<2x1xbf16>
}
