func.func @sizes(%k: index {tx.symbol = "k"}) -> (tensor<i64>, tensor<i64>) {
  %0 = tx.iota dim = 0 : tensor<1000xi64>
  %1 = tx.sum %0 dims = [0] : tensor<1000xi64> -> tensor<i64>
  %2 = tx.iota dim = 0 : tensor<?xi64, #tx.dims<[k]>>
  %3 = tx.sum %2 dims = [0] : tensor<?xi64, #tx.dims<[k]>> -> tensor<i64>
  return %1, %3 : tensor<i64>, tensor<i64>
}
