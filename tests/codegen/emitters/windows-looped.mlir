// Windows of many positions: a loop over their lines, with the states of the order's lanes in memory.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --entry=depthwise --stop-after=emit -o - | FileCheck %s
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=depthwise --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=strided --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=volume --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=largest --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=average --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=parts --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=product --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=prime --random-inputs --compare=reference
//
// The bits are those of the order, so those of other devices with the same order.
// RUN: %tensorc run %s --entry=depthwise --random-inputs --device=cpu > %t.cpu
// RUN: env TENSORC_TEST_CPU=haswell %tensorc run %s --entry=depthwise --random-inputs --device=cpu > %t.haswell
// RUN: diff %t.cpu %t.haswell
//
// A sum of zeros is +0, whatever their signs.
// RUN: %npy %t.npy f32 '[[-0.0, -0.0, -0.0, -0.0], [-0.0, -0.0, -0.0, -0.0]]'
// RUN: %tensorc run %s --entry=zeros --input=%t.npy | FileCheck %s --check-prefix=ZEROS
// ZEROS:      [0, 0, 0, 0]
// ZEROS-NEXT: [0, 0, 0, 0]

module attributes {tx.target = "cpu:x86-64-v4"} {
// A line of 11 positions is unrolled for 4 rows of outputs. There are 32 lanes of 4 vectors of 16 elements.
// CHECK-LABEL: func.func @pad_mul_sum(
// CHECK:       %[[STATES:.*]] = memref.alloca() {{.*}} : memref<2048xf32>
// CHECK:       scf.for
// CHECK:       scf.for {{.*}} step %c16
// CHECK:       scf.for {{.*}} to %c2048 step %c16
// CHECK-NEXT:    vector.store {{.*}} %[[STATES]]
// CHECK:       scf.for %[[LINE:.*]] = %c0 to %c11 step %c1
// CHECK:         %[[BEGIN:.*]] = arith.muli %[[LINE]], %c11
// CHECK-COUNT-4: arith.mulf
// CHECK-NOT:     arith.mulf
// CHECK:         arith.andi %[[BEGIN]], %c31
// CHECK-COUNT-40: arith.mulf
// CHECK-NOT:   arith.mulf
// CHECK:       scf.for {{.*}} to %c1024 step %c16
// CHECK:       scf.for {{.*}} to %c512 step %c16
// CHECK:       scf.for {{.*}} to %c256 step %c16
// CHECK:       scf.for {{.*}} to %c128 step %c16
// CHECK:       scf.for {{.*}} to %c64 step %c16
// CHECK-NOT:   arith.mulf
// CHECK:       return
func.func @depthwise(%x: tensor<2x3x20x37xf32>, %k: tensor<3x1x11x11xf32>) -> tensor<2x3x20x37xf32> {
  %0 = tx.conv %x, %k groups = 3 sizes = [11, 11] strides = [1, 1] dilations = [1, 1] low = [5, 5] high = [5, 5] input_dilations = [1, 1] : (tensor<2x3x20x37xf32>, tensor<3x1x11x11xf32>) -> tensor<2x3x20x37xf32>
  return %0 : tensor<2x3x20x37xf32>
}

func.func @strided(%x: tensor<1x2x31x50xbf16>, %k: tensor<2x1x9x13xbf16>) -> tensor<1x2x16x25xbf16> {
  %0 = tx.conv %x, %k groups = 2 sizes = [9, 13] strides = [2, 2] dilations = [1, 1] low = [4, 6] high = [4, 6] input_dilations = [1, 1] : (tensor<1x2x31x50xbf16>, tensor<2x1x9x13xbf16>) -> tensor<1x2x16x25xbf16>
  return %0 : tensor<1x2x16x25xbf16>
}

func.func @volume(%x: tensor<1x2x6x7x19xf64>, %k: tensor<2x1x5x5x5xf64>) -> tensor<1x2x6x7x19xf64> {
  %0 = tx.conv %x, %k groups = 2 sizes = [5, 5, 5] strides = [1, 1, 1] dilations = [1, 1, 1] low = [2, 2, 2] high = [2, 2, 2] input_dilations = [1, 1, 1] : (tensor<1x2x6x7x19xf64>, tensor<2x1x5x5x5xf64>) -> tensor<1x2x6x7x19xf64>
  return %0 : tensor<1x2x6x7x19xf64>
}

// A maximum has one state, in a register.
func.func @largest(%x: tensor<3x30x41xf32>) -> tensor<3x19x30xf32> {
  %0 = tx.reduce_window %x max dims = [1, 2] sizes = [12, 12] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] : (tensor<3x30x41xf32>) -> tensor<3x19x30xf32>
  return %0 : tensor<3x19x30xf32>
}

func.func @average(%x: tensor<3x30x41xf16>) -> tensor<3x15x26xf16> {
  %0 = tx.reduce_window %x mean dims = [1, 2] sizes = [16, 16] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] : (tensor<3x30x41xf16>) -> tensor<3x15x26xf16>
  return %0 : tensor<3x15x26xf16>
}

// A line of 192 positions is three parts of 64.
func.func @parts(%x: tensor<3x260xi32>) -> tensor<3x69xi32> {
  %0 = tx.reduce_window %x sum dims = [1] sizes = [192] strides = [1] dilations = [1] low = [0] high = [0] : (tensor<3x260xi32>) -> tensor<3x69xi32>
  return %0 : tensor<3x69xi32>
}

func.func @product(%x: tensor<3x100xf64>) -> tensor<3x21xf64> {
  %0 = tx.reduce_window %x prod dims = [1] sizes = [80] strides = [1] dilations = [1] low = [0] high = [0] : (tensor<3x100xf64>) -> tensor<3x21xf64>
  return %0 : tensor<3x21xf64>
}

// No part of a line of 127 positions is long enough, so another skeleton computes it.
func.func @prime(%x: tensor<3x200xf32>) -> tensor<3x74xf32> {
  %0 = tx.reduce_window %x sum dims = [1] sizes = [127] strides = [1] dilations = [1] low = [0] high = [0] : (tensor<3x200xf32>) -> tensor<3x74xf32>
  return %0 : tensor<3x74xf32>
}

func.func @zeros(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %z = tx.constant dense<-0.0> : tensor<f32>
  %p = tx.pad %x, %z low = [0, 40] high = [0, 40] interior = [0, 0] : tensor<2x4xf32> -> tensor<2x84xf32>
  %0 = tx.reduce_window %p sum dims = [1] sizes = [81] strides = [1] dilations = [1] low = [0] high = [0] : (tensor<2x84xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
}
