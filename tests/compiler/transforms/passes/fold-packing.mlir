// Kernels of a convolution are packed, so that channels are lanes, and constant
// matrices that few rows are multiplied by.
//
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing=min-steps=1 | FileCheck %s
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing | FileCheck %s --check-prefix=SHORT
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing=min-steps=1 | %tensorc run - --random-inputs --compare=reference
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing=min-steps=1 | %tensorc run - --entry=empty --random-inputs --compare=reference
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing=min-steps=1 | %tensorc run - --entry=loop --random-inputs --compare=reference
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing=min-steps=1 | %tensorc run - --entry=strided --random-inputs --compare=reference
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing=min-steps=1 | %tensorc run - --entry=rest --random-inputs --compare=reference
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing=min-steps=1 | %tensorc run - --entry=padded_pixels --random-inputs --compare=reference
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing=min-steps=1 | %tensorc run - --entry=argument --random-inputs --compare=reference
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing=min-steps=1 | %tensorc run - --entry=transposed --random-inputs --compare=reference
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing=min-steps=1 | %tensorc run - --entry=argument_of_loop --random-inputs --compare=reference
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing=min-steps=1 | %tensorc run - --entry=matrix --random-inputs --compare=reference
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fold-packing=min-steps=1 | %tensorc compile - --target=cpu:x86-64-v4 --stop-after=fuse -o - | FileCheck %s --check-prefix=FUSE

// SHORT-NOT: packed
// SHORT:     return

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: @main
// CHECK:       %[[K:.*]] = tx.constant dense_resource<packed> : tensor<2x1x2x2x32xf32>
// CHECK:       %[[D:.*]] = tx.dot_general %{{.*}}, %[[K]] batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3]
// CHECK-SAME:  -> tensor<1x8x8x2x32xf32>
// CHECK:       %[[T:.*]] = tx.transpose %[[D]] permutation = [0, 3, 4, 1, 2]
// CHECK:       tx.reshape %[[T]] : tensor<1x2x32x8x8xf32> -> tensor<1x64x8x8xf32>
// CHECK:       return

