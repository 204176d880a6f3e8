// Reductions over few elements each: lanes run along the output.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s --check-prefix=BOUNDS
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s --check-prefix=BEHIND
// RUN: %tensorc run %s --entry=largest --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=every_other --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=any_width --random-inputs --shape=x:2,5 --compare=reference
// RUN: %tensorc run %s --entry=any_width --random-inputs --shape=x:3,70 --compare=reference
// RUN: %tensorc run %s --entry=rows_of_two --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=repeated --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=repeated --device=sim:0 --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=whole --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=padded --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=rows_left --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=padded_every_other --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=large --random-inputs --compare=reference

// A sum of zeros is +0, whatever their signs.
// RUN: %npy %t.npy f32 '[[-0.0, -0.0, -0.0, -0.0, 1.0], [-0.0, -0.0, 0.0, -0.0, -1.0]]'
// RUN: %tensorc run %s --entry=zeros --device=cpu --input=%t.npy | FileCheck %s --check-prefix=ZEROS
// ZEROS:      [0, 0, 1]
// ZEROS-NEXT: [0, 0, -1]

module attributes {tx.target = "cpu:x86-64-v4"} {
// Each position of the window is a vector of outputs; no branches, no shuffles of sums. Four rows of outputs are computed together: they read
// five rows of two vectors, and the larger of these two is computed once. The last vector of a row begins early enough to be whole.
// CHECK-LABEL: func.func @reduce_max(
// CHECK:       scf.for
// CHECK:       scf.for %[[I:.*]] = {{.*}} step %c16
// CHECK:       arith.minui %[[I]], %c4
// CHECK-NOT:   memref.prefetch
// CHECK-COUNT-10: vector.load {{.*}} vector<16xf32>
// CHECK-NOT:   vector.load
// CHECK-NOT:   scf.if
// CHECK-NOT:   vector.shuffle
// CHECK-NOT:   vector.maskedstore
// CHECK:       vector.store
// CHECK-NOT:   scf.for
// CHECK:       return
func.func @largest(%x: tensor<3x9x21xf32>) -> tensor<3x8x20xf32> {
  %0 = tx.windows %x dims = [1, 2] sizes = [2, 2] strides = [1, 1] dilations = [1, 1] : tensor<3x9x21xf32> -> tensor<3x8x20x2x2xf32>
  %1 = tx.reduce_max %0 dims = [3, 4] : tensor<3x8x20x2x2xf32> -> tensor<3x8x20xf32>
  return %1 : tensor<3x8x20xf32>
}

// Every other element: two loads and a shuffle, not a gather.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT:   vector.gather
// CHECK:       vector.load {{.*}} vector<16xf32>
// CHECK:       vector.load {{.*}} vector<16xf32>
// CHECK:       vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31]
// CHECK:       vector.store
func.func @every_other(%x: tensor<5x33xf32>) -> tensor<5x16xf32> {
  %0 = tx.windows %x dims = [1] sizes = [3] strides = [2] dilations = [1] : tensor<5x33xf32> -> tensor<5x16x3xf32>
  %1 = tx.sum %0 dims = [2] : tensor<5x16x3xf32> -> tensor<5x16xf32>
  return %1 : tensor<5x16xf32>
}

func.func @any_width(%x: tensor<?x?xbf16, #tx.dims<[n, w]>> {tx.name = "x"}) -> tensor<?x?xbf16, #tx.dims<[n, w - 2]>> {
  %0 = tx.windows %x dims = [1] sizes = [3] strides = [1] dilations = [1] : tensor<?x?xbf16, #tx.dims<[n, w]>> -> tensor<?x?x3xbf16, #tx.dims<[n, w - 2, 3]>>
  %1 = tx.prod %0 dims = [2] : tensor<?x?x3xbf16, #tx.dims<[n, w - 2, 3]>> -> tensor<?x?xbf16, #tx.dims<[n, w - 2]>>
  return %1 : tensor<?x?xbf16, #tx.dims<[n, w - 2]>>
}

// A mean over all of an image has rows of its own: lanes along what is summed.
// CHECK-LABEL: func.func @sum_0(
// CHECK:       vector<32xf32>
func.func @whole(%x: tensor<40x7x7xf32>) -> tensor<40xf32> {
  %0 = tx.sum %x dims = [1, 2] : tensor<40x7x7xf32> -> tensor<40xf32>
  return %0 : tensor<40xf32>
}

// Padding of a sum is what the masked loads give anyway. Which columns are there is compared once for all rows, in 32 bits. Four rows
// read six, of which the first and the last, and two of three columns, may be outside. The sum begins with its first elements; the 0 that it would have begun with is added in the end.
// BOUNDS-LABEL: func.func @pad_mul_sum(
// BOUNDS-COUNT-2: arith.cmpi {{.*}} vector<16xi32>
// BOUNDS-NOT:   arith.cmpi {{.*}} vector<16xi32>
// BOUNDS:       return
// CHECK-LABEL: func.func @pad_mul_sum(
// CHECK-NOT:   vector<16xindex>
// CHECK:       scf.for {{.*}} step %c16
// CHECK-COUNT-14: vector.maskedload
// CHECK-NOT:   vector.maskedload
// CHECK-NOT:   arith.select
// CHECK:       %[[ALL:.*]] = arith.addf %{{[0-9]+}}, %cst{{.*}}
// CHECK-COUNT-3: arith.addf %{{[0-9]+}}, %cst{{.*}}
// CHECK-NOT:   arith.addf
// CHECK:       vector.store %[[ALL]]
func.func @padded(%x: tensor<3x20x29xf32>, %w: tensor<3x3x3xf32>) -> tensor<3x20x29xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %p = tx.pad %x, %zero low = [0, 1, 1] high = [0, 1, 1] interior = [0, 0, 0] : tensor<3x20x29xf32> -> tensor<3x22x31xf32>
  %v = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<3x22x31xf32> -> tensor<3x20x29x3x3xf32>
  %b = tx.broadcast %w dims = [0, 3, 4] : tensor<3x3x3xf32> -> tensor<3x20x29x3x3xf32>
  %m = tx.mul %v, %b : tensor<3x20x29x3x3xf32>
  %s = tx.sum %m dims = [3, 4] : tensor<3x20x29x3x3xf32> -> tensor<3x20x29xf32>
  return %s : tensor<3x20x29xf32>
}

