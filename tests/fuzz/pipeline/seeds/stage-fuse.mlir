// --start-from=fuse
module attributes {tx.target = "cpu:x86-64-v3"} {
  func.func @main(%arg0: tensor<?x8xf32, #tx.dims<[n, 8]>>) -> tensor<?xf32, #tx.dims<[n]>> {
    %0 = tx.fusion "row" "exp_sum"(%arg0) {order = #tx.order<"chunks", lanes = [32], chunk = 8192>, schedule = #tx.schedule<"rows", kernels = 1>} : (tensor<?x8xf32, #tx.dims<[n, 8]>>) -> tensor<?xf32, #tx.dims<[n]>> {
    ^bb0(%arg1: tensor<?x8xf32, #tx.dims<[n, 8]>>):
      %1 = tx.exp %arg1 : tensor<?x8xf32, #tx.dims<[n, 8]>>
      %2 = tx.sum %1 dims = [1] : tensor<?x8xf32, #tx.dims<[n, 8]>> -> tensor<?xf32, #tx.dims<[n]>>
      tx.yield %2 : tensor<?xf32, #tx.dims<[n]>>
    }
    return %0 : tensor<?xf32, #tx.dims<[n]>>
  }
}

