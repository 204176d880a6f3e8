// Factorizations and solutions of small systems in loops, which a CPU keeps in registers.
//
// RUN: %run_op --entry=bits2 --random-inputs | FileCheck %s
// RUN: %run_op --entry=bits3 --random-inputs | FileCheck %s
// RUN: %run_op --entry=bits4 --random-inputs | FileCheck %s
// RUN: %run_op --entry=values1 --random-inputs --compare=reference
// RUN: %run_op --entry=values3 --random-inputs --compare=reference
// RUN: %npy %t.x.npy f32 '[[0, 1], [2, 3]]'
// RUN: %run_op --entry=singular --input=%t.x.npy | FileCheck %s --check-prefix=SINGULAR

// A matrix has the same bits in a loop as in a batch.
// CHECK: true
func.func @bits2(%a0: tensor<6x2x2xf32>, %b0: tensor<6x2x1xf32>) -> tensor<i1> {
  %0:5 = tx.scan <[6]> carried = 0 scanned = 2 (%a0, %b0) : (tensor<6x2x2xf32>, tensor<6x2x1xf32>) -> (tensor<6x2x3xf32>, tensor<6x2x1xf32>, tensor<6x2x1xf32>, tensor<6x2x1xf32>, tensor<6x2x1xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<2x2xf32>, %b: tensor<2x1xf32>):
    %lu = tx.lu %a : (tensor<2x2xf32>) -> tensor<2x3xf32>
    %l = tx.triangular_solve %a, %b unit : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %u = tx.triangular_solve %a, %b upper : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %t = tx.triangular_solve %a, %b upper transposed : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %s = tx.solve %a, %b : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    tx.return %lu, %l, %u, %t, %s : tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>
  }
  %lu0 = tx.lu %a0 : (tensor<6x2x2xf32>) -> tensor<6x2x3xf32>
  %l0 = tx.triangular_solve %a0, %b0 unit : (tensor<6x2x2xf32>, tensor<6x2x1xf32>) -> tensor<6x2x1xf32>
  %u0 = tx.triangular_solve %a0, %b0 upper : (tensor<6x2x2xf32>, tensor<6x2x1xf32>) -> tensor<6x2x1xf32>
  %t0 = tx.triangular_solve %a0, %b0 upper transposed : (tensor<6x2x2xf32>, tensor<6x2x1xf32>) -> tensor<6x2x1xf32>
  %s0 = tx.solve %a0, %b0 : (tensor<6x2x2xf32>, tensor<6x2x1xf32>) -> tensor<6x2x1xf32>
  %e0 = tx.eq %0#0, %lu0 : tensor<6x2x3xf32>
  %p0 = tx.reduce_min %e0 dims = [0, 1, 2] : tensor<6x2x3xi1> -> tensor<i1>
  %e1 = tx.eq %0#1, %l0 : tensor<6x2x1xf32>
  %p1 = tx.reduce_min %e1 dims = [0, 1, 2] : tensor<6x2x1xi1> -> tensor<i1>
  %e2 = tx.eq %0#2, %u0 : tensor<6x2x1xf32>
  %p2 = tx.reduce_min %e2 dims = [0, 1, 2] : tensor<6x2x1xi1> -> tensor<i1>
  %e3 = tx.eq %0#3, %t0 : tensor<6x2x1xf32>
  %p3 = tx.reduce_min %e3 dims = [0, 1, 2] : tensor<6x2x1xi1> -> tensor<i1>
  %e4 = tx.eq %0#4, %s0 : tensor<6x2x1xf32>
  %p4 = tx.reduce_min %e4 dims = [0, 1, 2] : tensor<6x2x1xi1> -> tensor<i1>
  %q0 = tx.and %p0, %p1 : tensor<i1>
  %q1 = tx.and %p2, %p3 : tensor<i1>
  %q2 = tx.and %q0, %q1 : tensor<i1>
  %q3 = tx.and %q2, %p4 : tensor<i1>
  return %q3 : tensor<i1>
}
func.func @bits3(%a0: tensor<6x3x3xf64>, %b0: tensor<6x3x2xf64>) -> tensor<i1> {
  %0:5 = tx.scan <[6]> carried = 0 scanned = 2 (%a0, %b0) : (tensor<6x3x3xf64>, tensor<6x3x2xf64>) -> (tensor<6x3x4xf64>, tensor<6x3x2xf64>, tensor<6x3x2xf64>, tensor<6x3x2xf64>, tensor<6x3x2xf64>) {
  ^bb0(%i: tensor<i64>, %a: tensor<3x3xf64>, %b: tensor<3x2xf64>):
    %lu = tx.lu %a : (tensor<3x3xf64>) -> tensor<3x4xf64>
    %l = tx.triangular_solve %a, %b unit : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    %u = tx.triangular_solve %a, %b upper : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    %t = tx.triangular_solve %a, %b upper transposed : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    %s = tx.solve %a, %b : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    tx.return %lu, %l, %u, %t, %s : tensor<3x4xf64>, tensor<3x2xf64>, tensor<3x2xf64>, tensor<3x2xf64>, tensor<3x2xf64>
  }
  %lu0 = tx.lu %a0 : (tensor<6x3x3xf64>) -> tensor<6x3x4xf64>
  %l0 = tx.triangular_solve %a0, %b0 unit : (tensor<6x3x3xf64>, tensor<6x3x2xf64>) -> tensor<6x3x2xf64>
  %u0 = tx.triangular_solve %a0, %b0 upper : (tensor<6x3x3xf64>, tensor<6x3x2xf64>) -> tensor<6x3x2xf64>
  %t0 = tx.triangular_solve %a0, %b0 upper transposed : (tensor<6x3x3xf64>, tensor<6x3x2xf64>) -> tensor<6x3x2xf64>
  %s0 = tx.solve %a0, %b0 : (tensor<6x3x3xf64>, tensor<6x3x2xf64>) -> tensor<6x3x2xf64>
  %e0 = tx.eq %0#0, %lu0 : tensor<6x3x4xf64>
  %p0 = tx.reduce_min %e0 dims = [0, 1, 2] : tensor<6x3x4xi1> -> tensor<i1>
  %e1 = tx.eq %0#1, %l0 : tensor<6x3x2xf64>
  %p1 = tx.reduce_min %e1 dims = [0, 1, 2] : tensor<6x3x2xi1> -> tensor<i1>
  %e2 = tx.eq %0#2, %u0 : tensor<6x3x2xf64>
  %p2 = tx.reduce_min %e2 dims = [0, 1, 2] : tensor<6x3x2xi1> -> tensor<i1>
  %e3 = tx.eq %0#3, %t0 : tensor<6x3x2xf64>
  %p3 = tx.reduce_min %e3 dims = [0, 1, 2] : tensor<6x3x2xi1> -> tensor<i1>
  %e4 = tx.eq %0#4, %s0 : tensor<6x3x2xf64>
  %p4 = tx.reduce_min %e4 dims = [0, 1, 2] : tensor<6x3x2xi1> -> tensor<i1>
  %q0 = tx.and %p0, %p1 : tensor<i1>
  %q1 = tx.and %p2, %p3 : tensor<i1>
  %q2 = tx.and %q0, %q1 : tensor<i1>
  %q3 = tx.and %q2, %p4 : tensor<i1>
  return %q3 : tensor<i1>
}
func.func @bits4(%a0: tensor<6x4x4xf32>, %b0: tensor<6x4x3xf32>) -> tensor<i1> {
  %0:5 = tx.scan <[6]> carried = 0 scanned = 2 (%a0, %b0) : (tensor<6x4x4xf32>, tensor<6x4x3xf32>) -> (tensor<6x4x5xf32>, tensor<6x4x3xf32>, tensor<6x4x3xf32>, tensor<6x4x3xf32>, tensor<6x4x3xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<4x4xf32>, %b: tensor<4x3xf32>):
    %lu = tx.lu %a : (tensor<4x4xf32>) -> tensor<4x5xf32>
    %l = tx.triangular_solve %a, %b unit : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %u = tx.triangular_solve %a, %b upper : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %t = tx.triangular_solve %a, %b upper transposed : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %s = tx.solve %a, %b : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    tx.return %lu, %l, %u, %t, %s : tensor<4x5xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>
  }
  %lu0 = tx.lu %a0 : (tensor<6x4x4xf32>) -> tensor<6x4x5xf32>
  %l0 = tx.triangular_solve %a0, %b0 unit : (tensor<6x4x4xf32>, tensor<6x4x3xf32>) -> tensor<6x4x3xf32>
  %u0 = tx.triangular_solve %a0, %b0 upper : (tensor<6x4x4xf32>, tensor<6x4x3xf32>) -> tensor<6x4x3xf32>
  %t0 = tx.triangular_solve %a0, %b0 upper transposed : (tensor<6x4x4xf32>, tensor<6x4x3xf32>) -> tensor<6x4x3xf32>
  %s0 = tx.solve %a0, %b0 : (tensor<6x4x4xf32>, tensor<6x4x3xf32>) -> tensor<6x4x3xf32>
  %e0 = tx.eq %0#0, %lu0 : tensor<6x4x5xf32>
  %p0 = tx.reduce_min %e0 dims = [0, 1, 2] : tensor<6x4x5xi1> -> tensor<i1>
  %e1 = tx.eq %0#1, %l0 : tensor<6x4x3xf32>
  %p1 = tx.reduce_min %e1 dims = [0, 1, 2] : tensor<6x4x3xi1> -> tensor<i1>
  %e2 = tx.eq %0#2, %u0 : tensor<6x4x3xf32>
  %p2 = tx.reduce_min %e2 dims = [0, 1, 2] : tensor<6x4x3xi1> -> tensor<i1>
  %e3 = tx.eq %0#3, %t0 : tensor<6x4x3xf32>
  %p3 = tx.reduce_min %e3 dims = [0, 1, 2] : tensor<6x4x3xi1> -> tensor<i1>
  %e4 = tx.eq %0#4, %s0 : tensor<6x4x3xf32>
  %p4 = tx.reduce_min %e4 dims = [0, 1, 2] : tensor<6x4x3xi1> -> tensor<i1>
  %q0 = tx.and %p0, %p1 : tensor<i1>
  %q1 = tx.and %p2, %p3 : tensor<i1>
  %q2 = tx.and %q0, %q1 : tensor<i1>
  %q3 = tx.and %q2, %p4 : tensor<i1>
  return %q3 : tensor<i1>
}

