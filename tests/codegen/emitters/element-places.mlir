// Paddings that join parts of one tensor read at a place that is chosen, without a branch. All dims are one kernel.
// RUN: %tensorc compile %s --entry=circular --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --entry=constant --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s --check-prefix=KNOWN
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=circular --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=reflected --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=short --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=of_two --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=nested --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=constant --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=pooled --random-inputs --compare=reference

// CHECK-LABEL: func.func @concatenate(
// CHECK-NOT: scf.if
// CHECK: arith.select
// CHECK-NOT: scf.if
// CHECK: vector.load
// CHECK: vector.maskedload
// CHECK-NOT: func.func
// CHECK: txp.func
func.func @circular(%x: tensor<2x5x6x27xf32>) -> tensor<2x7x9x29xf32> {
  %a = tx.slice %x offsets = [0, 4, 0, 0] strides = [1, 1, 1, 1] : tensor<2x5x6x27xf32> -> tensor<2x1x6x27xf32>
  %b = tx.slice %x offsets = [0, 0, 0, 0] strides = [1, 1, 1, 1] : tensor<2x5x6x27xf32> -> tensor<2x1x6x27xf32>
  %y = tx.concatenate %a, %x, %b dim = 1 : (tensor<2x1x6x27xf32>, tensor<2x5x6x27xf32>, tensor<2x1x6x27xf32>) -> tensor<2x7x6x27xf32>
  %c = tx.slice %y offsets = [0, 0, 4, 0] strides = [1, 1, 1, 1] : tensor<2x7x6x27xf32> -> tensor<2x7x2x27xf32>
  %d = tx.slice %y offsets = [0, 0, 0, 0] strides = [1, 1, 1, 1] : tensor<2x7x6x27xf32> -> tensor<2x7x1x27xf32>
  %z = tx.concatenate %c, %y, %d dim = 2 : (tensor<2x7x2x27xf32>, tensor<2x7x6x27xf32>, tensor<2x7x1x27xf32>) -> tensor<2x7x9x27xf32>
  %e = tx.slice %z offsets = [0, 0, 0, 26] strides = [1, 1, 1, 1] : tensor<2x7x9x27xf32> -> tensor<2x7x9x1xf32>
  %f = tx.slice %z offsets = [0, 0, 0, 0] strides = [1, 1, 1, 1] : tensor<2x7x9x27xf32> -> tensor<2x7x9x1xf32>
  %r = tx.concatenate %e, %z, %f dim = 3 : (tensor<2x7x9x1xf32>, tensor<2x7x9x27xf32>, tensor<2x7x9x1xf32>) -> tensor<2x7x9x29xf32>
  return %r : tensor<2x7x9x29xf32>
}

func.func @reflected(%x: tensor<3x6x40xf32>) -> tensor<3x10x44xf32> {
  %a = tx.slice %x offsets = [0, 2, 0] strides = [1, -1, 1] : tensor<3x6x40xf32> -> tensor<3x2x40xf32>
  %b = tx.slice %x offsets = [0, 4, 0] strides = [1, -1, 1] : tensor<3x6x40xf32> -> tensor<3x2x40xf32>
  %y = tx.concatenate %a, %x, %b dim = 1 : (tensor<3x2x40xf32>, tensor<3x6x40xf32>, tensor<3x2x40xf32>) -> tensor<3x10x40xf32>
  %c = tx.slice %y offsets = [0, 0, 2] strides = [1, 1, -1] : tensor<3x10x40xf32> -> tensor<3x10x2xf32>
  %d = tx.slice %y offsets = [0, 0, 38] strides = [1, 1, -1] : tensor<3x10x40xf32> -> tensor<3x10x2xf32>
  %r = tx.concatenate %c, %y, %d dim = 2 : (tensor<3x10x2xf32>, tensor<3x10x40xf32>, tensor<3x10x2xf32>) -> tensor<3x10x44xf32>
  return %r : tensor<3x10x44xf32>
}

