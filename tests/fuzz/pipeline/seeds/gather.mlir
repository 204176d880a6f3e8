func.func @produced(%x: tensor<50x24xf32>, %i: tensor<6xi64>) -> tensor<6x24xf32> {
  %y = tx.tanh %x : tensor<50x24xf32>
  %g = tx.gather %y, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 24] : (tensor<50x24xf32>, tensor<6xi64>) -> tensor<6x24xf32>
  %h = tx.gather %g, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 24] : (tensor<6x24xf32>, tensor<6xi64>) -> tensor<6x24xf32>
  %z = tx.add %g, %h : tensor<6x24xf32>
  return %z : tensor<6x24xf32>
}
