// Element-mapped ops become one loop, whatever they do to the shape.
//
// RUN: %tensorc-opt %s --split-input-file --tx-fuse-ops | FileCheck %s

// CHECK-LABEL: @chain
// CHECK:       tx.fusion "loop" "mul_exp"
// CHECK-NOT:   tx.fusion
func.func @chain(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.mul %x, %x : tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.exp %0 : tensor<?xf32, #tx.dims<[n]>>
  return %1 : tensor<?xf32, #tx.dims<[n]>>
}

// -----

// Shape ops cost nothing inside; constants of one value are cloned into it.
// CHECK-LABEL: @shapes
// CHECK:       tx.fusion "loop" "pad_add"
// CHECK:       tx.transpose
// CHECK:       tx.constant
// CHECK:       tx.yield
// CHECK-NOT:   tx.fusion
func.func @shapes(%x: tensor<3x4xf32>, %b: tensor<5xf32>) -> tensor<4x5xf32> {
  %z = tx.constant dense<0.0> : tensor<f32>
  %0 = tx.transpose %x permutation = [1, 0] : tensor<3x4xf32> -> tensor<4x3xf32>
  %1 = tx.pad %0, %z low = [0, 1] high = [0, 1] interior = [0, 0] : tensor<4x3xf32> -> tensor<4x5xf32>
  %2 = tx.broadcast %b dims = [1] : tensor<5xf32> -> tensor<4x5xf32>
  %3 = tx.add %1, %2 : tensor<4x5xf32>
  return %3 : tensor<4x5xf32>
}

// -----

