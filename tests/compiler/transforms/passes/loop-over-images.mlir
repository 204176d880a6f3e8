// Convolutions of a batch whose values caches do not hold are computed a few images at a time.
//
// RUN: %tensorc-opt %s --tx-loop-over-images | FileCheck %s
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=fuse -o - | FileCheck %s --check-prefix=FUSE
// RUN: env TENSORC_CHECK=memory %tensorc run %s --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=small_images --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// The loop ends where values are small. Weights are the same for all images; so is what a constant is repeated to, which is
// made for those of a step, of which there are two. The sum over all images stood within the loop, and is behind it.
// CHECK-LABEL: @main
// CHECK:       %[[PARTS:.*]] = tx.reshape %arg0 : tensor<4x2x120x120xf32> -> tensor<2x2x2x120x120xf32>
// CHECK:       %[[R:.*]]:2 = tx.scan <[2]> carried = 0 scanned = 1(%[[PARTS]], %arg1, %arg2, %arg3, %arg4)
// CHECK:       ^bb0(%{{.*}}: tensor<i64>, %[[X:.*]]: tensor<2x2x120x120xf32>, %[[W:.*]]: tensor<8x2x3x3xf32>, %[[B:.*]]: tensor<8xf32>, %[[MOST:.*]]: tensor<8xf32>, %[[V:.*]]: tensor<20x16x1x1xf32>):
// CHECK:         %[[A:.*]] = tx.conv %[[X]], %[[W]] bias %[[B]] {{.*}} -> tensor<2x8x120x120xf32>
// CHECK:         %[[ALIKE:.*]] = tx.broadcast %[[MOST]] dims = [1] : tensor<8xf32> -> tensor<2x8x120x120xf32>
// CHECK:         tx.min %[[A]], %[[ALIKE]]
// CHECK:         %[[HALF:.*]] = tx.constant dense<5.000000e-01> : tensor<2x8x120x120xf32>
// CHECK:         tx.mul %[[A]], %[[HALF]]
// CHECK:         tx.concatenate {{.*}} -> tensor<2x16x120x120xf32>
// CHECK:         tx.conv {{.*}}, %[[V]] {{.*}} -> tensor<2x20x120x120xf32>
// CHECK:         tx.return {{.*}} : tensor<2x8x120x120xf32>, tensor<2x20x120x120xf32>
// CHECK:       %[[S:.*]] = tx.reshape %[[R]]#0 : tensor<2x2x8x120x120xf32> -> tensor<4x8x120x120xf32>
// CHECK:       %[[L:.*]] = tx.reshape %[[R]]#1 : tensor<2x2x20x120x120xf32> -> tensor<4x20x120x120xf32>
// CHECK:       tx.sum %[[S]] dims = [0, 2, 3]
// CHECK:       tx.max_pool %[[L]]
// CHECK:       tx.conv
// CHECK:       return

// Nothing is copied in front of the loop.
// FUSE-LABEL: @main
// FUSE-NOT:   tx.fusion
// FUSE:       tx.scan <[2]>
func.func @main(%x: tensor<4x2x120x120xf32>, %w: tensor<8x2x3x3xf32>, %b: tensor<8xf32>, %most: tensor<8xf32>, %v: tensor<20x16x1x1xf32>,
                %u: tensor<4x20x1x1xf32>) -> (tensor<8xf32>, tensor<4x4x4x4xf32>) {
  %alike = tx.broadcast %most dims = [1] : tensor<8xf32> -> tensor<4x8x120x120xf32>
  %half = tx.constant dense<0.5> : tensor<4x8x120x120xf32>
  %0 = tx.conv %x, %w bias %b groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1]
    : (tensor<4x2x120x120xf32>, tensor<8x2x3x3xf32>, tensor<8xf32>) -> tensor<4x8x120x120xf32>
  %1 = tx.min %0, %alike : tensor<4x8x120x120xf32>
  %s = tx.sum %1 dims = [0, 2, 3] : tensor<4x8x120x120xf32> -> tensor<8xf32>
  %2 = tx.mul %0, %half : tensor<4x8x120x120xf32>
  %3 = tx.concatenate %1, %2 dim = 1 : (tensor<4x8x120x120xf32>, tensor<4x8x120x120xf32>) -> tensor<4x16x120x120xf32>
  %4 = tx.conv %3, %v groups = 1 sizes = [1, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1]
    : (tensor<4x16x120x120xf32>, tensor<20x16x1x1xf32>) -> tensor<4x20x120x120xf32>
  %5 = tx.max_pool %4 dims = [2, 3] sizes = [30, 30] strides = [30, 30] dilations = [1, 1] low = [0, 0] high = [0, 0]
    : (tensor<4x20x120x120xf32>) -> tensor<4x20x4x4xf32>
  %6 = tx.conv %5, %u groups = 1 sizes = [1, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1]
    : (tensor<4x20x4x4xf32>, tensor<4x20x1x1xf32>) -> tensor<4x4x4x4xf32>
  return %s, %6 : tensor<8xf32>, tensor<4x4x4x4xf32>
}

