// RUN: %tensorc-opt %s --split-input-file --tx-expand-degenerate | FileCheck %s

// CHECK-LABEL: @outer
// CHECK:       tx.mul
// CHECK-NOT:   tx.sum
func.func @outer(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4x5xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [] x [] : (tensor<4xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

// Half-precision products are summed in f32, as a contraction does.
// CHECK-LABEL: @inner
// CHECK:       tx.convert {{.*}} -> tensor<8xf32>
// CHECK:       tx.sum {{.*}} dims = [0] : tensor<8xf32> -> tensor<f32>
// CHECK:       tx.convert {{.*}} -> tensor<bf16>
func.func @inner(%x: tensor<8xbf16>, %y: tensor<8xbf16>) -> tensor<bf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0] : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<bf16>
  return %0 : tensor<bf16>
}

// -----

// CHECK-LABEL: @nothing
// CHECK-SAME:  %[[X:.*]]: tensor<4xf32>
// CHECK-NOT:   tx.sum
// CHECK:       %[[ROWS:.*]] = tx.reshape %[[X]] : tensor<4xf32> -> tensor<4x1xf32>
// CHECK:       tx.argmax %[[ROWS]] dims = [1]
// CHECK:       return %[[X]]
func.func @nothing(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>) {
  %0 = tx.sum %x dims = [] : tensor<4xf32> -> tensor<4xf32>
  %1 = tx.argmax %x dims = [] : tensor<4xf32> -> tensor<4xi64>
  return %0, %1 : tensor<4xf32>, tensor<4xi64>
}

// -----

// CHECK-LABEL: @no_updates
// CHECK-SAME:  %[[X:.*]]: tensor<4xf32>, %[[Y:[a-z0-9]+]]: tensor<2x0xf32>
// CHECK-NEXT:  return %[[X]], %[[Y]]
func.func @no_updates(%x: tensor<4xf32>, %y: tensor<2x0xf32>, %i: tensor<0xi64>, %j: tensor<3xi64>, %u: tensor<0xf32>,
                      %v: tensor<3x2x0xf32>) -> (tensor<4xf32>, tensor<2x0xf32>) {
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<4xf32>, tensor<0xi64>, tensor<0xf32>) -> tensor<4xf32>
  %1 = tx.scatter "set" %y, %j, %v update_window_dims = [1, 2] inserted_window_dims = [] scatter_dims_to_operand_dims = [1]
      index_vector_dim = 1 : (tensor<2x0xf32>, tensor<3xi64>, tensor<3x2x0xf32>) -> tensor<2x0xf32>
  return %0, %1 : tensor<4xf32>, tensor<2x0xf32>
}

// -----

// Blocks of y's columns become one dim behind the element-wise ops.
// CHECK-LABEL: @epilogue
// CHECK-SAME:  %[[X:.*]]: tensor<8x64xf32>, %[[W:.*]]: tensor<4x64x32xf32>, %[[B:.*]]: tensor<128xf32>
// CHECK:       %[[DOT:.*]] = tx.dot_general
// CHECK-NOT:   tx.reshape %[[DOT]]
// CHECK:       %[[MAX:.*]] = tx.max {{.*}} tensor<8x4x32xf32>
// CHECK:       %[[ALL:.*]] = tx.reshape %[[MAX]] : tensor<8x4x32xf32> -> tensor<8x128xf32>
// CHECK:       return %[[ALL]]
func.func @epilogue(%x: tensor<8x64xf32>, %w: tensor<4x64x32xf32>, %b: tensor<128xf32>) -> tensor<8x128xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<8x64xf32>, tensor<4x64x32xf32>) -> tensor<8x4x32xf32>
  %1 = tx.reshape %0 : tensor<8x4x32xf32> -> tensor<8x128xf32>
  %2 = tx.broadcast %b dims = [1] : tensor<128xf32> -> tensor<8x128xf32>
  %3 = tx.add %1, %2 : tensor<8x128xf32>
  %4 = tx.max %3, %1 : tensor<8x128xf32>
  return %4 : tensor<8x128xf32>
}

// -----

