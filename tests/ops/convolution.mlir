// Convolutions: contractions of windows, on a grid as implicit products of matrices.
//
// RUN: %run_op | FileCheck %s
// RUN: %run_op --entry=first --random-inputs --compare=reference
// RUN: %run_op --entry=last --random-inputs --compare=reference
// RUN: %run_op --entry=strided --random-inputs --compare=reference
// RUN: %run_op --entry=strided_first --random-inputs --compare=reference
// RUN: %run_op --entry=pointwise --random-inputs --compare=reference
// RUN: %run_op --entry=pointwise_last --random-inputs --compare=reference
// RUN: %run_op --entry=larger --random-inputs --compare=reference
// RUN: %run_op --entry=one --random-inputs --compare=reference
// RUN: %run_op --entry=groups --random-inputs --compare=reference
// RUN: %run_op --entry=groups_last --random-inputs --compare=reference
// RUN: %run_op --entry=depthwise --random-inputs --compare=reference
// RUN: %run_op --entry=depthwise_first --random-inputs --compare=reference
// RUN: %run_op --entry=gaps --random-inputs --compare=reference
// RUN: %run_op --entry=line --random-inputs --compare=reference
// RUN: %run_op --entry=volume --random-inputs --compare=reference
// RUN: %run_op --entry=empty --random-inputs --compare=reference
// RUN: %run_op --entry=floats --random-inputs --compare=reference
// RUN: %run_op --entry=floats_last --random-inputs --compare=reference
// RUN: %run_op --entry=doubles --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:3,9,8,16 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:1,1,8,16 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:0,5,8,16 --compare=reference

// Padding is zeros, which times infinity is NaN; what no window of a
// result sees does not reach it.
func.func @main() -> tensor<1x4x1x1xf16> {
  %i = tx.iota dim = 1 : tensor<1x4x1x16xf16>
  %zero = tx.constant dense<0.0> : tensor<f16>
  %inf = tx.constant dense<0x7C00> : tensor<3x1x16x1xf16>
  %p = tx.pad %i, %zero low = [0, 1, 0, 0] high = [0, 1, 0, 0] interior = [0, 0, 0, 0] : tensor<1x4x1x16xf16> -> tensor<1x6x1x16xf16>
  %v = tx.windows %p dims = [1, 2] sizes = [3, 1] strides = [1, 1] dilations = [1, 1] : tensor<1x6x1x16xf16> -> tensor<1x4x1x16x3x1xf16>
  %c = tx.dot_general %v, %inf batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<1x4x1x16x3x1xf16>, tensor<3x1x16x1xf16>) -> tensor<1x4x1x1xf16>
  return %c : tensor<1x4x1x1xf16>
}
// CHECK:      out0: f16[1,4,1,1]
// CHECK-NEXT: {{\[\[\[\[}}nan]],
// CHECK:      {{\[\[}}nan]],
// CHECK:      {{\[\[}}inf]],
// CHECK:      {{\[\[}}nan]]]]

// Images and lines that have a name.
func.func @named(%x: tensor<?x?x8x16xf16, #tx.dims<[b, n, 8, 16]>> {tx.name = "x"}, %w: tensor<3x3x16x24xf16>)
    -> tensor<?x?x8x24xf16, #tx.dims<[b, n, 8, 24]>> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 1, 1, 0] high = [0, 1, 1, 0] interior = [0, 0, 0, 0] : tensor<?x?x8x16xf16, #tx.dims<[b, n, 8, 16]>> -> tensor<?x?x10x16xf16, #tx.dims<[b, n + 2, 10, 16]>>
  %v = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<?x?x10x16xf16, #tx.dims<[b, n + 2, 10, 16]>> -> tensor<?x?x8x16x3x3xf16, #tx.dims<[b, n, 8, 16, 3, 3]>>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<?x?x8x16x3x3xf16, #tx.dims<[b, n, 8, 16, 3, 3]>>, tensor<3x3x16x24xf16>) -> tensor<?x?x8x24xf16, #tx.dims<[b, n, 8, 24]>>
  return %c : tensor<?x?x8x24xf16, #tx.dims<[b, n, 8, 24]>>
}

