func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"})
    -> (tensor<?x?xf32, #tx.dims<[n - 1, m - 2]>>, tensor<?x?xf32, #tx.dims<[n ceildiv 2, m]>>) {
  %0 = tx.slice %x offsets = [1, 1] strides = [1, 1]
      : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[n - 1, m - 2]>>
  %1 = tx.slice %x offsets = [0, 0] strides = [2, 1]
      : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[n ceildiv 2, m]>>
  return %0, %1
      : tensor<?x?xf32, #tx.dims<[n - 1, m - 2]>>, tensor<?x?xf32, #tx.dims<[n ceildiv 2, m]>>
}
