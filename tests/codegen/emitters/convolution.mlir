// Convolutions of images with channels first: kernels are rows and pixels are lanes, so that neither is moved.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=fuse | FileCheck %s --check-prefix=FUSE
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --entry=named --random-inputs --shape=x:2,5,9,11 --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --entry=named --random-inputs --shape=x:1,5,3,3 --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --entry=volume --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --entry=channels_last --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --entry=groups --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --entry=strided --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --entry=strided_few --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --entry=depthwise --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --entry=mirrored --random-inputs --compare=reference

// One contraction, its epilogue stored in the image's order: no weights are transposed.
// FUSE-LABEL: func.func @main(
// FUSE-NOT:   "squares"
// FUSE:       tx.fusion "contraction" "dot_general_add_max"{{.*}}rows = 14, vectors = 1
// FUSE-NOT:   tx.fusion
// FUSE:       return

// The panel is filled run by run: 5 lanes of a row of the image, and on with the next. Then one sum over channels and window
// at once, as the kernels' memory has it.
// CHECK-LABEL: func.func @dot_general_add_max(
// CHECK-DAG:   %[[SUM:.*]] = arith.constant 63 : index
// CHECK:       %[[PANEL:.*]] = memref.view
// CHECK:       scf.if
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             vector.maskedload
// CHECK:             vector.maskedstore %[[PANEL]]
// CHECK:       scf.for {{.*}} to %[[SUM]] {{.*}} iter_args
// CHECK-COUNT-14: vector.fma
// CHECK-NOT:   vector.fma
// CHECK:       arith.maximumf
func.func @main(%x: tensor<1x7x7x7xf32>, %w: tensor<28x7x3x3xf32>, %b: tensor<28xf32>) -> tensor<1x28x5x5xf32> {
  %zero = tx.constant dense<0.0> : tensor<1x28x5x5xf32>
  %0 = tx.conv %x, %w bias %b groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0]
      input_dilations = [1, 1] : (tensor<1x7x7x7xf32>, tensor<28x7x3x3xf32>, tensor<28xf32>) -> tensor<1x28x5x5xf32>
  %1 = tx.max %0, %zero : tensor<1x28x5x5xf32>
  return %1 : tensor<1x28x5x5xf32>
}

// Sizes of images that only run time knows.
func.func @named(%x: tensor<?x5x?x?xf32, #tx.dims<[n, 5, h, w]>> {tx.name = "x"}, %w: tensor<40x5x3x3xf32>)
    -> tensor<?x40x?x?xf32, #tx.dims<[n, 40, h, w]>> {
  %0 = tx.conv %x, %w groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1]
      input_dilations = [1, 1] : (tensor<?x5x?x?xf32, #tx.dims<[n, 5, h, w]>>, tensor<40x5x3x3xf32>) -> tensor<?x40x?x?xf32, #tx.dims<[n, 40, h, w]>>
  return %0 : tensor<?x40x?x?xf32, #tx.dims<[n, 40, h, w]>>
}

// Runs along two dims outside of the innermost.
func.func @volume(%x: tensor<2x3x5x6x7xf32>, %w: tensor<33x3x2x3x3xf32>) -> tensor<2x33x4x4x5xf32> {
  %0 = tx.conv %x, %w groups = 1 sizes = [2, 3, 3] strides = [1, 1, 1] dilations = [1, 1, 1] low = [0, 0, 0] high = [0, 0, 0]
      input_dilations = [1, 1, 1] : (tensor<2x3x5x6x7xf32>, tensor<33x3x2x3x3xf32>) -> tensor<2x33x4x4x5xf32>
  return %0 : tensor<2x33x4x4x5xf32>
}

// Rows are pixels: two rows of the image are one tile.
func.func @channels_last(%x: tensor<1x9x9x4xf32>, %w: tensor<3x3x4x40xf32>) -> tensor<1x7x7x40xf32> {
  %0 = tx.conv %x, %w channels_last groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0]
      input_dilations = [1, 1] : (tensor<1x9x9x4xf32>, tensor<3x3x4x40xf32>) -> tensor<1x7x7x40xf32>
  return %0 : tensor<1x7x7x40xf32>
}

