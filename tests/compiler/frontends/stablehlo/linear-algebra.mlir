// Calls of LAPACK as JAX makes them. What is LAPACK's own way to store factors
// follows from the factors: `info` counts failures, exchanges of rows follow
// from their order, Householder vectors are only for the call that makes Q.
//
// RUN: %npy %t.a.npy f32 '[[4, 2, 0], [2, 5, 2], [0, 2, 5]]'
// RUN: %npy %t.nan.npy f32 '[[-1, 0, 0], [0, 1, 0], [0, 0, 1]]'
// RUN: %tensorc run %s --entry=factors --device=reference --input=%t.a.npy | FileCheck %s
// RUN: %tensorc run %s --entry=factors --device=reference --input=%t.nan.npy | FileCheck %s --check-prefix=FAILED
// FAILED: failed: i32[]
// FAILED-NEXT: 1

// CHECK: lower: f32[3,3]
// CHECK-NEXT: {{\[}}[2, 0, 0],
// CHECK-NEXT: [1, 2, 0],
// CHECK-NEXT: [0, 1, 2]]
// CHECK: upper: f32[3,3]
// CHECK-NEXT: {{\[}}[2, 1, 0],
// CHECK-NEXT: [0, 2, 1],
// CHECK-NEXT: [0, 0, 2]]
// CHECK: failed: i32[]
// CHECK-NEXT: 0
// CHECK: solved: f32[3,1]
// CHECK-NEXT: {{\[}}[1],
// CHECK-NEXT: [0],
// CHECK-NEXT: [0.5]]
func.func public @factors(%a: tensor<3x3xf32>) -> (tensor<3x3xf32> {jax.result_info = "lower"}, tensor<3x3xf32> {jax.result_info = "upper"}, tensor<i32> {jax.result_info = "failed"}, tensor<3x1xf32> {jax.result_info = "solved"}) {
  %l:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  %u:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  %b = stablehlo.constant dense<[[2.0], [1.0], [1.0]]> : tensor<3x1xf32>
  %y = stablehlo.custom_call @lapack_strsm_ffi(%l#0, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  return %l#0, %u#0, %l#1, %y : tensor<3x3xf32>, tensor<3x3xf32>, tensor<i32>, tensor<3x1xf32>
}

// Rows 0, 1, 2 become 1, 2, 0: first 0 and 1 are exchanged, then 1 and 2.
// RUN: %npy %t.p.npy f32 '[[0, 0, 3], [1, 0, 0], [0, 2, 0]]'
// RUN: %tensorc run %s --entry=exchanges --device=reference --input=%t.p.npy | FileCheck %s --check-prefix=LU
// LU: lu: f32[3,3]
// LU-NEXT: {{\[}}[1, 0, 0],
// LU-NEXT: [0, 2, 0],
// LU-NEXT: [0, 0, 3]]
// LU: rows: i32[3]
// LU-NEXT: [2, 3, 3]
func.func public @exchanges(%a: tensor<3x3xf32>) -> (tensor<3x3xf32> {jax.result_info = "lu"}, tensor<3xi32> {jax.result_info = "rows"}) {
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>)
  return %0#0, %0#1 : tensor<3x3xf32>, tensor<3xi32>
}

