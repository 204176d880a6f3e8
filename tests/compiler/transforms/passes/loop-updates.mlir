// Updates and slices of few elements in a loop are element-wise, so that it is one kernel. Their numbers are those of
// the interpreter, with indices out of range.
//
// RUN: %tensorc compile %s --stop-after=fuse | FileCheck %s
// RUN: %tensorc run %s --compare=reference | FileCheck %s --check-prefix=DONE
//
// CHECK-LABEL: @main
// CHECK-NOT: tx.scatter
// CHECK-NOT: tx.dynamic_update_slice
// CHECK-NOT: tx.dynamic_slice
// CHECK: tx.return
// DONE: out0: f32[3,2]
// DONE-NEXT: {{\[}}[9, 9],
// DONE-NEXT: [2, 2],
// DONE-NEXT: [3, 3]]
// DONE: out1: f32[4]
// DONE-NEXT: [1, 2, 3, 5]
// DONE: out2: f32
// DONE-NEXT: 9
func.func @main() -> (tensor<3x2xf32>, tensor<4xf32>, tensor<f32>) {
  %x = tx.constant dense<9.0> : tensor<3x2xf32>
  %y = tx.constant dense<0.0> : tensor<4xf32>
  %z = tx.constant dense<0.0> : tensor<f32>
  %0:3 = tx.scan <[5]> carried = 3 scanned = 0 (%x, %y, %z) : (tensor<3x2xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<3x2xf32>, tensor<4xf32>, tensor<f32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<3x2xf32>, %b: tensor<4xf32>, %c: tensor<f32>):
    %one = tx.constant dense<1.0> : tensor<f32>
    %f = tx.convert %i : tensor<i64> -> tensor<f32>
    %v = tx.add %f, %one : tensor<f32>
    // Rows 1 and 2; 3 to 5 are dropped.
    %first = tx.constant dense<1> : tensor<i64>
    %row = tx.add %i, %first : tensor<i64>
    %w = tx.add %v, %one : tensor<f32>
    %at = tx.reshape %row : tensor<i64> -> tensor<1xi64>
    %u = tx.broadcast %w dims = [] : tensor<f32> -> tensor<2xf32>
    %a1 = tx.scatter "set" %a, %at, %u update_window_dims = [0] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 0 : (tensor<3x2xf32>, tensor<1xi64>, tensor<2xf32>) -> tensor<3x2xf32>
    // Elements 0 to 3, and 3 again.
    %s = tx.reshape %v : tensor<f32> -> tensor<1xf32>
    %b1 = tx.dynamic_update_slice %b, %s[%i] : (tensor<4xf32>, tensor<1xf32>, tensor<i64>) -> tensor<4xf32>
    // Rows 0, 1, 2, 2, 2 of the last iteration's.
    %j = tx.constant dense<0> : tensor<i64>
    %r = tx.dynamic_slice %a[%i, %j] slice_sizes = [1, 2] : (tensor<3x2xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2xf32>
    %t = tx.reduce_max %r dims = [0, 1] : tensor<1x2xf32> -> tensor<f32>
    %c1 = tx.max %c, %t : tensor<f32>
    tx.return %a1, %b1, %c1 : tensor<3x2xf32>, tensor<4xf32>, tensor<f32>
  }
  return %0#0, %0#1, %0#2 : tensor<3x2xf32>, tensor<4xf32>, tensor<f32>
}
