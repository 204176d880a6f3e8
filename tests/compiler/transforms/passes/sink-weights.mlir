// What a loop's products read is brought into the loop where they read its source as well: a transpose costs nothing there, and
// one row by quantized weights reads their bytes.
//
// RUN: %tensorc-opt %s --tx-sink-weights --canonicalize | FileCheck %s
// RUN: %tensorc run %s --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=quantized --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=until --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=nested --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: func.func @main
// CHECK-SAME:  %[[X:.*]]: tensor<3x8xf32>, %[[W:[a-z0-9]+]]: tensor<8x8xf32>
// CHECK-NEXT:  tx.scan <[9]> carried = 1 scanned = 0(%[[X]], %[[W]])
// CHECK-NEXT:  ^bb0(%{{.*}}: tensor<i64>, %[[A:.*]]: tensor<3x8xf32>, %[[B:.*]]: tensor<8x8xf32>):
// CHECK-NEXT:    %[[T:.*]] = tx.transpose %[[B]]
// CHECK-NEXT:    tx.dot_general %[[A]], %[[T]]
func.func @main(%x: tensor<3x8xf32>, %w: tensor<8x8xf32>) -> tensor<3x8xf32> {
  %t = tx.transpose %w permutation = [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
  %0 = tx.scan <[9]> carried = 1 scanned = 0 (%x, %t) : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<3x8xf32>, %b: tensor<8x8xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32>
    %e = tx.tanh %d : tensor<3x8xf32>
    tx.return %e : tensor<3x8xf32>
  }
  return %0 : tensor<3x8xf32>
}

// CHECK-LABEL: func.func @quantized
// CHECK-SAME:  %[[X:.*]]: tensor<1x64xf32>, %[[Q:[a-z0-9]+]]: tensor<64x64xi8>, %[[S:[a-z0-9]+]]: tensor<64x2xf32>
// CHECK-NEXT:  tx.scan <[9]> carried = 1 scanned = 0(%[[X]], %[[Q]], %[[S]])
// CHECK:         tx.dequantize
// CHECK-NEXT:    tx.transpose
// CHECK-NEXT:    tx.dot_general
func.func @quantized(%x: tensor<1x64xf32>, %q: tensor<64x64xi8>, %s: tensor<64x2xf32>) -> tensor<1x64xf32> {
  %v = tx.dequantize %q, %s : (tensor<64x64xi8>, tensor<64x2xf32>) -> tensor<64x64xf32>
  %t = tx.transpose %v permutation = [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %0 = tx.scan <[9]> carried = 1 scanned = 0 (%x, %t) : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<1x64xf32>, %b: tensor<64x64xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
    %e = tx.tanh %d : tensor<1x64xf32>
    tx.return %e : tensor<1x64xf32>
  }
  return %0 : tensor<1x64xf32>
}

// By hand, too, and in a loop of unknown length.
// CHECK-LABEL: func.func @until
// CHECK-SAME:  %[[X:.*]]: tensor<1x8xf32>, %[[Q:[a-z0-9]+]]: tensor<8x8xi8>, %[[S:[a-z0-9]+]]: tensor<8xf32>
// CHECK-NEXT:  tx.while(%[[X]], %[[Q]], %[[S]])
// CHECK:       } do {
// CHECK:         tx.convert
// CHECK-NEXT:    tx.broadcast
// CHECK-NEXT:    tx.mul
// CHECK-NEXT:    tx.dot_general
func.func @until(%x: tensor<1x8xf32>, %q: tensor<8x8xi8>, %s: tensor<8xf32>) -> tensor<1x8xf32> {
  %f = tx.convert %q : tensor<8x8xi8> -> tensor<8x8xf32>
  %b = tx.broadcast %s dims = [0] : tensor<8xf32> -> tensor<8x8xf32>
  %v = tx.mul %f, %b : tensor<8x8xf32>
  %0 = tx.while (%x, %v) : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32> {
  ^bb0(%a: tensor<1x8xf32>, %w: tensor<8x8xf32>):
    %n = tx.sum %a dims = [0, 1] : tensor<1x8xf32> -> tensor<f32>
    %c = tx.constant dense<0.5> : tensor<f32>
    %l = tx.gt %n, %c : tensor<f32>
    tx.return %l : tensor<i1>
  } do {
  ^bb0(%a: tensor<1x8xf32>, %w: tensor<8x8xf32>):
    %d = tx.dot_general %a, %w batch = [] x [] contracting = [1] x [1] : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
    %m = tx.constant dense<-0.01> : tensor<1x8xf32>
    %e = tx.mul %d, %m : tensor<1x8xf32>
    tx.return %e : tensor<1x8xf32>
  }
  return %0 : tensor<1x8xf32>
}

