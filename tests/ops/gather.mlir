// Slices at indices that are a tensor; starts are clamped.
//
// RUN: %npy %t.x.npy f32 '[[0, 1, 2], [3, nan, 5], [6, 7, -0.0], [9, 10, 11]]'
// RUN: %npy %t.i.npy i64 '[2, 0, -5, 9, 3]'
// RUN: %run_op --entry=of_nothing --random-inputs --compare=reference
// RUN: %run_op --input=%t.x.npy --input=%t.i.npy | FileCheck %s
// RUN: %run_op --entry=dtypes --random-inputs --compare=reference
// RUN: %run_op --entry=points --random-inputs --compare=reference
// RUN: %run_op --entry=slices --random-inputs --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference
// RUN: %run_op --entry=produced --random-inputs --compare=reference
// RUN: %run_op --entry=splat --random-inputs --compare=reference
// RUN: %run_op --entry=empty --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:50,33 --shape=i:7 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:2,1 --shape=i:0 --compare=reference
// RUN: %run_op --entry=taken --random-inputs --shape=x:5 --shape=i:3 --compare=reference
// RUN: %run_op --entry=taken --random-inputs --shape=x:0 --shape=i:0 --compare=reference
// RUN: not %run_op --entry=taken --random-inputs --shape=x:0 --shape=i:3 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %run_op --entry=symbolic --random-inputs --shape=x:1,4 --shape=i:3 2>&1 | FileCheck %s --check-prefix=SMALL

func.func @main(%x: tensor<4x3xf32>, %i: tensor<5xi64>) -> (tensor<5x3xf32>, tensor<3x5xf32>, tensor<5x2xf32>) {
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 3] : (tensor<4x3xf32>, tensor<5xi64>) -> tensor<5x3xf32>
  // The same, columns of the result.
  %1 = tx.gather %x, %i offset_dims = [0] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, -1] : (tensor<4x3xf32>, tensor<5xi64>) -> tensor<3x5xf32>
  // Two columns from the index on, of row 0.
  %2 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [1] index_vector_dim = 1
      slice_sizes = [1, 2] : (tensor<4x3xf32>, tensor<5xi64>) -> tensor<5x2xf32>
  return %0, %1, %2 : tensor<5x3xf32>, tensor<3x5xf32>, tensor<5x2xf32>
}
// CHECK:      out0: f32[5,3]
// CHECK-NEXT: {{\[\[}}6, 7, -0],
// CHECK-NEXT: [0, 1, 2],
// CHECK-NEXT: [0, 1, 2],
// CHECK-NEXT: [9, 10, 11],
// CHECK-NEXT: [9, 10, 11]]
// CHECK-NEXT: out1: f32[3,5]
// CHECK-NEXT: {{\[\[}}6, 0, 0, 9, 9],
// CHECK-NEXT: [7, 1, 1, 10, 10],
// CHECK-NEXT: [-0, 2, 2, 11, 11]]
// CHECK-NEXT: out2: f32[5,2]
// CHECK-NEXT: {{\[\[}}1, 2],
// CHECK-NEXT: [0, 1],
// CHECK-NEXT: [0, 1],
// CHECK-NEXT: [1, 2],
// CHECK-NEXT: [1, 2]]