// Bias, residual and activation are computed in the blocks, and in one kernel.
// FUSE-LABEL: @main
// FUSE:       tx.fusion "contraction" "dot_general_add_max"
// FUSE-SAME:  rows = 8, vectors = 2, lanes = 16
// FUSE-NOT:   tx.fusion
// FUSE:       return
func.func @main(%x: tensor<1x1x9x9xf32>, %r: tensor<1x64x8x8xf32>) -> tensor<1x64x8x8xf32> {
  %k = tx.constant dense<[[[[-2.0,-3.0],[0.0,-3.0]]],[[[3.0,3.0],[3.0,2.0]]],[[[-1.0,-3.0],[3.0,-4.0]]],[[[2.0,2.0],[-4.0,3.0]]],[[[0.0,-1.0],[-3.0,1.0]]],[[[-4.0,-4.0],[-4.0,4.0]]],[[[-4.0,2.0],[-1.0,2.0]]],[[[-4.0,4.0],[-1.0,3.0]]],[[[3.0,4.0],[-1.0,1.0]]],[[[-1.0,-1.0],[3.0,0.0]]],[[[-4.0,2.0],[4.0,-3.0]]],[[[-2.0,0.0],[-3.0,1.0]]],[[[4.0,2.0],[4.0,-1.0]]],[[[0.0,0.0],[3.0,4.0]]],[[[2.0,-4.0],[3.0,-1.0]]],[[[2.0,2.0],[-2.0,1.0]]],[[[4.0,1.0],[-3.0,3.0]]],[[[4.0,-3.0],[-2.0,4.0]]],[[[2.0,1.0],[3.0,-4.0]]],[[[3.0,-4.0],[0.0,2.0]]],[[[-2.0,-2.0],[4.0,-1.0]]],[[[-4.0,-1.0],[4.0,4.0]]],[[[-1.0,2.0],[4.0,1.0]]],[[[1.0,3.0],[0.0,4.0]]],[[[-4.0,2.0],[4.0,-2.0]]],[[[4.0,4.0],[-1.0,2.0]]],[[[-4.0,3.0],[1.0,4.0]]],[[[-1.0,4.0],[2.0,3.0]]],[[[1.0,2.0],[1.0,-4.0]]],[[[4.0,4.0],[1.0,3.0]]],[[[-4.0,-1.0],[-2.0,4.0]]],[[[-2.0,-3.0],[4.0,0.0]]],[[[-4.0,-3.0],[-3.0,-4.0]]],[[[3.0,-4.0],[0.0,-1.0]]],[[[0.0,-3.0],[-2.0,1.0]]],[[[0.0,-3.0],[-2.0,-2.0]]],[[[0.0,4.0],[-2.0,0.0]]],[[[0.0,3.0],[1.0,3.0]]],[[[3.0,-3.0],[-4.0,0.0]]],[[[2.0,1.0],[2.0,-1.0]]],[[[0.0,-3.0],[0.0,4.0]]],[[[-1.0,2.0],[-4.0,-1.0]]],[[[-4.0,2.0],[-2.0,-4.0]]],[[[-2.0,3.0],[4.0,2.0]]],[[[4.0,-1.0],[4.0,3.0]]],[[[-1.0,4.0],[-4.0,2.0]]],[[[1.0,2.0],[-4.0,0.0]]],[[[-2.0,-1.0],[-4.0,0.0]]],[[[-3.0,-3.0],[0.0,0.0]]],[[[-2.0,2.0],[0.0,-2.0]]],[[[-4.0,4.0],[-4.0,-1.0]]],[[[3.0,-2.0],[4.0,-4.0]]],[[[2.0,-1.0],[1.0,-3.0]]],[[[-1.0,2.0],[-1.0,3.0]]],[[[-3.0,2.0],[0.0,4.0]]],[[[3.0,-4.0],[1.0,2.0]]],[[[0.0,-4.0],[-2.0,-1.0]]],[[[1.0,-2.0],[1.0,2.0]]],[[[-1.0,0.0],[-3.0,2.0]]],[[[4.0,1.0],[4.0,3.0]]],[[[4.0,-1.0],[-3.0,-4.0]]],[[[-3.0,-2.0],[-2.0,-2.0]]],[[[4.0,-1.0],[0.0,1.0]]],[[[4.0,0.0],[1.0,1.0]]]]> : tensor<64x1x2x2xf32>
  %b = tx.constant dense<2.0> : tensor<64xf32>
  %0 = tx.conv %x, %k bias %b groups = 1 sizes = [2, 2] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<1x1x9x9xf32>, tensor<64x1x2x2xf32>, tensor<64xf32>) -> tensor<1x64x8x8xf32>
  %1 = tx.add %0, %r : tensor<1x64x8x8xf32>
  %2 = tx.relu %1 : tensor<1x64x8x8xf32>
  return %2 : tensor<1x64x8x8xf32>
}