// CHECK-LABEL: func.func @nested
// CHECK-NEXT:  tx.scan
// CHECK:         tx.scan
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      tx.transpose
// CHECK-NEXT:      tx.dot_general
func.func @nested(%x: tensor<3x8xf32>, %w: tensor<8x8xf32>) -> tensor<3x8xf32> {
  %t = tx.transpose %w permutation = [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
  %0 = tx.scan <[2]> carried = 1 scanned = 0 (%x, %t) : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<3x8xf32>, %b: tensor<8x8xf32>):
    %1 = tx.scan <[3]> carried = 1 scanned = 0 (%a, %b) : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32> {
    ^bb0(%j: tensor<i64>, %c: tensor<3x8xf32>, %m: tensor<8x8xf32>):
      %d = tx.dot_general %c, %m batch = [] x [] contracting = [1] x [0] : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32>
      %e = tx.tanh %d : tensor<3x8xf32>
      tx.return %e : tensor<3x8xf32>
    }
    tx.return %1 : tensor<3x8xf32>
  }
  return %0 : tensor<3x8xf32>
}

// Outside stays what several rows would compute in each iteration, what costs more than to read it, and what other ops read
// transposed.
// CHECK-LABEL: func.func @stays
// CHECK-DAG:   tx.dequantize
// CHECK-DAG:   tx.transpose
// CHECK-DAG:   tx.exp
// CHECK:       tx.scan
// CHECK-NOT:   tx.dequantize
// CHECK-NOT:   tx.transpose
// CHECK-NOT:   tx.exp
// CHECK:       return
func.func @stays(%x: tensor<3x64xf32>, %q: tensor<64x64xi8>, %s: tensor<64x2xf32>, %y: tensor<64x3xf32>, %z: tensor<1x64xf32>, %l: tensor<64x64xbf16>)
    -> (tensor<3x64xf32>, tensor<1x64xf32>) {
  %v = tx.dequantize %q, %s : (tensor<64x64xi8>, tensor<64x2xf32>) -> tensor<64x64xf32>
  %t = tx.transpose %y permutation = [1, 0] : tensor<64x3xf32> -> tensor<3x64xf32>
  %0 = tx.scan <[9]> carried = 1 scanned = 0 (%x, %v, %t) : (tensor<3x64xf32>, tensor<64x64xf32>, tensor<3x64xf32>) -> tensor<3x64xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<3x64xf32>, %b: tensor<64x64xf32>, %c: tensor<3x64xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [1] : (tensor<3x64xf32>, tensor<64x64xf32>) -> tensor<3x64xf32>
    %e = tx.add %d, %c : tensor<3x64xf32>
    tx.return %e : tensor<3x64xf32>
  }
  %f = tx.convert %l : tensor<64x64xbf16> -> tensor<64x64xf32>
  %g = tx.exp %f : tensor<64x64xf32>
  %1 = tx.scan <[9]> carried = 1 scanned = 0 (%z, %g) : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<1x64xf32>, %b: tensor<64x64xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [1] : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
    tx.return %d : tensor<1x64xf32>
  }
  return %0, %1 : tensor<3x64xf32>, tensor<1x64xf32>
}
}
