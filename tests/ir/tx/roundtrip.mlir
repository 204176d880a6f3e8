// Every op parses what it prints.
//
// RUN: %tensorc-opt %s | %tensorc-opt | FileCheck %s
// RUN: %tensorc-opt %s --mlir-print-op-generic | %tensorc-opt | FileCheck %s

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>) -> tensor<4xf32> {
  // CHECK: tx.add %{{.*}}, %{{.*}} : tensor<4xf32>
  %0 = tx.add %x, %x : tensor<4xf32>
  // CHECK: tx.exp %{{.*}} : tensor<4xf32>
  %1 = tx.exp %0 : tensor<4xf32>
  // CHECK: tx.lt %{{.*}}, %{{.*}} : tensor<4xf32>
  %2 = tx.lt %0, %1 : tensor<4xf32>
  // CHECK: tx.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf32>
  %3 = tx.select %2, %0, %1 : tensor<4xi1>, tensor<4xf32>
  // CHECK: tx.convert %{{.*}} : tensor<4xi32> -> tensor<4xf32>
  %4 = tx.convert %i : tensor<4xi32> -> tensor<4xf32>
  // CHECK: tx.and %{{.*}}, %{{.*}} : tensor<4xi1>
  %5 = tx.and %2, %p : tensor<4xi1>
  // CHECK: tx.not %{{.*}} : tensor<4xi1>
  %6 = tx.not %5 : tensor<4xi1>
  return %3 : tensor<4xf32>
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<2x3xf32>, %v: tensor<f32>, %k: index {tx.symbol = "k"}) {
  // CHECK: tx.constant dense<1.000000e+00> : tensor<2xf32>
  %0 = tx.constant dense<1.0> : tensor<2xf32>
  // CHECK: tx.iota dim = 1 : tensor<2x3xi32>
  %1 = tx.iota dim = 1 : tensor<2x3xi32>
  // CHECK: tx.broadcast %{{.*}} dims = [0] : tensor<2xf32> -> tensor<2x5xf32>
  %2 = tx.broadcast %0 dims = [0] : tensor<2xf32> -> tensor<2x5xf32>
  // CHECK: tx.reshape %{{.*}} : tensor<2x3xf32> -> tensor<6xf32>
  %3 = tx.reshape %x : tensor<2x3xf32> -> tensor<6xf32>
  // CHECK: tx.transpose %{{.*}} permutation = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %4 = tx.transpose %x permutation = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  // CHECK: tx.slice %{{.*}} offsets = [0, %{{.*}}] strides = [1, -1] : tensor<2x3xf32> -> tensor<2x1xf32>
  %5 = tx.slice %x offsets = [0, %k] strides = [1, -1] : tensor<2x3xf32> -> tensor<2x1xf32>
  // CHECK: tx.pad %{{.*}}, %{{.*}} low = [1, 0] high = [0, -1] interior = [1, 0] : tensor<2x3xf32> -> tensor<4x2xf32>
  %6 = tx.pad %x, %v low = [1, 0] high = [0, -1] interior = [1, 0] : tensor<2x3xf32> -> tensor<4x2xf32>
  // CHECK: tx.concatenate %{{.*}}, %{{.*}} dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %7 = tx.concatenate %x, %x dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // CHECK: tx.sum %{{.*}} dims = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  %0 = tx.sum %x dims = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  // CHECK: tx.reduce_max %{{.*}} dims = [] : tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = tx.reduce_max %x dims = [] : tensor<2x3xf32> -> tensor<2x3xf32>
  // CHECK: tx.argmax %{{.*}} dims = [1] : tensor<2x3xf32> -> tensor<2xi32>
  %2 = tx.argmax %x dims = [1] : tensor<2x3xf32> -> tensor<2xi32>
  // CHECK: tx.cumsum %{{.*}} dim = 1 reverse exclusive : tensor<2x3xf32>
  %4 = tx.cumsum %x dim = 1 reverse exclusive : tensor<2x3xf32>
  // CHECK: tx.cummax %{{.*}} dim = 0 : tensor<2x3xf32>
  %5 = tx.cummax %x dim = 0 : tensor<2x3xf32>
  // CHECK: tx.sort %{{.*}} dim = 1 descending : tensor<2x3xf32>
  %6 = tx.sort %x dim = 1 descending : tensor<2x3xf32>
  // CHECK: tx.argsort %{{.*}} dim = 0 : tensor<2x3xf32>
  %7 = tx.argsort %x dim = 0 : tensor<2x3xf32>
  // CHECK: tx.dot_general %{{.*}}, %{{.*}} batch = [] x [] contracting = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %3 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @branch
func.func @branch(%p: tensor<1xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  // CHECK: %[[R:.*]]:2 = tx.if %arg0(%arg1, %arg2) : tensor<1xi1>, (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>):
  // CHECK-NEXT: %[[S:.*]] = tx.sum %[[B]]
  // CHECK-NEXT: tx.return %[[A]], %[[S]] : tensor<4xf32>, tensor<f32>
  // CHECK-NEXT: } else {
  // CHECK: tx.return
  %0:2 = tx.if %p (%x, %y) : tensor<1xi1>, (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %s = tx.sum %b dims = [0] : tensor<4xf32> -> tensor<f32>
    tx.return %a, %s : tensor<4xf32>, tensor<f32>
  } else {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %s = tx.prod %a dims = [0] : tensor<4xf32> -> tensor<f32>
    tx.return %b, %s : tensor<4xf32>, tensor<f32>
  }
  // CHECK: return %[[R]]#0, %[[R]]#1
  return %0#0, %0#1 : tensor<4xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @choice
func.func @choice(%i: tensor<i64>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[R:.*]] = tx.switch %arg0(%arg1) : tensor<i64>, (tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<4xf32>):
  // CHECK-NEXT: tx.return %[[A]] : tensor<4xf32>
  // CHECK-NEXT: }, {
  // CHECK: tx.neg
  // CHECK: }, {
  // CHECK: tx.exp
  %0 = tx.switch %i (%x) : tensor<i64>, (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tx.return %a : tensor<4xf32>
  }, {
  ^bb0(%a: tensor<4xf32>):
    %r = tx.neg %a : tensor<4xf32>
    tx.return %r : tensor<4xf32>
  }, {
  ^bb0(%a: tensor<4xf32>):
    %r = tx.exp %a : tensor<4xf32>
    tx.return %r : tensor<4xf32>
  }
  // CHECK: return %[[R]]
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @loops
func.func @loops(%x: tensor<f32>, %y: tensor<?x2xf32, #tx.dims<[n, 2]>>) -> (tensor<f32>, tensor<?xf32, #tx.dims<[n]>>) {
  // CHECK: tx.while(%arg0, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32> {
  // CHECK: tx.return %{{.*}} : tensor<i1>
  // CHECK-NEXT: } do {
  %0 = tx.while (%x, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = tx.lt %a, %b : tensor<f32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    tx.return %b : tensor<f32>
  }
  // CHECK: tx.scan <[n]> carried = 1 scanned = 1(%{{.*}}, %arg1) reverse :
  %1:2 = tx.scan <[n]> carried = 1 scanned = 1 (%0, %y) reverse : (tensor<f32>, tensor<?x2xf32, #tx.dims<[n, 2]>>) -> (tensor<f32>, tensor<?xf32, #tx.dims<[n]>>) {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>, %b: tensor<2xf32>):
    %s = tx.sum %b dims = [0] : tensor<2xf32> -> tensor<f32>
    tx.return %s, %a : tensor<f32>, tensor<f32>
  }
  return %1#0, %1#1 : tensor<f32>, tensor<?xf32, #tx.dims<[n]>>
}

// CHECK-LABEL: func.func @gradients
func.func @gradients(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: tx.stop_gradient %arg0 : tensor<f32>
  %0 = tx.stop_gradient %x : tensor<f32>
  // CHECK: tx.custom_vjp arguments = 1 results = 1(%{{.*}}) : (tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // CHECK: } gradient {
  %1:2 = tx.custom_vjp arguments = 1 results = 1 (%0) : (tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  ^bb0(%a: tensor<f32>):
    tx.return %a, %a : tensor<f32>, tensor<f32>
  } gradient {
  ^bb0(%r: tensor<f32>, %g: tensor<f32>):
    tx.return %r : tensor<f32>
  }
  return %1#0 : tensor<f32>
}

// CHECK-LABEL: func.func @structure
func.func @structure(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: tx.mean %{{.*}} dims = [0] keepdims : (tensor<4xf32>) -> tensor<1xf32>
  %mean = tx.mean %x dims = [0] keepdims : (tensor<4xf32>) -> tensor<1xf32>
  // CHECK: tx.size <[n * 4]> : tensor<f32>
  %size = tx.size <[n * 4]> : tensor<f32>
  // CHECK: tx.layer_norm %{{.*}}, %{{.*}} bias %{{.*}} : (tensor<4xf32>, tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = tx.layer_norm %x, %size bias %x : (tensor<4xf32>, tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: tx.norm %{{.*}} euclidean dims = [] : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tx.norm %0 euclidean dims = [] : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: tx.fusion "loop" "add"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  %2 = tx.fusion "loop" "add" (%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %s = tx.add %a, %b : tensor<4xf32>
    tx.yield %s : tensor<4xf32>
  }
  // CHECK: tx.custom_call "app.f"(%{{.*}}, %{{.*}}) config "3" derivative "app.df" : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<i1>)
  %3:2 = tx.custom_call "app.f"(%1, %2) config "3" derivative "app.df"
      : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<i1>)
  // CHECK: tx.reinterpret %{{.*}} : tensor<5xi4> -> tensor<3xi8>
  %n = tx.constant dense<[1, -8, 7, 0, 2]> : tensor<5xi4>
  %b = tx.reinterpret %n : tensor<5xi4> -> tensor<3xi8>
  // CHECK: tx.custom_call "app.g"() : () -> tensor<4xf32>
  %4 = tx.custom_call "app.g"() : () -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
