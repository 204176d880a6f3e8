func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}, %v: tensor<f32>)
    -> (tensor<?x?xf32, #tx.dims<[n + 3, m * 2 - 1]>>, tensor<?x?xf32, #tx.dims<[n - 1, m]>>) {
  %0 = tx.pad %x, %v low = [1, 0] high = [2, 0] interior = [0, 1]
      : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[n + 3, m * 2 - 1]>>
  %1 = tx.pad %x, %v low = [-1, 1] high = [0, -1] interior = [0, 0]
      : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[n - 1, m]>>
  return %0, %1
      : tensor<?x?xf32, #tx.dims<[n + 3, m * 2 - 1]>>, tensor<?x?xf32, #tx.dims<[n - 1, m]>>
}
