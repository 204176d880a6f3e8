// Loops whose count is known are scans, with gradients. The numbers are JAX's.
//
// RUN: %tensorc compile %s --stop-after=import | FileCheck %s
// RUN: %npy %t.x.npy f32 '[1.0,2.0]'
// RUN: %npy %t.xs.npy f32 '[[1.0,0.0],[2.0,1.0],[0.0,3.0]]'
// RUN: %tensorc differentiate %s --entry=main -o %t.mlir
// RUN: %tensorc run %t.mlir --input=%t.x.npy --input=%t.xs.npy | FileCheck %s --check-prefix=GRADIENT
// RUN: %tensorc run %s --entry=reversed --input=%t.x.npy --input=%t.xs.npy | FileCheck %s --check-prefix=REVERSED
// RUN: %tensorc run %s --entry=down | FileCheck %s --check-prefix=DOWN
// RUN: %tensorc run %s --entry=never | FileCheck %s --check-prefix=NEVER
//
//      GRADIENT: f32[]
// GRADIENT-NEXT: 42.375
//      GRADIENT: f32[2]
// GRADIENT-NEXT: [10.125, 10.875]
//      GRADIENT: f32[3,2]
// GRADIENT-NEXT: {{\[}}[18.25, 25.75],
// GRADIENT-NEXT: [12.5, 35.5],
// GRADIENT-NEXT: [25.75, 14.5]]

