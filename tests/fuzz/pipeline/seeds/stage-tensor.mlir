// --start-from=tensor
module attributes {tx.target = "cpu:x86-64-v3"} {
  func.func @main(%arg0: tensor<?x8xf32, #tx.dims<[n, 8]>>) -> tensor<?xf32, #tx.dims<[n]>> {
    %0 = tx.exp %arg0 : tensor<?x8xf32, #tx.dims<[n, 8]>>
    %1 = tx.sum %0 dims = [1] : tensor<?x8xf32, #tx.dims<[n, 8]>> -> tensor<?xf32, #tx.dims<[n]>>
    return %1 : tensor<?xf32, #tx.dims<[n]>>
  }
}