// Other reshapes stay.
// CHECK-LABEL: @no_blocks
// CHECK:       tx.reshape
// CHECK-NEXT:  tx.exp
func.func @no_blocks(%x: tensor<8x4x32xf32>) -> tensor<8x128xf32> {
  %0 = tx.reshape %x : tensor<8x4x32xf32> -> tensor<8x128xf32>
  %1 = tx.exp %0 : tensor<8x128xf32>
  return %1 : tensor<8x128xf32>
}

// -----

// Nor is there anything to move of one element.
// CHECK-LABEL: @one_element
// CHECK:       tx.reshape
// CHECK-NEXT:  tx.exp
func.func @one_element(%x: tensor<1xf32>) -> tensor<f32> {
  %0 = tx.reshape %x : tensor<1xf32> -> tensor<f32>
  %1 = tx.exp %0 : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// Columns side by side: one row of a product, from either side and per batch.
// CHECK-LABEL: @vector
// CHECK:       tx.reshape %{{.*}} : tensor<40xf32> -> tensor<1x40xf32>
// CHECK:       tx.dot_general {{.*}} x [] contracting = [1] x [0] : (tensor<1x40xf32>, tensor<40x64xf32>) -> tensor<1x64xf32>
// CHECK:       tx.dot_general {{.*}} x [] contracting = [1] x [0] : (tensor<1x40xf32>, tensor<40x64xf32>) -> tensor<1x64xf32>
// CHECK:       tx.dot_general {{.*}} batch = [1] x [0] contracting = [2] x [1] : (tensor<1x3x40xf32>, tensor<3x40x64xf32>) -> tensor<3x1x64xf32>
// CHECK-NOT:   tx.sum
func.func @vector(%v: tensor<40xf32>, %w: tensor<40x64xf32>, %a: tensor<3x40xf32>, %b: tensor<3x40x64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<3x64xf32>) {
  %0 = tx.dot_general %v, %w batch = [] x [] contracting = [0] x [0] : (tensor<40xf32>, tensor<40x64xf32>) -> tensor<64xf32>
  %1 = tx.dot_general %w, %v batch = [] x [] contracting = [0] x [0] : (tensor<40x64xf32>, tensor<40xf32>) -> tensor<64xf32>
  %2 = tx.dot_general %a, %b batch = [0] x [0] contracting = [1] x [1] : (tensor<3x40xf32>, tensor<3x40x64xf32>) -> tensor<3x64xf32>
  return %0, %1, %2 : tensor<64xf32>, tensor<64xf32>, tensor<3x64xf32>
}

// -----

// Steps side by side, or few columns: a sum of rows.
// CHECK-LABEL: @matrix_vector
// CHECK-NOT:   tx.dot_general
// CHECK-COUNT-2: tx.sum
func.func @matrix_vector(%v: tensor<40xf32>, %w: tensor<64x40xf32>, %few: tensor<40x8xf32>) -> (tensor<64xf32>, tensor<8xf32>) {
  %0 = tx.dot_general %w, %v batch = [] x [] contracting = [1] x [0] : (tensor<64x40xf32>, tensor<40xf32>) -> tensor<64xf32>
  %1 = tx.dot_general %v, %few batch = [] x [] contracting = [0] x [0] : (tensor<40xf32>, tensor<40x8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<64xf32>, tensor<8xf32>
}

// -----

// A depthwise convolution: its sums are in the order, and without the dim of one column, in which their only reader has them, so that what follows is computed in the kernel of the sums.
// CHECK-LABEL: func.func @reader
// CHECK-SAME:  %[[X:.*]]: tensor<5x8x6x3xf32>, %[[Y:.*]]: tensor<8x1x3xf32>
// CHECK:       %[[T:.*]] = tx.transpose %[[X]] permutation = [1, 0, 2, 3] : tensor<5x8x6x3xf32> -> tensor<8x5x6x3xf32>
// CHECK:       %[[R:.*]] = tx.reshape %[[Y]] : tensor<8x1x3xf32> -> tensor<8x3xf32>
// CHECK:       %[[B:.*]] = tx.broadcast %[[R]] dims = [0, 3] : tensor<8x3xf32> -> tensor<8x5x6x3xf32>
// CHECK:       %[[P:.*]] = tx.mul %[[T]], %[[B]]
// CHECK:       %[[S:.*]] = tx.sum %[[P]] dims = [3] : tensor<8x5x6x3xf32> -> tensor<8x5x6xf32>
// CHECK:       return %[[S]]
func.func @reader(%x: tensor<5x8x6x3xf32>, %y: tensor<8x1x3xf32>) -> tensor<8x5x6xf32> {
  %0 = tx.dot_general %x, %y batch = [1] x [0] contracting = [3] x [2] : (tensor<5x8x6x3xf32>, tensor<8x1x3xf32>) -> tensor<8x5x6x1xf32>
  %1 = tx.transpose %0 permutation = [3, 0, 1, 2] : tensor<8x5x6x1xf32> -> tensor<1x8x5x6xf32>
  %2 = tx.reshape %1 : tensor<1x8x5x6xf32> -> tensor<8x5x6xf32>
  return %2 : tensor<8x5x6xf32>
}

// -----

// Two readers want two orders.
// CHECK-LABEL: func.func @readers
// CHECK:       tx.sum %{{.*}} dims = [4] : tensor<8x5x6x1x3xf32> -> tensor<8x5x6x1xf32>
// CHECK:       tx.transpose
func.func @readers(%x: tensor<5x8x6x3xf32>, %y: tensor<8x1x3xf32>) -> (tensor<1x8x5x6xf32>, tensor<8x5x6x1xf32>) {
  %0 = tx.dot_general %x, %y batch = [1] x [0] contracting = [3] x [2] : (tensor<5x8x6x3xf32>, tensor<8x1x3xf32>) -> tensor<8x5x6x1xf32>
  %1 = tx.transpose %0 permutation = [3, 0, 1, 2] : tensor<8x5x6x1xf32> -> tensor<1x8x5x6xf32>
  return %1, %0 : tensor<1x8x5x6xf32>, tensor<8x5x6x1xf32>
}

// -----

// One row by a matrix that lies along the sum: a sum per row of the matrix, for every size, also over several dims. Halves are summed in f32. A constant, what is computed, and what a loop reads are no exceptions.
// CHECK-LABEL: func.func @row
// CHECK:       %[[P:.*]] = tx.mul
// CHECK:       tx.sum %[[P]] dims = [2] : tensor<1x?x?xf32, {{.*}}> -> tensor<1x?xf32, #tx.dims<[1, n]>>
// CHECK:       tx.sum %{{.*}} dims = [1, 2] : tensor<8x3x5xf64> -> tensor<8xf64>
// CHECK:       tx.sum %{{.*}} dims = [2] : tensor<1x64x40xf32> -> tensor<1x64xf32>
// CHECK-NOT:   tx.dot_general
func.func @row(%x: tensor<1x?xf32, #tx.dims<[1, k]>>, %w: tensor<?x?xf32, #tx.dims<[n, k]>>, %y: tensor<3x1x5x1xf64>, %v: tensor<8x3x5xf64>,
               %h: tensor<1x40xbf16>, %l: tensor<64x40xbf16>) -> (tensor<1x?xf32, #tx.dims<[1, n]>>, tensor<8xf64>, tensor<1x64xbf16>) {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<1x?xf32, #tx.dims<[1, k]>>, tensor<?x?xf32, #tx.dims<[n, k]>>) -> tensor<1x?xf32, #tx.dims<[1, n]>>
  %1 = tx.dot_general %y, %v batch = [] x [] contracting = [0, 2] x [1, 2] : (tensor<3x1x5x1xf64>, tensor<8x3x5xf64>) -> tensor<1x1x8xf64>
  %2 = tx.reshape %1 : tensor<1x1x8xf64> -> tensor<8xf64>
  %3 = tx.dot_general %h, %l batch = [] x [] contracting = [1] x [1] : (tensor<1x40xbf16>, tensor<64x40xbf16>) -> tensor<1x64xbf16>
  return %0, %2, %3 : tensor<1x?xf32, #tx.dims<[1, n]>>, tensor<8xf64>, tensor<1x64xbf16>
}
// CHECK-LABEL: func.func @made
// CHECK:       tx.sum %{{.*}} dims = [2] : tensor<1x2x3xf32> -> tensor<1x2xf32>
// CHECK:       tx.sum %{{.*}} dims = [2] : tensor<1x64x64xf32> -> tensor<1x64xf32>
// CHECK:       tx.scan
// CHECK:       tx.sum %{{.*}} dims = [2] : tensor<1x64x64xf32> -> tensor<1x64xf32>
// CHECK-NOT:   tx.dot_general
func.func @made(%x: tensor<1x3xf32>, %s: tensor<1x64xf32>, %m: tensor<64x64xf32>) -> (tensor<1x2xf32>, tensor<1x64xf32>, tensor<1x64xf32>) {
  %c = tx.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = tx.dot_general %x, %c batch = [] x [] contracting = [1] x [1] : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<1x2xf32>
  %e = tx.exp %m : tensor<64x64xf32>
  %1 = tx.dot_general %s, %e batch = [] x [] contracting = [1] x [1] : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
  %2 = tx.scan <[9]> carried = 1 scanned = 0 (%s, %m) : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<1x64xf32>, %n: tensor<64x64xf32>):
    %d = tx.dot_general %a, %n batch = [] x [] contracting = [1] x [1] : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
    tx.return %d : tensor<1x64xf32>
  }
  return %0, %1, %2 : tensor<1x2xf32>, tensor<1x64xf32>, tensor<1x64xf32>
}