// Channels first, as PyTorch has them: result and bias too.
func.func @first(%x: tensor<2x16x9x11xf16>, %w: tensor<24x16x3x3xf16>, %b: tensor<24xf16>) -> tensor<2x24x9x11xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 0, 1, 1] high = [0, 0, 1, 1] interior = [0, 0, 0, 0] : tensor<2x16x9x11xf16> -> tensor<2x16x11x13xf16>
  %v = tx.windows %p dims = [2, 3] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<2x16x11x13xf16> -> tensor<2x16x9x11x3x3xf16>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<2x16x9x11x3x3xf16>, tensor<24x16x3x3xf16>) -> tensor<2x9x11x24xf16>
  %t = tx.transpose %c permutation = [0, 3, 1, 2] : tensor<2x9x11x24xf16> -> tensor<2x24x9x11xf16>
  %bb = tx.broadcast %b dims = [1] : tensor<24xf16> -> tensor<2x24x9x11xf16>
  %s = tx.add %t, %bb : tensor<2x24x9x11xf16>
  %zb = tx.broadcast %zero dims = [] : tensor<f16> -> tensor<2x24x9x11xf16>
  %r = tx.max %s, %zb : tensor<2x24x9x11xf16>
  return %r : tensor<2x24x9x11xf16>
}

// Channels last: 16 bytes of x at once, also beside the padding.
func.func @last(%x: tensor<2x9x11x16xbf16>, %w: tensor<3x3x16x24xbf16>, %b: tensor<24xbf16>) -> tensor<2x9x11x24xbf16> {
  %zero = tx.constant dense<0.0> : tensor<bf16>
  %p = tx.pad %x, %zero low = [0, 1, 1, 0] high = [0, 1, 1, 0] interior = [0, 0, 0, 0] : tensor<2x9x11x16xbf16> -> tensor<2x11x13x16xbf16>
  %v = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<2x11x13x16xbf16> -> tensor<2x9x11x16x3x3xbf16>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<2x9x11x16x3x3xbf16>, tensor<3x3x16x24xbf16>) -> tensor<2x9x11x24xbf16>
  %bb = tx.broadcast %b dims = [3] : tensor<24xbf16> -> tensor<2x9x11x24xbf16>
  %s = tx.add %c, %bb : tensor<2x9x11x24xbf16>
  %zb = tx.broadcast %zero dims = [] : tensor<bf16> -> tensor<2x9x11x24xbf16>
  %r = tx.max %s, %zb : tensor<2x9x11x24xbf16>
  return %r : tensor<2x9x11x24xbf16>
}

// Strides, dilations, uneven padding.
func.func @strided(%x: tensor<1x17x13x8xf16>, %w: tensor<3x3x8x40xf16>, %b: tensor<40xf16>) -> tensor<1x7x5x40xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 0, 2, 0] high = [0, 1, 0, 0] interior = [0, 0, 0, 0] : tensor<1x17x13x8xf16> -> tensor<1x18x15x8xf16>
  %v = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [2, 3] dilations = [2, 1] : tensor<1x18x15x8xf16> -> tensor<1x7x5x8x3x3xf16>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<1x7x5x8x3x3xf16>, tensor<3x3x8x40xf16>) -> tensor<1x7x5x40xf16>
  %bb = tx.broadcast %b dims = [3] : tensor<40xf16> -> tensor<1x7x5x40xf16>
  %s = tx.add %c, %bb : tensor<1x7x5x40xf16>
  %zb = tx.broadcast %zero dims = [] : tensor<f16> -> tensor<1x7x5x40xf16>
  %r = tx.max %s, %zb : tensor<1x7x5x40xf16>
  return %r : tensor<1x7x5x40xf16>
}