// Rows of fewer elements than lanes: the last dim is chosen by masks.
func.func @short(%x: tensor<3x6x5xf16>) -> tensor<3x8x7xf16> {
  %a = tx.slice %x offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<3x6x5xf16> -> tensor<3x1x5xf16>
  %b = tx.slice %x offsets = [0, 5, 0] strides = [1, 1, 1] : tensor<3x6x5xf16> -> tensor<3x1x5xf16>
  %y = tx.concatenate %a, %x, %b dim = 1 : (tensor<3x1x5xf16>, tensor<3x6x5xf16>, tensor<3x1x5xf16>) -> tensor<3x8x5xf16>
  %c = tx.slice %y offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<3x8x5xf16> -> tensor<3x8x1xf16>
  %d = tx.slice %y offsets = [0, 0, 4] strides = [1, 1, 1] : tensor<3x8x5xf16> -> tensor<3x8x1xf16>
  %r = tx.concatenate %c, %y, %d dim = 2 : (tensor<3x8x1xf16>, tensor<3x8x5xf16>, tensor<3x8x1xf16>) -> tensor<3x8x7xf16>
  return %r : tensor<3x8x7xf16>
}

// Of two tensors: no place to choose, where the last part is another tensor's; and where all are one's, in another order.
func.func @of_two(%x: tensor<4x33xf32>, %y: tensor<2x33xf32>) -> (tensor<10x33xf32>, tensor<33x12xf32>) {
  %r = tx.concatenate %x, %x, %y dim = 0 : (tensor<4x33xf32>, tensor<4x33xf32>, tensor<2x33xf32>) -> tensor<10x33xf32>
  %t = tx.concatenate %x, %x, %x dim = 0 : (tensor<4x33xf32>, tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<12x33xf32>
  %u = tx.transpose %t permutation = [1, 0] : tensor<12x33xf32> -> tensor<33x12xf32>
  return %r, %u : tensor<10x33xf32>, tensor<33x12xf32>
}

// Along one dim twice, and with what is computed between.
func.func @nested(%x: tensor<4x33xf32>) -> (tensor<18x33xf32>, tensor<20x33xf32>) {
  %a = tx.slice %x offsets = [2, 0] strides = [1, 1] : tensor<4x33xf32> -> tensor<2x33xf32>
  %y = tx.concatenate %a, %x dim = 0 : (tensor<2x33xf32>, tensor<4x33xf32>) -> tensor<6x33xf32>
  %z = tx.concatenate %y, %y, %y dim = 0 : (tensor<6x33xf32>, tensor<6x33xf32>, tensor<6x33xf32>) -> tensor<18x33xf32>
  %n = tx.neg %y : tensor<6x33xf32>
  %b = tx.slice %n offsets = [1, 0] strides = [1, 1] : tensor<6x33xf32> -> tensor<2x33xf32>
  %w = tx.concatenate %n, %n, %b, %n dim = 0 : (tensor<6x33xf32>, tensor<6x33xf32>, tensor<2x33xf32>, tensor<6x33xf32>) -> tensor<20x33xf32>
  return %z, %w : tensor<18x33xf32>, tensor<20x33xf32>
}

// The last vector of a row between two borders has a mask that is known.
// KNOWN-LABEL: func.func @pad(
// KNOWN: arith.constant dense<[true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false]> : vector<16xi1>
// KNOWN-NOT: arith.minsi
// KNOWN: txp.func
func.func @constant(%x: tensor<3x5x27xf32>) -> tensor<3x7x29xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %r = tx.pad %x, %zero low = [0, 1, 1] high = [0, 1, 1] interior = [0, 0, 0] : tensor<3x5x27xf32> -> tensor<3x7x29xf32>
  return %r : tensor<3x7x29xf32>
}

// Windows over what is chosen.
func.func @pooled(%x: tensor<3x9x33xf32>) -> tensor<3x9x31xf32> {
  %a = tx.slice %x offsets = [0, 8, 0] strides = [1, 1, 1] : tensor<3x9x33xf32> -> tensor<3x1x33xf32>
  %b = tx.slice %x offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<3x9x33xf32> -> tensor<3x1x33xf32>
  %y = tx.concatenate %a, %x, %b dim = 1 : (tensor<3x1x33xf32>, tensor<3x9x33xf32>, tensor<3x1x33xf32>) -> tensor<3x11x33xf32>
  %w = tx.windows %y dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<3x11x33xf32> -> tensor<3x9x31x3x3xf32>
  %r = tx.reduce_max %w dims = [3, 4] : tensor<3x9x31x3x3xf32> -> tensor<3x9x31xf32>
  return %r : tensor<3x9x31xf32>
}