// -----

// What stays a product: several rows, batches, integers, sums that do not lie last or in another order, and floats of bytes.
// CHECK-LABEL: func.func @products
// CHECK-COUNT-6: tx.dot_general
func.func @products(%x: tensor<1x40xf32>, %two: tensor<2x40xf32>, %w: tensor<64x40xf32>, %b: tensor<4x1x40xf32>, %v: tensor<4x64x40xf32>,
                    %h: tensor<1x40xi32>, %l: tensor<64x40xi32>, %p: tensor<40x64xf32>, %q: tensor<1x4x5xf32>, %r: tensor<64x5x4xf32>,
                    %c: tensor<64x40xf8E4M3FN>)
    -> (tensor<2x64xf32>, tensor<4x1x64xf32>, tensor<1x64xi32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>) {
  %0 = tx.dot_general %two, %w batch = [] x [] contracting = [1] x [1] : (tensor<2x40xf32>, tensor<64x40xf32>) -> tensor<2x64xf32>
  %1 = tx.dot_general %b, %v batch = [0] x [0] contracting = [2] x [2] : (tensor<4x1x40xf32>, tensor<4x64x40xf32>) -> tensor<4x1x64xf32>
  %2 = tx.dot_general %h, %l batch = [] x [] contracting = [1] x [1] : (tensor<1x40xi32>, tensor<64x40xi32>) -> tensor<1x64xi32>
  %3 = tx.dot_general %x, %p batch = [] x [] contracting = [1] x [0] : (tensor<1x40xf32>, tensor<40x64xf32>) -> tensor<1x64xf32>
  %4 = tx.dot_general %q, %r batch = [] x [] contracting = [1, 2] x [2, 1] : (tensor<1x4x5xf32>, tensor<64x5x4xf32>) -> tensor<1x64xf32>
  %e = tx.convert %c : tensor<64x40xf8E4M3FN> -> tensor<64x40xf32>
  %5 = tx.dot_general %x, %e batch = [] x [] contracting = [1] x [1] : (tensor<1x40xf32>, tensor<64x40xf32>) -> tensor<1x64xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2x64xf32>, tensor<4x1x64xf32>, tensor<1x64xi32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>
}

