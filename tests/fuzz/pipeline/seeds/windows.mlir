func.func @transposed(%x: tensor<1x4x5x3xf32>, %w: tensor<3x3x3x6xf32>) -> tensor<1x9x11x6xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %p = tx.pad %x, %zero low = [0, 2, 2, 0] high = [0, 2, 2, 0] interior = [0, 1, 1, 0] : tensor<1x4x5x3xf32> -> tensor<1x11x13x3xf32>
  %0 = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<1x11x13x3xf32> -> tensor<1x9x11x3x3x3xf32>
  %r = tx.slice %w offsets = [2, 2, 0, 0] strides = [-1, -1, 1, 1] : tensor<3x3x3x6xf32> -> tensor<3x3x3x6xf32>
  %1 = tx.dot_general %0, %r batch = [] x [] contracting = [4, 5, 3] x [0, 1, 2] : (tensor<1x9x11x3x3x3xf32>, tensor<3x3x3x6xf32>) -> tensor<1x9x11x6xf32>
  return %1 : tensor<1x9x11x6xf32>
}
