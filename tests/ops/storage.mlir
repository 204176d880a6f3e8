// Dtypes of storage are moved by every op that computes nothing: of f8 the
// bits, of i4 and ui4 halves of bytes, wherever a row begins.
//
// RUN: %run_op --entry=e4m3 --random-inputs --compare=reference | FileCheck %s
// RUN: %run_op --entry=e5m2 --random-inputs --compare=reference | FileCheck %s
// RUN: %run_op --entry=i4_odd --random-inputs --compare=reference | FileCheck %s
// RUN: %run_op --entry=i4_even --random-inputs --compare=reference | FileCheck %s
// RUN: %run_op --entry=ui4 --random-inputs --compare=reference | FileCheck %s
// RUN: %run_op --entry=symbolic --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:5,3 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:0,3 --compare=reference
// RUN: %run_op --entry=scalar --random-inputs --compare=reference | FileCheck %s --check-prefix=SCALAR
// RUN: %run_op --entry=constants | FileCheck %s --check-prefix=CONSTANTS
// CHECK-COUNT-11: compare {{.*}}: {{equal|largest error 0 }}

// Passed by value.
// SCALAR-COUNT-2: compare {{.*}}: {{equal|largest error 0 }}
func.func @scalar(%x: tensor<f8E4M3FN> {tx.scalar}, %y: tensor<f8E5M2> {tx.scalar})
    -> (tensor<3xf8E4M3FN>, tensor<5xf8E5M2>) {
  %0 = tx.broadcast %x dims = [] : tensor<f8E4M3FN> -> tensor<3xf8E4M3FN>
  %1 = tx.broadcast %y dims = [] : tensor<f8E5M2> -> tensor<5xf8E5M2>
  return %0, %1 : tensor<3xf8E4M3FN>, tensor<5xf8E5M2>
}

func.func @e4m3(%x: tensor<5x7xf8E4M3FN>, %y: tensor<5x3xf8E4M3FN>, %z: tensor<5x7xf8E4M3FN>,
               %u: tensor<3x7xf8E4M3FN>, %w: tensor<2x3xf8E4M3FN>, %p: tensor<5x7xi1>, %i: tensor<3xi64>,
               %j: tensor<i64>)
    -> (tensor<7x5xf8E4M3FN>, tensor<35xf8E4M3FN>, tensor<4x4xf8E4M3FN>, tensor<5x10xf8E4M3FN>,
        tensor<7x14xf8E4M3FN>, tensor<3x7xf8E4M3FN>, tensor<5x7xf8E4M3FN>, tensor<5x7xf8E4M3FN>,
        tensor<2x3xf8E4M3FN>, tensor<5x7xf8E4M3FN>, tensor<5x2x7xf8E4M3FN>) {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<5x7xf8E4M3FN> -> tensor<7x5xf8E4M3FN>
  %1 = tx.reshape %x : tensor<5x7xf8E4M3FN> -> tensor<35xf8E4M3FN>
  %2 = tx.slice %x offsets = [1, 6] strides = [1, -2] : tensor<5x7xf8E4M3FN> -> tensor<4x4xf8E4M3FN>
  %3 = tx.concatenate %x, %y dim = 1 : (tensor<5x7xf8E4M3FN>, tensor<5x3xf8E4M3FN>) -> tensor<5x10xf8E4M3FN>
  %v = tx.constant dense<-1.5> : tensor<f8E4M3FN>
  %4 = tx.pad %x, %v low = [1, -1] high = [1, 2] interior = [0, 1] : tensor<5x7xf8E4M3FN> -> tensor<7x14xf8E4M3FN>
  %5 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0]
      index_vector_dim = 1 slice_sizes = [1, 7] : (tensor<5x7xf8E4M3FN>, tensor<3xi64>) -> tensor<3x7xf8E4M3FN>
  %6 = tx.select %p, %x, %z : tensor<5x7xi1>, tensor<5x7xf8E4M3FN>
  %7 = tx.scatter "set" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0]
      scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<5x7xf8E4M3FN>, tensor<3xi64>, tensor<3x7xf8E4M3FN>) -> tensor<5x7xf8E4M3FN>
  %8 = tx.dynamic_slice %x [%j, %j] slice_sizes = [2, 3] : (tensor<5x7xf8E4M3FN>, tensor<i64>, tensor<i64>) -> tensor<2x3xf8E4M3FN>
  %9 = tx.dynamic_update_slice %x, %w [%j, %j] : (tensor<5x7xf8E4M3FN>, tensor<2x3xf8E4M3FN>, tensor<i64>, tensor<i64>) -> tensor<5x7xf8E4M3FN>
  %10 = tx.broadcast %x dims = [0, 2] : tensor<5x7xf8E4M3FN> -> tensor<5x2x7xf8E4M3FN>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
      : tensor<7x5xf8E4M3FN>, tensor<35xf8E4M3FN>, tensor<4x4xf8E4M3FN>, tensor<5x10xf8E4M3FN>,
        tensor<7x14xf8E4M3FN>, tensor<3x7xf8E4M3FN>, tensor<5x7xf8E4M3FN>, tensor<5x7xf8E4M3FN>,
        tensor<2x3xf8E4M3FN>, tensor<5x7xf8E4M3FN>, tensor<5x2x7xf8E4M3FN>
}

