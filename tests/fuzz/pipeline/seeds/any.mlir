func.func @bools(%p: tensor<3x3xi1>) -> (tensor<3xi1>, tensor<i1>, tensor<3xi1>) {
  %0 = tx.any %p dims = [1] : tensor<3x3xi1> -> tensor<3xi1>
  %1 = tx.any %p dims = [0, 1] : tensor<3x3xi1> -> tensor<i1>
  %e = tx.slice %p offsets = [0, 0] strides = [1, 1] : tensor<3x3xi1> -> tensor<3x0xi1>
  %2 = tx.any %e dims = [1] : tensor<3x0xi1> -> tensor<3xi1>
  return %0, %1, %2 : tensor<3xi1>, tensor<i1>, tensor<3xi1>
}
