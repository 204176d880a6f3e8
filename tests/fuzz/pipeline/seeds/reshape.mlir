func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"})
    -> (tensor<?xf32, #tx.dims<[n * m]>>, tensor<?x1x?xf32, #tx.dims<[m, 1, n]>>) {
  %0 = tx.reshape %x : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[n * m]>>
  %1 = tx.reshape %x : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x1x?xf32, #tx.dims<[m, 1, n]>>
  return %0, %1 : tensor<?xf32, #tx.dims<[n * m]>>, tensor<?x1x?xf32, #tx.dims<[m, 1, n]>>
}
