// One row times bytes that come from memory: tiles ask for each line once, well ahead, and for the scales of the next group.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=groups --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=packed --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// Sums are in registers, whatever the size is. 256 columns are four lines, and their end in a fifth where rows begin within a line.
// CHECK-LABEL: func.func @mul_dot_general(
// CHECK:         scf.for {{.*}} to %c4096 step %c1 iter_args
// CHECK-COUNT-5: memref.prefetch {{.*}}, read, locality<3>, data : memref<?xi8>
// CHECK-NOT:     memref.prefetch
// CHECK:         return
func.func @columns(%x: tensor<1x4096xf32>, %q: tensor<4096x11008xi8>, %s: tensor<1x11008xf32>) -> tensor<1x11008xf32> {
  %w = tx.dequantize %q, %s : (tensor<4096x11008xi8>, tensor<1x11008xf32>) -> tensor<4096x11008xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<1x4096xf32>, tensor<4096x11008xf32>) -> tensor<1x11008xf32>
  return %0 : tensor<1x11008xf32>
}

// 16 vectors of scales are 16 lines; the next group's are 2048 floats on.
// CHECK-LABEL: func.func @mul_dot_general_0(
// CHECK:          scf.for {{.*}} to %c4 step %c1 iter_args
// CHECK-COUNT-16:   memref.prefetch {{.*}}, read, locality<3>, data : memref<?xf32>
// CHECK-NOT:        memref.prefetch
// CHECK:            scf.for {{.*}} to %c32 step %c1 iter_args
// CHECK-COUNT-5:      memref.prefetch {{.*}}, read, locality<3>, data : memref<?xi8>
// CHECK-NOT:          memref.prefetch
// CHECK:         return
func.func @groups(%x: tensor<1x128xf32>, %q: tensor<128x2048xi8>, %s: tensor<4x2048xf32>) -> tensor<1x2048xf32> {
  %w = tx.dequantize %q, %s : (tensor<128x2048xi8>, tensor<4x2048xf32>) -> tensor<128x2048xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<1x128xf32>, tensor<128x2048xf32>) -> tensor<1x2048xf32>
  return %0 : tensor<1x2048xf32>
}

// So does what fills a panel, here for scales of which two vectors are a line.
// CHECK-LABEL: func.func @{{.*}}dot_general_1(
// CHECK:       memref.prefetch {{.*}}, read, locality<3>, data : memref<?xbf16>
// CHECK-NOT:   read, locality<3>, data : memref<?xbf16>
// CHECK:       return
func.func @packed(%x: tensor<64x128xbf16>, %q: tensor<128x2048xi8>, %s: tensor<4x2048xbf16>) -> tensor<64x2048xf32> {
  %t = tx.convert %s : tensor<4x2048xbf16> -> tensor<4x2048xf32>
  %y = tx.convert %x : tensor<64x128xbf16> -> tensor<64x128xf32>
  %w = tx.dequantize %q, %t : (tensor<128x2048xi8>, tensor<4x2048xf32>) -> tensor<128x2048xf32>
  %0 = tx.dot_general %y, %w batch = [] x [] contracting = [1] x [0] : (tensor<64x128xf32>, tensor<128x2048xf32>) -> tensor<64x2048xf32>
  return %0 : tensor<64x2048xf32>
}
}
