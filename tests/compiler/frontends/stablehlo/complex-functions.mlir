// Functions of complex numbers that are several ops of tensorc.
//
// RUN: %tensorc run %s | FileCheck %s
// RUN: %tensorc run %s --compare=reference

// No exponential overflows.
//      CHECK: out0: c128[4]
// CHECK-NEXT: [1.02141536{{[0-9]*}}+0.40343870{{[0-9]*}}j, 1+0j, 0{{[+-]}}0j, 0.5+0.27315124{{[0-9]*}}j]
//      CHECK: out1: c128[3]
// CHECK-NEXT: [1.62893714{{[0-9]*}}+0.52017450{{[0-9]*}}j, 1+1.73205080{{[0-9]*}}j, 0+0j]
func.func public @main() -> (tensor<4xcomplex<f64>>, tensor<3xcomplex<f64>>) {
  %x = stablehlo.constant dense<[(1.0, 2.0), (800.0, 0.0), (-800.0, 0.0), (0.0, 1.0)]> : tensor<4xcomplex<f64>>
  %0 = stablehlo.logistic %x : tensor<4xcomplex<f64>>
  %y = stablehlo.constant dense<[(3.0, 4.0), (-8.0, 0.0), (0.0, 0.0)]> : tensor<3xcomplex<f64>>
  %1 = stablehlo.cbrt %y : tensor<3xcomplex<f64>>
  return %0, %1 : tensor<4xcomplex<f64>>, tensor<3xcomplex<f64>>
}