// The same with sizes that nothing divides.
func.func @strided_first(%x: tensor<3x5x13x19xbf16>, %w: tensor<17x5x3x2xbf16>, %b: tensor<17xbf16>) -> tensor<3x17x6x6xbf16> {
  %zero = tx.constant dense<0.0> : tensor<bf16>
  %p = tx.pad %x, %zero low = [0, 0, 0, 2] high = [0, 0, 1, 0] interior = [0, 0, 0, 0] : tensor<3x5x13x19xbf16> -> tensor<3x5x14x21xbf16>
  %v = tx.windows %p dims = [2, 3] sizes = [3, 2] strides = [2, 3] dilations = [1, 4] : tensor<3x5x14x21xbf16> -> tensor<3x5x6x6x3x2xbf16>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<3x5x6x6x3x2xbf16>, tensor<17x5x3x2xbf16>) -> tensor<3x6x6x17xbf16>
  %t = tx.transpose %c permutation = [0, 3, 1, 2] : tensor<3x6x6x17xbf16> -> tensor<3x17x6x6xbf16>
  %bb = tx.broadcast %b dims = [1] : tensor<17xbf16> -> tensor<3x17x6x6xbf16>
  %s = tx.add %t, %bb : tensor<3x17x6x6xbf16>
  %zb = tx.broadcast %zero dims = [] : tensor<bf16> -> tensor<3x17x6x6xbf16>
  %r = tx.max %s, %zb : tensor<3x17x6x6xbf16>
  return %r : tensor<3x17x6x6xbf16>
}

// 1 x 1: a product of matrices.
func.func @pointwise(%x: tensor<2x32x7x8xf16>, %w: tensor<24x32x1x1xf16>, %b: tensor<24xf16>) -> tensor<2x24x7x8xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %v = tx.windows %x dims = [2, 3] sizes = [1, 1] strides = [1, 1] dilations = [1, 1] : tensor<2x32x7x8xf16> -> tensor<2x32x7x8x1x1xf16>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<2x32x7x8x1x1xf16>, tensor<24x32x1x1xf16>) -> tensor<2x7x8x24xf16>
  %t = tx.transpose %c permutation = [0, 3, 1, 2] : tensor<2x7x8x24xf16> -> tensor<2x24x7x8xf16>
  %bb = tx.broadcast %b dims = [1] : tensor<24xf16> -> tensor<2x24x7x8xf16>
  %s = tx.add %t, %bb : tensor<2x24x7x8xf16>
  %zb = tx.broadcast %zero dims = [] : tensor<f16> -> tensor<2x24x7x8xf16>
  %r = tx.max %s, %zb : tensor<2x24x7x8xf16>
  return %r : tensor<2x24x7x8xf16>
}

func.func @pointwise_last(%x: tensor<2x7x8x32xf16>, %w: tensor<1x1x32x24xf16>) -> tensor<2x7x8x24xf16> {
  %v = tx.windows %x dims = [1, 2] sizes = [1, 1] strides = [1, 1] dilations = [1, 1] : tensor<2x7x8x32xf16> -> tensor<2x7x8x32x1x1xf16>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<2x7x8x32x1x1xf16>, tensor<1x1x32x24xf16>) -> tensor<2x7x8x24xf16>
  return %c : tensor<2x7x8x24xf16>
}

// A kernel larger than the image.
func.func @larger(%x: tensor<1x2x3x16xf16>, %w: tensor<5x5x16x8xf16>, %b: tensor<8xf16>) -> tensor<1x2x3x8xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 2, 2, 0] high = [0, 2, 2, 0] interior = [0, 0, 0, 0] : tensor<1x2x3x16xf16> -> tensor<1x6x7x16xf16>
  %v = tx.windows %p dims = [1, 2] sizes = [5, 5] strides = [1, 1] dilations = [1, 1] : tensor<1x6x7x16xf16> -> tensor<1x2x3x16x5x5xf16>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<1x2x3x16x5x5xf16>, tensor<5x5x16x8xf16>) -> tensor<1x2x3x8xf16>
  %bb = tx.broadcast %b dims = [3] : tensor<8xf16> -> tensor<1x2x3x8xf16>
  %s = tx.add %c, %bb : tensor<1x2x3x8xf16>
  %zb = tx.broadcast %zero dims = [] : tensor<f16> -> tensor<1x2x3x8xf16>
  %r = tx.max %s, %zb : tensor<1x2x3x8xf16>
  return %r : tensor<1x2x3x8xf16>
}

