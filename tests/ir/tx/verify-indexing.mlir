// What the verifiers of ops whose indices are tensors refuse.
//
// RUN: %tensorc-opt %s --split-input-file --verify-diagnostics

func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{the dimension of index vectors, 3, is outside}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 3 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{the dimension of index vectors, -1, is outside}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = -1 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x2xi64>) {
  // expected-error@+1 {{index vectors have 2 components for 1 dimensions}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x2xi64>) -> tensor<5x8xf32>
  return
}

// -----
// A dimension of the indices that is not there stands for vectors of one.
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{index vectors have 1 components for 2 dimensions}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0, 1] index_vector_dim = 2 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{the dimensions that index vectors are for must differ and lie inside [4,8]}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [2] index_vector_dim = 1 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x2xi64>) {
  // expected-error@+1 {{the dimensions that index vectors are for must differ and lie inside [4,8]}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [1, 1] index_vector_dim = 1 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x2xi64>) -> tensor<5x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{the dimensions that windows lack must increase and lie inside [4,8]}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [2] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{the dimensions that windows lack must increase and lie inside [4,8]}}
  %0 = tx.gather %x, %i offset_dims = [] collapsed_slice_dims = [1, 0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 1] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{the dimensions of windows must increase inside rank 2}}
  %0 = tx.gather %x, %i offset_dims = [2] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{needs a slice size for each dimension of [4,8]}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{windows have 0 dimensions and lack 1 of [4,8]}}
  %0 = tx.gather %x, %i offset_dims = [] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{slice size of dimension 1 is negative}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, -2] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{a slice of 9 does not fit into dimension 1 of [4,8]}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 9] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x9xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{dimension 0, which windows lack, has slice size 2, not 1}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [2, 8] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{result dtype 'f64' differs from the operand's 'f32'}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf64>
  return
}

// -----
func.func @gather(%x: tensor<4x?xf32, #tx.dims<[4, m]>>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{dynamic dimensions must be named}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, -1] : (tensor<4x?xf32, #tx.dims<[4, m]>>, tensor<5x1xi64>) -> tensor<5x?xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{the dimensions of windows must increase inside rank 2}}
  %0 = tx.gather %x, %i offset_dims = [2] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x2x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{dimension 0 of the result is 6 but must be 5}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<6x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{dimension 1 of the result is 8 but must be 3}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 3] : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  return
}

// -----
// A slice of -1 is the whole dimension.
func.func @gather(%x: tensor<4x?xf32, #tx.dims<[4, m]>>, %i: tensor<5x1xi64>) {
  // expected-error@+1 {{dimension 1 of the result is n but must be m}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, -1] : (tensor<4x?xf32, #tx.dims<[4, m]>>, tensor<5x1xi64>) -> tensor<5x?xf32, #tx.dims<[5, n]>>
  return
}

// -----
// Indices are integers.
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x1xf32>) {
  // expected-error@+1 {{operand #1 must be}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x1xf32>) -> tensor<5x8xf32>
  return
}

// -----
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<5x?xi64, #tx.dims<[5, k]>>) {
  // expected-error@+1 {{index vectors have k components for 1 dimensions}}
  %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<5x?xi64, #tx.dims<[5, k]>>) -> tensor<5x8xf32>
  return
}

// -----
func.func @dynamic_slice(%x: tensor<4x8xf32>, %i0: tensor<i64>) {
  // expected-error@+1 {{has 1 starts for an operand of rank 2}}
  %0 = tx.dynamic_slice %x[%i0] slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<i64>) -> tensor<1x8xf32>
  return
}

// -----
func.func @dynamic_slice(%x: tensor<4x8xf32>, %i0: tensor<i64>, %i1: tensor<1xi64>) {
  // expected-error@+1 {{start 1 must be a scalar, not [1]}}
  %0 = tx.dynamic_slice %x[%i0, %i1] slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<i64>, tensor<1xi64>) -> tensor<1x8xf32>
  return
}

// -----
func.func @dynamic_slice(%x: tensor<4x8xf32>, %i0: tensor<f32>, %i1: tensor<i64>) {
  // expected-error@+1 {{operand #1 must be}}
  %0 = tx.dynamic_slice %x[%i0, %i1] slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<f32>, tensor<i64>) -> tensor<1x8xf32>
  return
}

