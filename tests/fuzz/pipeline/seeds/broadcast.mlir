func.func @symbolic(%x: tensor<?xf32, #tx.dims<[m]>> {tx.name = "x"},
                    %y: tensor<?x1xf32, #tx.dims<[n, 1]>> {tx.name = "y"})
    -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>,
        tensor<?x3xf32, #tx.dims<[m, 3]>>) {
  %0 = tx.broadcast %x dims = [1] : tensor<?xf32, #tx.dims<[m]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.broadcast %y dims = [0, 1] : tensor<?x1xf32, #tx.dims<[n, 1]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %2 = tx.broadcast %x dims = [0] : tensor<?xf32, #tx.dims<[m]>> -> tensor<?x3xf32, #tx.dims<[m, 3]>>
  return %0, %1, %2
      : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>,
        tensor<?x3xf32, #tx.dims<[m, 3]>>
}