func.func @e5m2(%x: tensor<33x70xf8E5M2>, %y: tensor<33x3xf8E5M2>, %z: tensor<33x70xf8E5M2>,
               %u: tensor<3x70xf8E5M2>, %w: tensor<2x3xf8E5M2>, %p: tensor<33x70xi1>, %i: tensor<3xi64>,
               %j: tensor<i64>)
    -> (tensor<70x33xf8E5M2>, tensor<2310xf8E5M2>, tensor<32x35xf8E5M2>, tensor<33x73xf8E5M2>,
        tensor<35x140xf8E5M2>, tensor<3x70xf8E5M2>, tensor<33x70xf8E5M2>, tensor<33x70xf8E5M2>,
        tensor<2x3xf8E5M2>, tensor<33x70xf8E5M2>, tensor<33x2x70xf8E5M2>) {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<33x70xf8E5M2> -> tensor<70x33xf8E5M2>
  %1 = tx.reshape %x : tensor<33x70xf8E5M2> -> tensor<2310xf8E5M2>
  %2 = tx.slice %x offsets = [1, 69] strides = [1, -2] : tensor<33x70xf8E5M2> -> tensor<32x35xf8E5M2>
  %3 = tx.concatenate %x, %y dim = 1 : (tensor<33x70xf8E5M2>, tensor<33x3xf8E5M2>) -> tensor<33x73xf8E5M2>
  %v = tx.constant dense<-1.5> : tensor<f8E5M2>
  %4 = tx.pad %x, %v low = [1, -1] high = [1, 2] interior = [0, 1] : tensor<33x70xf8E5M2> -> tensor<35x140xf8E5M2>
  %5 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0]
      index_vector_dim = 1 slice_sizes = [1, 70] : (tensor<33x70xf8E5M2>, tensor<3xi64>) -> tensor<3x70xf8E5M2>
  %6 = tx.select %p, %x, %z : tensor<33x70xi1>, tensor<33x70xf8E5M2>
  %7 = tx.scatter "set" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0]
      scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<33x70xf8E5M2>, tensor<3xi64>, tensor<3x70xf8E5M2>) -> tensor<33x70xf8E5M2>
  %8 = tx.dynamic_slice %x [%j, %j] slice_sizes = [2, 3] : (tensor<33x70xf8E5M2>, tensor<i64>, tensor<i64>) -> tensor<2x3xf8E5M2>
  %9 = tx.dynamic_update_slice %x, %w [%j, %j] : (tensor<33x70xf8E5M2>, tensor<2x3xf8E5M2>, tensor<i64>, tensor<i64>) -> tensor<33x70xf8E5M2>
  %10 = tx.broadcast %x dims = [0, 2] : tensor<33x70xf8E5M2> -> tensor<33x2x70xf8E5M2>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
      : tensor<70x33xf8E5M2>, tensor<2310xf8E5M2>, tensor<32x35xf8E5M2>, tensor<33x73xf8E5M2>,
        tensor<35x140xf8E5M2>, tensor<3x70xf8E5M2>, tensor<33x70xf8E5M2>, tensor<33x70xf8E5M2>,
        tensor<2x3xf8E5M2>, tensor<33x70xf8E5M2>, tensor<33x2x70xf8E5M2>
}

