// The same elements in row-major order.
//
// RUN: %npy %t.npy i32 '[[1, 2, 3], [4, 5, 6]]'
// RUN: %run_op --input=%t.npy | FileCheck %s
// RUN: %run_op --entry=dtypes --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:37,11 --compare=reference
// RUN: %run_op --entry=scalar --random-inputs --compare=reference
// RUN: not %run_op --entry=fits --random-inputs --shape=x:5 2>&1 | FileCheck %s --check-prefix=ERROR

func.func @main(%x: tensor<2x3xi32>) -> (tensor<6xi32>, tensor<3x1x2xi32>, tensor<6xi32>) {
  %0 = tx.reshape %x : tensor<2x3xi32> -> tensor<6xi32>
  %1 = tx.reshape %x : tensor<2x3xi32> -> tensor<3x1x2xi32>
  // Not folded into a view: the transposed elements are read across.
  %t = tx.transpose %x permutation = [1, 0] : tensor<2x3xi32> -> tensor<3x2xi32>
  %2 = tx.reshape %t : tensor<3x2xi32> -> tensor<6xi32>
  return %0, %1, %2 : tensor<6xi32>, tensor<3x1x2xi32>, tensor<6xi32>
}
// CHECK:      out0: i32[6]
// CHECK-NEXT: [1, 2, 3, 4, 5, 6]
// CHECK-NEXT: out1: i32[3,1,2]
// CHECK-NEXT: {{\[\[\[}}1, 2]],
// CHECK-NEXT:  {{\[\[}}3, 4]],
// CHECK-NEXT:  {{\[\[}}5, 6]]]
// CHECK-NEXT: out2: i32[6]
// CHECK-NEXT: [1, 4, 2, 5, 3, 6]

func.func @dtypes(%a: tensor<2x3x5xf64>, %b: tensor<37x2xbf16>, %c: tensor<0x3xi64>,
                  %d: tensor<1xi1>, %e: tensor<1000xf32>)
    -> (tensor<5x6xf64>, tensor<74xbf16>, tensor<7x0xi64>, tensor<i1>, tensor<10x100xf32>) {
  %0 = tx.reshape %a : tensor<2x3x5xf64> -> tensor<5x6xf64>
  %1 = tx.reshape %b : tensor<37x2xbf16> -> tensor<74xbf16>
  %2 = tx.reshape %c : tensor<0x3xi64> -> tensor<7x0xi64>
  %3 = tx.reshape %d : tensor<1xi1> -> tensor<i1>
  %4 = tx.neg %e : tensor<1000xf32>
  %5 = tx.reshape %4 : tensor<1000xf32> -> tensor<10x100xf32>
  %6 = tx.exp %5 : tensor<10x100xf32>
  return %0, %1, %2, %3, %6
      : tensor<5x6xf64>, tensor<74xbf16>, tensor<7x0xi64>, tensor<i1>, tensor<10x100xf32>
}

func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"})
    -> (tensor<?xf32, #tx.dims<[n * m]>>, tensor<?x1x?xf32, #tx.dims<[m, 1, n]>>) {
  %0 = tx.reshape %x : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[n * m]>>
  %1 = tx.reshape %x : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x1x?xf32, #tx.dims<[m, 1, n]>>
  return %0, %1 : tensor<?xf32, #tx.dims<[n * m]>>, tensor<?x1x?xf32, #tx.dims<[m, 1, n]>>
}

// Only an even n fits; n = 5 is found out when it runs.
func.func @fits(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"})
    -> tensor<?x2xf32, #tx.dims<[n floordiv 2, 2]>> {
  %0 = tx.reshape %x : tensor<?xf32, #tx.dims<[n]>> -> tensor<?x2xf32, #tx.dims<[n floordiv 2, 2]>>
  return %0 : tensor<?x2xf32, #tx.dims<[n floordiv 2, 2]>>
}
// ERROR: reshape

// A scalar that comes by value has no memory to look at in another way.
func.func @scalar(%s: tensor<f32> {tx.scalar}, %x: tensor<3xi64>) -> (tensor<1x1xf32>, tensor<3xf32>) {
  %0 = tx.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %1 = tx.reshape %s : tensor<f32> -> tensor<1xf32>
  %2 = tx.gather %1, %x offset_dims = [] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1] : (tensor<1xf32>, tensor<3xi64>) -> tensor<3xf32>
  return %0, %2 : tensor<1x1xf32>, tensor<3xf32>
}
