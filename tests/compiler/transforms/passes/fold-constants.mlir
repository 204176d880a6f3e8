// Exact ops on constants, and branches on constants, are computed by the compiler.
//
// RUN: %tensorc-opt %s --split-input-file --tx-simplify-tensors | FileCheck %s
// RUN: %tensorc-opt %s --split-input-file --tx-simplify-tensors=keep-divisions | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: @scalars
// CHECK-DAG:   %[[SIGN:.*]] = tx.constant dense<1> : tensor<i32>
// CHECK-DAG:   %[[BELOW:.*]] = tx.constant dense<19.9999981> : tensor<f32>
// CHECK:       return %[[SIGN]], %[[BELOW]]
// KEPT-LABEL:  @scalars
// KEPT:        tx.lt
func.func @scalars() -> (tensor<i32>, tensor<f32>) {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %end = tx.constant dense<20.0> : tensor<f32>
  %one = tx.constant dense<1> : tensor<i32>
  %minus = tx.constant dense<-1> : tensor<i32>
  %low = tx.constant dense<0xFF800000> : tensor<f32>
  %p = tx.lt %zero, %end : tensor<f32>
  %sign = tx.select %p, %one, %minus : tensor<i1>, tensor<i32>
  %f = tx.convert %sign : tensor<i32> -> tensor<f32>
  %t = tx.mul %end, %f : tensor<f32>
  %below = tx.nextafter %t, %low : tensor<f32>
  return %sign, %below : tensor<i32>, tensor<f32>
}

// -----

// Conversions round once and saturate; the shapes and dtypes of splats are kept.
// CHECK-LABEL: @dtypes
// CHECK-DAG:   %[[A:.*]] = tx.constant dense<1.670000e+02> : tensor<3xbf16>
// CHECK-DAG:   %[[B:.*]] = tx.constant dense<127> : tensor<2x2xi8>
// CHECK-DAG:   %[[C:.*]] = tx.constant dense<4294967295> : tensor<ui32>
// CHECK-DAG:   %[[D:.*]] = tx.constant dense<-4> : tensor<i64>
// CHECK-DAG:   %[[E:.*]] = tx.constant dense<1065353216> : tensor<ui32>
// CHECK-DAG:   %[[F:.*]] = tx.constant dense<-0.000000e+00> : tensor<f64>
// CHECK-DAG:   %[[G:.*]] = tx.constant dense<false> : tensor<i1>
// CHECK:       return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]], %[[G]]
func.func @dtypes() -> (tensor<3xbf16>, tensor<2x2xi8>, tensor<ui32>, tensor<i64>, tensor<ui32>, tensor<f64>, tensor<i1>) {
  %0 = tx.constant dense<167.3> : tensor<3xf32>
  %a = tx.convert %0 : tensor<3xf32> -> tensor<3xbf16>
  %1 = tx.constant dense<1.0e9> : tensor<2x2xf32>
  %b = tx.convert %1 : tensor<2x2xf32> -> tensor<2x2xi8>
  %2 = tx.constant dense<0> : tensor<ui32>
  %c = tx.not %2 : tensor<ui32>
  %3 = tx.constant dense<-7> : tensor<i64>
  %4 = tx.constant dense<2> : tensor<i64>
  %d = tx.floor_div %3, %4 : tensor<i64>
  %5 = tx.constant dense<1.0> : tensor<f32>
  %e = tx.bitcast %5 : tensor<f32> -> tensor<ui32>
  %6 = tx.constant dense<0.0> : tensor<f64>
  %f = tx.neg %6 : tensor<f64>
  %7 = tx.constant dense<0x7FF8000000000000> : tensor<f64>
  %g = tx.le %7, %7 : tensor<f64>
  return %a, %b, %c, %d, %e, %f, %g : tensor<3xbf16>, tensor<2x2xi8>, tensor<ui32>, tensor<i64>, tensor<ui32>, tensor<f64>, tensor<i1>
}

// -----

// Left alone: rounded results, NaN and unequal elements.
// CHECK-LABEL: @left
// CHECK:       tx.exp
// CHECK:       tx.div
// CHECK:       tx.max
// CHECK:       tx.neg
func.func @left() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>) {
  %0 = tx.constant dense<1.0> : tensor<f32>
  %1 = tx.constant dense<3.0> : tensor<f32>
  %nan = tx.constant dense<0x7FC00000> : tensor<f32>
  %2 = tx.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a = tx.exp %0 : tensor<f32>
  %b = tx.div %0, %1 : tensor<f32>
  %c = tx.max %0, %nan : tensor<f32>
  %d = tx.neg %2 : tensor<2xf32>
  return %a, %b, %c, %d : tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>
}

// -----

// An index outside of the blocks selects the last one, or the first one if it is negative.
// CHECK-LABEL: @branches
// CHECK-SAME:  %[[X:.*]]: tensor<4xf32>
// CHECK-NOT:   tx.if
// CHECK-NOT:   tx.switch
// CHECK-DAG:   %[[A:.*]] = tx.sin %[[X]]
// CHECK-DAG:   %[[B:.*]] = tx.cos %[[X]]
// CHECK-DAG:   %[[C:.*]] = tx.exp %[[X]]
// CHECK-DAG:   %[[D:.*]] = tx.tan %[[X]]
// CHECK:       return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @branches(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %true = tx.constant dense<true> : tensor<i1>
  %false = tx.constant dense<false> : tensor<i1>
  %many = tx.constant dense<7> : tensor<i32>
  %minus = tx.constant dense<-3> : tensor<1xi32>
  %a = tx.if %true (%x) : tensor<i1>, (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%v: tensor<4xf32>):
    %r = tx.sin %v : tensor<4xf32>
    tx.return %r : tensor<4xf32>
  } else {
  ^bb0(%v: tensor<4xf32>):
    tx.return %v : tensor<4xf32>
  }
  %b = tx.if %false (%x) : tensor<i1>, (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%v: tensor<4xf32>):
    tx.return %v : tensor<4xf32>
  } else {
  ^bb0(%v: tensor<4xf32>):
    %r = tx.cos %v : tensor<4xf32>
    tx.return %r : tensor<4xf32>
  }
  %c = tx.switch %many (%x) : tensor<i32>, (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%v: tensor<4xf32>):
    tx.return %v : tensor<4xf32>
  }, {
  ^bb0(%v: tensor<4xf32>):
    %r = tx.exp %v : tensor<4xf32>
    tx.return %r : tensor<4xf32>
  }
  %d = tx.switch %minus (%x) : tensor<1xi32>, (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%v: tensor<4xf32>):
    %r = tx.tan %v : tensor<4xf32>
    tx.return %r : tensor<4xf32>
  }, {
  ^bb0(%v: tensor<4xf32>):
    tx.return %v : tensor<4xf32>
  }
  return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
