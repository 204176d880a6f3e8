// Where windows are dropped, sizes are compared with indices in a dtype that represents the sizes.
//
// RUN: %tensorc compile %s --stop-after=import | FileCheck %s
// RUN: %tensorc compile %s --stop-after=lower -o %t.mlir
//
// CHECK-LABEL: func.func @large(
//       CHECK: tx.convert %{{.*}} : tensor<3x1xi32> -> tensor<3x1xi64>
//   CHECK-NOT: tensor<{{(1x|3x1x)?}}i32>
//       CHECK: tx.scatter {{.*}}tensor<3x1xi64>
//
// CHECK-LABEL: func.func @largest(
//   CHECK-NOT: i64>
//       CHECK: tx.scatter {{.*}}tensor<3x1xi32>
//
// CHECK-LABEL: func.func @large_unsigned(
//   CHECK-NOT: i64>
//       CHECK: tx.scatter {{.*}}tensor<3x1xui32>
//
// CHECK-LABEL: func.func @narrow(
//       CHECK: tx.convert %{{.*}} : tensor<3x1xi8> -> tensor<3x1xi64>
//       CHECK: tx.scatter {{.*}}tensor<3x1xi64>
//
// CHECK-LABEL: func.func @named(
//       CHECK: tx.convert %{{.*}} : tensor<3x1xi32> -> tensor<3x1xi64>
//       CHECK: tx.scatter {{.*}}tensor<3x1xi64>
//
// CHECK-LABEL: func.func @batches(
//       CHECK: tx.iota {{.*}}tensor<2200000000x1xi64>
//       CHECK: tx.gather {{.*}}tensor<2200000000x2xi64>

func.func public @large(%x: tensor<2147483648xi8>, %i: tensor<3x1xi32>, %u: tensor<3x2xi8>) -> tensor<2147483648xi8> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    stablehlo.return %b : tensor<i8>
  }) : (tensor<2147483648xi8>, tensor<3x1xi32>, tensor<3x2xi8>) -> tensor<2147483648xi8>
  return %0 : tensor<2147483648xi8>
}

func.func public @largest(%x: tensor<2147483647xi8>, %i: tensor<3x1xi32>, %u: tensor<3x2xi8>) -> tensor<2147483647xi8> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    stablehlo.return %b : tensor<i8>
  }) : (tensor<2147483647xi8>, tensor<3x1xi32>, tensor<3x2xi8>) -> tensor<2147483647xi8>
  return %0 : tensor<2147483647xi8>
}

func.func public @large_unsigned(%x: tensor<4294967295xi8>, %i: tensor<3x1xui32>, %u: tensor<3x2xi8>) -> tensor<4294967295xi8> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    stablehlo.return %b : tensor<i8>
  }) : (tensor<4294967295xi8>, tensor<3x1xui32>, tensor<3x2xi8>) -> tensor<4294967295xi8>
  return %0 : tensor<4294967295xi8>
}

func.func public @narrow(%x: tensor<2147483648xi8>, %i: tensor<3x1xi8>, %u: tensor<3x2xi8>) -> tensor<2147483648xi8> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    stablehlo.return %b : tensor<i8>
  }) : (tensor<2147483648xi8>, tensor<3x1xi8>, tensor<3x2xi8>) -> tensor<2147483648xi8>
  return %0 : tensor<2147483648xi8>
}

func.func public @named(%x: tensor<?xi8>, %i: tensor<3x1xi32>, %u: tensor<3x2xi8>) -> tensor<?xi8> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    stablehlo.return %b : tensor<i8>
  }) : (tensor<?xi8>, tensor<3x1xi32>, tensor<3x2xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func public @batches(%x: tensor<2200000000x4xi8>, %i: tensor<2200000000x1xi32>) -> tensor<2200000000xi8> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<2200000000x4xi8>, tensor<2200000000x1xi32>) -> tensor<2200000000xi8>
  return %0 : tensor<2200000000xi8>
}