// Of seven rows, four are computed together, and then three.
// CHECK-LABEL: func.func @pad_mul_sum_0(
// CHECK:       scf.if
// CHECK-COUNT-18: vector.maskedload {{.*}} vector<8xf32>
// CHECK-COUNT-4: vector.maskedstore
// CHECK:       } else {
// CHECK-COUNT-15: vector.maskedload {{.*}} vector<8xf32>
// CHECK-COUNT-3: vector.maskedstore
func.func @rows_left(%x: tensor<3x7x7xf32>, %w: tensor<3x3x3xf32>) -> tensor<3x7x7xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %p = tx.pad %x, %zero low = [0, 1, 1] high = [0, 1, 1] interior = [0, 0, 0] : tensor<3x7x7xf32> -> tensor<3x9x9xf32>
  %v = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<3x9x9xf32> -> tensor<3x7x7x3x3xf32>
  %b = tx.broadcast %w dims = [0, 3, 4] : tensor<3x3x3xf32> -> tensor<3x7x7x3x3xf32>
  %m = tx.mul %v, %b : tensor<3x7x7x3x3xf32>
  %s = tx.sum %m dims = [3, 4] : tensor<3x7x7x3x3xf32> -> tensor<3x7x7xf32>
  return %s : tensor<3x7x7xf32>
}

// Every other column: the masks are shuffled once for all rows of the window, two for each of the columns that may be outside.
// CHECK-LABEL: func.func @pad_mul_sum_1(
// CHECK-NOT:   vector<16xindex>
// CHECK:       scf.for {{.*}} step %c16
// CHECK-COUNT-4: vector.shuffle {{.*}} vector<16xi1>
// CHECK-NOT:   vector.shuffle {{.*}} vector<16xi1>
// CHECK:       return
// Columns share loads: of the second vector, and all but one lane of the first column's elements are the last one's. Rows of large images ask for what
// comes 14 KB later in memory, a share of it with each vector.
// CHECK-LABEL: func.func @pad_reduce_max(
// CHECK:       scf.for
// CHECK:       scf.for
// CHECK-COUNT-14: memref.prefetch
// CHECK-NOT:   memref.prefetch
// CHECK:       vector.load {{.*}} vector<16xf32>
// CHECK-NEXT:  vector.load {{.*}} vector<16xf32>
// CHECK-NEXT:  %[[ODD:.*]] = vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31] : vector<16xf32>
// CHECK:       vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30] : vector<16xf32>
// CHECK:       vector.maskedload {{.*}} vector<4xf32>
// CHECK:       vector.shuffle %{{.*}}, %[[ODD]] [0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30] : vector<16xf32>
// CHECK:       return
// CHECK-LABEL: txp.func @largest
// CHECK:       #tx.schedule<"windows", rows = 4>
func.func @padded_every_other(%x: tensor<3x20x61xf32>, %w: tensor<3x3x3xf32>) -> tensor<3x10x31xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %p = tx.pad %x, %zero low = [0, 1, 1] high = [0, 0, 1] interior = [0, 0, 0] : tensor<3x20x61xf32> -> tensor<3x21x63xf32>
  %v = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [2, 2] dilations = [1, 1] : tensor<3x21x63xf32> -> tensor<3x10x31x3x3xf32>
  %b = tx.broadcast %w dims = [0, 3, 4] : tensor<3x3x3xf32> -> tensor<3x10x31x3x3xf32>
  %m = tx.mul %v, %b : tensor<3x10x31x3x3xf32>
  %s = tx.sum %m dims = [3, 4] : tensor<3x10x31x3x3xf32> -> tensor<3x10x31xf32>
  return %s : tensor<3x10x31xf32>
}