// One window.
func.func @one(%x: tensor<1x16x3x3xf16>, %w: tensor<32x16x3x3xf16>, %b: tensor<32xf16>) -> tensor<1x32x1x1xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %v = tx.windows %x dims = [2, 3] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<1x16x3x3xf16> -> tensor<1x16x1x1x3x3xf16>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<1x16x1x1x3x3xf16>, tensor<32x16x3x3xf16>) -> tensor<1x1x1x32xf16>
  %t = tx.transpose %c permutation = [0, 3, 1, 2] : tensor<1x1x1x32xf16> -> tensor<1x32x1x1xf16>
  %bb = tx.broadcast %b dims = [1] : tensor<32xf16> -> tensor<1x32x1x1xf16>
  %s = tx.add %t, %bb : tensor<1x32x1x1xf16>
  %zb = tx.broadcast %zero dims = [] : tensor<f16> -> tensor<1x32x1x1xf16>
  %r = tx.max %s, %zb : tensor<1x32x1x1xf16>
  return %r : tensor<1x32x1x1xf16>
}

// Groups are batches.
func.func @groups(%x: tensor<2x32x6x7xf16>, %w: tensor<48x16x3x3xf16>, %b: tensor<48xf16>) -> tensor<2x48x6x7xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 0, 1, 1] high = [0, 0, 1, 1] interior = [0, 0, 0, 0] : tensor<2x32x6x7xf16> -> tensor<2x32x8x9xf16>
  %g = tx.reshape %p : tensor<2x32x8x9xf16> -> tensor<2x2x16x8x9xf16>
  %k = tx.reshape %w : tensor<48x16x3x3xf16> -> tensor<2x24x16x3x3xf16>
  %v = tx.windows %g dims = [3, 4] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<2x2x16x8x9xf16> -> tensor<2x2x16x6x7x3x3xf16>
  %c = tx.dot_general %v, %k batch = [1] x [0] contracting = [2, 5, 6] x [2, 3, 4] : (tensor<2x2x16x6x7x3x3xf16>, tensor<2x24x16x3x3xf16>) -> tensor<2x2x6x7x24xf16>
  %t = tx.transpose %c permutation = [1, 0, 4, 2, 3] : tensor<2x2x6x7x24xf16> -> tensor<2x2x24x6x7xf16>
  %m = tx.reshape %t : tensor<2x2x24x6x7xf16> -> tensor<2x48x6x7xf16>
  %bb = tx.broadcast %b dims = [1] : tensor<48xf16> -> tensor<2x48x6x7xf16>
  %s = tx.add %m, %bb : tensor<2x48x6x7xf16>
  %zb = tx.broadcast %zero dims = [] : tensor<f16> -> tensor<2x48x6x7xf16>
  %r = tx.max %s, %zb : tensor<2x48x6x7xf16>
  return %r : tensor<2x48x6x7xf16>
}

func.func @groups_last(%x: tensor<2x6x7x32xf16>, %w: tensor<3x3x16x48xf16>, %b: tensor<48xf16>) -> tensor<2x6x7x48xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 1, 1, 0] high = [0, 1, 1, 0] interior = [0, 0, 0, 0] : tensor<2x6x7x32xf16> -> tensor<2x8x9x32xf16>
  %g = tx.reshape %p : tensor<2x8x9x32xf16> -> tensor<2x8x9x2x16xf16>
  %k = tx.reshape %w : tensor<3x3x16x48xf16> -> tensor<3x3x16x2x24xf16>
  %v = tx.windows %g dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<2x8x9x2x16xf16> -> tensor<2x6x7x2x16x3x3xf16>
  %c = tx.dot_general %v, %k batch = [3] x [3] contracting = [5, 6, 4] x [0, 1, 2] : (tensor<2x6x7x2x16x3x3xf16>, tensor<3x3x16x2x24xf16>) -> tensor<2x2x6x7x24xf16>
  %t = tx.transpose %c permutation = [1, 2, 3, 0, 4] : tensor<2x2x6x7x24xf16> -> tensor<2x6x7x2x24xf16>
  %m = tx.reshape %t : tensor<2x6x7x2x24xf16> -> tensor<2x6x7x48xf16>
  %bb = tx.broadcast %b dims = [3] : tensor<48xf16> -> tensor<2x6x7x48xf16>
  %s = tx.add %m, %bb : tensor<2x6x7x48xf16>
  %zb = tx.broadcast %zero dims = [] : tensor<f16> -> tensor<2x6x7x48xf16>
  %r = tx.max %s, %zb : tensor<2x6x7x48xf16>
  return %r : tensor<2x6x7x48xf16>
}

