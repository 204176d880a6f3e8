// Functions of complex numbers on every pair of 12 parts, among them those of the tables in C99's annex G, and on
// drawn numbers. The interpreter asks the C library, which follows the annex.
//
// RUN: %npy %t.x.npy f64 '[0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.5, -2.5, 30.0, inf, -inf, nan]'
// RUN: %run_op --entry=exponentials --input=%t.x.npy --compare=reference
// RUN: %run_op --entry=exponentials_sizes --random-inputs --compare=reference
// RUN: %run_op --entry=circular --input=%t.x.npy --compare=reference
// RUN: %run_op --entry=circular_sizes --random-inputs --compare=reference
// RUN: %run_op --entry=hyperbolic --input=%t.x.npy --compare=reference
// RUN: %run_op --entry=hyperbolic_sizes --random-inputs --compare=reference
// RUN: %npy %t.far.npy f64 '[1.0, 1e-170, 1e-12, 0.0, 2.0, 1e160, 1e300]'
// RUN: %run_op --entry=far --input=%t.far.npy --compare=reference
// RUN: %npy %t.single.npy f32 '[1.0, 1e-25, 1e-12, 0.0, 2.0, 1e20, 1e30]'
// RUN: %run_op --entry=far_single --input=%t.single.npy --compare=reference
// RUN: %run_op --entry=powers --random-inputs --compare=reference

func.func @exponentials(%x: tensor<12xf64>)
    -> (tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>) {
  %re = tx.broadcast %x dims = [0] : tensor<12xf64> -> tensor<12x12xf64>
  %im = tx.broadcast %x dims = [1] : tensor<12xf64> -> tensor<12x12xf64>
  %z = tx.complex %re, %im : tensor<12x12xf64> -> tensor<12x12xcomplex<f64>>
  %exp = tx.exp %z : tensor<12x12xcomplex<f64>>
  %expm1 = tx.expm1 %z : tensor<12x12xcomplex<f64>>
  %log = tx.log %z : tensor<12x12xcomplex<f64>>
  %log2 = tx.log2 %z : tensor<12x12xcomplex<f64>>
  %log10 = tx.log10 %z : tensor<12x12xcomplex<f64>>
  %log1p = tx.log1p %z : tensor<12x12xcomplex<f64>>
  %sqrt = tx.sqrt %z : tensor<12x12xcomplex<f64>>
  %rsqrt = tx.rsqrt %z : tensor<12x12xcomplex<f64>>
  return %exp, %expm1, %log, %log2, %log10, %log1p, %sqrt, %rsqrt
      : tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>
}

