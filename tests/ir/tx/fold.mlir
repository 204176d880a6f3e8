// Folders keep every IEEE result: x + 0 is not x for -0, x * 0 not 0 for NaN.
//
// RUN: %tensorc-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @identities
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0
func.func @identities(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = tx.constant dense<1.0> : tensor<4xf32>
  %zero = tx.constant dense<0.0> : tensor<4xf32>
  %minus = tx.constant dense<-0.0> : tensor<4xf32>
  %0 = tx.mul %x, %one : tensor<4xf32>
  %1 = tx.div %x, %one : tensor<4xf32>
  %2 = tx.add %x, %minus : tensor<4xf32>
  %3 = tx.sub %x, %zero : tensor<4xf32>
  %n = tx.neg %x : tensor<4xf32>
  %4 = tx.neg %n : tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @no_identities
// CHECK: tx.add
// CHECK: tx.mul
// CHECK: tx.sub
func.func @no_identities(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = tx.constant dense<0.0> : tensor<4xf32>
  %0 = tx.add %x, %zero : tensor<4xf32>
  %1 = tx.mul %x, %zero : tensor<4xf32>
  %2 = tx.sub %x, %x : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @integers
// CHECK: %[[ZERO:.*]] = tx.constant dense<0> : tensor<4xi32>
// CHECK: return %arg0, %[[ZERO]]
func.func @integers(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %zero = tx.constant dense<0> : tensor<4xi32>
  %0 = tx.add %zero, %x : tensor<4xi32>
  %1 = tx.mul %x, %zero : tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG: dense<[5, -1]> : tensor<2xi32>
// CHECK-DAG: dense<[4.000000e+00, 6.000000e+00]> : tensor<2xf32>
// CHECK-NOT: tx.add
func.func @constants() -> (tensor<2xi32>, tensor<2xf32>) {
  %a = tx.constant dense<[3, 1]> : tensor<2xi32>
  %b = tx.constant dense<[2, -2]> : tensor<2xi32>
  %0 = tx.add %a, %b : tensor<2xi32>
  %c = tx.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %d = tx.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %1 = tx.add %c, %d : tensor<2xf32>
  return %0, %1 : tensor<2xi32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @selects
// CHECK-NEXT: return %arg1, %arg1
func.func @selects(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %true = tx.constant dense<true> : tensor<4xi1>
  %0 = tx.select %true, %x, %y : tensor<4xi1>, tensor<4xf32>
  %1 = tx.select %p, %x, %x : tensor<4xi1>, tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @shapes
// CHECK: tx.reshape %arg0 : tensor<2x3xf32> -> tensor<3x2xf32>
// CHECK-NEXT: tx.transpose %arg1 permutation = [2, 0, 1]
// CHECK-NEXT: return %{{.*}}, %{{.*}}, %arg0
func.func @shapes(%x: tensor<2x3xf32>, %y: tensor<2x3x4xf32>)
    -> (tensor<3x2xf32>, tensor<4x2x3xf32>, tensor<2x3xf32>) {
  %0 = tx.reshape %x : tensor<2x3xf32> -> tensor<6xf32>
  %1 = tx.reshape %0 : tensor<6xf32> -> tensor<3x2xf32>
  %2 = tx.transpose %y permutation = [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %3 = tx.transpose %2 permutation = [1, 2, 0] : tensor<3x4x2xf32> -> tensor<4x2x3xf32>
  %4 = tx.slice %x offsets = [0, 0] strides = [1, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %5 = tx.concatenate %4 dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1, %3, %5 : tensor<3x2xf32>, tensor<4x2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @splats
// CHECK: tx.constant dense<2.000000e+00> : tensor<1000x1000xf32>
// CHECK-NEXT: return
func.func @splats() -> tensor<1000x1000xf32> {
  %c = tx.constant dense<2.0> : tensor<f32>
  %0 = tx.broadcast %c dims = [] : tensor<f32> -> tensor<1000x1000xf32>
  %1 = tx.transpose %0 permutation = [1, 0] : tensor<1000x1000xf32> -> tensor<1000x1000xf32>
  return %1 : tensor<1000x1000xf32>
}

// CHECK-LABEL: func.func @bitcasts
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[BITS:.*]] = tx.bitcast %[[X]] : tensor<4xf32> -> tensor<4xui32>
// CHECK-NEXT: return %[[BITS]], %[[X]]
func.func @bitcasts(%x: tensor<4xf32>) -> (tensor<4xui32>, tensor<4xf32>) {
  %0 = tx.bitcast %x : tensor<4xf32> -> tensor<4xi32>
  %1 = tx.bitcast %0 : tensor<4xi32> -> tensor<4xui32>
  %2 = tx.bitcast %1 : tensor<4xui32> -> tensor<4xf32>
  return %1, %2 : tensor<4xui32>, tensor<4xf32>
}
