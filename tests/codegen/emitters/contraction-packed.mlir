// A convolution whose kernels are packed multiplies pixels by vectors of
// channels, which it reads in place. The result lies along pixels, so each tile
// is turned in registers before it is stored.
//
// RUN: tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit -o - | FileCheck %s
// RUN: %tensorc run %s --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=sizes --shape=x:1,3,9,9 --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=sizes --shape=x:2,3,22,31 --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=strided --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=rest --random-inputs --compare=reference
// RUN: tensorc compile %s --target=cpu:x86-64-v3 --emit=asm -o - > /dev/null
// RUN: tensorc compile %s --target=cpu:aarch64 --emit=asm -o - > /dev/null

// Two rows of seven pixels, and two vectors of channels. No panel is filled.
// Of the image each step asks for the pixels of the next tile, and of the next
// block of kernels for a fourth of as many, since four tiles read them.
// The mask of the rows is constant.
// CHECK-LABEL: func.func @dot_general_mul_add_max
// CHECK-DAG:   arith.constant dense<[true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false]> : vector<16xi1>
// CHECK-NOT:   memref.view
// CHECK:       %[[TILE:.*]] = arith.remui %{{.*}}, %c4
// CHECK:       memref.prefetch %arg0
// CHECK:       %[[FIRST:.*]] = arith.muli %[[TILE]], %c4608
// CHECK:       %[[STEP:.*]] = arith.addi %[[FIRST]]
// CHECK:       arith.muli %[[STEP]], %c8
// CHECK:       memref.prefetch %arg1
// CHECK-NOT:   memref.prefetch
// CHECK-COUNT-28: vector.fma
// CHECK-NOT:   vector.fma
// A square of seven rows.
// CHECK-COUNT-40: vector.shuffle
// CHECK:       scf.for
// CHECK:       vector.maskedload
// CHECK:       arith.addf
// CHECK:       vector.maskedstore
// The last tile is one row.
// CHECK:       } else {
// CHECK-COUNT-14: vector.fma
// CHECK-NOT:   vector.fma
// CHECK-LABEL: func.func
func.func @main(%x: tensor<1x512x9x9xf32>, %w: tensor<2x512x3x3x32xf32>, %r: tensor<1x2x32x7x7xf32>) -> tensor<1x2x32x7x7xf32> {
  %s = tx.constant dense<0.01> : tensor<1x2x32x7x7xf32>
  %0 = tx.windows %x dims = [2, 3] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<1x512x9x9xf32> -> tensor<1x512x7x7x3x3xf32>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<1x512x7x7x3x3xf32>, tensor<2x512x3x3x32xf32>) -> tensor<1x7x7x2x32xf32>
  %2 = tx.transpose %1 permutation = [0, 3, 4, 1, 2] : tensor<1x7x7x2x32xf32> -> tensor<1x2x32x7x7xf32>
  %3 = tx.mul %2, %s : tensor<1x2x32x7x7xf32>
  %4 = tx.add %3, %r : tensor<1x2x32x7x7xf32>
  %5 = tx.relu %4 : tensor<1x2x32x7x7xf32>
  return %5 : tensor<1x2x32x7x7xf32>
}

// Rows that no tile divides, and sizes that are named.
func.func @sizes(%x: tensor<?x3x?x?xf32, #tx.dims<[n, 3, h, w]>> {tx.name = "x"}, %w: tensor<1x3x1x1x32xf32>) -> tensor<?x1x32x?x?xf32, #tx.dims<[n, 1, 32, h, w]>> {
  %0 = tx.windows %x dims = [2, 3] sizes = [1, 1] strides = [1, 1] dilations = [1, 1] : tensor<?x3x?x?xf32, #tx.dims<[n, 3, h, w]>> -> tensor<?x3x?x?x1x1xf32, #tx.dims<[n, 3, h, w, 1, 1]>>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<?x3x?x?x1x1xf32, #tx.dims<[n, 3, h, w, 1, 1]>>, tensor<1x3x1x1x32xf32>) -> tensor<?x?x?x1x32xf32, #tx.dims<[n, h, w, 1, 32]>>
  %2 = tx.transpose %1 permutation = [0, 3, 4, 1, 2] : tensor<?x?x?x1x32xf32, #tx.dims<[n, h, w, 1, 32]>> -> tensor<?x1x32x?x?xf32, #tx.dims<[n, 1, 32, h, w]>>
  return %2 : tensor<?x1x32x?x?xf32, #tx.dims<[n, 1, 32, h, w]>>
}

func.func @strided(%x: tensor<2x3x21x31xf32>, %w: tensor<3x3x3x3x32xf32>) -> tensor<2x3x32x10x15xf32> {
  %0 = tx.windows %x dims = [2, 3] sizes = [3, 3] strides = [2, 2] dilations = [1, 1] : tensor<2x3x21x31xf32> -> tensor<2x3x10x15x3x3xf32>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<2x3x10x15x3x3xf32>, tensor<3x3x3x3x32xf32>) -> tensor<2x10x15x3x32xf32>
  %2 = tx.transpose %1 permutation = [0, 3, 4, 1, 2] : tensor<2x10x15x3x32xf32> -> tensor<2x3x32x10x15xf32>
  return %2 : tensor<2x3x32x10x15xf32>
}

// 31 pixels are no whole tiles: the last one has a mask of its own.
// CHECK-LABEL: func.func
// CHECK-LABEL: func.func
// CHECK:       arith.select %{{.*}} : vector<16xi1>
func.func @rest(%x: tensor<1x4x4x33xf32>, %w: tensor<1x4x3x3x32xf32>) -> tensor<1x1x32x2x31xf32> {
  %0 = tx.windows %x dims = [2, 3] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<1x4x4x33xf32> -> tensor<1x4x2x31x3x3xf32>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<1x4x2x31x3x3xf32>, tensor<1x4x3x3x32xf32>) -> tensor<1x2x31x1x32xf32>
  %2 = tx.transpose %1 permutation = [0, 3, 4, 1, 2] : tensor<1x2x31x1x32xf32> -> tensor<1x1x32x2x31xf32>
  return %2 : tensor<1x1x32x2x31xf32>
}
