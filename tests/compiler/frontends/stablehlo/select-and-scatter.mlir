// Gradients of poolings: comparisons that keep the first or the last of equal elements, or compare what they compute;
// padding, which is never selected; several ways to combine.
//
// RUN: %npy %t.0.npy f32 '[1, 3, 3, nan, 2, 0]'
// RUN: %npy %t.1.npy f32 '[1, -3, 3, 5, 2, -6]'
// RUN: %tensorc run %s --input=%t.0.npy --input=%t.1.npy | FileCheck %s
//
// The last one of equal elements; NaN is not greater.
//      CHECK: out0: f32[6]
// CHECK-NEXT: [1, 1, 11, 1, 21, 1]
// The first one.
//      CHECK: out1: f32[6]
// CHECK-NEXT: [2, 2, 20, 40, 2, 2]
// The largest magnitude.
//      CHECK: out2: f32[6]
// CHECK-NEXT: [0, -10, 0, 0, 0, -20]
// Elements that equal the padding.
//      CHECK: out3: f32[2]
// CHECK-NEXT: [30, 0]
//      CHECK: out4: f32[2]
// CHECK-NEXT: [10, 20]
//      CHECK: out5: i1[2]
// CHECK-NEXT: [true, false]
func.func public @main(%x: tensor<6xf32>, %y: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>) {
  %given = stablehlo.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<2xf32>
  %yes = stablehlo.constant dense<true> : tensor<2xi1>
  %none = stablehlo.constant dense<false> : tensor<2xi1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.select_and_scatter"(%x, %given, %one) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<6xf32>, tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  %1 = "stablehlo.select_and_scatter"(%y, %given, %two) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<6xf32>, tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  %2 = "stablehlo.select_and_scatter"(%y, %given, %zero) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.abs %a : tensor<f32>
    %q = stablehlo.abs %b : tensor<f32>
    %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<6xf32>, tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  %3 = "stablehlo.select_and_scatter"(%least, %given, %zero) <{padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2xf32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = "stablehlo.select_and_scatter"(%least, %given, %zero) <{padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2xf32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = "stablehlo.select_and_scatter"(%none, %yes, %no) <{padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = stablehlo.compare GE, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %c = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2xi1>, tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>
}