// 51 images of 80 KB are 4 MiB, and 32 of them divide the batch.
// CHECK-LABEL: @small_images
// CHECK:       tx.scan <[2]> {{.*}} : (tensor<2x32x1x64x64xf32>, {{.*}}) -> tensor<2x32x5x64x64xf32>
func.func @small_images(%x: tensor<64x1x64x64xf32>, %w: tensor<2x1x3x3xf32>, %v: tensor<5x2x1x1xf32>) -> tensor<64x5x64x64xf32> {
  %0 = tx.conv %x, %w groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1]
    : (tensor<64x1x64x64xf32>, tensor<2x1x3x3xf32>) -> tensor<64x2x64x64xf32>
  %1 = tx.relu %0 : tensor<64x2x64x64xf32>
  %2 = tx.conv %1, %v groups = 1 sizes = [1, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1]
    : (tensor<64x2x64x64xf32>, tensor<5x2x1x1xf32>) -> tensor<64x5x64x64xf32>
  return %2 : tensor<64x5x64x64xf32>
}

// Caches hold it.
// CHECK-LABEL: @small_batch
// CHECK-NOT:   tx.scan
func.func @small_batch(%x: tensor<32x1x64x64xf32>, %w: tensor<2x1x3x3xf32>, %v: tensor<5x2x1x1xf32>) -> tensor<32x5x64x64xf32> {
  %0 = tx.conv %x, %w groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1]
    : (tensor<32x1x64x64xf32>, tensor<2x1x3x3xf32>) -> tensor<32x2x64x64xf32>
  %1 = tx.conv %0, %v groups = 1 sizes = [1, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1]
    : (tensor<32x2x64x64xf32>, tensor<5x2x1x1xf32>) -> tensor<32x5x64x64xf32>
  return %1 : tensor<32x5x64x64xf32>
}

// Images are normalized by all of them in between, and one convolution alone has nothing to hand on.
// CHECK-LABEL: @between
// CHECK-NOT:   tx.scan
func.func @between(%x: tensor<4x2x120x120xf32>, %w: tensor<20x2x3x3xf32>, %v: tensor<20x20x1x1xf32>) -> tensor<4x20x120x120xf32> {
  %0 = tx.conv %x, %w groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1]
    : (tensor<4x2x120x120xf32>, tensor<20x2x3x3xf32>) -> tensor<4x20x120x120xf32>
  %m = tx.mean %0 dims = [0, 2, 3] : (tensor<4x20x120x120xf32>) -> tensor<20xf32>
  %n = tx.broadcast %m dims = [1] : tensor<20xf32> -> tensor<4x20x120x120xf32>
  %1 = tx.sub %0, %n : tensor<4x20x120x120xf32>
  %2 = tx.conv %1, %v groups = 1 sizes = [1, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1]
    : (tensor<4x20x120x120xf32>, tensor<20x20x1x1xf32>) -> tensor<4x20x120x120xf32>
  return %2 : tensor<4x20x120x120xf32>
}
}