// What follows reads the product's kernel, which turns what it computes.
// FUSE-LABEL: @padded
// FUSE:       tx.fusion "contraction" "dot_general_max"
// FUSE:       tx.max
// FUSE:       tx.fusion "loop" "pad"
func.func @padded(%x: tensor<1x1x9x9xf32>) -> tensor<1x64x10x10xf32> {
  %k = tx.constant dense<[[[[-2.0,-3.0],[0.0,-3.0]]],[[[3.0,3.0],[3.0,2.0]]],[[[-1.0,-3.0],[3.0,-4.0]]],[[[2.0,2.0],[-4.0,3.0]]],[[[0.0,-1.0],[-3.0,1.0]]],[[[-4.0,-4.0],[-4.0,4.0]]],[[[-4.0,2.0],[-1.0,2.0]]],[[[-4.0,4.0],[-1.0,3.0]]],[[[3.0,4.0],[-1.0,1.0]]],[[[-1.0,-1.0],[3.0,0.0]]],[[[-4.0,2.0],[4.0,-3.0]]],[[[-2.0,0.0],[-3.0,1.0]]],[[[4.0,2.0],[4.0,-1.0]]],[[[0.0,0.0],[3.0,4.0]]],[[[2.0,-4.0],[3.0,-1.0]]],[[[2.0,2.0],[-2.0,1.0]]],[[[4.0,1.0],[-3.0,3.0]]],[[[4.0,-3.0],[-2.0,4.0]]],[[[2.0,1.0],[3.0,-4.0]]],[[[3.0,-4.0],[0.0,2.0]]],[[[-2.0,-2.0],[4.0,-1.0]]],[[[-4.0,-1.0],[4.0,4.0]]],[[[-1.0,2.0],[4.0,1.0]]],[[[1.0,3.0],[0.0,4.0]]],[[[-4.0,2.0],[4.0,-2.0]]],[[[4.0,4.0],[-1.0,2.0]]],[[[-4.0,3.0],[1.0,4.0]]],[[[-1.0,4.0],[2.0,3.0]]],[[[1.0,2.0],[1.0,-4.0]]],[[[4.0,4.0],[1.0,3.0]]],[[[-4.0,-1.0],[-2.0,4.0]]],[[[-2.0,-3.0],[4.0,0.0]]],[[[-4.0,-3.0],[-3.0,-4.0]]],[[[3.0,-4.0],[0.0,-1.0]]],[[[0.0,-3.0],[-2.0,1.0]]],[[[0.0,-3.0],[-2.0,-2.0]]],[[[0.0,4.0],[-2.0,0.0]]],[[[0.0,3.0],[1.0,3.0]]],[[[3.0,-3.0],[-4.0,0.0]]],[[[2.0,1.0],[2.0,-1.0]]],[[[0.0,-3.0],[0.0,4.0]]],[[[-1.0,2.0],[-4.0,-1.0]]],[[[-4.0,2.0],[-2.0,-4.0]]],[[[-2.0,3.0],[4.0,2.0]]],[[[4.0,-1.0],[4.0,3.0]]],[[[-1.0,4.0],[-4.0,2.0]]],[[[1.0,2.0],[-4.0,0.0]]],[[[-2.0,-1.0],[-4.0,0.0]]],[[[-3.0,-3.0],[0.0,0.0]]],[[[-2.0,2.0],[0.0,-2.0]]],[[[-4.0,4.0],[-4.0,-1.0]]],[[[3.0,-2.0],[4.0,-4.0]]],[[[2.0,-1.0],[1.0,-3.0]]],[[[-1.0,2.0],[-1.0,3.0]]],[[[-3.0,2.0],[0.0,4.0]]],[[[3.0,-4.0],[1.0,2.0]]],[[[0.0,-4.0],[-2.0,-1.0]]],[[[1.0,-2.0],[1.0,2.0]]],[[[-1.0,0.0],[-3.0,2.0]]],[[[4.0,1.0],[4.0,3.0]]],[[[4.0,-1.0],[-3.0,-4.0]]],[[[-3.0,-2.0],[-2.0,-2.0]]],[[[4.0,-1.0],[0.0,1.0]]],[[[4.0,0.0],[1.0,1.0]]]]> : tensor<64x1x2x2xf32>
  %z = tx.constant dense<0.0> : tensor<f32>
  %0 = tx.conv %x, %k groups = 1 sizes = [2, 2] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<1x1x9x9xf32>, tensor<64x1x2x2xf32>) -> tensor<1x64x8x8xf32>
  %1 = tx.relu %0 : tensor<1x64x8x8xf32>
  %2 = tx.pad %1, %z low = [0, 0, 1, 1] high = [0, 0, 1, 1] interior = [0, 0, 0, 0] : tensor<1x64x8x8xf32> -> tensor<1x64x10x10xf32>
  return %2 : tensor<1x64x10x10xf32>
}