// Vectors that are needed, and as many as are asked for.
// RUN: %tensorc compile %s --entry=vectors --stop-after=import | FileCheck %s --check-prefix=IR
// IR: func.func @vectors
// IR: tx.svd
// IR: tx.qr {{.*}} complete
// IR: tx.eigh
// IR: tx.qr %arg0 : (tensor<4x3xf32>) -> tensor<4x6xf32>
// IR: tx.qr %arg0 complete : (tensor<4x3xf32>) -> tensor<4x7xf32>
func.func public @vectors(%a: tensor<4x3xf32>, %s: tensor<3x3xf32>) -> (tensor<4x4xf32>, tensor<3xf32>, tensor<3x3xf32>, tensor<3xf32>, tensor<4x3xf32>, tensor<4x4xf32>) {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<4x4xf32>, tensor<3x3xf32>, tensor<i32>)
  %1:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%s) {mhlo.backend_config = {mode = 86 : ui8, uplo = 85 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<i32>)
  %2:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.pad %2#0, %zero, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x4xf32>
  %4 = stablehlo.custom_call @lapack_sorgqr_ffi(%3, %2#1) {mhlo.backend_config = {}} : (tensor<4x4xf32>, tensor<3xf32>) -> tensor<4x4xf32>
  return %0#2, %0#1, %1#0, %1#1, %2#0, %4 : tensor<4x4xf32>, tensor<3xf32>, tensor<3x3xf32>, tensor<3xf32>, tensor<4x3xf32>, tensor<4x4xf32>
}

// A tridiagonal system, whose factors JAX does not read.
// RUN: %npy %t.dl.npy f32 '[7, 1, 2]'
// RUN: %npy %t.d.npy f32 '[4, 5, 3]'
// RUN: %npy %t.du.npy f32 '[2, 1, 9]'
// RUN: %npy %t.y.npy f32 '[[8], [14], [13]]'
// RUN: %tensorc run %s --entry=tridiagonal --device=reference --input=%t.dl.npy --input=%t.d.npy --input=%t.du.npy --input=%t.y.npy | FileCheck %s --check-prefix=TRIDIAGONAL
// RUN: %tensorc run %s --entry=tridiagonal --input=%t.dl.npy --input=%t.d.npy --input=%t.du.npy --input=%t.y.npy --compare=reference
// TRIDIAGONAL: f32[3,1]
// TRIDIAGONAL-NEXT: {{\[}}[1],
// TRIDIAGONAL-NEXT: [2],
// TRIDIAGONAL-NEXT: [3]]
// TRIDIAGONAL: i32[]
// TRIDIAGONAL-NEXT: 0
func.func public @tridiagonal(%dl: tensor<3xf32>, %d: tensor<3xf32>, %du: tensor<3xf32>, %y: tensor<3x1xf32>) -> (tensor<3x1xf32>, tensor<i32>) {
  %0:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%dl, %d, %du, %y) {mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x1xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x1xf32>, tensor<i32>)
  return %0#3, %0#4 : tensor<3x1xf32>, tensor<i32>
}

// Hermitian matrices are read from the triangle that is named; singular values
// and eigenvalues are real.
// RUN: %npy %t.h.npy c64 '[[2, "2j"], ["-2j", 5]]'
// RUN: %tensorc run %s --entry=hermitian --device=reference --input=%t.h.npy | FileCheck %s --check-prefix=COMPLEX
// COMPLEX: lower: c64[2,2]
// COMPLEX-NEXT: {{\[}}[1.414{{.*}}+0j, 0+0j],
// COMPLEX-NEXT: [0-1.414{{.*}}j, 1.73{{.*}}+0j]]
// COMPLEX: upper: c64[2,2]
// COMPLEX-NEXT: {{\[}}[1.414{{.*}}0j, 0+1.414{{.*}}j],
// COMPLEX-NEXT: [0{{.}}0j, 1.73{{.*}}0j]]
// COMPLEX: eigenvalues: f32[2]
// COMPLEX-NEXT: [1, 6]
// COMPLEX: singular: f32[2]
// COMPLEX-NEXT: [6, 1]
func.func public @hermitian(%a: tensor<2x2xcomplex<f32>>) -> (tensor<2x2xcomplex<f32>> {jax.result_info = "lower"}, tensor<2x2xcomplex<f32>> {jax.result_info = "upper"}, tensor<2xf32> {jax.result_info = "eigenvalues"}, tensor<2xf32> {jax.result_info = "singular"}) {
  %l:2 = stablehlo.custom_call @lapack_cpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2xcomplex<f32>>) -> (tensor<2x2xcomplex<f32>>, tensor<i32>)
  %u:2 = stablehlo.custom_call @lapack_cpotrf_ffi(%a) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<2x2xcomplex<f32>>) -> (tensor<2x2xcomplex<f32>>, tensor<i32>)
  %w:3 = stablehlo.custom_call @lapack_cheevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x2xcomplex<f32>>) -> (tensor<2x2xcomplex<f32>>, tensor<2xf32>, tensor<i32>)
  %s:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x2xcomplex<f32>>) -> (tensor<2x2xcomplex<f32>>, tensor<2xf32>, tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<i32>)
  return %l#0, %u#0, %w#1, %s#1 : tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<2xf32>, tensor<2xf32>
}
