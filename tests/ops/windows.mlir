// Windows that slide over dimensions: views, poolings, convolutions.
//
// RUN: %npy %t.npy f32 '[[0, 1, 2, 3, 4, 5, 6], [7, nan, 9, 10, 11, 12, -0.0]]'
// RUN: %run_op --input=%t.npy | FileCheck %s
// RUN: %run_op --entry=dtypes --random-inputs --compare=reference
// RUN: %run_op --entry=pool --random-inputs --compare=reference
// RUN: %run_op --entry=conv1d --random-inputs --compare=reference
// RUN: %run_op --entry=conv2d --random-inputs --compare=reference
// RUN: %run_op --entry=transposed --random-inputs --compare=reference
// RUN: %run_op --entry=conv3d --random-inputs --compare=reference
// RUN: %run_op --entry=depthwise --random-inputs --compare=reference
// RUN: %run_op --entry=half --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:2,9,8 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:1,3,8 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:3,50,8 --compare=reference
// RUN: not %run_op --entry=symbolic --random-inputs --shape=x:1,2,8 2>&1 | FileCheck %s --check-prefix=SMALL

func.func @main(%x: tensor<2x7xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x2xf32>) {
  %0 = tx.windows %x dims = [1] sizes = [3] strides = [2] dilations = [1] : tensor<2x7xf32> -> tensor<2x3x3xf32>
  %1 = tx.windows %x dims = [1] sizes = [2] strides = [1] dilations = [4] : tensor<2x7xf32> -> tensor<2x3x2xf32>
  return %0, %1 : tensor<2x3x3xf32>, tensor<2x3x2xf32>
}
// CHECK:      out0: f32[2,3,3]
// CHECK-NEXT: {{\[\[\[}}0, 1, 2],
// CHECK-NEXT: [2, 3, 4],
// CHECK-NEXT: [4, 5, 6]],
// CHECK:      {{\[\[}}7, nan, 9],
// CHECK-NEXT: [9, 10, 11],
// CHECK-NEXT: [11, 12, -0]]]
// CHECK-NEXT: out1: f32[2,3,2]
// CHECK-NEXT: {{\[\[\[}}0, 4],
// CHECK-NEXT: [1, 5],
// CHECK-NEXT: [2, 6]],
// CHECK:      {{\[\[}}7, 11],
// CHECK-NEXT: [nan, 12],
// CHECK-NEXT: [9, -0]]]

func.func @dtypes(%a: tensor<37xf64>, %b: tensor<5x37xbf16>, %c: tensor<37x3xi32>,
                  %d: tensor<37xi1>, %e: tensor<40xui8>)
    -> (tensor<36x2xf64>, tensor<2x12x3x4xbf16>, tensor<1x3x37xi32>, tensor<7x5xi1>,
        tensor<40x1xui8>) {
  %0 = tx.windows %a dims = [0] sizes = [2] strides = [1] dilations = [1] : tensor<37xf64> -> tensor<36x2xf64>
  %1 = tx.windows %b dims = [0, 1] sizes = [3, 4] strides = [2, 3] dilations = [1, 1] : tensor<5x37xbf16> -> tensor<2x12x3x4xbf16>
  %2 = tx.windows %c dims = [0] sizes = [37] strides = [1] dilations = [1] : tensor<37x3xi32> -> tensor<1x3x37xi32>
  %3 = tx.windows %d dims = [0] sizes = [5] strides = [3] dilations = [4] : tensor<37xi1> -> tensor<7x5xi1>
  %4 = tx.windows %e dims = [0] sizes = [1] strides = [1] dilations = [9] : tensor<40xui8> -> tensor<40x1xui8>
  return %0, %1, %2, %3, %4
      : tensor<36x2xf64>, tensor<2x12x3x4xbf16>, tensor<1x3x37xi32>, tensor<7x5xi1>, tensor<40x1xui8>
}