// A loop over images is given packed kernels.
// CHECK-LABEL: @loop
// CHECK:       %[[K:.*]] = tx.constant dense_resource<{{packed.*}}> : tensor<2x1x2x2x32xf32>
// CHECK:       tx.scan <[2]> carried = 0 scanned = 1(%arg0, %[[K]])
// CHECK:       ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<1x1x9x9xf32>, %[[B:.*]]: tensor<2x1x2x2x32xf32>):
// CHECK:       tx.dot_general %{{.*}}, %[[B]] batch
func.func @loop(%x: tensor<2x1x1x9x9xf32>) -> tensor<2x1x64x8x8xf32> {
  %k = tx.constant dense<[[[[-2.0,-3.0],[0.0,-3.0]]],[[[3.0,3.0],[3.0,2.0]]],[[[-1.0,-3.0],[3.0,-4.0]]],[[[2.0,2.0],[-4.0,3.0]]],[[[0.0,-1.0],[-3.0,1.0]]],[[[-4.0,-4.0],[-4.0,4.0]]],[[[-4.0,2.0],[-1.0,2.0]]],[[[-4.0,4.0],[-1.0,3.0]]],[[[3.0,4.0],[-1.0,1.0]]],[[[-1.0,-1.0],[3.0,0.0]]],[[[-4.0,2.0],[4.0,-3.0]]],[[[-2.0,0.0],[-3.0,1.0]]],[[[4.0,2.0],[4.0,-1.0]]],[[[0.0,0.0],[3.0,4.0]]],[[[2.0,-4.0],[3.0,-1.0]]],[[[2.0,2.0],[-2.0,1.0]]],[[[4.0,1.0],[-3.0,3.0]]],[[[4.0,-3.0],[-2.0,4.0]]],[[[2.0,1.0],[3.0,-4.0]]],[[[3.0,-4.0],[0.0,2.0]]],[[[-2.0,-2.0],[4.0,-1.0]]],[[[-4.0,-1.0],[4.0,4.0]]],[[[-1.0,2.0],[4.0,1.0]]],[[[1.0,3.0],[0.0,4.0]]],[[[-4.0,2.0],[4.0,-2.0]]],[[[4.0,4.0],[-1.0,2.0]]],[[[-4.0,3.0],[1.0,4.0]]],[[[-1.0,4.0],[2.0,3.0]]],[[[1.0,2.0],[1.0,-4.0]]],[[[4.0,4.0],[1.0,3.0]]],[[[-4.0,-1.0],[-2.0,4.0]]],[[[-2.0,-3.0],[4.0,0.0]]],[[[-4.0,-3.0],[-3.0,-4.0]]],[[[3.0,-4.0],[0.0,-1.0]]],[[[0.0,-3.0],[-2.0,1.0]]],[[[0.0,-3.0],[-2.0,-2.0]]],[[[0.0,4.0],[-2.0,0.0]]],[[[0.0,3.0],[1.0,3.0]]],[[[3.0,-3.0],[-4.0,0.0]]],[[[2.0,1.0],[2.0,-1.0]]],[[[0.0,-3.0],[0.0,4.0]]],[[[-1.0,2.0],[-4.0,-1.0]]],[[[-4.0,2.0],[-2.0,-4.0]]],[[[-2.0,3.0],[4.0,2.0]]],[[[4.0,-1.0],[4.0,3.0]]],[[[-1.0,4.0],[-4.0,2.0]]],[[[1.0,2.0],[-4.0,0.0]]],[[[-2.0,-1.0],[-4.0,0.0]]],[[[-3.0,-3.0],[0.0,0.0]]],[[[-2.0,2.0],[0.0,-2.0]]],[[[-4.0,4.0],[-4.0,-1.0]]],[[[3.0,-2.0],[4.0,-4.0]]],[[[2.0,-1.0],[1.0,-3.0]]],[[[-1.0,2.0],[-1.0,3.0]]],[[[-3.0,2.0],[0.0,4.0]]],[[[3.0,-4.0],[1.0,2.0]]],[[[0.0,-4.0],[-2.0,-1.0]]],[[[1.0,-2.0],[1.0,2.0]]],[[[-1.0,0.0],[-3.0,2.0]]],[[[4.0,1.0],[4.0,3.0]]],[[[4.0,-1.0],[-3.0,-4.0]]],[[[-3.0,-2.0],[-2.0,-2.0]]],[[[4.0,-1.0],[0.0,1.0]]],[[[4.0,0.0],[1.0,1.0]]]]> : tensor<64x1x2x2xf32>
  %0 = tx.scan <[2]> carried = 0 scanned = 1 (%x, %k) : (tensor<2x1x1x9x9xf32>, tensor<64x1x2x2xf32>) -> tensor<2x1x64x8x8xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<1x1x9x9xf32>, %w: tensor<64x1x2x2xf32>):
    %c = tx.conv %a, %w groups = 1 sizes = [2, 2] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<1x1x9x9xf32>, tensor<64x1x2x2xf32>) -> tensor<1x64x8x8xf32>
    tx.return %c : tensor<1x64x8x8xf32>
  }
  return %0 : tensor<2x1x64x8x8xf32>
}