// -----

// Quantized weights that lie along the sum: so does a group's dim, which stays one of its own where whole vectors fill it.
// CHECK-LABEL: func.func @quantized
// CHECK:       tx.sum %{{.*}} dims = [2] : tensor<1x64x96xf32> -> tensor<1x64xf32>
// CHECK:       tx.sum %{{.*}} dims = [2, 3] : tensor<1x64x3x32xf32> -> tensor<1x64xf32>
// CHECK:       %[[ONE:.*]] = tx.reshape %{{.*}} : tensor<1x64x6x16xf32> -> tensor<1x64x96xf32>
// CHECK:       tx.sum %[[ONE]] dims = [2] : tensor<1x64x96xf32> -> tensor<1x64xf32>
// CHECK-NOT:   tx.dot_general
func.func @quantized(%x: tensor<1x96xf32>, %q: tensor<64x96xi8>, %s: tensor<64x1xf32>, %g: tensor<64x3x1xf32>, %h: tensor<64x6x1xf32>)
    -> (tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>) {
  %f = tx.convert %q : tensor<64x96xi8> -> tensor<64x96xf32>
  %b = tx.broadcast %s dims = [0, 1] : tensor<64x1xf32> -> tensor<64x96xf32>
  %w = tx.mul %f, %b : tensor<64x96xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<1x96xf32>, tensor<64x96xf32>) -> tensor<1x64xf32>
  %f3 = tx.reshape %f : tensor<64x96xf32> -> tensor<64x3x32xf32>
  %b3 = tx.broadcast %g dims = [0, 1, 2] : tensor<64x3x1xf32> -> tensor<64x3x32xf32>
  %w3 = tx.mul %f3, %b3 : tensor<64x3x32xf32>
  %x3 = tx.reshape %x : tensor<1x96xf32> -> tensor<1x3x32xf32>
  %1 = tx.dot_general %x3, %w3 batch = [] x [] contracting = [1, 2] x [1, 2] : (tensor<1x3x32xf32>, tensor<64x3x32xf32>) -> tensor<1x64xf32>
  %f6 = tx.reshape %f : tensor<64x96xf32> -> tensor<64x6x16xf32>
  %b6 = tx.broadcast %h dims = [0, 1, 2] : tensor<64x6x1xf32> -> tensor<64x6x16xf32>
  %w6 = tx.mul %f6, %b6 : tensor<64x6x16xf32>
  %x6 = tx.reshape %x : tensor<1x96xf32> -> tensor<1x6x16xf32>
  %2 = tx.dot_general %x6, %w6 batch = [] x [] contracting = [1, 2] x [1, 2] : (tensor<1x6x16xf32>, tensor<64x6x16xf32>) -> tensor<1x64xf32>
  return %0, %1, %2 : tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>
}

