func.func @main(%x: tensor<16x4x32x32xf32> {tx.name = "x"}, %w: tensor<32x4x3x3xf32> {tx.name = "w"}, %v: tensor<4x32x3x3xf32> {tx.name = "v"}) -> (tensor<16x4x16x16xf32> {tx.name = "y"}) {
  %h = tx.conv %x, %w groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1] : (tensor<16x4x32x32xf32>, tensor<32x4x3x3xf32>) -> tensor<16x32x32x32xf32>
  %r = tx.relu %h : tensor<16x32x32x32xf32>
  %c = tx.conv %r, %v groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1] : (tensor<16x32x32x32xf32>, tensor<4x32x3x3xf32>) -> tensor<16x4x32x32xf32>
  %y = tx.max_pool %c dims = [2, 3] sizes = [2, 2] strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0] : (tensor<16x4x32x32xf32>) -> tensor<16x4x16x16xf32>
  return %y : tensor<16x4x16x16xf32>
}
