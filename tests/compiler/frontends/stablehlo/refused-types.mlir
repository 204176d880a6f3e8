// Quantized types are refused once, by name; other dtypes that tensorc lacks, too.
//
// RUN: not %tensorc run %s --random-inputs 2>&1 | FileCheck %s
// CHECK: error: 'stablehlo.uniform_quantize' op has a result of the quantized type 'tensor<4x!quant.uniform<i8:f32, 1.000000e-01:-30>>'; quantize and dequantize by ops of plain dtypes
// CHECK-NOT: quantized type
// CHECK: error: 'stablehlo.convert' op has a result of type 'tensor<4xf8E5M2FNUZ>', which tensors do not have here
// CHECK: error: 'stablehlo.popcnt' op is not available for i4
// CHECK: error: 'stablehlo.scatter' op takes the smaller or larger of complex numbers, which have no order
// CHECK: error: 'stablehlo.cholesky' op is not available for i32
// CHECK: error: 'stablehlo.bitcast_convert' op is not available for 'i2'
// CHECK: error: 'stablehlo.sort' op is not available for c64
func.func public @main(%x: tensor<4xf32>, %i: tensor<4xi32>, %m: tensor<2x2xi32>, %at: tensor<1xi32>) -> tensor<4xf32> {
  %0 = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 1.000000e-01:-30>>
  %1 = stablehlo.add %0, %0 : tensor<4x!quant.uniform<i8:f32, 1.000000e-01:-30>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<4x!quant.uniform<i8:f32, 1.000000e-01:-30>>) -> tensor<4xf32>
  %3 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf8E5M2FNUZ>
  %4 = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xi4>
  %5 = stablehlo.popcnt %4 : tensor<4xi4>
  %z = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %u = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %6 = "stablehlo.scatter"(%z, %at, %u) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %c = stablehlo.maximum %a, %b : tensor<complex<f32>>
    stablehlo.return %c : tensor<complex<f32>>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>} : (tensor<4xcomplex<f32>>, tensor<1xi32>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  %7 = stablehlo.cholesky %m, lower = true : tensor<2x2xi32>
  %8 = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xi2>
  %9 = stablehlo.bitcast_convert %8 : (tensor<4xi2>) -> tensor<4xui2>
  %10 = "stablehlo.sort"(%z) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %less = stablehlo.compare LT, %a, %b, FLOAT : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %x : tensor<4xf32>
}