// Largest and mean of 3x3 windows, NHWC, at the edges of what is padded.
func.func @pool(%x: tensor<2x9x11x5xf32>) -> (tensor<2x5x6x5xf32>, tensor<2x4x5x5xf32>) {
  %low = tx.constant dense<0xFF800000> : tensor<f32>
  %p = tx.pad %x, %low low = [0, 1, 1, 0] high = [0, 1, 1, 0] interior = [0, 0, 0, 0] : tensor<2x9x11x5xf32> -> tensor<2x11x13x5xf32>
  %w = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [2, 2] dilations = [1, 1] : tensor<2x11x13x5xf32> -> tensor<2x5x6x5x3x3xf32>
  %max = tx.reduce_max %w dims = [4, 5] : tensor<2x5x6x5x3x3xf32> -> tensor<2x5x6x5xf32>
  %v = tx.windows %x dims = [1, 2] sizes = [3, 3] strides = [2, 2] dilations = [1, 1] : tensor<2x9x11x5xf32> -> tensor<2x4x5x5x3x3xf32>
  %sum = tx.sum %v dims = [4, 5] : tensor<2x4x5x5x3x3xf32> -> tensor<2x4x5x5xf32>
  %nine = tx.constant dense<9.0> : tensor<2x4x5x5xf32>
  %mean = tx.div %sum, %nine : tensor<2x4x5x5xf32>
  return %max, %mean : tensor<2x5x6x5xf32>, tensor<2x4x5x5xf32>
}

// NCW with a bias and an activation behind it.
func.func @conv1d(%x: tensor<2x3x50xf32>, %w: tensor<7x3x5xf32>, %b: tensor<7xf32>) -> tensor<2x24x7xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %p = tx.pad %x, %zero low = [0, 0, 2] high = [0, 0, 0] interior = [0, 0, 0] : tensor<2x3x50xf32> -> tensor<2x3x52xf32>
  %1 = tx.windows %p dims = [2] sizes = [5] strides = [2] dilations = [1] : tensor<2x3x52xf32> -> tensor<2x3x24x5xf32>
  %2 = tx.dot_general %1, %w batch = [] x [] contracting = [1, 3] x [1, 2] : (tensor<2x3x24x5xf32>, tensor<7x3x5xf32>) -> tensor<2x24x7xf32>
  %3 = tx.broadcast %b dims = [2] : tensor<7xf32> -> tensor<2x24x7xf32>
  %4 = tx.add %2, %3 : tensor<2x24x7xf32>
  %5 = tx.tanh %4 : tensor<2x24x7xf32>
  return %5 : tensor<2x24x7xf32>
}

// NHWC x HWIO, padded, strided, dilated.
func.func @conv2d(%x: tensor<2x17x13x8xf32>, %w: tensor<3x3x8x16xf32>) -> tensor<2x8x5x16xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %p = tx.pad %x, %zero low = [0, 1, 0, 0] high = [0, 1, 0, 0] interior = [0, 0, 0, 0] : tensor<2x17x13x8xf32> -> tensor<2x19x13x8xf32>
  %0 = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [2, 2] dilations = [2, 2] : tensor<2x19x13x8xf32> -> tensor<2x8x5x8x3x3xf32>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<2x8x5x8x3x3xf32>, tensor<3x3x8x16xf32>) -> tensor<2x8x5x16xf32>
  return %1 : tensor<2x8x5x16xf32>
}

// Gaps between the elements of x, and the kernel backwards.
func.func @transposed(%x: tensor<1x4x5x3xf32>, %w: tensor<3x3x3x6xf32>) -> tensor<1x9x11x6xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %p = tx.pad %x, %zero low = [0, 2, 2, 0] high = [0, 2, 2, 0] interior = [0, 1, 1, 0] : tensor<1x4x5x3xf32> -> tensor<1x11x13x3xf32>
  %0 = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<1x11x13x3xf32> -> tensor<1x9x11x3x3x3xf32>
  %r = tx.slice %w offsets = [2, 2, 0, 0] strides = [-1, -1, 1, 1] : tensor<3x3x3x6xf32> -> tensor<3x3x3x6xf32>
  %1 = tx.dot_general %0, %r batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<1x9x11x3x3x3xf32>, tensor<3x3x3x6xf32>) -> tensor<1x9x11x6xf32>
  return %1 : tensor<1x9x11x6xf32>
}