// Other kernels are moved into blocks at each run, by a kernel of its own.
// CHECK-LABEL: @argument
// CHECK:       %[[R:.*]] = tx.reshape %arg1 : tensor<64x1x2x2xf32> -> tensor<2x32x1x2x2xf32>
// CHECK:       %[[P:.*]] = tx.transpose %[[R]] permutation = [0, 2, 3, 4, 1]
// CHECK:       tx.dot_general %{{.*}}, %[[P]] batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3]
// CHECK:       return
// FUSE-LABEL: @argument
// FUSE:       tx.fusion "loop"
// FUSE:       tx.transpose %{{.*}} permutation = [0, 2, 3, 4, 1]
// FUSE:       tx.fusion "contraction" "dot_general_max"
// FUSE-NOT:   tx.fusion
// FUSE:       return
func.func @argument(%x: tensor<1x1x9x9xf32>, %k: tensor<64x1x2x2xf32>) -> tensor<1x64x8x8xf32> {
  %0 = tx.conv %x, %k groups = 1 sizes = [2, 2] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<1x1x9x9xf32>, tensor<64x1x2x2xf32>) -> tensor<1x64x8x8xf32>
  %1 = tx.relu %0 : tensor<1x64x8x8xf32>
  return %1 : tensor<1x64x8x8xf32>
}

// So are those of a transposed convolution, whose channels come second.
// CHECK-LABEL: @transposed
// CHECK:       %[[R:.*]] = tx.reshape %{{.*}} : tensor<2x64x2x2xf32> -> tensor<2x2x32x2x2xf32>
// CHECK:       %[[P:.*]] = tx.transpose %[[R]] permutation = [1, 0, 3, 4, 2]
// CHECK:       tx.dot_general %{{.*}}, %[[P]] batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3]
// CHECK:       return
func.func @transposed(%x: tensor<1x2x8x8xf32>, %k: tensor<2x64x2x2xf32>) -> tensor<1x64x9x9xf32> {
  %0 = tx.conv_transpose %x, %k groups = 1 sizes = [2, 2] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1] : (tensor<1x2x8x8xf32>, tensor<2x64x2x2xf32>) -> tensor<1x64x9x9xf32>
  return %0 : tensor<1x64x9x9xf32>
}

// A loop over images is given them packed.
// CHECK-LABEL: @argument_of_loop
// CHECK:       %[[P:.*]] = tx.transpose %{{.*}} permutation = [0, 2, 3, 4, 1]
// CHECK:       tx.scan <[2]> carried = 0 scanned = 1(%arg0, %[[P]])
// CHECK:       ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<1x1x9x9xf32>, %[[B:.*]]: tensor<2x1x2x2x32xf32>):
// CHECK:       tx.dot_general %{{.*}}, %[[B]] batch
func.func @argument_of_loop(%x: tensor<2x1x1x9x9xf32>, %k: tensor<64x1x2x2xf32>) -> tensor<2x1x64x8x8xf32> {
  %0 = tx.scan <[2]> carried = 0 scanned = 1 (%x, %k) : (tensor<2x1x1x9x9xf32>, tensor<64x1x2x2xf32>) -> tensor<2x1x64x8x8xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<1x1x9x9xf32>, %w: tensor<64x1x2x2xf32>):
    %c = tx.conv %a, %w groups = 1 sizes = [2, 2] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<1x1x9x9xf32>, tensor<64x1x2x2xf32>) -> tensor<1x64x8x8xf32>
    tx.return %c : tensor<1x64x8x8xf32>
  }
  return %0 : tensor<2x1x64x8x8xf32>
}

// Few pixels do not pay for it, nor do lines of many, and no elements need none.
// CHECK-LABEL: @few_pixels
// CHECK-NOT:   tx.reshape %arg
// CHECK:       return
func.func @few_pixels(%x: tensor<1x1x4x8xf32>, %k: tensor<64x1x2x2xf32>, %e: tensor<0x1x2x2xf32>, %l: tensor<1x64x1030xf32>, %m: tensor<64x64x3xf32>) -> (tensor<1x64x3x7xf32>, tensor<1x0x3x7xf32>, tensor<1x64x1028xf32>) {
  %0 = tx.conv %x, %k groups = 1 sizes = [2, 2] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<1x1x4x8xf32>, tensor<64x1x2x2xf32>) -> tensor<1x64x3x7xf32>
  %1 = tx.conv %x, %e groups = 1 sizes = [2, 2] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<1x1x4x8xf32>, tensor<0x1x2x2xf32>) -> tensor<1x0x3x7xf32>
  %2 = tx.conv %l, %m groups = 1 sizes = [3] strides = [1] dilations = [1] low = [0] high = [0] input_dilations = [1] : (tensor<1x64x1030xf32>, tensor<64x64x3xf32>) -> tensor<1x64x1028xf32>
  return %0, %1, %2 : tensor<1x64x3x7xf32>, tensor<1x0x3x7xf32>, tensor<1x64x1028xf32>
}

