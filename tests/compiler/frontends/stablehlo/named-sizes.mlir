// Slices that begin at sizes, reversals, argmax, running sums, windows and
// convolutions of images, branches and loops, where dims have names. Sizes that
// the user gives are known before the program is converted.
//
// RUN: %tensorc compile %s --stop-after=import | FileCheck %s
// RUN: %npy %t.x.npy f32 '[[0, 9], [2, 3], [8, 5], [6, 7], [4, 1]]'
// RUN: %tensorc run %s --input=arg0=%t.x.npy --random-inputs --compare=reference | FileCheck %s --check-prefix=RAN
// RUN: %tensorc run %s --random-inputs --shape=arg0:9,2 --shape=arg1:2,1,6,6 --compare=reference
// RUN: %tensorc compile %s --shape=arg0:9,2 --shape=arg1:2,1,6,6 --stop-after=import | FileCheck %s --check-prefix=FIXED
//
// CHECK: func.func @main({{.*}}) -> (tensor<?x2xf32, #tx.dims<[d0_0 - max(0, d0_0 - 2), 2]>>
// CHECK-NOT: func.func
// RAN: out0: f32[2,2]
// RAN-NEXT: {{\[\[}}6, 7],
// RAN-NEXT: [4, 1]]
// RAN-NEXT: out1: f32[5,2]
// RAN-NEXT: {{\[\[}}4, 1],
// RAN: out2: i32[2]
// RAN-NEXT: [2, 0]
// RAN-NEXT: out3: f32[5,2]
// RAN-NEXT: {{\[\[}}0, 9],
// RAN-NEXT: [2, 12],
// RAN: out4: f32[2,2]
// RAN-NEXT: {{\[\[}}0, 9],
// RAN-NEXT: [2, 3]]
// RAN: out5: f32[
// FIXED: func.func @main({{.*}}) -> (tensor<2x2xf32>, tensor<9x2xf32>

func.func public @main(%x: tensor<?x2xf32>, %image: tensor<?x1x?x6xf32>, %kernel: tensor<2x1x3x3xf32>)
    -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<2xi32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x?x6xf32>, tensor<?x1x?x3xf32>, tensor<?x2xf32>, tensor<?x2xf32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %minus = stablehlo.constant dense<-2> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %width = stablehlo.constant dense<2> : tensor<1xi32>
  // x[-2:]
  %0 = stablehlo.add %n, %minus : tensor<i32>
  %1 = stablehlo.maximum %zero, %0 : tensor<i32>
  %start = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.subtract %n, %1 : tensor<i32>
  %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %3, %width, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %tail = "stablehlo.dynamic_gather"(%x, %start, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>}> : (tensor<?x2xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  %reversed = stablehlo.reverse %x, dims = [0] : tensor<?x2xf32>
  // argmax
  %rows = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %rows, %width, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %places = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x2xi32>
  %best:2 = stablehlo.reduce(%x init: %lowest), (%places init: %zero) across dimensions = [0] : (tensor<?x2xf32>, tensor<?x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %4 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.or %4, %5 : tensor<i1>
    %7 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = stablehlo.and %7, %8 : tensor<i1>
    %10 = stablehlo.or %6, %9 : tensor<i1>
    %11 = stablehlo.select %6, %a, %b : tensor<i1>, tensor<f32>
    %12 = stablehlo.select %10, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %11, %12 : tensor<f32>, tensor<i32>
  }
  // cumsum
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %nothing = stablehlo.constant dense<0> : tensor<1xi32>
  %nothings = stablehlo.constant dense<0> : tensor<1x2xi32>
  %13 = stablehlo.subtract %n, %one : tensor<i32>
  %14 = stablehlo.reshape %13 : (tensor<i32>) -> tensor<1xi32>
  %15 = stablehlo.concatenate %14, %nothing, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %16 = stablehlo.reshape %15 : (tensor<2xi32>) -> tensor<1x2xi32>
  %padding = stablehlo.concatenate %16, %nothings, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %onlyOne = stablehlo.constant dense<1> : tensor<1xi32>
  %window = stablehlo.concatenate %rows, %onlyOne, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %sums = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %none, %window, %ones, %ones, %ones, %padding) {called_computations = [@sum]} : (tensor<?x2xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x2xf32>
  // x[:n // 2], as JAX rounds down
  %17 = stablehlo.divide %n, %two : tensor<i32>
  %18 = stablehlo.sign %n : tensor<i32>
  %19 = stablehlo.sign %two : tensor<i32>
  %20 = stablehlo.compare NE, %18, %19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %21 = stablehlo.remainder %n, %two : tensor<i32>
  %22 = stablehlo.compare NE, %21, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %23 = stablehlo.and %20, %22 : tensor<i1>
  %24 = stablehlo.subtract %17, %one : tensor<i32>
  %half = stablehlo.select %23, %24, %17 : tensor<i1>, tensor<i32>
  %25 = stablehlo.reshape %half : (tensor<i32>) -> tensor<1xi32>
  %26 = stablehlo.concatenate %25, %width, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %zeros = stablehlo.constant dense<0> : tensor<2xi32>
  %head = stablehlo.real_dynamic_slice %x, %zeros, %26, %ones : (tensor<?x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  %conv = stablehlo.convolution(%image, %kernel) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x1x?x6xf32>, tensor<2x1x3x3xf32>) -> tensor<?x2x?x6xf32>
  %pool = "stablehlo.reduce_window"(%image, %lowest) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %27 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %27 : tensor<f32>
  }) : (tensor<?x1x?x6xf32>, tensor<f32>) -> tensor<?x1x?x3xf32>
  %branch = "stablehlo.case"(%one) ({
    stablehlo.return %x : tensor<?x2xf32>
  }, {
    %28 = stablehlo.negate %x : tensor<?x2xf32>
    stablehlo.return %28 : tensor<?x2xf32>
  }) : (tensor<i32>) -> tensor<?x2xf32>
  // Sizes are made again in a loop.
  %loop:2 = stablehlo.while(%count = %zero, %carried = %x) : tensor<i32>, tensor<?x2xf32>
   cond {
    %29 = stablehlo.compare LT, %count, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %29 : tensor<i1>
  } do {
    %30 = stablehlo.add %count, %one : tensor<i32>
    %31 = stablehlo.dynamic_broadcast_in_dim %lowest, %shape, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x2xf32>
    %32 = stablehlo.maximum %carried, %31 : tensor<?x2xf32>
    %33 = stablehlo.add %32, %32 : tensor<?x2xf32>
    stablehlo.return %30, %33 : tensor<i32>, tensor<?x2xf32>
  }
  return %tail, %reversed, %best#1, %sums, %head, %conv, %pool, %branch, %loop#1 : tensor<?x2xf32>, tensor<?x2xf32>, tensor<2xi32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x?x6xf32>, tensor<?x1x?x3xf32>, tensor<?x2xf32>, tensor<?x2xf32>
}
func.func @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
