// While a panel's first tile is summed up, it asks for the next panel's part of images that the second cache does not hold.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=windows --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=pixels --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// A block of steps is a channel's window: three rows of 36 elements (32 lanes, two more columns of the window, and two between
// rows of the image), which are three lines each. The last line of a row is asked for by its end.
// CHECK-LABEL: func.func @dot_general(
// CHECK:         scf.if %[[IS_NEW:.*]] {
// CHECK:         scf.for %{{.*}} to %c45 step %c9 iter_args
// CHECK:           scf.if %[[IS_NEW]] {
// CHECK:             %[[AT:.*]] = arith.addi %[[FIRST:.*]], %c35
// CHECK-NEXT:        memref.prefetch %arg0[%[[AT]]], read, locality<2>
// CHECK:             arith.addi %[[FIRST]], %c19
// CHECK-COUNT-8:     memref.prefetch %arg0[{{.*}}], read, locality<2>
// CHECK-NOT:         memref.prefetch %arg0
// CHECK:           scf.for
// CHECK-COUNT-20:    vector.fma
// CHECK-LABEL: func.func @
func.func @windows(%x: tensor<2x5x170x170xf32>, %w: tensor<30x5x3x3xf32>) -> tensor<2x30x168x168xf32> {
  %0 = tx.conv %x, %w groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0]
      input_dilations = [1, 1] : (tensor<2x5x170x170xf32>, tensor<30x5x3x3xf32>) -> tensor<2x30x168x168xf32>
  return %0 : tensor<2x30x168x168xf32>
}

// Windows of one pixel: a block is six of twelve channels, of which each has 32 lanes.
// CHECK:         scf.for %{{.*}} to %c12 step %c6 iter_args
// CHECK:           scf.if
// CHECK-COUNT-12:    memref.prefetch %arg0[{{.*}}], read, locality<2>
// CHECK-NOT:         memref.prefetch %arg0
// CHECK:           scf.for
// CHECK-COUNT-20:    vector.fma
// CHECK-LABEL: func.func @
func.func @pixels(%x: tensor<2x12x110x110xf32>, %w: tensor<30x12x1x1xf32>) -> tensor<2x30x110x110xf32> {
  %0 = tx.conv %x, %w groups = 1 sizes = [1, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0]
      input_dilations = [1, 1] : (tensor<2x12x110x110xf32>, tensor<30x12x1x1xf32>) -> tensor<2x30x110x110xf32>
  return %0 : tensor<2x30x110x110xf32>
}

// An image that the second cache holds.
// CHECK-NOT:     memref.prefetch %arg0
// CHECK:         return
func.func @small(%x: tensor<1x5x66x66xf32>, %w: tensor<30x5x3x3xf32>) -> tensor<1x30x64x64xf32> {
  %0 = tx.conv %x, %w groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0]
      input_dilations = [1, 1] : (tensor<1x5x66x66xf32>, tensor<30x5x3x3xf32>) -> tensor<1x30x64x64xf32>
  return %0 : tensor<1x30x64x64xf32>
}
}