// -----

// On a grid a sum runs along the columns of a matrix that is contiguous along its free dim, so that reads are coalesced.
// CHECK-LABEL: module attributes {tx.target = "cuda:sm_80"}
// CHECK:       func.func @vector_matrix(%[[X:.*]]: tensor<64xf32>, %[[Y:.*]]: tensor<64x32xf32>)
// CHECK-NEXT:  %[[B:.*]] = tx.broadcast %[[X]] dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
// CHECK-NEXT:  %[[P:.*]] = tx.mul %[[B]], %[[Y]]
// CHECK-NEXT:  tx.sum %[[P]] dims = [0] : tensor<64x32xf32> -> tensor<32xf32>
// CHECK:       func.func @matrix_vector(
// CHECK:       tx.sum {{.*}} dims = [1] : tensor<32x64xf32> -> tensor<32xf32>
// CHECK:       func.func @batches(
// CHECK-NOT:   tx.transpose
// CHECK:       tx.sum {{.*}} dims = [1] : tensor<3x64x32xf32> -> tensor<3x32xf32>
// CHECK:       func.func @one_column(
// CHECK:       tx.sum {{.*}} dims = [1] : tensor<1x64xf32> -> tensor<1xf32>
module attributes {tx.target = "cuda:sm_80"} {
func.func @vector_matrix(%x: tensor<64xf32>, %y: tensor<64x32xf32>) -> tensor<32xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0] : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}
func.func @matrix_vector(%x: tensor<32x64xf32>, %y: tensor<64xf32>) -> tensor<32xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<32x64xf32>, tensor<64xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}
func.func @batches(%x: tensor<3x64xf16>, %y: tensor<3x64x32xf16>) -> tensor<3x32xf16> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [1] x [1] : (tensor<3x64xf16>, tensor<3x64x32xf16>) -> tensor<3x32xf16>
  return %0 : tensor<3x32xf16>
}
func.func @one_column(%x: tensor<64xf32>, %y: tensor<64x1xf32>) -> tensor<1xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0] : (tensor<64xf32>, tensor<64x1xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
}
