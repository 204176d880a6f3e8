// Gradients of convolutions are convolutions: by the images the transposed one,
// whose strides are gaps; by the kernels a contraction of windows of the image, whose lanes are channels.
// With few channels they are taps.
//
// RUN: tensorc-opt %s --tx-differentiate=wrt=0,1 --canonicalize | FileCheck %s
// RUN: tensorc-opt %s --tx-differentiate="entry=gaps wrt=0,1" --canonicalize | FileCheck %s --check-prefix=GAPS
// RUN: tensorc-opt %s --tx-differentiate=wrt=0,1 | %tensorc run - --entry=main_gradient --random-inputs --compare=reference
// RUN: tensorc-opt %s --tx-differentiate="entry=gaps wrt=0,1" | %tensorc run - --entry=gaps_gradient --random-inputs --compare=reference

// CHECK-LABEL: @main_gradient
// CHECK:       %[[G:.*]] = tx.constant dense<1.000000e+00> : tensor<2x16x5x5xf32>
// CHECK:       %[[X:.*]] = tx.conv_transpose %[[G]], %arg1 groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [2, 2]
// CHECK-SAME:    -> tensor<2x4x9x9xf32>
// CHECK:       %[[P:.*]] = tx.pad %arg0
// CHECK:       %[[W:.*]] = tx.windows %[[P]]
// CHECK:       %[[D:.*]] = tx.dot_general %[[W]], %[[G]] batch = [] x [] contracting = [0, 2, 3] x [0, 2, 3]
// CHECK-SAME:    -> tensor<4x3x3x16xf32>
// CHECK:       %[[K:.*]] = tx.transpose %[[D]] permutation = [3, 0, 1, 2]
// CHECK:       return %{{.*}}, %[[X]], %[[K]]
func.func @main(%x: tensor<2x4x9x9xf32>, %k: tensor<16x4x3x3xf32>) -> tensor<f32> {
  %0 = tx.conv %x, %k groups = 1 sizes = [3, 3] strides = [2, 2] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1]
      : (tensor<2x4x9x9xf32>, tensor<16x4x3x3xf32>) -> tensor<2x16x5x5xf32>
  %1 = tx.sum %0 dims = [0, 1, 2, 3] : tensor<2x16x5x5xf32> -> tensor<f32>
  return %1 : tensor<f32>
}

// The windows are those of the result's gradient: x has gaps.
// GAPS-LABEL: @gaps_gradient
// GAPS:       tx.conv %[[G:.*]], %arg1 groups = 2 sizes = [3] strides = [2]
// GAPS:       %[[W:.*]] = tx.windows %{{.*}} : tensor<2x2x2x{{.*}}> -> tensor<2x2x2x5x3xf32>
// GAPS:       tx.dot_general %{{.*}}, %[[W]] batch = [1] x [1] contracting = [0, 3] x [0, 3]
func.func @gaps(%x: tensor<2x4x5xf32>, %k: tensor<4x2x3xf32>) -> tensor<f32> {
  %0 = tx.conv_transpose %x, %k groups = 2 sizes = [3] strides = [1] dilations = [1] low = [1] high = [2] input_dilations = [2]
      : (tensor<2x4x5xf32>, tensor<4x2x3xf32>) -> tensor<2x4x10xf32>
  %1 = tx.sum %0 dims = [0, 1, 2] : tensor<2x4x10xf32> -> tensor<f32>
  return %1 : tensor<f32>
}