// Every dtype of elements and of indices; of i8, ui8 and ui64 some are out of range.
func.func @dtypes(%a: tensor<9x5xf64>, %b: tensor<9x5xbf16>, %c: tensor<9x5xi8>, %d: tensor<9x5xi1>,
                  %e: tensor<9x37xf16>, %f: tensor<9x37xui32>, %i: tensor<6xi32>, %j: tensor<6xui8>,
                  %k: tensor<6xi8>, %l: tensor<6xui64>, %m: tensor<6xi64>)
    -> (tensor<6x5xf64>, tensor<6x5xbf16>, tensor<6x5xi8>, tensor<6x5xi1>, tensor<6x37xf16>, tensor<6x37xui32>) {
  %0 = tx.gather %a, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 5] : (tensor<9x5xf64>, tensor<6xi32>) -> tensor<6x5xf64>
  %1 = tx.gather %b, %j offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 5] : (tensor<9x5xbf16>, tensor<6xui8>) -> tensor<6x5xbf16>
  %2 = tx.gather %c, %k offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 5] : (tensor<9x5xi8>, tensor<6xi8>) -> tensor<6x5xi8>
  %big = tx.constant dense<18446744073709551615> : tensor<6xui64>
  %far = tx.sub %big, %l : tensor<6xui64>
  %3 = tx.gather %d, %far offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 5] : (tensor<9x5xi1>, tensor<6xui64>) -> tensor<6x5xi1>
  %4 = tx.gather %e, %m offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 37] : (tensor<9x37xf16>, tensor<6xi64>) -> tensor<6x37xf16>
  %5 = tx.gather %f, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 37] : (tensor<9x37xui32>, tensor<6xi32>) -> tensor<6x37xui32>
  return %0, %1, %2, %3, %4, %5
      : tensor<6x5xf64>, tensor<6x5xbf16>, tensor<6x5xi8>, tensor<6x5xi1>, tensor<6x37xf16>, tensor<6x37xui32>
}

// Vectors of two components, along the last and along the first dimension.
func.func @points(%x: tensor<7x13xf32>, %i: tensor<4x40x2xi64>, %j: tensor<2x40xi32>)
    -> (tensor<4x40xf32>, tensor<40xf32>, tensor<40x3x2xf32>) {
  %0 = tx.gather %x, %i offset_dims = [] collapsed_slice_dims = [0, 1] start_index_map = [0, 1] index_vector_dim = 2
      slice_sizes = [1, 1] : (tensor<7x13xf32>, tensor<4x40x2xi64>) -> tensor<4x40xf32>
  %1 = tx.gather %x, %j offset_dims = [] collapsed_slice_dims = [0, 1] start_index_map = [1, 0] index_vector_dim = 0
      slice_sizes = [1, 1] : (tensor<7x13xf32>, tensor<2x40xi32>) -> tensor<40xf32>
  %2 = tx.gather %x, %j offset_dims = [1, 2] collapsed_slice_dims = [] start_index_map = [0, 1] index_vector_dim = 0
      slice_sizes = [3, 2] : (tensor<7x13xf32>, tensor<2x40xi32>) -> tensor<40x3x2xf32>
  return %0, %1, %2 : tensor<4x40xf32>, tensor<40xf32>, tensor<40x3x2xf32>
}

// One index vector: a slice whose start is a tensor.
func.func @slices(%x: tensor<20x30xf32>, %i: tensor<2xi64>, %r: tensor<i32>) -> (tensor<5x17xf32>, tensor<30xf32>) {
  %0 = tx.gather %x, %i offset_dims = [0, 1] collapsed_slice_dims = [] start_index_map = [0, 1] index_vector_dim = 0
      slice_sizes = [5, 17] : (tensor<20x30xf32>, tensor<2xi64>) -> tensor<5x17xf32>
  %1 = tx.gather %x, %r offset_dims = [0] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 0
      slice_sizes = [1, 30] : (tensor<20x30xf32>, tensor<i32>) -> tensor<30xf32>
  return %0, %1 : tensor<5x17xf32>, tensor<30xf32>
}

// Indices that are computed, results that are used, reduced and multiplied.
func.func @fused(%x: tensor<50x24xf32>, %i: tensor<6x7xi64>, %w: tensor<24x8xf32>) -> (tensor<6x7xf32>, tensor<6x7x8xf32>) {
  %n = tx.constant dense<50> : tensor<6x7xi64>
  %j = tx.mod %i, %n : tensor<6x7xi64>
  %g = tx.gather %x, %j offset_dims = [2] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 2
      slice_sizes = [1, 24] : (tensor<50x24xf32>, tensor<6x7xi64>) -> tensor<6x7x24xf32>
  %e = tx.exp %g : tensor<6x7x24xf32>
  %s = tx.sum %e dims = [2] : tensor<6x7x24xf32> -> tensor<6x7xf32>
  %d = tx.dot_general %g, %w batch = [] x [] contracting = [2] x [0] : (tensor<6x7x24xf32>, tensor<24x8xf32>) -> tensor<6x7x8xf32>
  return %s, %d : tensor<6x7xf32>, tensor<6x7x8xf32>
}

