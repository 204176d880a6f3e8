// What no carried value needs is computed for 16 steps at once, between the
// recurrences, whose steps follow each other. A loop remains for the last steps.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s

// The variance feeds the logarithm, which feeds the sum.
// CHECK-LABEL: func.func @loop_of_
// CHECK:       scf.for {{.*}} step %c16 iter_args
// CHECK:         vector.load {{.*}} vector<16xf32>
// CHECK-COUNT-16: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK:         %[[V:.*]] = vector.from_elements {{.*}} : vector<16xf32>
// CHECK:         arith.divf {{.*}}, %[[V]] : vector<16xf32>
// CHECK-COUNT-16: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     arith.divf {{.*}} : f32
// CHECK:         scf.yield
// CHECK:       scf.for {{.*}} step %c1 iter_args
// CHECK:         arith.divf {{.*}} : f32

// Nothing but recurrences.
// CHECK-LABEL: func.func @loop_of_
// CHECK-NOT:   vector<16xf32>
// CHECK:       scf.for
// CHECK-NOT:   scf.for
// CHECK-LABEL: txp.func @main

func.func @main(%v: tensor<f32>, %s: tensor<f32>, %x: tensor<1000xf32>) -> tensor<f32> {
  %0:2 = tx.scan <[1000]> carried = 2 scanned = 1 (%v, %s, %x) : (tensor<f32>, tensor<f32>, tensor<1000xf32>) -> (tensor<f32>, tensor<f32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>, %b: tensor<f32>, %z: tensor<f32>):
    %half = tx.constant dense<0.5> : tensor<f32>
    %square = tx.mul %z, %z : tensor<f32>
    %q = tx.div %square, %a : tensor<f32>
    %l = tx.log %a : tensor<f32>
    %e = tx.add %q, %l : tensor<f32>
    %b1 = tx.add %b, %e : tensor<f32>
    %h = tx.mul %a, %half : tensor<f32>
    %a1 = tx.add %h, %square : tensor<f32>
    tx.return %a1, %b1 : tensor<f32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}

func.func @chain(%x: tensor<f32>) -> tensor<f32> {
  %0 = tx.scan <[1000]> carried = 1 scanned = 0 (%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>):
    %s = tx.sqrt %a : tensor<f32>
    %r = tx.exp %s : tensor<f32>
    tx.return %r : tensor<f32>
  }
  return %0 : tensor<f32>
}
