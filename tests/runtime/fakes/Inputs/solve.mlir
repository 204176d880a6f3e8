func.func @main(%a: tensor<2x40x40xf32> {tx.name = "a"}, %b: tensor<2x40x3xf32> {tx.name = "b"})
    -> (tensor<2x40x3xf32> {tx.name = "y"}) {
  %0 = tx.solve %a, %b : (tensor<2x40x40xf32>, tensor<2x40x3xf32>) -> tensor<2x40x3xf32>
  return %0 : tensor<2x40x3xf32>
}
