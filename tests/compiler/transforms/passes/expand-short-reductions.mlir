// A few elements are combined one by one where what reads them is no kernel of rows, in the order of that kernel.
//
// RUN: %tensorc-opt %s --split-input-file --tx-expand-short-reductions | FileCheck %s

// CHECK-LABEL: @three
// CHECK-DAG:   %[[A:.*]] = tx.slice %[[P:.*]] offsets = [0, 0] strides = [1, 1] : tensor<?x3xf32, #tx.dims<[n, 3]>> -> tensor<?x1xf32, #tx.dims<[n, 1]>>
// CHECK-DAG:   %[[X:.*]] = tx.reshape %[[A]]
// CHECK-DAG:   %[[B:.*]] = tx.slice %[[P]] offsets = [0, 1]
// CHECK-DAG:   %[[Y:.*]] = tx.reshape %[[B]]
// CHECK-DAG:   %[[C:.*]] = tx.slice %[[P]] offsets = [0, 2]
// CHECK-DAG:   %[[Z:.*]] = tx.reshape %[[C]]
// CHECK:       %[[XZ:.*]] = tx.add %[[X]], %[[Z]]
// CHECK:       %[[SUM:.*]] = tx.add %[[XZ]], %[[Y]]
// CHECK:       %[[ZERO:.*]] = tx.add %[[SUM]], %{{.*}}
// CHECK:       return %[[ZERO]]
func.func @three(%x: tensor<?x3xf32, #tx.dims<[n, 3]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.mul %x, %x : tensor<?x3xf32, #tx.dims<[n, 3]>>
  %1 = tx.sum %0 dims = [1] : tensor<?x3xf32, #tx.dims<[n, 3]>> -> tensor<?xf32, #tx.dims<[n]>>
  return %1 : tensor<?xf32, #tx.dims<[n]>>
}

// -----

// Two dims, of integers: the first half with the second.
// CHECK-LABEL: @square
// CHECK-COUNT-4: tx.slice
// CHECK-COUNT-3: tx.add
// CHECK-NOT:     tx.add
// CHECK:         return
func.func @square(%x: tensor<9x2x2xi32>) -> tensor<9xi32> {
  %0 = tx.sum %x dims = [1, 2] : tensor<9x2x2xi32> -> tensor<9xi32>
  return %0 : tensor<9xi32>
}

// -----

// CHECK-LABEL: @others
// CHECK:         tx.max
// CHECK:         tx.mul
// CHECK:         tx.and
// CHECK-NOT:     tx.reduce_max
func.func @others(%x: tensor<9x2xf64>, %p: tensor<9x2xi1>) -> (tensor<9xf64>, tensor<9xf64>, tensor<9xi1>) {
  %0 = tx.reduce_max %x dims = [1] : tensor<9x2xf64> -> tensor<9xf64>
  %1 = tx.prod %x dims = [1] : tensor<9x2xf64> -> tensor<9xf64>
  %2 = tx.all %p dims = [1] : tensor<9x2xi1> -> tensor<9xi1>
  return %0, %1, %2 : tensor<9xf64>, tensor<9xf64>, tensor<9xi1>
}

// -----

// Halves have sums of f32; elements are counted as integers; an index is chosen; a first dim lies across memory; five are too many; exponentials would be
// computed again; windows have kernels of their own.
// CHECK-LABEL: @left
// CHECK-NOT:   tx.slice
func.func @left(%h: tensor<9x2xbf16>, %x: tensor<3x9xf32>, %y: tensor<9x5xf32>, %z: tensor<9x3xf32>, %i: tensor<9x3xi64>)
    -> (tensor<9xi64>, tensor<9xbf16>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xi64>, tensor<3x7xf32>) {
  %0 = tx.sum %h dims = [1] : tensor<9x2xbf16> -> tensor<9xbf16>
  %1 = tx.sum %x dims = [0] : tensor<3x9xf32> -> tensor<9xf32>
  %2 = tx.sum %y dims = [1] : tensor<9x5xf32> -> tensor<9xf32>
  %3 = tx.exp %z : tensor<9x3xf32>
  %4 = tx.sum %3 dims = [1] : tensor<9x3xf32> -> tensor<9xf32>
  %5 = tx.argmax %z dims = [1] : tensor<9x3xf32> -> tensor<9xi64>
  %6 = tx.windows %x dims = [1] sizes = [3] strides = [1] dilations = [1] : tensor<3x9xf32> -> tensor<3x7x3xf32>
  %8 = tx.count_nonzero %i dims = [1] : tensor<9x3xi64> -> tensor<9xi64>
  %7 = tx.sum %6 dims = [2] : tensor<3x7x3xf32> -> tensor<3x7xf32>
  return %8, %0, %1, %2, %4, %5, %7 : tensor<9xi64>, tensor<9xbf16>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xi64>, tensor<3x7xf32>
}

// -----

// A norm's rows read their sum: one kernel of rows.
// CHECK-LABEL: @rows
// CHECK:       tx.sum
func.func @rows(%x: tensor<9x3xf32>) -> tensor<9x3xf32> {
  %0 = tx.mul %x, %x : tensor<9x3xf32>
  %1 = tx.sum %0 dims = [1] : tensor<9x3xf32> -> tensor<9xf32>
  %2 = tx.broadcast %1 dims = [0] : tensor<9xf32> -> tensor<9x3xf32>
  %3 = tx.div %x, %2 : tensor<9x3xf32>
  return %3 : tensor<9x3xf32>
}

// -----

// Unless they are summed along another dim: that kernel takes the short sum in.
// CHECK-LABEL: @forces
// CHECK:       tx.slice
// CHECK:       tx.sum {{.*}} dims = [0]
func.func @forces(%x: tensor<9x3xf32>) -> tensor<3xf32> {
  %0 = tx.mul %x, %x : tensor<9x3xf32>
  %1 = tx.sum %0 dims = [1] : tensor<9x3xf32> -> tensor<9xf32>
  %2 = tx.broadcast %1 dims = [0] : tensor<9xf32> -> tensor<9x3xf32>
  %3 = tx.div %x, %2 : tensor<9x3xf32>
  %4 = tx.sum %3 dims = [0] : tensor<9x3xf32> -> tensor<3xf32>
  return %4 : tensor<3xf32>
}