func.func @i4_odd(%x: tensor<5x7xi4>, %y: tensor<5x3xi4>, %z: tensor<5x7xi4>, %u: tensor<3x7xi4>,
                 %w: tensor<2x3xi4>, %p: tensor<5x7xi1>, %i: tensor<3xi64>, %j: tensor<i64>)
    -> (tensor<7x5xi4>, tensor<35xi4>, tensor<4x4xi4>, tensor<5x10xi4>, tensor<7x14xi4>,
        tensor<3x7xi4>, tensor<5x7xi4>, tensor<5x7xi4>, tensor<2x3xi4>, tensor<5x7xi4>, tensor<5x2x7xi4>) {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<5x7xi4> -> tensor<7x5xi4>
  %1 = tx.reshape %x : tensor<5x7xi4> -> tensor<35xi4>
  %2 = tx.slice %x offsets = [1, 6] strides = [1, -2] : tensor<5x7xi4> -> tensor<4x4xi4>
  %3 = tx.concatenate %x, %y dim = 1 : (tensor<5x7xi4>, tensor<5x3xi4>) -> tensor<5x10xi4>
  %v = tx.constant dense<-5> : tensor<i4>
  %4 = tx.pad %x, %v low = [1, -1] high = [1, 2] interior = [0, 1] : tensor<5x7xi4> -> tensor<7x14xi4>
  %5 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0]
      index_vector_dim = 1 slice_sizes = [1, 7] : (tensor<5x7xi4>, tensor<3xi64>) -> tensor<3x7xi4>
  %6 = tx.select %p, %x, %z : tensor<5x7xi1>, tensor<5x7xi4>
  %7 = tx.scatter "set" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0]
      scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<5x7xi4>, tensor<3xi64>, tensor<3x7xi4>) -> tensor<5x7xi4>
  %8 = tx.dynamic_slice %x [%j, %j] slice_sizes = [2, 3] : (tensor<5x7xi4>, tensor<i64>, tensor<i64>) -> tensor<2x3xi4>
  %9 = tx.dynamic_update_slice %x, %w [%j, %j] : (tensor<5x7xi4>, tensor<2x3xi4>, tensor<i64>, tensor<i64>) -> tensor<5x7xi4>
  %10 = tx.broadcast %x dims = [0, 2] : tensor<5x7xi4> -> tensor<5x2x7xi4>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
      : tensor<7x5xi4>, tensor<35xi4>, tensor<4x4xi4>, tensor<5x10xi4>, tensor<7x14xi4>,
        tensor<3x7xi4>, tensor<5x7xi4>, tensor<5x7xi4>, tensor<2x3xi4>, tensor<5x7xi4>, tensor<5x2x7xi4>
}