// What is gathered from has to be in memory first.
func.func @produced(%x: tensor<50x24xf32>, %i: tensor<6xi64>) -> tensor<6x24xf32> {
  %y = tx.tanh %x : tensor<50x24xf32>
  %g = tx.gather %y, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 24] : (tensor<50x24xf32>, tensor<6xi64>) -> tensor<6x24xf32>
  %h = tx.gather %g, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 24] : (tensor<6x24xf32>, tensor<6xi64>) -> tensor<6x24xf32>
  %z = tx.add %g, %h : tensor<6x24xf32>
  return %z : tensor<6x24xf32>
}

// What is repeated has no buffer to gather from.
func.func @splat(%i: tensor<5xi32>) -> tensor<5x8xf32> {
  %c = tx.constant dense<2.0> : tensor<f32>
  %b = tx.broadcast %c dims = [] : tensor<f32> -> tensor<8x8xf32>
  %g = tx.gather %b, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, -1] : (tensor<8x8xf32>, tensor<5xi32>) -> tensor<5x8xf32>
  return %g : tensor<5x8xf32>
}

func.func @empty(%x: tensor<5x3xf32>, %y: tensor<0x3xf32>, %i: tensor<0xi64>) -> (tensor<0x3xf32>, tensor<3x0xf32>, tensor<0x3xf32>) {
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<0xi64>) -> tensor<0x3xf32>
  %1 = tx.gather %x, %i offset_dims = [0] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<0xi64>) -> tensor<3x0xf32>
  // Nothing of nothing.
  %2 = tx.gather %y, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 3] : (tensor<0x3xf32>, tensor<0xi64>) -> tensor<0x3xf32>
  return %0, %1, %2 : tensor<0x3xf32>, tensor<3x0xf32>, tensor<0x3xf32>
}

// x may be empty where there are no indices.
func.func @taken(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"}, %i: tensor<?xi32, #tx.dims<[k]>> {tx.name = "i"})
    -> tensor<?xf32, #tx.dims<[k]>> {
  %0 = tx.gather %x, %i offset_dims = [] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1] : (tensor<?xf32, #tx.dims<[n]>>, tensor<?xi32, #tx.dims<[k]>>) -> tensor<?xf32, #tx.dims<[k]>>
  return %0 : tensor<?xf32, #tx.dims<[k]>>
}
// NONE: a slice of 1 does not fit into dimension 0 of

func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}, %i: tensor<?xi32, #tx.dims<[k]>> {tx.name = "i"})
    -> tensor<?x2x?xf32, #tx.dims<[k, 2, m]>> {
  %0 = tx.gather %x, %i offset_dims = [1, 2] collapsed_slice_dims = [] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [2, -1] : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xi32, #tx.dims<[k]>>)
      -> tensor<?x2x?xf32, #tx.dims<[k, 2, m]>>
  return %0 : tensor<?x2x?xf32, #tx.dims<[k, 2, m]>>
}
// SMALL: a slice of 2 does not fit into dimension 0

// Rows without elements.
func.func @of_nothing(%x: tensor<1x31x31x1xf64>, %i: tensor<31xi32>) -> tensor<31x4x31x0xf64> {
  %0 = tx.gather %x, %i offset_dims = [0, 1, 3] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, -1, 4, 0]
      : (tensor<1x31x31x1xf64>, tensor<31xi32>) -> tensor<31x4x31x0xf64>
  %1 = tx.gather %0, %i offset_dims = [1, 2, 3] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, -1, -1, -1]
      : (tensor<31x4x31x0xf64>, tensor<31xi32>) -> tensor<31x4x31x0xf64>
  return %1 : tensor<31x4x31x0xf64>
}
