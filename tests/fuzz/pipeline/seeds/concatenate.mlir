func.func @main(%x: tensor<2x2xf32>, %y: tensor<1x2xf32>)
    -> (tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x2xf32>) {
  %0 = tx.concatenate %x, %y, %y dim = 0
      : (tensor<2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
  %1 = tx.concatenate %x, %x dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %e = tx.slice %x offsets = [0, 0] strides = [1, 1] : tensor<2x2xf32> -> tensor<2x0xf32>
  %2 = tx.concatenate %e, %x dim = 1 : (tensor<2x0xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x2xf32>
}