func.func @i4_even(%x: tensor<6x8xi4>, %y: tensor<6x3xi4>, %z: tensor<6x8xi4>, %u: tensor<3x8xi4>,
                  %w: tensor<2x3xi4>, %p: tensor<6x8xi1>, %i: tensor<3xi64>, %j: tensor<i64>)
    -> (tensor<8x6xi4>, tensor<48xi4>, tensor<5x4xi4>, tensor<6x11xi4>, tensor<8x16xi4>,
        tensor<3x8xi4>, tensor<6x8xi4>, tensor<6x8xi4>, tensor<2x3xi4>, tensor<6x8xi4>, tensor<6x2x8xi4>) {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<6x8xi4> -> tensor<8x6xi4>
  %1 = tx.reshape %x : tensor<6x8xi4> -> tensor<48xi4>
  %2 = tx.slice %x offsets = [1, 7] strides = [1, -2] : tensor<6x8xi4> -> tensor<5x4xi4>
  %3 = tx.concatenate %x, %y dim = 1 : (tensor<6x8xi4>, tensor<6x3xi4>) -> tensor<6x11xi4>
  %v = tx.constant dense<-5> : tensor<i4>
  %4 = tx.pad %x, %v low = [1, -1] high = [1, 2] interior = [0, 1] : tensor<6x8xi4> -> tensor<8x16xi4>
  %5 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0]
      index_vector_dim = 1 slice_sizes = [1, 8] : (tensor<6x8xi4>, tensor<3xi64>) -> tensor<3x8xi4>
  %6 = tx.select %p, %x, %z : tensor<6x8xi1>, tensor<6x8xi4>
  %7 = tx.scatter "set" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0]
      scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<6x8xi4>, tensor<3xi64>, tensor<3x8xi4>) -> tensor<6x8xi4>
  %8 = tx.dynamic_slice %x [%j, %j] slice_sizes = [2, 3] : (tensor<6x8xi4>, tensor<i64>, tensor<i64>) -> tensor<2x3xi4>
  %9 = tx.dynamic_update_slice %x, %w [%j, %j] : (tensor<6x8xi4>, tensor<2x3xi4>, tensor<i64>, tensor<i64>) -> tensor<6x8xi4>
  %10 = tx.broadcast %x dims = [0, 2] : tensor<6x8xi4> -> tensor<6x2x8xi4>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
      : tensor<8x6xi4>, tensor<48xi4>, tensor<5x4xi4>, tensor<6x11xi4>, tensor<8x16xi4>,
        tensor<3x8xi4>, tensor<6x8xi4>, tensor<6x8xi4>, tensor<2x3xi4>, tensor<6x8xi4>, tensor<6x2x8xi4>
}

func.func @ui4(%x: tensor<37x65xui4>, %y: tensor<37x3xui4>, %z: tensor<37x65xui4>, %u: tensor<3x65xui4>,
              %w: tensor<2x3xui4>, %p: tensor<37x65xi1>, %i: tensor<3xi64>, %j: tensor<i64>)
    -> (tensor<65x37xui4>, tensor<2405xui4>, tensor<36x33xui4>, tensor<37x68xui4>, tensor<39x130xui4>,
        tensor<3x65xui4>, tensor<37x65xui4>, tensor<37x65xui4>, tensor<2x3xui4>, tensor<37x65xui4>,
        tensor<37x2x65xui4>) {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<37x65xui4> -> tensor<65x37xui4>
  %1 = tx.reshape %x : tensor<37x65xui4> -> tensor<2405xui4>
  %2 = tx.slice %x offsets = [1, 64] strides = [1, -2] : tensor<37x65xui4> -> tensor<36x33xui4>
  %3 = tx.concatenate %x, %y dim = 1 : (tensor<37x65xui4>, tensor<37x3xui4>) -> tensor<37x68xui4>
  %v = tx.constant dense<13> : tensor<ui4>
  %4 = tx.pad %x, %v low = [1, -1] high = [1, 2] interior = [0, 1] : tensor<37x65xui4> -> tensor<39x130xui4>
  %5 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0]
      index_vector_dim = 1 slice_sizes = [1, 65] : (tensor<37x65xui4>, tensor<3xi64>) -> tensor<3x65xui4>
  %6 = tx.select %p, %x, %z : tensor<37x65xi1>, tensor<37x65xui4>
  %7 = tx.scatter "set" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0]
      scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<37x65xui4>, tensor<3xi64>, tensor<3x65xui4>) -> tensor<37x65xui4>
  %8 = tx.dynamic_slice %x [%j, %j] slice_sizes = [2, 3] : (tensor<37x65xui4>, tensor<i64>, tensor<i64>) -> tensor<2x3xui4>
  %9 = tx.dynamic_update_slice %x, %w [%j, %j] : (tensor<37x65xui4>, tensor<2x3xui4>, tensor<i64>, tensor<i64>) -> tensor<37x65xui4>
  %10 = tx.broadcast %x dims = [0, 2] : tensor<37x65xui4> -> tensor<37x2x65xui4>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
      : tensor<65x37xui4>, tensor<2405xui4>, tensor<36x33xui4>, tensor<37x68xui4>, tensor<39x130xui4>,
        tensor<3x65xui4>, tensor<37x65xui4>, tensor<37x65xui4>, tensor<2x3xui4>, tensor<37x65xui4>,
        tensor<37x2x65xui4>
}