// With one tap, pixels stay lanes where these are filled.
// CHECK-LABEL: @filled
// CHECK-NOT:   packed
// CHECK:       return
func.func @filled(%x: tensor<1x2x8x8xf32>) -> tensor<1x32x8x8xf32> {
  %k = tx.constant dense<[[[[1.0]],[[-3.0]]],[[[0.0]],[[-1.0]]],[[[3.0]],[[-2.0]]],[[[4.0]],[[-3.0]]],[[[1.0]],[[-4.0]]],[[[2.0]],[[-3.0]]],[[[2.0]],[[-2.0]]],[[[-2.0]],[[1.0]]],[[[-3.0]],[[2.0]]],[[[-3.0]],[[4.0]]],[[[-1.0]],[[-3.0]]],[[[0.0]],[[1.0]]],[[[0.0]],[[4.0]]],[[[-3.0]],[[3.0]]],[[[0.0]],[[-3.0]]],[[[-4.0]],[[0.0]]],[[[-4.0]],[[-4.0]]],[[[-3.0]],[[2.0]]],[[[-3.0]],[[-4.0]]],[[[-1.0]],[[-1.0]]],[[[2.0]],[[-2.0]]],[[[-3.0]],[[3.0]]],[[[-2.0]],[[-1.0]]],[[[-2.0]],[[-3.0]]],[[[2.0]],[[2.0]]],[[[4.0]],[[0.0]]],[[[4.0]],[[0.0]]],[[[3.0]],[[1.0]]],[[[-3.0]],[[-1.0]]],[[[1.0]],[[-4.0]]],[[[-4.0]],[[-4.0]]],[[[0.0]],[[1.0]]]]> : tensor<32x2x1x1xf32>
  %0 = tx.conv %x, %k groups = 1 sizes = [1, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<1x2x8x8xf32>, tensor<32x2x1x1xf32>) -> tensor<1x32x8x8xf32>
  return %0 : tensor<1x32x8x8xf32>
}

// Of 49 pixels they are not.
// CHECK-LABEL: @empty
// CHECK:       dense_resource<{{packed.*}}> : tensor<1x2x1x1x32xf32>
// CHECK:       return
func.func @empty(%x: tensor<1x2x7x7xf32>) -> tensor<1x32x7x7xf32> {
  %k = tx.constant dense<[[[[1.0]],[[-3.0]]],[[[0.0]],[[-1.0]]],[[[3.0]],[[-2.0]]],[[[4.0]],[[-3.0]]],[[[1.0]],[[-4.0]]],[[[2.0]],[[-3.0]]],[[[2.0]],[[-2.0]]],[[[-2.0]],[[1.0]]],[[[-3.0]],[[2.0]]],[[[-3.0]],[[4.0]]],[[[-1.0]],[[-3.0]]],[[[0.0]],[[1.0]]],[[[0.0]],[[4.0]]],[[[-3.0]],[[3.0]]],[[[0.0]],[[-3.0]]],[[[-4.0]],[[0.0]]],[[[-4.0]],[[-4.0]]],[[[-3.0]],[[2.0]]],[[[-3.0]],[[-4.0]]],[[[-1.0]],[[-1.0]]],[[[2.0]],[[-2.0]]],[[[-3.0]],[[3.0]]],[[[-2.0]],[[-1.0]]],[[[-2.0]],[[-3.0]]],[[[2.0]],[[2.0]]],[[[4.0]],[[0.0]]],[[[4.0]],[[0.0]]],[[[3.0]],[[1.0]]],[[[-3.0]],[[-1.0]]],[[[1.0]],[[-4.0]]],[[[-4.0]],[[-4.0]]],[[[0.0]],[[1.0]]]]> : tensor<32x2x1x1xf32>
  %0 = tx.conv %x, %k groups = 1 sizes = [1, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<1x2x7x7xf32>, tensor<32x2x1x1xf32>) -> tensor<1x32x7x7xf32>
  return %0 : tensor<1x32x7x7xf32>
}