// A panel for each group.
func.func @groups(%x: tensor<2x8x9x9xf32>, %w: tensor<40x4x3x3xf32>) -> tensor<2x40x9x9xf32> {
  %0 = tx.conv %x, %w groups = 2 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1]
      input_dilations = [1, 1] : (tensor<2x8x9x9xf32>, tensor<40x4x3x3xf32>) -> tensor<2x40x9x9xf32>
  return %0 : tensor<2x40x9x9xf32>
}

// Lanes are channels: every other pixel is read.
func.func @strided(%x: tensor<2x5x15x13xf32>, %w: tensor<40x5x3x3xf32>) -> tensor<2x40x8x7xf32> {
  %0 = tx.conv %x, %w groups = 1 sizes = [3, 3] strides = [2, 2] dilations = [1, 1] low = [1, 1] high = [1, 1]
      input_dilations = [1, 1] : (tensor<2x5x15x13xf32>, tensor<40x5x3x3xf32>) -> tensor<2x40x8x7xf32>
  return %0 : tensor<2x40x8x7xf32>
}

// So few pixels do not pay for a panel of kernels, which is turned: they are the lanes, and every other one is gathered into
// their panel. Each step of the sum asks for a line of the kernels that the next tile reads, which lie behind this tile's.
// CHECK-LABEL: func.func @dot_general_2(
// CHECK-DAG:   %[[ROWS:.*]] = arith.constant 14 : index
// CHECK-DAG:   %[[STEPS:.*]] = arith.constant 360 : index
// CHECK:       scf.if
// CHECK:         vector.maskedstore
// CHECK:       scf.for %[[K:.*]] = {{.*}} to %[[STEPS]] {{.*}} iter_args
// CHECK:         %[[STEP:.*]] = arith.addi %[[K]], %[[STEPS]]
// CHECK:         %[[PART:.*]] = arith.muli %[[STEP]], %[[ROWS]]
// CHECK:         %[[AT:.*]] = arith.addi {{.*}}, %[[PART]]
// CHECK:         memref.prefetch {{.*}}[%[[AT]]]
// CHECK-NOT:     memref.prefetch
// CHECK-COUNT-14: vector.fma
func.func @strided_few(%x: tensor<1x40x13x13xf32>, %w: tensor<140x40x3x3xf32>) -> tensor<1x140x7x7xf32> {
  %0 = tx.conv %x, %w groups = 1 sizes = [3, 3] strides = [2, 2] dilations = [1, 1] low = [1, 1] high = [1, 1]
      input_dilations = [1, 1] : (tensor<1x40x13x13xf32>, tensor<140x40x3x3xf32>) -> tensor<1x140x7x7xf32>
  return %0 : tensor<1x140x7x7xf32>
}

// Rows of 7 pixels are vectors of 8.
func.func @depthwise(%x: tensor<1x20x7x7xf32>, %w: tensor<20x1x5x5xf32>) -> tensor<1x20x7x7xf32> {
  %0 = tx.conv %x, %w groups = 20 sizes = [5, 5] strides = [1, 1] dilations = [1, 1] low = [2, 2] high = [2, 2]
      input_dilations = [1, 1] : (tensor<1x20x7x7xf32>, tensor<20x1x5x5xf32>) -> tensor<1x20x7x7xf32>
  return %0 : tensor<1x20x7x7xf32>
}

// The kernels of a transposed depthwise convolution are mirrored, which is a place to read from and no work: 25 positions fit.
// CHECK-LABEL: func.func @pad_mul_sum_0(
// CHECK-COUNT-24: vector.maskedload
// CHECK-NOT:   arith.select
// CHECK:       vector.maskedstore
func.func @mirrored(%x: tensor<2x6x11x11xf32>, %w: tensor<6x1x5x5xf32>) -> tensor<2x6x11x11xf32> {
  %0 = tx.conv_transpose %x, %w groups = 6 sizes = [5, 5] strides = [1, 1] dilations = [1, 1] low = [2, 2] high = [2, 2]
      input_dilations = [1, 1] : (tensor<2x6x11x11xf32>, tensor<6x1x5x5xf32>) -> tensor<2x6x11x11xf32>
  return %0 : tensor<2x6x11x11xf32>
}