func.func @conv3d(%x: tensor<1x5x6x7x3xf64>, %w: tensor<2x3x2x3x5xf64>) -> tensor<1x4x4x6x5xf64> {
  %0 = tx.windows %x dims = [1, 2, 3] sizes = [2, 3, 2] strides = [1, 1, 1] dilations = [1, 1, 1] : tensor<1x5x6x7x3xf64> -> tensor<1x4x4x6x3x2x3x2xf64>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [5, 6, 7, 4] x [0, 1, 2, 3] : (tensor<1x4x4x6x3x2x3x2xf64>, tensor<2x3x2x3x5xf64>) -> tensor<1x4x4x6x5xf64>
  return %1 : tensor<1x4x4x6x5xf64>
}

// A kernel per channel: groups are batch dimensions.
func.func @depthwise(%x: tensor<2x9x9x12xf32>, %w: tensor<12x3x3xf32>) -> tensor<12x2x7x7xf32> {
  %0 = tx.windows %x dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<2x9x9x12xf32> -> tensor<2x7x7x12x3x3xf32>
  %1 = tx.dot_general %0, %w batch = [3] x [0] contracting = [4, 5] x [1, 2] : (tensor<2x7x7x12x3x3xf32>, tensor<12x3x3xf32>) -> tensor<12x2x7x7xf32>
  return %1 : tensor<12x2x7x7xf32>
}

func.func @half(%x: tensor<1x8x8x4xbf16>, %w: tensor<3x3x4x8xbf16>, %y: tensor<1x8x8x4xi32>, %v: tensor<3x3x4x8xi32>)
    -> (tensor<1x6x6x8xbf16>, tensor<1x6x6x8xi32>) {
  %0 = tx.windows %x dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<1x8x8x4xbf16> -> tensor<1x6x6x4x3x3xbf16>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<1x6x6x4x3x3xbf16>, tensor<3x3x4x8xbf16>) -> tensor<1x6x6x8xbf16>
  %2 = tx.windows %y dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<1x8x8x4xi32> -> tensor<1x6x6x4x3x3xi32>
  %3 = tx.dot_general %2, %v batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<1x6x6x4x3x3xi32>, tensor<3x3x4x8xi32>) -> tensor<1x6x6x8xi32>
  return %1, %3 : tensor<1x6x6x8xbf16>, tensor<1x6x6x8xi32>
}

func.func @symbolic(%x: tensor<?x?x8xf32, #tx.dims<[b, n, 8]>> {tx.name = "x"}, %w: tensor<3x8x4xf32>)
    -> (tensor<?x?x4xf32, #tx.dims<[b, (n - 3) floordiv 2 + 1, 4]>>,
        tensor<?x?x8xf32, #tx.dims<[b, n - 2, 8]>>) {
  %0 = tx.windows %x dims = [1] sizes = [3] strides = [2] dilations = [1]
      : tensor<?x?x8xf32, #tx.dims<[b, n, 8]>> -> tensor<?x?x8x3xf32, #tx.dims<[b, (n - 3) floordiv 2 + 1, 8, 3]>>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [3, 2] x [0, 1]
      : (tensor<?x?x8x3xf32, #tx.dims<[b, (n - 3) floordiv 2 + 1, 8, 3]>>, tensor<3x8x4xf32>)
      -> tensor<?x?x4xf32, #tx.dims<[b, (n - 3) floordiv 2 + 1, 4]>>
  %2 = tx.windows %x dims = [1] sizes = [3] strides = [1] dilations = [1]
      : tensor<?x?x8xf32, #tx.dims<[b, n, 8]>> -> tensor<?x?x8x3xf32, #tx.dims<[b, n - 2, 8, 3]>>
  %3 = tx.reduce_max %2 dims = [3] : tensor<?x?x8x3xf32, #tx.dims<[b, n - 2, 8, 3]>> -> tensor<?x?x8xf32, #tx.dims<[b, n - 2, 8]>>
  return %1, %3 : tensor<?x?x4xf32, #tx.dims<[b, (n - 3) floordiv 2 + 1, 4]>>, tensor<?x?x8xf32, #tx.dims<[b, n - 2, 8]>>
}
// SMALL: a window of 3 does not fit into dimension 1
