// Loops keep only what their results with a use depend on.
//
// RUN: %tensorc-opt %s --tx-simplify-tensors | FileCheck %s

// The second carried value only counts itself; nothing reads the stacked values,
// nor the second of the scanned ones then. %d needs the third one.
// CHECK-LABEL: @scanned
// CHECK: %[[Y:.*]] = tx.scan <[8]> carried = 2 scanned = 1(%arg0, %arg2, %arg3, %arg5) reverse : (tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i64>, %[[A:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<4xf32>, %[[X:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4xf32>):
// CHECK-NEXT: %[[R:.*]] = tx.add %[[A]], %[[C]]
// CHECK-NEXT: %[[S:.*]] = tx.mul %[[X]], %[[W]]
// CHECK-NEXT: tx.return %[[R]], %[[S]]
func.func @scanned(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %x: tensor<8x4xf32>, %z: tensor<8xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %0:5 = tx.scan <[8]> carried = 3 scanned = 2 (%a, %b, %c, %x, %z, %w) reverse : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8xf32>) {
  ^bb0(%i: tensor<i64>, %p: tensor<4xf32>, %q: tensor<4xf32>, %r: tensor<4xf32>, %u: tensor<4xf32>, %v: tensor<f32>, %k: tensor<4xf32>):
    %p1 = tx.add %p, %r : tensor<4xf32>
    %q1 = tx.exp %q : tensor<4xf32>
    %r1 = tx.mul %u, %k : tensor<4xf32>
    %s = tx.neg %v : tensor<f32>
    tx.return %p1, %q1, %r1, %q1, %s : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>
  }
  return %0#0 : tensor<4xf32>
}

// The condition needs the first one.
// CHECK-LABEL: @repeated
// CHECK: tx.while(%arg0, %arg2) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
// CHECK: tx.return %{{.*}} : tensor<i1>
// CHECK: tx.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<f32>
// CHECK: return %{{.*}}#1
func.func @repeated(%n: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0:3 = tx.while (%n, %x, %y) : (tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<i32>, tensor<f32>, tensor<f32>) {
  ^bb0(%k: tensor<i32>, %a: tensor<f32>, %b: tensor<f32>):
    %zero = tx.constant dense<0> : tensor<i32>
    %p = tx.gt %k, %zero : tensor<i32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%k: tensor<i32>, %a: tensor<f32>, %b: tensor<f32>):
    %one = tx.constant dense<1> : tensor<i32>
    %k1 = tx.sub %k, %one : tensor<i32>
    %a1 = tx.exp %a : tensor<f32>
    %b1 = tx.sin %b : tensor<f32>
    tx.return %k1, %a1, %b1 : tensor<i32>, tensor<f32>, tensor<f32>
  }
  return %0#2 : tensor<f32>
}

// A carried value that no iteration changes is one of the other inputs.
// CHECK-LABEL: @unchanged
// CHECK: %[[R:.*]]:2 = tx.while(%arg1, %arg3, %arg2, %arg0) : (tensor<i32>, tensor<f32>, tensor<f32>, tensor<4xf32>) -> (tensor<i32>, tensor<f32>)
// CHECK: tx.scan <[8]> carried = 1 scanned = 1(%[[R]]#1, %arg4, %arg2) :
// CHECK: return %{{.*}}, %arg0, %{{.*}}, %arg2
func.func @unchanged(%w: tensor<4xf32>, %n: tensor<i32>, %k: tensor<f32>, %s: tensor<f32>, %x: tensor<8xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<8xf32>, tensor<f32>) {
  %0:3 = tx.while (%w, %n, %s, %k) : (tensor<4xf32>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<i32>, tensor<f32>) {
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>, %b: tensor<f32>, %c: tensor<f32>):
    %zero = tx.constant dense<0> : tensor<i32>
    %p = tx.gt %i, %zero : tensor<i32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>, %b: tensor<f32>, %c: tensor<f32>):
    %one = tx.constant dense<1> : tensor<i32>
    %j = tx.sub %i, %one : tensor<i32>
    %m = tx.sum %a dims = [0] : tensor<4xf32> -> tensor<f32>
    %d = tx.mul %m, %c : tensor<f32>
    %e = tx.add %b, %d : tensor<f32>
    tx.return %a, %j, %e : tensor<4xf32>, tensor<i32>, tensor<f32>
  }
  %1:3 = tx.scan <[8]> carried = 2 scanned = 1 (%0#2, %k, %x) : (tensor<f32>, tensor<f32>, tensor<8xf32>) -> (tensor<f32>, tensor<f32>, tensor<8xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>, %c: tensor<f32>, %y: tensor<f32>):
    %t = tx.mul %a, %c : tensor<f32>
    %u = tx.add %t, %y : tensor<f32>
    tx.return %u, %c, %t : tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %1#0, %0#0, %1#2, %1#1 : tensor<f32>, tensor<4xf32>, tensor<8xf32>, tensor<f32>
}
