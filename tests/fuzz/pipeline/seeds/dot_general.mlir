func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[m, k]>> {tx.name = "x"},
                    %y: tensor<?x?xf32, #tx.dims<[k, n]>> {tx.name = "y"})
    -> (tensor<?x?xf32, #tx.dims<[m, n]>>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xf32, #tx.dims<[m, k]>>, tensor<?x?xf32, #tx.dims<[k, n]>>)
      -> tensor<?x?xf32, #tx.dims<[m, n]>>
  %1 = tx.dot_general %y, %x batch = [] x [] contracting = [0] x [1]
      : (tensor<?x?xf32, #tx.dims<[k, n]>>, tensor<?x?xf32, #tx.dims<[m, k]>>)
      -> tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0, %1 : tensor<?x?xf32, #tx.dims<[m, n]>>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