// The solutions are carried on.
func.func @values1(%x: tensor<5x1x1xf64>, %b: tensor<1x2xf64>) -> (tensor<1x2xf64>, tensor<5x1x2xf64>) {
  %0:2 = tx.scan <[5]> carried = 1 scanned = 1 (%b, %x) : (tensor<1x2xf64>, tensor<5x1x1xf64>) -> (tensor<1x2xf64>, tensor<5x1x2xf64>) {
  ^bb0(%i: tensor<i64>, %y: tensor<1x2xf64>, %a: tensor<1x1xf64>):
    %lu = tx.lu %a : (tensor<1x1xf64>) -> tensor<1x2xf64>
    %z = tx.solve %a, %y : (tensor<1x1xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
    tx.return %z, %lu : tensor<1x2xf64>, tensor<1x2xf64>
  }
  return %0#0, %0#1 : tensor<1x2xf64>, tensor<5x1x2xf64>
}
func.func @values3(%x: tensor<5x3x3xf64>, %b: tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<5x3x4xf64>) {
  %0:2 = tx.scan <[5]> carried = 1 scanned = 1 (%b, %x) : (tensor<3x2xf64>, tensor<5x3x3xf64>) -> (tensor<3x2xf64>, tensor<5x3x4xf64>) {
  ^bb0(%i: tensor<i64>, %y: tensor<3x2xf64>, %a: tensor<3x3xf64>):
    %lu = tx.lu %a : (tensor<3x3xf64>) -> tensor<3x4xf64>
    %z = tx.solve %a, %y : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    tx.return %z, %lu : tensor<3x2xf64>, tensor<3x4xf64>
  }
  return %0#0, %0#1 : tensor<3x2xf64>, tensor<5x3x4xf64>
}

// A zero pivot leaves its column as it is.
// SINGULAR: {{\[}}[2, 3, 1],
// SINGULAR-NEXT: [0, 1, 0]]
// SINGULAR: {{\[}}[0, 0, 0],
// SINGULAR-NEXT: [0, 0, 1]]
func.func @singular(%x: tensor<2x2xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0:2 = tx.scan <[2]> carried = 1 scanned = 0 (%x) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2x3xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<2x2xf32>):
    %lu = tx.lu %a : (tensor<2x2xf32>) -> tensor<2x3xf32>
    %z = tx.sub %a, %a : tensor<2x2xf32>
    tx.return %z, %lu : tensor<2x2xf32>, tensor<2x3xf32>
  }
  %1 = tx.slice %0#1 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x2x3xf32> -> tensor<1x2x3xf32>
  %2 = tx.slice %0#1 offsets = [1, 0, 0] strides = [1, 1, 1] : tensor<2x2x3xf32> -> tensor<1x2x3xf32>
  %3 = tx.reshape %1 : tensor<1x2x3xf32> -> tensor<2x3xf32>
  %4 = tx.reshape %2 : tensor<1x2x3xf32> -> tensor<2x3xf32>
  return %3, %4 : tensor<2x3xf32>, tensor<2x3xf32>
}