// A kernel per channel.
func.func @depthwise(%x: tensor<2x9x7x24xf16>, %w: tensor<3x3x1x24xf16>, %b: tensor<24xf16>) -> tensor<2x9x7x24xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 1, 1, 0] high = [0, 1, 1, 0] interior = [0, 0, 0, 0] : tensor<2x9x7x24xf16> -> tensor<2x11x9x24xf16>
  %g = tx.reshape %p : tensor<2x11x9x24xf16> -> tensor<2x11x9x24x1xf16>
  %k = tx.reshape %w : tensor<3x3x1x24xf16> -> tensor<3x3x1x24x1xf16>
  %v = tx.windows %g dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<2x11x9x24x1xf16> -> tensor<2x9x7x24x1x3x3xf16>
  %c = tx.dot_general %v, %k batch = [3] x [3] contracting = [5, 6, 4] x [0, 1, 2] : (tensor<2x9x7x24x1x3x3xf16>, tensor<3x3x1x24x1xf16>) -> tensor<24x2x9x7x1xf16>
  %t = tx.transpose %c permutation = [1, 2, 3, 0, 4] : tensor<24x2x9x7x1xf16> -> tensor<2x9x7x24x1xf16>
  %m = tx.reshape %t : tensor<2x9x7x24x1xf16> -> tensor<2x9x7x24xf16>
  %bb = tx.broadcast %b dims = [3] : tensor<24xf16> -> tensor<2x9x7x24xf16>
  %s = tx.add %m, %bb : tensor<2x9x7x24xf16>
  %zb = tx.broadcast %zero dims = [] : tensor<f16> -> tensor<2x9x7x24xf16>
  %r = tx.max %s, %zb : tensor<2x9x7x24xf16>
  return %r : tensor<2x9x7x24xf16>
}

func.func @depthwise_first(%x: tensor<2x6x9x7xf16>, %w: tensor<12x1x3x3xf16>, %b: tensor<12xf16>) -> tensor<2x12x5x7xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 0, 1, 1] high = [0, 0, 1, 1] interior = [0, 0, 0, 0] : tensor<2x6x9x7xf16> -> tensor<2x6x11x9xf16>
  %g = tx.reshape %p : tensor<2x6x11x9xf16> -> tensor<2x6x1x11x9xf16>
  %k = tx.reshape %w : tensor<12x1x3x3xf16> -> tensor<6x2x1x3x3xf16>
  %v = tx.windows %g dims = [3, 4] sizes = [3, 3] strides = [2, 1] dilations = [1, 1] : tensor<2x6x1x11x9xf16> -> tensor<2x6x1x5x7x3x3xf16>
  %c = tx.dot_general %v, %k batch = [1] x [0] contracting = [2, 5, 6] x [2, 3, 4] : (tensor<2x6x1x5x7x3x3xf16>, tensor<6x2x1x3x3xf16>) -> tensor<6x2x5x7x2xf16>
  %t = tx.transpose %c permutation = [1, 0, 4, 2, 3] : tensor<6x2x5x7x2xf16> -> tensor<2x6x2x5x7xf16>
  %m = tx.reshape %t : tensor<2x6x2x5x7xf16> -> tensor<2x12x5x7xf16>
  %bb = tx.broadcast %b dims = [1] : tensor<12xf16> -> tensor<2x12x5x7xf16>
  %s = tx.add %m, %bb : tensor<2x12x5x7xf16>
  %zb = tx.broadcast %zero dims = [] : tensor<f16> -> tensor<2x12x5x7xf16>
  %r = tx.max %s, %zb : tensor<2x12x5x7xf16>
  return %r : tensor<2x12x5x7xf16>
}

