func.func @rank3() -> tensor<3x1x2xi32> {
  %0 = tx.iota dim = 0 : tensor<6xi32>
  %1 = tx.reshape %0 : tensor<6xi32> -> tensor<1x2x3xi32>
  %2 = tx.transpose %1 permutation = [2, 0, 1] : tensor<1x2x3xi32> -> tensor<3x1x2xi32>
  return %2 : tensor<3x1x2xi32>
}