// The pixels that one tap reads with a stride are copied by a kernel of their own, and are lanes like those of other lines.
// CHECK-LABEL: @strided
// CHECK-NOT:   packed
// CHECK:       %[[P:.*]] = tx.slice %arg0 offsets = [0, 0, 0, 0] strides = [1, 1, 2, 2] : tensor<1x1x16x16xf32> -> tensor<1x1x8x8xf32>
// CHECK:       tx.windows %[[P]] dims = [2, 3] sizes = [1, 1] strides = [1, 1]
// CHECK:       return
// FUSE-LABEL: @strided
// FUSE:       tx.fusion "loop" "slice"
// FUSE:       tx.fusion "contraction"
// FUSE-NOT:   tx.fusion
// FUSE:       return
func.func @strided(%x: tensor<1x1x16x16xf32>) -> tensor<1x32x8x8xf32> {
  %k = tx.constant dense<[[[[-4.0]]],[[[3.0]]],[[[1.0]]],[[[-1.0]]],[[[-3.0]]],[[[4.0]]],[[[2.0]]],[[[0.0]]],[[[-2.0]]],[[[-4.0]]],[[[3.0]]],[[[1.0]]],[[[-1.0]]],[[[-3.0]]],[[[4.0]]],[[[2.0]]],[[[0.0]]],[[[-2.0]]],[[[-4.0]]],[[[3.0]]],[[[1.0]]],[[[-1.0]]],[[[-3.0]]],[[[4.0]]],[[[2.0]]],[[[0.0]]],[[[-2.0]]],[[[-4.0]]],[[[3.0]]],[[[1.0]]],[[[-1.0]]],[[[-3.0]]]]> : tensor<32x1x1x1xf32>
  %0 = tx.conv %x, %k groups = 1 sizes = [1, 1] strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<1x1x16x16xf32>, tensor<32x1x1x1xf32>) -> tensor<1x32x8x8xf32>
  return %0 : tensor<1x32x8x8xf32>
}

// Channels that are innermost are read in place, and so are the lines of a stride between lines alone.
// CHECK-LABEL: @in_place
// CHECK-NOT:   tx.slice
// CHECK:       return
func.func @in_place(%x: tensor<1x16x16x2xf32>, %k: tensor<1x1x2x32xf32>, %y: tensor<1x2x16x8xf32>, %l: tensor<32x2x1x1xf32>) -> (tensor<1x8x8x32xf32>, tensor<1x32x8x8xf32>) {
  %0 = tx.conv %x, %k channels_last groups = 1 sizes = [1, 1] strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<1x16x16x2xf32>, tensor<1x1x2x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = tx.conv %y, %l groups = 1 sizes = [1, 1] strides = [2, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<1x2x16x8xf32>, tensor<32x2x1x1xf32>) -> tensor<1x32x8x8xf32>
  return %0, %1 : tensor<1x8x8x32xf32>, tensor<1x32x8x8xf32>
}

// Padding is copied along with them: the padded image itself is never stored. Its groups are a dim before the channels.
// CHECK-LABEL: @padded_pixels
// CHECK:       tx.pad
// CHECK:       tx.slice {{.*}} strides = [1, 1, 1, 3, 3]
// CHECK:       return
// FUSE-LABEL: @padded_pixels
// FUSE:       tx.fusion "loop"
// FUSE-SAME:  -> tensor<2x2x3x6x6xf32>
// FUSE:       tx.fusion "contraction"
func.func @padded_pixels(%x: tensor<2x6x15x15xf32>, %k: tensor<8x3x1x1xf32>) -> tensor<2x8x6x6xf32> {
  %0 = tx.conv %x, %k groups = 2 sizes = [1, 1] strides = [3, 3] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1] : (tensor<2x6x15x15xf32>, tensor<8x3x1x1xf32>) -> tensor<2x8x6x6xf32>
  return %0 : tensor<2x8x6x6xf32>
}