// -----
func.func @dynamic_slice(%x: tensor<4x8xf32>, %i0: tensor<i64>, %i1: tensor<i64>) {
  // expected-error@+1 {{needs a slice size for each dimension of [4,8]}}
  %0 = tx.dynamic_slice %x[%i0, %i1] slice_sizes = [1] : (tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x8xf32>
  return
}

// -----
func.func @dynamic_slice(%x: tensor<4x8xf32>, %i0: tensor<i64>, %i1: tensor<i64>) {
  // expected-error@+1 {{slice size of dimension 0 is negative}}
  %0 = tx.dynamic_slice %x[%i0, %i1] slice_sizes = [-2, 8] : (tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x8xf32>
  return
}

// -----
func.func @dynamic_slice(%x: tensor<4x8xf32>, %i0: tensor<i64>, %i1: tensor<i64>) {
  // expected-error@+1 {{a slice of 5 does not fit into dimension 0 of [4,8]}}
  %0 = tx.dynamic_slice %x[%i0, %i1] slice_sizes = [5, 8] : (tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x8xf32>
  return
}

// -----
func.func @dynamic_slice(%x: tensor<4x8xf32>, %i0: tensor<i64>, %i1: tensor<i64>) {
  // expected-error@+1 {{result dtype 'i32' differs from the operand's 'f32'}}
  %0 = tx.dynamic_slice %x[%i0, %i1] slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x8xi32>
  return
}

// -----
func.func @dynamic_slice(%x: tensor<4x8xf32>, %i0: tensor<i64>, %i1: tensor<i64>) {
  // expected-error@+1 {{result has rank 1, not 2}}
  %0 = tx.dynamic_slice %x[%i0, %i1] slice_sizes = [1, 8] : (tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<8xf32>
  return
}

// -----
func.func @dynamic_slice(%x: tensor<4x8xf32>, %i0: tensor<i64>, %i1: tensor<i64>) {
  // expected-error@+1 {{dimension 1 of the result is 7 but must be 8}}
  %0 = tx.dynamic_slice %x[%i0, %i1] slice_sizes = [1, -1] : (tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x7xf32>
  return
}

// -----
func.func @dynamic_slice(%x: tensor<?x8xf32>, %i0: tensor<i64>, %i1: tensor<i64>) {
  // expected-error@+1 {{dynamic dimensions must be named}}
  %0 = tx.dynamic_slice %x[%i0, %i1] slice_sizes = [1, 8] : (tensor<?x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x8xf32>
  return
}

// -----
func.func @dynamic_update_slice(%x: tensor<4x8xf32>, %u: tensor<1x8xf32>, %i0: tensor<i64>, %i1: tensor<i64>, %i2: tensor<i64>) {
  // expected-error@+1 {{has 3 starts for an operand of rank 2}}
  %0 = tx.dynamic_update_slice %x, %u[%i0, %i1, %i2] : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<4x8xf32>
  return
}

// -----
func.func @dynamic_update_slice(%x: tensor<4x8xf32>, %u: tensor<1x8xf32>, %i0: tensor<2xi64>, %i1: tensor<i64>) {
  // expected-error@+1 {{start 0 must be a scalar, not [2]}}
  %0 = tx.dynamic_update_slice %x, %u[%i0, %i1] : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<2xi64>, tensor<i64>) -> tensor<4x8xf32>
  return
}

// -----
func.func @dynamic_update_slice(%x: tensor<4x8xf32>, %u: tensor<1x8xf64>, %i0: tensor<i64>, %i1: tensor<i64>) {
  // expected-error@+1 {{update's dtype 'f64' differs from the operand's 'f32'}}
  %0 = tx.dynamic_update_slice %x, %u[%i0, %i1] : (tensor<4x8xf32>, tensor<1x8xf64>, tensor<i64>, tensor<i64>) -> tensor<4x8xf32>
  return
}

// -----
func.func @dynamic_update_slice(%x: tensor<4x8xf32>, %u: tensor<1x8xf32>, %i0: tensor<i64>, %i1: tensor<i64>) {
  // expected-error@+1 {{result has type 'tensor<1x8xf32>' but must be 'tensor<4x8xf32>'}}
  %0 = tx.dynamic_update_slice %x, %u[%i0, %i1] : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x8xf32>
  return
}

// -----
func.func @dynamic_update_slice(%x: tensor<4x8xf32>, %u: tensor<8xf32>, %i0: tensor<i64>, %i1: tensor<i64>) {
  // expected-error@+1 {{update has rank 1, the operand 2}}
  %0 = tx.dynamic_update_slice %x, %u[%i0, %i1] : (tensor<4x8xf32>, tensor<8xf32>, tensor<i64>, tensor<i64>) -> tensor<4x8xf32>
  return
}

// -----
func.func @dynamic_update_slice(%x: tensor<4x8xf32>, %u: tensor<1x9xf32>, %i0: tensor<i64>, %i1: tensor<i64>) {
  // expected-error@+1 {{a slice of 9 does not fit into dimension 1 of [4,8]}}
  %0 = tx.dynamic_update_slice %x, %u[%i0, %i1] : (tensor<4x8xf32>, tensor<1x9xf32>, tensor<i64>, tensor<i64>) -> tensor<4x8xf32>
  return
}

// -----
func.func @dynamic_update_slice(%x: tensor<4x8xf32>, %u: tensor<?x8xf32>, %i0: tensor<i64>, %i1: tensor<i64>) {
  // expected-error@+1 {{dynamic dimensions must be named}}
  %0 = tx.dynamic_update_slice %x, %u[%i0, %i1] : (tensor<4x8xf32>, tensor<?x8xf32>, tensor<i64>, tensor<i64>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>, %u: tensor<5x8xf32>) {
  // expected-error@+1 {{kind must be set, add, mul, min or max, not "sub"}}
  %0 = tx.scatter "sub" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x1xi64>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xi1>, %i: tensor<5x1xi64>, %u: tensor<5x8xi1>) {
  // expected-error@+1 {{cannot add i1}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xi1>, tensor<5x1xi64>, tensor<5x8xi1>) -> tensor<4x8xi1>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xi1>, %i: tensor<5x1xi64>, %u: tensor<5x8xi1>) {
  // expected-error@+1 {{cannot mul i1}}
  %0 = tx.scatter "mul" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xi1>, tensor<5x1xi64>, tensor<5x8xi1>) -> tensor<4x8xi1>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>, %u: tensor<5x8xf32>) {
  // expected-error@+1 {{the dimension of index vectors, 3, is outside}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 3 : (tensor<4x8xf32>, tensor<5x1xi64>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x2xi64>, %u: tensor<5x8xf32>) {
  // expected-error@+1 {{index vectors have 2 components for 1 dimensions}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x2xi64>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x?xi64, #tx.dims<[5, k]>>, %u: tensor<5x8xf32>) {
  // expected-error@+1 {{index vectors have k components for 1 dimensions}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x?xi64, #tx.dims<[5, k]>>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>, %u: tensor<5x8xf32>) {
  // expected-error@+1 {{the dimensions that index vectors are for must differ and lie inside [4,8]}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [2] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x1xi64>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>, %u: tensor<5x8xf32>) {
  // expected-error@+1 {{the dimensions that windows lack must increase and lie inside [4,8]}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [2] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x1xi64>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>, %u: tensor<5x8xf32>) {
  // expected-error@+1 {{the dimensions of windows must increase inside rank 2}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [2] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x1xi64>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>, %u: tensor<5x8xf32>) {
  // expected-error@+1 {{windows have 1 dimensions and lack 0 of [4,8]}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x1xi64>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>, %u: tensor<5x8xf64>) {
  // expected-error@+1 {{updates' dtype 'f64' differs from the operand's 'f32'}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x1xi64>, tensor<5x8xf64>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>, %u: tensor<5x8xf32>) {
  // expected-error@+1 {{result has type 'tensor<5x8xf32>' but must be 'tensor<4x8xf32>'}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x1xi64>, tensor<5x8xf32>) -> tensor<5x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>, %u: tensor<5x2x8xf32>) {
  // expected-error@+1 {{the dimensions of windows must increase inside rank 2}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [2] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x1xi64>, tensor<5x2x8xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>, %u: tensor<5x9xf32>) {
  // expected-error@+1 {{a slice of 9 does not fit into dimension 1 of [4,8]}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x1xi64>, tensor<5x9xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>, %u: tensor<6x8xf32>) {
  // expected-error@+1 {{updates [6,8] do not fit to indices [5,1] into [4,8]}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x1xi64>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>, %u: tensor<5x?xf32>) {
  // expected-error@+1 {{dynamic dimensions must be named}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x1xi64>, tensor<5x?xf32>) -> tensor<4x8xf32>
  return
}

// -----
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<5x1xf32>, %u: tensor<5x8xf32>) {
  // expected-error@+1 {{operand #1 must be}}
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : (tensor<4x8xf32>, tensor<5x1xf32>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return
}
