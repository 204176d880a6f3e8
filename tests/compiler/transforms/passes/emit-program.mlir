// The host program: names bound and checked, buffers sized, kernels launched.
//
// RUN: %tensorc-opt %s --split-input-file --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: txp.func @main
// CHECK-SAME:  %[[X:.*]]: !txp.buffer, %[[Y:.*]]: !txp.buffer, %[[S:.*]]: i64
// CHECK-DAG:   %[[N:.*]] = txp.dim %[[X]], 0
// CHECK-DAG:   %[[M:.*]] = txp.dim %[[Y]], 0
// CHECK:       %[[SAME:.*]] = arith.cmpi eq, %[[M]], %[[N]]
// CHECK:       txp.assert %[[SAME]], "dimension 0 of y is not n"
// CHECK:       %[[BYTES:.*]] = arith.muli %[[N]]
// CHECK:       %[[OUT:.*]] = txp.alloc %[[BYTES]]
// CHECK:       txp.launch @kernels::@mul_add extent(%[[N]])
// CHECK-SAME:  ins(%[[Y]], %[[X]]) outs(%[[OUT]]) scalars(%[[S]], %[[N]] : i64, i64)
// CHECK:       txp.return %[[OUT]]
func.func @main(%x: tensor<?xf32, #tx.dims<[n]>>, %y: tensor<?xf32, #tx.dims<[n]>> {tx.name = "y"},
                %s: tensor<f32> {tx.scalar}) -> tensor<?xf32, #tx.dims<[n]>> {
  %b = tx.broadcast %s dims = [] : tensor<f32> -> tensor<?xf32, #tx.dims<[n]>>
  %0 = tx.mul %y, %b : tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.add %x, %0 : tensor<?xf32, #tx.dims<[n]>>
  return %1 : tensor<?xf32, #tx.dims<[n]>>
}
}

// -----

// An offset that comes at run time is checked at run time.
module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: txp.func @offset
// CHECK:       txp.assert {{.*}}, "slice: reads outside dimension 0  at
// CHECK:       txp.launch @kernels::@slice
func.func @offset(%x: tensor<8xf32>, %k: index {tx.symbol = "k"}) -> tensor<2xf32> {
  %0 = tx.slice %x offsets = [%k] strides = [1] : tensor<8xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
}

// -----

// Bounds that the function states.
module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: txp.func @bounds
// CHECK:       txp.assert {{.*}}, "n is below 1"
// CHECK:       txp.assert {{.*}}, "n is above 64"
// CHECK:       txp.assert {{.*}}, "n is not a multiple of 8"
func.func @bounds(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>>
    attributes {tx.symbols = [#tx.symbol<"n", min = 1, max = 64, divisor = 8>]} {
  %0 = tx.exp %x : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}
}

// -----

// Fusions with one body share a kernel; another size is another body.
module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: txp.func @twins
// CHECK:       txp.launch @kernels::@dot_general extent
// CHECK:       txp.launch @kernels::@dot_general extent
// CHECK:       txp.launch @kernels::@dot_general_2 extent
func.func @twins(%x: tensor<4x4xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = tx.dot_general %0, %0 batch = [] x [] contracting = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = tx.dot_general %1, %y batch = [] x [] contracting = [1] x [0] : (tensor<4x4xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %2 : tensor<4x5xf32>
}
}
