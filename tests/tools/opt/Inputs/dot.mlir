func.func @main(%x: tensor<?x64xf16, #tx.dims<[n, 64]>>, %w: tensor<64x32xf16>, %i: tensor<5xi64>)
    -> (tensor<?x32xf16, #tx.dims<[n, 32]>>, tensor<5x32xf16>) {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x64xf16, #tx.dims<[n, 64]>>, tensor<64x32xf16>) -> tensor<?x32xf16, #tx.dims<[n, 32]>>
  %1 = tx.tanh %0 : tensor<?x32xf16, #tx.dims<[n, 32]>>
  %2 = tx.gather %w, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
         slice_sizes = [1, 32] : (tensor<64x32xf16>, tensor<5xi64>) -> tensor<5x32xf16>
  return %1, %2 : tensor<?x32xf16, #tx.dims<[n, 32]>>, tensor<5x32xf16>
}