// Gaps between the elements of x, as in a transposed convolution.
func.func @gaps(%x: tensor<1x4x5x16xf16>, %w: tensor<3x3x16x16xf16>, %b: tensor<16xf16>) -> tensor<1x9x15x16xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 2, 2, 0] high = [0, 2, 2, 0] interior = [0, 1, 2, 0] : tensor<1x4x5x16xf16> -> tensor<1x11x17x16xf16>
  %v = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<1x11x17x16xf16> -> tensor<1x9x15x16x3x3xf16>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<1x9x15x16x3x3xf16>, tensor<3x3x16x16xf16>) -> tensor<1x9x15x16xf16>
  %bb = tx.broadcast %b dims = [3] : tensor<16xf16> -> tensor<1x9x15x16xf16>
  %s = tx.add %c, %bb : tensor<1x9x15x16xf16>
  %zb = tx.broadcast %zero dims = [] : tensor<f16> -> tensor<1x9x15x16xf16>
  %r = tx.max %s, %zb : tensor<1x9x15x16xf16>
  return %r : tensor<1x9x15x16xf16>
}

// Of signals and of volumes.
func.func @line(%x: tensor<2x3x50xf16>, %w: tensor<16x3x7xf16>, %b: tensor<16xf16>) -> tensor<2x16x25xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 0, 3] high = [0, 0, 3] interior = [0, 0, 0] : tensor<2x3x50xf16> -> tensor<2x3x56xf16>
  %v = tx.windows %p dims = [2] sizes = [7] strides = [2] dilations = [1] : tensor<2x3x56xf16> -> tensor<2x3x25x7xf16>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [1, 3] x [1, 2] : (tensor<2x3x25x7xf16>, tensor<16x3x7xf16>) -> tensor<2x25x16xf16>
  %t = tx.transpose %c permutation = [0, 2, 1] : tensor<2x25x16xf16> -> tensor<2x16x25xf16>
  %bb = tx.broadcast %b dims = [1] : tensor<16xf16> -> tensor<2x16x25xf16>
  %s = tx.add %t, %bb : tensor<2x16x25xf16>
  %zb = tx.broadcast %zero dims = [] : tensor<f16> -> tensor<2x16x25xf16>
  %r = tx.max %s, %zb : tensor<2x16x25xf16>
  return %r : tensor<2x16x25xf16>
}

func.func @volume(%x: tensor<1x4x5x6x8xbf16>, %w: tensor<2x3x2x8x16xbf16>, %b: tensor<16xbf16>) -> tensor<1x4x5x5x16xbf16> {
  %zero = tx.constant dense<0.0> : tensor<bf16>
  %p = tx.pad %x, %zero low = [0, 0, 1, 0, 0] high = [0, 1, 1, 0, 0] interior = [0, 0, 0, 0, 0] : tensor<1x4x5x6x8xbf16> -> tensor<1x5x7x6x8xbf16>
  %v = tx.windows %p dims = [1, 2, 3] sizes = [2, 3, 2] strides = [1, 1, 1] dilations = [1, 1, 1] : tensor<1x5x7x6x8xbf16> -> tensor<1x4x5x5x8x2x3x2xbf16>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [5, 6, 7, 4] x [0, 1, 2, 3] : (tensor<1x4x5x5x8x2x3x2xbf16>, tensor<2x3x2x8x16xbf16>) -> tensor<1x4x5x5x16xbf16>
  %bb = tx.broadcast %b dims = [4] : tensor<16xbf16> -> tensor<1x4x5x5x16xbf16>
  %s = tx.add %c, %bb : tensor<1x4x5x5x16xbf16>
  %zb = tx.broadcast %zero dims = [] : tensor<bf16> -> tensor<1x4x5x5x16xbf16>
  %r = tx.max %s, %zb : tensor<1x4x5x5x16xbf16>
  return %r : tensor<1x4x5x5x16xbf16>
}

// No image at all.
func.func @empty(%x: tensor<0x16x5x5xf16>, %w: tensor<24x16x3x3xf16>, %b: tensor<24xf16>) -> tensor<0x24x5x5xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 0, 1, 1] high = [0, 0, 1, 1] interior = [0, 0, 0, 0] : tensor<0x16x5x5xf16> -> tensor<0x16x7x7xf16>
  %v = tx.windows %p dims = [2, 3] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<0x16x7x7xf16> -> tensor<0x16x5x5x3x3xf16>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<0x16x5x5x3x3xf16>, tensor<24x16x3x3xf16>) -> tensor<0x5x5x24xf16>
  %t = tx.transpose %c permutation = [0, 3, 1, 2] : tensor<0x5x5x24xf16> -> tensor<0x24x5x5xf16>
  %bb = tx.broadcast %b dims = [1] : tensor<24xf16> -> tensor<0x24x5x5xf16>
  %s = tx.add %t, %bb : tensor<0x24x5x5xf16>
  %zb = tx.broadcast %zero dims = [] : tensor<f16> -> tensor<0x24x5x5xf16>
  %r = tx.max %s, %zb : tensor<0x24x5x5xf16>
  return %r : tensor<0x24x5x5xf16>
}

