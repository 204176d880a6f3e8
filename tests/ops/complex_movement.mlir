// Complex elements are moved as others are: each part by itself between a program's edges.
//
// RUN: %run_op --random-inputs --compare=reference
// RUN: %npy %t.i.npy i32 '[[2], [0], [2]]'
// RUN: %npy %t.z.npy c64 '[1+2j, 3-4j, 5j, 6]'
// RUN: %run_op --entry=indexed --input=%t.z.npy --input=%t.i.npy | FileCheck %s
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:5,3 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:64,65 --compare=reference

func.func @main(%x: tensor<3x5xcomplex<f32>>, %y: tensor<2x5xcomplex<f32>>, %v: tensor<complex<f32>>)
    -> (tensor<5x3xcomplex<f32>>, tensor<15xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<5x8xcomplex<f32>>, tensor<5x5xcomplex<f32>>, tensor<4x3x5xcomplex<f32>>,
        tensor<3x3x3xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<5x3xcomplex<f32>>) {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<3x5xcomplex<f32>> -> tensor<5x3xcomplex<f32>>
  %1 = tx.reshape %x : tensor<3x5xcomplex<f32>> -> tensor<15xcomplex<f32>>
  %2 = tx.slice %x offsets = [1, 0] strides = [1, 2] : tensor<3x5xcomplex<f32>> -> tensor<2x3xcomplex<f32>>
  %3 = tx.pad %x, %v low = [1, 2] high = [1, 1] interior = [0, 0] : tensor<3x5xcomplex<f32>> -> tensor<5x8xcomplex<f32>>
  %4 = tx.concatenate %x, %y dim = 0 : (tensor<3x5xcomplex<f32>>, tensor<2x5xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>
  %5 = tx.broadcast %x dims = [1, 2] : tensor<3x5xcomplex<f32>> -> tensor<4x3x5xcomplex<f32>>
  %6 = tx.windows %x dims = [1] sizes = [3] strides = [1] dilations = [1] : tensor<3x5xcomplex<f32>> -> tensor<3x3x3xcomplex<f32>>
  %7 = tx.slice %x offsets = [2, 4] strides = [-1, -1] : tensor<3x5xcomplex<f32>> -> tensor<3x5xcomplex<f32>>
  %8 = tx.mul %0, %0 : tensor<5x3xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
      : tensor<5x3xcomplex<f32>>, tensor<15xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<5x8xcomplex<f32>>, tensor<5x5xcomplex<f32>>, tensor<4x3x5xcomplex<f32>>,
        tensor<3x3x3xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<5x3xcomplex<f32>>
}

func.func @indexed(%x: tensor<4xcomplex<f32>>, %i: tensor<3x1xi32>)
    -> (tensor<3xcomplex<f32>> {tx.name = "gathered"}, tensor<4xcomplex<f32>> {tx.name = "added"}, tensor<2xcomplex<f32>> {tx.name = "slice"},
        tensor<4xcomplex<f32>> {tx.name = "updated"}) {
  %0 = tx.gather %x, %i offset_dims = [] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1]
      : (tensor<4xcomplex<f32>>, tensor<3x1xi32>) -> tensor<3xcomplex<f32>>
  %1 = tx.scatter "add" %x, %i, %0 update_window_dims = [] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1
      : (tensor<4xcomplex<f32>>, tensor<3x1xi32>, tensor<3xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %one = tx.constant dense<1> : tensor<i32>
  %2 = tx.dynamic_slice %x [%one] slice_sizes = [2] : (tensor<4xcomplex<f32>>, tensor<i32>) -> tensor<2xcomplex<f32>>
  %3 = tx.neg %2 : tensor<2xcomplex<f32>>
  %4 = tx.dynamic_update_slice %x, %3 [%one] : (tensor<4xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<i32>) -> tensor<4xcomplex<f32>>
  return %0, %1, %2, %4 : tensor<3xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<4xcomplex<f32>>
}
// CHECK:      gathered: c64[3]
// CHECK-NEXT: [0+5j, 1+2j, 0+5j]
// CHECK-NEXT: added: c64[4]
// CHECK-NEXT: [2+4j, 3-4j, 0+15j, 6+0j]
// CHECK-NEXT: slice: c64[2]
// CHECK-NEXT: [3-4j, 0+5j]
// CHECK-NEXT: updated: c64[4]
// CHECK-NEXT: [1+2j, -3+4j, -0-5j, 6+0j]

// RUN: %npy %t.j.npy i64 '[[1, 1], [0, 2], [1, 1], [-1, 0], [1, 3]]'
// RUN: %npy %t.w.npy c64 '[[1+2j, 3-4j, 5j], [1, 2, 3]]'
// RUN: %npy %t.v.npy c64 '[1j, 2+1j, 3, 7, 9]'
// RUN: %run_op --entry=multiplied --input=%t.w.npy --input=%t.j.npy --input=%t.v.npy | FileCheck %s --check-prefix=MUL
// RUN: %run_op --entry=multiplied_windows --input=%t.w.npy | FileCheck %s --check-prefix=WINDOW
// RUN: %run_op --entry=multiplied_rows --random-inputs --shape=x:7,3 --shape=i:20 --shape=u:20,3 --compare=reference
// RUN: %run_op --entry=multiplied_rows --random-inputs --shape=x:7,3 --shape=i:0 --shape=u:0,3 --compare=reference

// One index vector after another; what lies outside is dropped.
func.func @multiplied(%x: tensor<2x3xcomplex<f32>>, %i: tensor<5x2xi64>, %u: tensor<5xcomplex<f32>>) -> tensor<2x3xcomplex<f32>> {
  %0 = tx.scatter "mul" %x, %i, %u update_window_dims = [] inserted_window_dims = [0, 1] scatter_dims_to_operand_dims = [0, 1] index_vector_dim = 1
      : (tensor<2x3xcomplex<f32>>, tensor<5x2xi64>, tensor<5xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  return %0 : tensor<2x3xcomplex<f32>>
}
// MUL: out0: c64[2,3]
// MUL-NEXT: {{\[\[}}1+2j, 3-4j, -5+10j],
// MUL-NEXT: [1+0j, 0+6j, 3+0j]]

// Windows of two columns, of which the first and the last lie in x in part.
func.func @multiplied_windows(%x: tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>> {
  %i = tx.constant dense<[-1, 1, 2]> : tensor<3xi32>
  %u = tx.constant dense<[[[(9.0, 9.0), (0.0, 1.0)]], [[(2.0, 0.0), (3.0, 0.0)]], [[(0.0, 1.0), (9.0, 9.0)]]]> : tensor<3x1x2xcomplex<f32>>
  %0 = tx.scatter "mul" %x, %i, %u update_window_dims = [1, 2] inserted_window_dims = [] scatter_dims_to_operand_dims = [1] index_vector_dim = 1
      : (tensor<2x3xcomplex<f32>>, tensor<3xi32>, tensor<3x1x2xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  return %0 : tensor<2x3xcomplex<f32>>
}
// WINDOW: out0: c64[2,3]
// WINDOW-NEXT: {{\[\[}}-2+1j, 6-8j, -15+0j],
// WINDOW-NEXT: [1+0j, 2+0j, 3+0j]]

func.func @multiplied_rows(%x: tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>> {tx.name = "x"}, %i: tensor<?xi64, #tx.dims<[k]>> {tx.name = "i"},
    %u: tensor<?x?xcomplex<f32>, #tx.dims<[k, m]>> {tx.name = "u"}) -> tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>> {
  %0 = tx.scatter "mul" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1
      : (tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>, tensor<?xi64, #tx.dims<[k]>>, tensor<?x?xcomplex<f32>, #tx.dims<[k, m]>>)
      -> tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>
  return %0 : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>>
}

func.func @symbolic(%x: tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>> {tx.name = "x"}) -> tensor<?x?xcomplex<f32>, #tx.dims<[m, n]>> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<?x?xcomplex<f32>, #tx.dims<[n, m]>> -> tensor<?x?xcomplex<f32>, #tx.dims<[m, n]>>
  %1 = tx.exp %0 : tensor<?x?xcomplex<f32>, #tx.dims<[m, n]>>
  return %1 : tensor<?x?xcomplex<f32>, #tx.dims<[m, n]>>
}