// A matrix that lies along the sum is packed for few rows, and for two of them
// in wide blocks.
// CHECK-LABEL: @matrix
// CHECK-DAG:   %[[W:.*]] = tx.constant dense_resource<{{packed.*}}> : tensor<2x3x32xf32>
// CHECK-DAG:   %[[V:.*]] = tx.constant dense_resource<{{packed.*}}> : tensor<1x3x64xf32>
// CHECK:       %[[D:.*]] = tx.dot_general %arg0, %[[W]] batch = [] x [] contracting = [1] x [1]
// CHECK-SAME:  -> tensor<3x2x32xf32>
// CHECK:       tx.reshape %[[D]] : tensor<3x2x32xf32> -> tensor<3x64xf32>
// CHECK:       tx.dot_general %arg1, %[[V]]
// CHECK:       return
// FUSE-LABEL: @matrix
// FUSE:       tx.fusion "contraction"
// FUSE:       tx.dot_general
// FUSE:       tx.max
// FUSE:       return
func.func @matrix(%x: tensor<3x3xf32>, %y: tensor<2x3xf32>) -> (tensor<3x64xf32>, tensor<2x64xf32>) {
  %w = tx.constant dense<[[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0]]> : tensor<64x3xf32>
  %v = tx.constant dense<[[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0]]> : tensor<64x3xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<3x3xf32>, tensor<64x3xf32>) -> tensor<3x64xf32>
  %1 = tx.relu %0 : tensor<3x64xf32>
  %2 = tx.dot_general %y, %v batch = [] x [] contracting = [1] x [1] : (tensor<2x3xf32>, tensor<64x3xf32>) -> tensor<2x64xf32>
  return %1, %2 : tensor<3x64xf32>, tensor<2x64xf32>
}

// The last block ends with zeros, if these are few.
// CHECK-LABEL: @rest
// CHECK:       %[[W:.*]] = tx.constant dense_resource<{{packed.*}}> : tensor<2x3x32xf32>
// CHECK:       %[[D:.*]] = tx.dot_general %arg0, %[[W]]
// CHECK:       %[[R:.*]] = tx.reshape %[[D]] : tensor<3x2x32xf32> -> tensor<3x64xf32>
// CHECK:       tx.slice %[[R]] {{.*}} tensor<3x64xf32> -> tensor<3x62xf32>
// CHECK:       return
func.func @rest(%x: tensor<3x3xf32>) -> tensor<3x62xf32> {
  %w = tx.constant dense<[[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0]]> : tensor<62x3xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<3x3xf32>, tensor<62x3xf32>) -> tensor<3x62xf32>
  return %0 : tensor<3x62xf32>
}

// With many rows a kernel packs it in a small part of its time, and two that
// read it would have it twice. One row is a sum of the matrix's rows.
// CHECK-LABEL: @unpacked
// CHECK-NOT:   packed
// CHECK:       return
func.func @unpacked(%x: tensor<65x3xf32>, %y: tensor<4x3xf32>, %z: tensor<1x3xf32>) -> (tensor<65x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>, tensor<1x32xf32>) {
  %w = tx.constant dense<[[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0]]> : tensor<32x3xf32>
  %v = tx.constant dense<[[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0]]> : tensor<32x3xf32>
  %u = tx.constant dense<[[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0],[4.0,-2.0,1.0],[2.0,-4.0,-1.0],[0.0,3.0,-3.0],[-2.0,1.0,4.0],[-4.0,-1.0,2.0],[3.0,-3.0,0.0],[1.0,4.0,-2.0],[-1.0,2.0,-4.0],[-3.0,0.0,3.0]]> : tensor<32x3xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<65x3xf32>, tensor<32x3xf32>) -> tensor<65x32xf32>
  %1 = tx.dot_general %y, %v batch = [] x [] contracting = [1] x [1] : (tensor<4x3xf32>, tensor<32x3xf32>) -> tensor<4x32xf32>
  %2 = tx.neg %v : tensor<32x3xf32>
  %3 = tx.dot_general %y, %2 batch = [] x [] contracting = [1] x [1] : (tensor<4x3xf32>, tensor<32x3xf32>) -> tensor<4x32xf32>
  %4 = tx.dot_general %z, %u batch = [] x [] contracting = [1] x [1] : (tensor<1x3xf32>, tensor<32x3xf32>) -> tensor<1x32xf32>
  return %0, %1, %3, %4 : tensor<65x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>, tensor<1x32xf32>
}
}