// A value that leaves the function and is read again is an output beside.
// CHECK-LABEL: @outputs
// CHECK:       %[[R:.*]]:2 = tx.fusion "loop"
// CHECK-NOT:   tx.fusion
// CHECK:       return %[[R]]#1, %[[R]]#0
func.func @outputs(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = tx.mul %x, %x : tensor<8xf32>
  %1 = tx.exp %0 : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Kernels over one shape that read the same become one.
// CHECK-LABEL: @siblings
// CHECK:       tx.fusion "loop"
// CHECK-NOT:   tx.fusion
func.func @siblings(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = tx.mul %x, %x : tensor<8xf32>
  %1 = tx.exp %x : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// An output beside must not close a circle: the contraction reads the product,
// and the sum reads both.
// CHECK-LABEL: @no_circle
// CHECK:       tx.fusion "loop" "mul"
// CHECK:       tx.fusion "contraction" "dot_general"
// CHECK:       tx.fusion "loop" "add"
func.func @no_circle(%x: tensor<8x8xf32>, %w: tensor<8x9xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = tx.mul %x, %x : tensor<8x8xf32>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  %2 = tx.slice %1 offsets = [0, 1] strides = [1, 1] : tensor<8x9xf32> -> tensor<8x8xf32>
  %3 = tx.add %0, %2 : tensor<8x8xf32>
  return %0, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// A costly value that a broadcast repeats is stored once.
// CHECK-LABEL: @broadcast_of_costly
// CHECK:       tx.fusion "loop" "exp"
// CHECK:       tx.fusion "loop" "add"
// CHECK-SAME:  notes = ["exp stays outside: it is costly and would be computed again along a broadcast"]
func.func @broadcast_of_costly(%x: tensor<8x9xf32>, %b: tensor<9xf32>) -> tensor<8x9xf32> {
  %0 = tx.exp %b : tensor<9xf32>
  %1 = tx.broadcast %0 dims = [1] : tensor<9xf32> -> tensor<8x9xf32>
  %2 = tx.add %x, %1 : tensor<8x9xf32>
  return %2 : tensor<8x9xf32>
}

// -----

// A reshape of what is in memory is a view, not a kernel.
// CHECK-LABEL: @view
// CHECK:       tx.fusion "loop" "exp"
// CHECK:       tx.reshape
// CHECK-NOT:   tx.fusion
func.func @view(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = tx.exp %x : tensor<2x3xf32>
  %1 = tx.reshape %0 : tensor<2x3xf32> -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// -----

// Chained stencils would double their reads at each step: some are stored.
// CHECK-LABEL: @stencils
// CHECK:       tx.fusion "loop" "add_mul"
// CHECK:       tx.fusion "loop" "add"
// CHECK-SAME:  mul stays outside: it is read at 6 different indices
func.func @stencils(%x: tensor<64xf32>) -> tensor<55xf32> {
  %a = tx.slice %x offsets = [0] strides = [1] : tensor<64xf32> -> tensor<62xf32>
  %b = tx.slice %x offsets = [2] strides = [1] : tensor<64xf32> -> tensor<62xf32>
  %0 = tx.add %a, %b : tensor<62xf32>
  %n = tx.mul %0, %0 : tensor<62xf32>
  %c = tx.slice %n offsets = [0] strides = [1] : tensor<62xf32> -> tensor<60xf32>
  %d = tx.slice %n offsets = [5] strides = [1] : tensor<62xf32> -> tensor<57xf32>
  %c2 = tx.slice %c offsets = [0] strides = [1] : tensor<60xf32> -> tensor<57xf32>
  %1 = tx.add %c2, %d : tensor<57xf32>
  %e = tx.slice %1 offsets = [0] strides = [1] : tensor<57xf32> -> tensor<55xf32>
  %f = tx.slice %1 offsets = [2] strides = [1] : tensor<57xf32> -> tensor<55xf32>
  %g = tx.slice %1 offsets = [1] strides = [1] : tensor<57xf32> -> tensor<55xf32>
  %2 = tx.add %e, %f : tensor<55xf32>
  %3 = tx.add %2, %g : tensor<55xf32>
  return %3 : tensor<55xf32>
}

// -----

// A circle through a view: the sum reads the product and, through a reshape
// and another kernel, the product again.
// CHECK-LABEL: @no_circle_through_view
// CHECK:       %[[P:.*]] = tx.fusion "loop" "mul"
// CHECK:       tx.reshape %[[P]]
// CHECK:       tx.fusion "contraction"
// CHECK:       tx.fusion "loop" "add"
func.func @no_circle_through_view(%x: tensor<4x2xf32>, %w: tensor<8x9xf32>) -> (tensor<1x8xf32>, tensor<4x2xf32>) {
  %0 = tx.mul %x, %x : tensor<4x2xf32>
  %1 = tx.reshape %0 : tensor<4x2xf32> -> tensor<1x8xf32>
  %2 = tx.dot_general %1, %w batch = [] x [] contracting = [1] x [0] : (tensor<1x8xf32>, tensor<8x9xf32>) -> tensor<1x9xf32>
  %3 = tx.slice %2 offsets = [0, 1] strides = [1, 1] : tensor<1x9xf32> -> tensor<1x8xf32>
  %4 = tx.reshape %3 : tensor<1x8xf32> -> tensor<4x2xf32>
  %5 = tx.add %0, %4 : tensor<4x2xf32>
  return %1, %5 : tensor<1x8xf32>, tensor<4x2xf32>
}

// -----

// A kernel holds the work of 96 cheap ops; a costly one is the work of 8.
// CHECK-LABEL: @costly
// CHECK:       tx.fusion "loop" "exp"
// CHECK:         tx.exp
// CHECK-NEXT:    tx.yield
// CHECK:       tx.fusion "loop"
// CHECK-COUNT-12: tx.exp
// CHECK-NOT:   tx.exp
func.func @costly(%0: tensor<9xf32>) -> tensor<9xf32> {
  %1 = tx.exp %0 : tensor<9xf32>
  %2 = tx.exp %1 : tensor<9xf32>
  %3 = tx.exp %2 : tensor<9xf32>
  %4 = tx.exp %3 : tensor<9xf32>
  %5 = tx.exp %4 : tensor<9xf32>
  %6 = tx.exp %5 : tensor<9xf32>
  %7 = tx.exp %6 : tensor<9xf32>
  %8 = tx.exp %7 : tensor<9xf32>
  %9 = tx.exp %8 : tensor<9xf32>
  %10 = tx.exp %9 : tensor<9xf32>
  %11 = tx.exp %10 : tensor<9xf32>
  %12 = tx.exp %11 : tensor<9xf32>
  %13 = tx.exp %12 : tensor<9xf32>
  return %13 : tensor<9xf32>
}

// -----

// Concatenates that read one another are divided: LLVM's time grows with the cube of their depth.
// CHECK-LABEL: @nested_concatenates
// CHECK-COUNT-2: tx.fusion "loop"
// CHECK-NOT:   tx.fusion
func.func @nested_concatenates(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %row = tx.slice %x offsets = [0, 0] strides = [1, 1] : tensor<4x8xf32> -> tensor<1x8xf32>
  %s0 = tx.slice %x offsets = [1, 0] strides = [1, 1] : tensor<4x8xf32> -> tensor<3x8xf32>
  %c0 = tx.concatenate %s0, %row dim = 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %s1 = tx.slice %c0 offsets = [1, 0] strides = [1, 1] : tensor<4x8xf32> -> tensor<3x8xf32>
  %c1 = tx.concatenate %s1, %row dim = 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %s2 = tx.slice %c1 offsets = [1, 0] strides = [1, 1] : tensor<4x8xf32> -> tensor<3x8xf32>
  %c2 = tx.concatenate %s2, %row dim = 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %s3 = tx.slice %c2 offsets = [1, 0] strides = [1, 1] : tensor<4x8xf32> -> tensor<3x8xf32>
  %c3 = tx.concatenate %s3, %row dim = 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %s4 = tx.slice %c3 offsets = [1, 0] strides = [1, 1] : tensor<4x8xf32> -> tensor<3x8xf32>
  %c4 = tx.concatenate %s4, %row dim = 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %s5 = tx.slice %c4 offsets = [1, 0] strides = [1, 1] : tensor<4x8xf32> -> tensor<3x8xf32>
  %c5 = tx.concatenate %s5, %row dim = 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %s6 = tx.slice %c5 offsets = [1, 0] strides = [1, 1] : tensor<4x8xf32> -> tensor<3x8xf32>
  %c6 = tx.concatenate %s6, %row dim = 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %s7 = tx.slice %c6 offsets = [1, 0] strides = [1, 1] : tensor<4x8xf32> -> tensor<3x8xf32>
  %c7 = tx.concatenate %s7, %row dim = 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %s8 = tx.slice %c7 offsets = [1, 0] strides = [1, 1] : tensor<4x8xf32> -> tensor<3x8xf32>
  %c8 = tx.concatenate %s8, %row dim = 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %s9 = tx.slice %c8 offsets = [1, 0] strides = [1, 1] : tensor<4x8xf32> -> tensor<3x8xf32>
  %c9 = tx.concatenate %s9, %row dim = 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return %c9 : tensor<4x8xf32>
}