func.func @exponentials_sizes(%x: tensor<67xcomplex<f32>>, %y: tensor<?xcomplex<f64>, #tx.dims<[n]>>)
    -> (tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>) {
  %a_exp = tx.exp %x : tensor<67xcomplex<f32>>
  %a_expm1 = tx.expm1 %x : tensor<67xcomplex<f32>>
  %a_log = tx.log %x : tensor<67xcomplex<f32>>
  %a_log2 = tx.log2 %x : tensor<67xcomplex<f32>>
  %a_log10 = tx.log10 %x : tensor<67xcomplex<f32>>
  %a_log1p = tx.log1p %x : tensor<67xcomplex<f32>>
  %a_sqrt = tx.sqrt %x : tensor<67xcomplex<f32>>
  %a_rsqrt = tx.rsqrt %x : tensor<67xcomplex<f32>>
  %c_exp = tx.exp %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_expm1 = tx.expm1 %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_log = tx.log %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_log2 = tx.log2 %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_log10 = tx.log10 %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_log1p = tx.log1p %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_sqrt = tx.sqrt %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_rsqrt = tx.rsqrt %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  return %a_exp, %a_expm1, %a_log, %a_log2, %a_log10, %a_log1p, %a_sqrt, %a_rsqrt, %c_exp, %c_expm1, %c_log, %c_log2, %c_log10, %c_log1p, %c_sqrt, %c_rsqrt
      : tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>
}

func.func @circular(%x: tensor<12xf64>)
    -> (tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>) {
  %re = tx.broadcast %x dims = [0] : tensor<12xf64> -> tensor<12x12xf64>
  %im = tx.broadcast %x dims = [1] : tensor<12xf64> -> tensor<12x12xf64>
  %z = tx.complex %re, %im : tensor<12x12xf64> -> tensor<12x12xcomplex<f64>>
  %sin = tx.sin %z : tensor<12x12xcomplex<f64>>
  %cos = tx.cos %z : tensor<12x12xcomplex<f64>>
  %tan = tx.tan %z : tensor<12x12xcomplex<f64>>
  %asin = tx.asin %z : tensor<12x12xcomplex<f64>>
  %acos = tx.acos %z : tensor<12x12xcomplex<f64>>
  %atan = tx.atan %z : tensor<12x12xcomplex<f64>>
  return %sin, %cos, %tan, %asin, %acos, %atan
      : tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>
}

func.func @circular_sizes(%x: tensor<67xcomplex<f32>>, %y: tensor<?xcomplex<f64>, #tx.dims<[n]>>)
    -> (tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>) {
  %a_sin = tx.sin %x : tensor<67xcomplex<f32>>
  %a_cos = tx.cos %x : tensor<67xcomplex<f32>>
  %a_tan = tx.tan %x : tensor<67xcomplex<f32>>
  %a_asin = tx.asin %x : tensor<67xcomplex<f32>>
  %a_acos = tx.acos %x : tensor<67xcomplex<f32>>
  %a_atan = tx.atan %x : tensor<67xcomplex<f32>>
  %c_sin = tx.sin %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_cos = tx.cos %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_tan = tx.tan %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_asin = tx.asin %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_acos = tx.acos %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_atan = tx.atan %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  return %a_sin, %a_cos, %a_tan, %a_asin, %a_acos, %a_atan, %c_sin, %c_cos, %c_tan, %c_asin, %c_acos, %c_atan
      : tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>
}

func.func @hyperbolic(%x: tensor<12xf64>)
    -> (tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>) {
  %re = tx.broadcast %x dims = [0] : tensor<12xf64> -> tensor<12x12xf64>
  %im = tx.broadcast %x dims = [1] : tensor<12xf64> -> tensor<12x12xf64>
  %z = tx.complex %re, %im : tensor<12x12xf64> -> tensor<12x12xcomplex<f64>>
  %sinh = tx.sinh %z : tensor<12x12xcomplex<f64>>
  %cosh = tx.cosh %z : tensor<12x12xcomplex<f64>>
  %tanh = tx.tanh %z : tensor<12x12xcomplex<f64>>
  %asinh = tx.asinh %z : tensor<12x12xcomplex<f64>>
  %acosh = tx.acosh %z : tensor<12x12xcomplex<f64>>
  %atanh = tx.atanh %z : tensor<12x12xcomplex<f64>>
  %sign = tx.sign %z : tensor<12x12xcomplex<f64>>
  return %sinh, %cosh, %tanh, %asinh, %acosh, %atanh, %sign
      : tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>, tensor<12x12xcomplex<f64>>
}

func.func @hyperbolic_sizes(%x: tensor<67xcomplex<f32>>, %y: tensor<?xcomplex<f64>, #tx.dims<[n]>>)
    -> (tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>) {
  %a_sinh = tx.sinh %x : tensor<67xcomplex<f32>>
  %a_cosh = tx.cosh %x : tensor<67xcomplex<f32>>
  %a_tanh = tx.tanh %x : tensor<67xcomplex<f32>>
  %a_asinh = tx.asinh %x : tensor<67xcomplex<f32>>
  %a_acosh = tx.acosh %x : tensor<67xcomplex<f32>>
  %a_atanh = tx.atanh %x : tensor<67xcomplex<f32>>
  %a_sign = tx.sign %x : tensor<67xcomplex<f32>>
  %c_sinh = tx.sinh %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_cosh = tx.cosh %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_tanh = tx.tanh %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_asinh = tx.asinh %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_acosh = tx.acosh %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_atanh = tx.atanh %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %c_sign = tx.sign %y : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  return %a_sinh, %a_cosh, %a_tanh, %a_asinh, %a_acosh, %a_atanh, %a_sign, %c_sinh, %c_cosh, %c_tanh, %c_asinh, %c_acosh, %c_atanh, %c_sign
      : tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>
}

func.func @powers(%x: tensor<67xcomplex<f32>>, %y: tensor<67xcomplex<f32>>, %z: tensor<?xcomplex<f64>, #tx.dims<[n]>>)
    -> (tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<3xcomplex<f64>>) {
  %0 = tx.pow %x, %y : tensor<67xcomplex<f32>>
  %three = tx.constant dense<(3.0, 0.0)> : tensor<67xcomplex<f32>>
  %1 = tx.pow %x, %three : tensor<67xcomplex<f32>>
  %2 = tx.pow %z, %z : tensor<?xcomplex<f64>, #tx.dims<[n]>>
  %zero = tx.constant dense<(0.0, 0.0)> : tensor<3xcomplex<f64>>
  %exponents = tx.constant dense<[(0.0, 0.0), (2.5, 1.0), (-1.0, 0.0)]> : tensor<3xcomplex<f64>>
  %3 = tx.pow %zero, %exponents : tensor<3xcomplex<f64>>
  return %0, %1, %2, %3
      : tensor<67xcomplex<f32>>, tensor<67xcomplex<f32>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<3xcomplex<f64>>
}

// Beside the poles y^2 vanishes, and far away x^2 overflows. Real parts that are small are scaled, so that the
// comparison sees them.
func.func @far(%x: tensor<7xf64>)
    -> (tensor<7x7xcomplex<f64>>, tensor<7x7xcomplex<f64>>, tensor<7x7xf64>) {
  %re = tx.broadcast %x dims = [0] : tensor<7xf64> -> tensor<7x7xf64>
  %im = tx.broadcast %x dims = [1] : tensor<7xf64> -> tensor<7x7xf64>
  %z = tx.complex %re, %im : tensor<7x7xf64> -> tensor<7x7xcomplex<f64>>
  %atan = tx.atan %z : tensor<7x7xcomplex<f64>>
  %atanh = tx.atanh %z : tensor<7x7xcomplex<f64>>
  %part = tx.real %atanh : tensor<7x7xcomplex<f64>> -> tensor<7x7xf64>
  %largest = tx.max %re, %im : tensor<7x7xf64>
  %scaled = tx.mul %part, %largest : tensor<7x7xf64>
  return %atan, %atanh, %scaled
      : tensor<7x7xcomplex<f64>>, tensor<7x7xcomplex<f64>>, tensor<7x7xf64>
}

// Beside the poles y^2 vanishes, and far away x^2 overflows. Real parts that are small are scaled, so that the
// comparison sees them.
func.func @far_single(%x: tensor<7xf32>)
    -> (tensor<7x7xcomplex<f32>>, tensor<7x7xcomplex<f32>>, tensor<7x7xf32>) {
  %re = tx.broadcast %x dims = [0] : tensor<7xf32> -> tensor<7x7xf32>
  %im = tx.broadcast %x dims = [1] : tensor<7xf32> -> tensor<7x7xf32>
  %z = tx.complex %re, %im : tensor<7x7xf32> -> tensor<7x7xcomplex<f32>>
  %atan = tx.atan %z : tensor<7x7xcomplex<f32>>
  %atanh = tx.atanh %z : tensor<7x7xcomplex<f32>>
  %part = tx.real %atanh : tensor<7x7xcomplex<f32>> -> tensor<7x7xf32>
  %largest = tx.max %re, %im : tensor<7x7xf32>
  %scaled = tx.mul %part, %largest : tensor<7x7xf32>
  return %atan, %atanh, %scaled
      : tensor<7x7xcomplex<f32>>, tensor<7x7xcomplex<f32>>, tensor<7x7xf32>
}