func.func @symbolic(%x: tensor<?x?xi4, #tx.dims<[n, m]>> {tx.name = "x"}, %y: tensor<?x8xui4, #tx.dims<[n, 8]>>,
                    %z: tensor<?x?xf8E5M2, #tx.dims<[n, m]>>)
    -> (tensor<?x?xi4, #tx.dims<[m, n]>>, tensor<8x?xui4, #tx.dims<[8, n]>>,
        tensor<?x?xf8E5M2, #tx.dims<[m, n]>>, tensor<?xi4, #tx.dims<[n * m]>>) {
  %0 = tx.transpose %x permutation = [1, 0]
      : tensor<?x?xi4, #tx.dims<[n, m]>> -> tensor<?x?xi4, #tx.dims<[m, n]>>
  %1 = tx.transpose %y permutation = [1, 0]
      : tensor<?x8xui4, #tx.dims<[n, 8]>> -> tensor<8x?xui4, #tx.dims<[8, n]>>
  %2 = tx.transpose %z permutation = [1, 0]
      : tensor<?x?xf8E5M2, #tx.dims<[n, m]>> -> tensor<?x?xf8E5M2, #tx.dims<[m, n]>>
  %3 = tx.reshape %x : tensor<?x?xi4, #tx.dims<[n, m]>> -> tensor<?xi4, #tx.dims<[n * m]>>
  return %0, %1, %2, %3 : tensor<?x?xi4, #tx.dims<[m, n]>>, tensor<8x?xui4, #tx.dims<[8, n]>>,
      tensor<?x?xf8E5M2, #tx.dims<[m, n]>>, tensor<?xi4, #tx.dims<[n * m]>>
}

// A constant of more than 64 elements is a buffer, packed.
func.func @constants() -> (tensor<3xi4>, tensor<2xf8E5M2>, tensor<67xi32>, tensor<67xi4>) {
  %0 = tx.constant dense<[-8, 7, -1]> : tensor<3xi4>
  %1 = tx.constant dense<[-1.5, 0x7C]> : tensor<2xf8E5M2>
  %2 = tx.constant dense<[-8, -3, 2, 7, -4, 1, 6, -5, 0, 5, -6, -1, 4, -7, -2, 3, -8, -3, 2, 7, -4, 1, 6, -5, 0, 5, -6, -1, 4, -7, -2, 3, -8, -3,
                         2, 7, -4, 1, 6, -5, 0, 5, -6, -1, 4, -7, -2, 3, -8, -3, 2, 7, -4, 1, 6, -5, 0, 5, -6, -1, 4, -7, -2, 3, -8, -3, 2]> : tensor<67xi4>
  %3 = tx.convert %2 : tensor<67xi4> -> tensor<67xi32>
  return %0, %1, %3, %2 : tensor<3xi4>, tensor<2xf8E5M2>, tensor<67xi32>, tensor<67xi4>
}
// CONSTANTS:      out0: i4[3]
// CONSTANTS-NEXT: [-8, 7, -1]
// CONSTANTS-NEXT: out1: f8E5M2[2]
// CONSTANTS-NEXT: [-1.5, inf]
// CONSTANTS-NEXT: out2: i32[67]
// CONSTANTS-NEXT: [-8, -3, 2, 7, -4, 1, 6, -5, 0, 5, -6, -1, 4, -7, -2, 3, -8, -3, 2, 7, -4, 1, 6, -5, 0, 5, -6, -1, 4, -7, -2, 3, -8, -3, 2, 7, -4, 1, 6, -5, 0, 5, -6, -1, 4, -7, -2, 3, -8, -3, 2, 7, -4, 1, 6, -5, 0, 5, -6, -1, 4, -7, -2, 3, -8, -3, 2]
// CONSTANTS-NEXT: out3: i4[67]
// CONSTANTS-NEXT: [-8, -3, 2, 7, -4, 1, 6, -5, 0, 5, -6, -1, 4, -7, -2, 3, -8, -3, 2, 7, -4, 1, 6, -5, 0, 5, -6, -1, 4, -7, -2, 3, -8, -3, 2, 7, -4, 1, 6, -5, 0, 5, -6, -1, 4, -7, -2, 3, -8, -3, 2, 7, -4, 1, 6, -5, 0, 5, -6, -1, 4, -7, -2, 3, -8, -3, 2]