func.func @large(%x: tensor<128x56x56xf32>) -> tensor<128x28x28xf32> {
  %low = tx.constant dense<0xFF800000> : tensor<f32>
  %p = tx.pad %x, %low low = [0, 1, 1] high = [0, 0, 0] interior = [0, 0, 0] : tensor<128x56x56xf32> -> tensor<128x57x57xf32>
  %v = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [2, 2] dilations = [1, 1] : tensor<128x57x57xf32> -> tensor<128x28x28x3x3xf32>
  %m = tx.reduce_max %v dims = [3, 4] : tensor<128x28x28x3x3xf32> -> tensor<128x28x28xf32>
  return %m : tensor<128x28x28xf32>
}

// A window is all that two rows have, one behind the other.
func.func @rows_of_two(%x: tensor<5x40x2xf32>) -> tensor<5x39x1xf32> {
  %0 = tx.windows %x dims = [1, 2] sizes = [2, 2] strides = [1, 1] dilations = [1, 1] : tensor<5x40x2xf32> -> tensor<5x39x1x2x2xf32>
  %1 = tx.reduce_min %0 dims = [3, 4] : tensor<5x39x1x2x2xf32> -> tensor<5x39x1xf32>
  return %1 : tensor<5x39x1xf32>
}

// Each window has one element twice in both directions: a row of windows and its rows must not become one loop, whose index would go beyond them.
func.func @repeated(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tx.broadcast %x dims = [0, 2] : tensor<4x4xf32> -> tensor<4x2x4x2xf32>
  %1 = tx.reshape %0 : tensor<4x2x4x2xf32> -> tensor<8x8xf32>
  %2 = tx.windows %1 dims = [0, 1] sizes = [2, 2] strides = [2, 2] dilations = [1, 1] : tensor<8x8xf32> -> tensor<4x4x2x2xf32>
  %3 = tx.reduce_max %2 dims = [2, 3] : tensor<4x4x2x2xf32> -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

func.func @zeros(%x: tensor<2x5xf32>) -> tensor<2x3xf32> {
  %0 = tx.windows %x dims = [1] sizes = [3] strides = [1] dilations = [1] : tensor<2x5xf32> -> tensor<2x3x3xf32>
  %1 = tx.sum %0 dims = [2] : tensor<2x3x3xf32> -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
// What is computed of the sum is computed once, not for each of 25 positions.
// BEHIND-LABEL: txp.func @behind
// BEHIND:       #tx.schedule<"windows"
func.func @behind(%x: tensor<13x37xf32>) -> tensor<9x33xf32> {
  %v = tx.windows %x dims = [0, 1] sizes = [5, 5] strides = [1, 1] dilations = [1, 1] : tensor<13x37xf32> -> tensor<9x33x5x5xf32>
  %s = tx.sum %v dims = [2, 3] : tensor<9x33x5x5xf32> -> tensor<9x33xf32>
  %a = tx.abs %s : tensor<9x33xf32>
  %b = tx.add %a, %s : tensor<9x33xf32>
  %c = tx.mul %b, %a : tensor<9x33xf32>
  %d = tx.sub %c, %b : tensor<9x33xf32>
  %e = tx.mul %d, %c : tensor<9x33xf32>
  %f = tx.add %e, %d : tensor<9x33xf32>
  %g = tx.sub %f, %e : tensor<9x33xf32>
  %h = tx.mul %g, %f : tensor<9x33xf32>
  %i = tx.add %h, %g : tensor<9x33xf32>
  %j = tx.sub %i, %h : tensor<9x33xf32>
  return %j : tensor<9x33xf32>
}
}