// The loop reads a part of %xs and writes one of the sums in each iteration.
// CHECK-LABEL: func.func @main
//       CHECK: tx.scan <[3]> carried = 1 scanned = 1(%arg0, %arg1)
//  CHECK-SAME: -> (tensor<2xf32>, tensor<3xf32>)
//   CHECK-NOT: dynamic
module @jit_scan {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<3x2xf32>) -> (tensor<f32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%xs = %arg1, %i = %c, %x = %arg0, %ys = %0) : tensor<3x2xf32>, tensor<i32>, tensor<2xf32>, tensor<3xf32>
    cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %6 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %6 = func.call @dynamic_index_in_dim(%xs, %i) : (tensor<3x2xf32>, tensor<i32>) -> tensor<2xf32>
      %7:2 = func.call @closed_call(%x, %6) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>)
      %8 = func.call @dynamic_update_index_in_dim(%ys, %7#1, %i) : (tensor<3xf32>, tensor<f32>, tensor<i32>) -> tensor<3xf32>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %i, %c_5 : tensor<i32>
      stablehlo.return %xs, %9, %7#0, %8 : tensor<3x2xf32>, tensor<i32>, tensor<2xf32>, tensor<3xf32>
    }
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1#2 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %3 = stablehlo.multiply %1#3, %1#3 : tensor<3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %5 = stablehlo.add %2, %4 : tensor<f32>
    return %5 : tensor<f32>
  }

  // The last part comes first; parts that are written lie in the same order.
  // CHECK-LABEL: func.func @reversed
  //       CHECK: %[[XS:.*]] = tx.slice %arg1 offsets = [2, 0] strides = [-1, 1]
  //       CHECK: %[[LOOP:.*]]:2 = tx.scan <[3]> carried = 1 scanned = 1(%arg0, %[[XS]])
  //       CHECK: tx.slice %[[LOOP]]#1 offsets = [2] strides = [-1]
  // REVERSED: f32[2]
  // REVERSED-NEXT: [2.125, 1.5]
  // REVERSED: f32[3]
  // REVERSED-NEXT: [2.25, 5, 6]
  func.func public @reversed(%arg0: tensor<2xf32>, %arg1: tensor<3x2xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%xs = %arg1, %i = %c, %x = %arg0, %ys = %0) : tensor<3x2xf32>, tensor<i32>, tensor<2xf32>, tensor<3xf32>
    cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %6 = stablehlo.compare GT, %n, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %left = stablehlo.subtract %n, %i : tensor<i32>
      %at = stablehlo.subtract %left, %one : tensor<i32>
      %6 = func.call @dynamic_index_in_dim(%xs, %at) : (tensor<3x2xf32>, tensor<i32>) -> tensor<2xf32>
      %7:2 = func.call @closed_call(%x, %6) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>)
      %8 = func.call @dynamic_update_index_in_dim(%ys, %7#1, %at) : (tensor<3xf32>, tensor<f32>, tensor<i32>) -> tensor<3xf32>
      %9 = stablehlo.add %one, %i : tensor<i32>
      stablehlo.return %xs, %9, %7#0, %8 : tensor<3x2xf32>, tensor<i32>, tensor<2xf32>, tensor<3xf32>
    }
    return %1#2, %1#3 : tensor<2xf32>, tensor<3xf32>
  }

  // From 9 down by 4 to what is not above 1: 9 and 5, and 1 is what stays.
  // CHECK-LABEL: func.func @down
  //       CHECK: tx.scan <[2]> carried = 1 scanned = 0
  // DOWN: i32[]
  // DOWN-NEXT: 1
  // DOWN: i32[]
  // DOWN-NEXT: 14
  func.func public @down() -> (tensor<i32>, tensor<i32>) {
    %first = stablehlo.constant dense<9> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%i = %first, %sum = %zero) : tensor<i32>, tensor<i32>
    cond {
      %n = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.compare GT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %step = stablehlo.constant dense<4> : tensor<i32>
      %next = stablehlo.subtract %i, %step : tensor<i32>
      %more = stablehlo.add %sum, %i : tensor<i32>
      stablehlo.return %next, %more : tensor<i32>, tensor<i32>
    }
    return %0#0, %0#1 : tensor<i32>, tensor<i32>
  }

  // CHECK-LABEL: func.func @never
  //   CHECK-NOT: tx.scan
  //   CHECK-NOT: tx.while
  // NEVER: i32[]
  // NEVER-NEXT: 7
  func.func public @never() -> tensor<i32> {
    %first = stablehlo.constant dense<7> : tensor<i32>
    %0 = stablehlo.while(%i = %first) : tensor<i32>
    cond {
      %n = stablehlo.constant dense<7> : tensor<i32>
      %6 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %step = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %step : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
    return %0 : tensor<i32>
  }

  // An i8 that wraps around before it is above the limit; a limit that is an
  // argument; a condition on something else.
  // CHECK-LABEL: func.func @wraps
  //       CHECK: tx.while
  func.func public @wraps() -> tensor<i8> {
    %first = stablehlo.constant dense<0> : tensor<i8>
    %0 = stablehlo.while(%i = %first) : tensor<i8>
    cond {
      %n = stablehlo.constant dense<126> : tensor<i8>
      %6 = stablehlo.compare LE, %i, %n, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %step = stablehlo.constant dense<5> : tensor<i8>
      %next = stablehlo.add %i, %step : tensor<i8>
      stablehlo.return %next : tensor<i8>
    }
    return %0 : tensor<i8>
  }
  // CHECK-LABEL: func.func @open
  //       CHECK: tx.while
  func.func public @open(%limit: tensor<i32>) -> tensor<i32> {
    %first = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.while(%i = %first) : tensor<i32>
    cond {
      %6 = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %step = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %step : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
    return %0 : tensor<i32>
  }
  // CHECK-LABEL: func.func @halves
  //       CHECK: tx.while
  func.func public @halves(%x: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.while(%y = %x) : tensor<f32>
    cond {
      %n = stablehlo.constant dense<1.0> : tensor<f32>
      %6 = stablehlo.compare GT, %y, %n, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %half = stablehlo.constant dense<0.5> : tensor<f32>
      %next = stablehlo.multiply %y, %half : tensor<f32>
      stablehlo.return %next : tensor<f32>
    }
    return %0 : tensor<f32>
  }

  func.func private @dynamic_index_in_dim(%arg0: tensor<3x2xf32>, %arg1: tensor<i32>) -> tensor<2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 2] : (tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func private @closed_call(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<2xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<2xf32>
    %3 = stablehlo.multiply %arg0, %arg1 : tensor<2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    return %2, %4 : tensor<2xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<3xf32>, tensor<1xf32>, tensor<i32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}