// Other dtypes go one by one.
func.func @floats(%x: tensor<2x7x9x11xf32>, %w: tensor<19x7x3x3xf32>, %b: tensor<19xf32>) -> tensor<2x19x9x11xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %p = tx.pad %x, %zero low = [0, 0, 1, 1] high = [0, 0, 1, 1] interior = [0, 0, 0, 0] : tensor<2x7x9x11xf32> -> tensor<2x7x11x13xf32>
  %v = tx.windows %p dims = [2, 3] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<2x7x11x13xf32> -> tensor<2x7x9x11x3x3xf32>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<2x7x9x11x3x3xf32>, tensor<19x7x3x3xf32>) -> tensor<2x9x11x19xf32>
  %t = tx.transpose %c permutation = [0, 3, 1, 2] : tensor<2x9x11x19xf32> -> tensor<2x19x9x11xf32>
  %bb = tx.broadcast %b dims = [1] : tensor<19xf32> -> tensor<2x19x9x11xf32>
  %s = tx.add %t, %bb : tensor<2x19x9x11xf32>
  %zb = tx.broadcast %zero dims = [] : tensor<f32> -> tensor<2x19x9x11xf32>
  %r = tx.max %s, %zb : tensor<2x19x9x11xf32>
  return %r : tensor<2x19x9x11xf32>
}

func.func @floats_last(%x: tensor<2x9x11x7xf32>, %w: tensor<3x3x7x19xf32>, %b: tensor<19xf32>) -> tensor<2x5x11x19xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %p = tx.pad %x, %zero low = [0, 1, 1, 0] high = [0, 1, 1, 0] interior = [0, 0, 0, 0] : tensor<2x9x11x7xf32> -> tensor<2x11x13x7xf32>
  %v = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [2, 1] dilations = [1, 1] : tensor<2x11x13x7xf32> -> tensor<2x5x11x7x3x3xf32>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<2x5x11x7x3x3xf32>, tensor<3x3x7x19xf32>) -> tensor<2x5x11x19xf32>
  %bb = tx.broadcast %b dims = [3] : tensor<19xf32> -> tensor<2x5x11x19xf32>
  %s = tx.add %c, %bb : tensor<2x5x11x19xf32>
  %zb = tx.broadcast %zero dims = [] : tensor<f32> -> tensor<2x5x11x19xf32>
  %r = tx.max %s, %zb : tensor<2x5x11x19xf32>
  return %r : tensor<2x5x11x19xf32>
}

func.func @doubles(%x: tensor<1x3x7x5xf64>, %w: tensor<5x3x3x3xf64>, %b: tensor<5xf64>) -> tensor<1x5x7x5xf64> {
  %zero = tx.constant dense<0.0> : tensor<f64>
  %p = tx.pad %x, %zero low = [0, 0, 1, 1] high = [0, 0, 1, 1] interior = [0, 0, 0, 0] : tensor<1x3x7x5xf64> -> tensor<1x3x9x7xf64>
  %v = tx.windows %p dims = [2, 3] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<1x3x9x7xf64> -> tensor<1x3x7x5x3x3xf64>
  %c = tx.dot_general %v, %w batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<1x3x7x5x3x3xf64>, tensor<5x3x3x3xf64>) -> tensor<1x7x5x5xf64>
  %t = tx.transpose %c permutation = [0, 3, 1, 2] : tensor<1x7x5x5xf64> -> tensor<1x5x7x5xf64>
  %bb = tx.broadcast %b dims = [1] : tensor<5xf64> -> tensor<1x5x7x5xf64>
  %s = tx.add %t, %bb : tensor<1x5x7x5xf64>
  %zb = tx.broadcast %zero dims = [] : tensor<f64> -> tensor<1x5x7x5xf64>
  %r = tx.max %s, %zb : tensor<1x5x7x5xf64>
  return %r : tensor<1x5x7x5xf64>
}
