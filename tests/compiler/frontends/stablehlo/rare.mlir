// A sort by any comparator (stable), random numbers without a state, and 4-bit integers as the halves of bytes.
//
// RUN: %tensorc run %s --compare=reference | FileCheck %s
//
//      CHECK: by_size: f32[2,5]
// CHECK-NEXT: {{\[}}[1, -1, 2, -3, 4],
// CHECK-NEXT: [0, -5, 5, 6, -7]]
//      CHECK: index: i32[2,5]
// CHECK-NEXT: {{\[}}[1, 3, 2, 0, 4],
// CHECK-NEXT: [3, 0, 2, 1, 4]]
//      CHECK: random: i1[4]
// CHECK-NEXT: [true, true, true, true]
//      CHECK: bytes: ui8[2]
// CHECK-NEXT: [241, 135]
//      CHECK: halves: i4[2,2]
// CHECK-NEXT: {{\[}}[1, -1],
// CHECK-NEXT: [7, -8]]
func.func public @main() -> (tensor<2x5xf32> {jax.result_info = "result.by_size"}, tensor<2x5xi32> {jax.result_info = "result.index"},
    tensor<4xi1> {jax.result_info = "result.random"}, tensor<2xui8> {jax.result_info = "result.bytes"},
    tensor<2x2xi4> {jax.result_info = "result.halves"}) {
  %x = stablehlo.constant dense<[[-3.0, 1.0, 2.0, -1.0, 4.0], [-5.0, 6.0, 5.0, 0.0, -7.0]]> : tensor<2x5xf32>
  %at = stablehlo.iota dim = 1 : tensor<2x5xi32>
  %0:2 = "stablehlo.sort"(%x, %at) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.abs %a : tensor<f32>
    %q = stablehlo.abs %b : tensor<f32>
    %less = stablehlo.compare LT, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<2x5xf32>, tensor<2x5xi32>) -> (tensor<2x5xf32>, tensor<2x5xi32>)

  %low = stablehlo.constant dense<3> : tensor<i32>
  %high = stablehlo.constant dense<6> : tensor<i32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %shape = stablehlo.constant dense<1000> : tensor<1xi64>
  %1 = "stablehlo.rng"(%low, %high, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<1000xi32>
  %2 = "stablehlo.rng"(%one, %two, %shape) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %square = stablehlo.multiply %2, %2 : tensor<1000xf32>
  %squares = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %least = stablehlo.reduce(%1 init: %high) applies stablehlo.minimum across dimensions = [0] : (tensor<1000xi32>, tensor<i32>) -> tensor<i32>
  %most = stablehlo.reduce(%1 init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<1000xi32>, tensor<i32>) -> tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %isLeast = stablehlo.compare EQ, %least, %low, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %isMost = stablehlo.compare EQ, %most, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // The mean is 1 and the mean of squares 5, of 1000 numbers.
  %meanMost = stablehlo.constant dense<1300.0> : tensor<f32>
  %squaresLeast = stablehlo.constant dense<4000.0> : tensor<f32>
  %isMean = stablehlo.compare LT, %sum, %meanMost, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %isSquare = stablehlo.compare GT, %squares, %squaresLeast, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %l = stablehlo.reshape %isLeast : (tensor<i1>) -> tensor<1xi1>
  %m = stablehlo.reshape %isMost : (tensor<i1>) -> tensor<1xi1>
  %n = stablehlo.reshape %isMean : (tensor<i1>) -> tensor<1xi1>
  %o = stablehlo.reshape %isSquare : (tensor<i1>) -> tensor<1xi1>
  %3 = stablehlo.concatenate %l, %m, %n, %o, dim = 0 : (tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>) -> tensor<4xi1>

  %wide = stablehlo.constant dense<[[1, -1], [7, -8]]> : tensor<2x2xi32>
  %narrow = stablehlo.convert %wide : (tensor<2x2xi32>) -> tensor<2x2xi4>
  %bytes = stablehlo.bitcast_convert %narrow : (tensor<2x2xi4>) -> tensor<2xui8>
  %halves = stablehlo.bitcast_convert %bytes : (tensor<2xui8>) -> tensor<2x2xi4>
  return %0#0, %0#1, %3, %bytes, %halves : tensor<2x5xf32>, tensor<2x5xi32>, tensor<4xi1>, tensor<2xui8>, tensor<2x2xi4>
}
