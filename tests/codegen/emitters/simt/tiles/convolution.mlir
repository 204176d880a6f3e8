// A convolution as an implicit product: tiles run through images, lines and pixels; windows and padding are copied.
//
// RUN: %tensorc explain %s --target=cuda:sm_80 | FileCheck %s --check-prefix=EXPLAIN
// RUN: %tensorc explain %s --target=cuda:sm_80 --entry=first | FileCheck %s --check-prefix=FIRST
// RUN: %tensorc explain %s --target=rocm:gfx942 --entry=depthwise | FileCheck %s --check-prefix=DEPTH
// RUN: %tensorc explain %s --target=cuda:sm_80 --entry=floats | FileCheck %s --check-prefix=FLOATS
// RUN: %tensorc compile %s --target=cuda:sm_80 --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --target=cuda:sm_80 --entry=first --stop-after=emit | FileCheck %s --check-prefix=NCHW

// EXPLAIN:      1 kernel
// EXPLAIN:      pad_dot_general_add_max (contraction)
// EXPLAIN:      order    matrix
// FIRST:        1 kernel
// FIRST:        ops      constant pad windows dot_general transpose broadcast add constant max
// FIRST:        order    matrix
// DEPTH:        1 kernel
// DEPTH:        (row)
// FLOATS:       1 kernel
// FLOATS:       order    fma

// 8 * 28 * 28 rows are 98 tiles of 64, with 2 of columns.
// CHECK-LABEL:  gpu.func @pad_dot_general_add_max
// CHECK:        gpu.block_id  x upper_bound 196
// The thread's rows are split before the first slice, in 32 bits.
// CHECK:        arith.remui %{{.*}}, %c28_i32
// CHECK:        arith.divui %{{.*}}, %c28_i32
// The padding is where nothing is read.
// CHECK:        %[[INSIDE:.*]] = arith.andi
// CHECK:        txk.copy_async %arg0[%{{.*}}] to %{{.*}} if %[[INSIDE]]
// CHECK:        txk.copy_async %arg1[%{{[0-9]+}}] to %{{[a-z_0-9]+}}[%{{[0-9]+}}] :
// CHECK:        txk.copy_commit
// In the loop over k nothing is divided by lines or images; by kernel positions once.
// CHECK:        scf.for {{.*}} -> (!txk.fragment<sum, f32>
// CHECK-NOT:    {{(rem|div)ui .*%c28_i32}}
// CHECK:        txk.tile_mma
func.func @main(%x: tensor<8x28x28x64xf16>, %w: tensor<3x3x64x128xf16>, %b: tensor<128xf16>) -> tensor<8x28x28x128xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 1, 1, 0] high = [0, 1, 1, 0] interior = [0, 0, 0, 0] : tensor<8x28x28x64xf16> -> tensor<8x30x30x64xf16>
  %0 = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<8x30x30x64xf16> -> tensor<8x28x28x64x3x3xf16>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<8x28x28x64x3x3xf16>, tensor<3x3x64x128xf16>) -> tensor<8x28x28x128xf16>
  %2 = tx.broadcast %b dims = [3] : tensor<128xf16> -> tensor<8x28x28x128xf16>
  %3 = tx.add %1, %2 : tensor<8x28x28x128xf16>
  %z = tx.constant dense<0.0> : tensor<8x28x28x128xf16>
  %4 = tx.max %3, %z : tensor<8x28x28x128xf16>
  return %4 : tensor<8x28x28x128xf16>
}

// Channels are rows here, pixels columns, so that stores are consecutive; the kernels are copied along k.
// NCHW:         txk.copy_async %arg1
// NCHW-NOT:     txk.copy_async %arg0
// NCHW:         vector.store %{{.*}}, %arg3[%{{.*}}] {alignment = 16 : i64}
func.func @first(%x: tensor<8x64x28x28xf16>, %w: tensor<128x64x3x3xf16>, %b: tensor<128xf16>) -> tensor<8x128x28x28xf16> {
  %zero = tx.constant dense<0.0> : tensor<f16>
  %p = tx.pad %x, %zero low = [0, 0, 1, 1] high = [0, 0, 1, 1] interior = [0, 0, 0, 0] : tensor<8x64x28x28xf16> -> tensor<8x64x30x30xf16>
  %0 = tx.windows %p dims = [2, 3] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<8x64x30x30xf16> -> tensor<8x64x28x28x3x3xf16>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [1, 4, 5] x [1, 2, 3] : (tensor<8x64x28x28x3x3xf16>, tensor<128x64x3x3xf16>) -> tensor<8x28x28x128xf16>
  %t = tx.transpose %1 permutation = [0, 3, 1, 2] : tensor<8x28x28x128xf16> -> tensor<8x128x28x28xf16>
  %2 = tx.broadcast %b dims = [1] : tensor<128xf16> -> tensor<8x128x28x28xf16>
  %3 = tx.add %t, %2 : tensor<8x128x28x28xf16>
  %z = tx.constant dense<0.0> : tensor<8x128x28x28xf16>
  %4 = tx.max %3, %z : tensor<8x128x28x28xf16>
  return %4 : tensor<8x128x28x28xf16>
}

func.func @depthwise(%x: tensor<2x24x9x9xf16>, %w: tensor<24x1x3x3xf16>) -> tensor<24x2x7x7x1xf16> {
  %0 = tx.windows %x dims = [2, 3] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<2x24x9x9xf16> -> tensor<2x24x7x7x3x3xf16>
  %1 = tx.dot_general %0, %w batch = [1] x [0] contracting = [4, 5] x [2, 3] : (tensor<2x24x7x7x3x3xf16>, tensor<24x1x3x3xf16>) -> tensor<24x2x7x7x1xf16>
  return %1 : tensor<24x2x7x7x1xf16>
}

func.func @floats(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<1x8x8x8xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %p = tx.pad %x, %zero low = [0, 1, 1, 0] high = [0, 1, 1, 0] interior = [0, 0, 0, 0] : tensor<1x8x8x3xf32> -> tensor<1x10x10x3xf32>
  %0 = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<1x10x10x3xf32> -> tensor<1x8x8x3x3x3xf32>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<1x8x8x3x3x3xf32>, tensor<3x3x3x8xf32>) -> tensor<1x8x8x8xf32>
  return %1 : tensor<1x8x8x8xf32>
}
