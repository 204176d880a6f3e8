// Memory that holds x along its rows has a tile's rows of the next step far away: they are asked for 32 steps ahead.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=far --device=cpu --random-inputs --compare=reference

// CHECK-LABEL: func.func @dot_general(
// CHECK:       scf.for {{.*}} iter_args
// CHECK-COUNT-2: memref.prefetch {{.*}} : memref<?xf32>
// CHECK:       vector.fma
func.func @far(%x: tensor<512x520xf32>, %y: tensor<512x33xf32>) -> tensor<520x33xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0] : (tensor<512x520xf32>, tensor<512x33xf32>) -> tensor<520x33xf32>
  return %0 : tensor<520x33xf32>
}

// The second cache holds x.
// CHECK-LABEL: func.func @dot_general_0(
// CHECK-NOT:   memref.prefetch
func.func @near(%x: tensor<128x520xf32>, %y: tensor<128x33xf32>) -> tensor<520x33xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0] : (tensor<128x520xf32>, tensor<128x33xf32>) -> tensor<520x33xf32>
  return %0 : tensor<520x33xf32>
}
