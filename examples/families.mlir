// One function for each family of kernels. docs/families.md explains how each
// of them becomes fast.
//
//   tensorc compile examples/families.mlir --entry=softmax --target=cpu:x86-64-v4 --stop-after=fuse

func.func @chain(%x: tensor<4194304xf32>, %y: tensor<4194304xf32>) -> tensor<4194304xf32> {
  %0 = tx.mul %x, %y : tensor<4194304xf32>
  %1 = tx.tanh %0 : tensor<4194304xf32>
  %2 = tx.add %1, %x : tensor<4194304xf32>
  return %2 : tensor<4194304xf32>
}

func.func @sum_of_rows(%x: tensor<8192x4096xf32>) -> tensor<8192xf32> {
  %0 = tx.sum %x dims = [1] : tensor<8192x4096xf32> -> tensor<8192xf32>
  return %0 : tensor<8192xf32>
}

func.func @sum_of_columns(%x: tensor<8192x4096xf32>) -> tensor<4096xf32> {
  %0 = tx.sum %x dims = [0] : tensor<8192x4096xf32> -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

func.func @softmax(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %0 = tx.softmax %x dim = 1 : tensor<8192x4096xf32>
  return %0 : tensor<8192x4096xf32>
}

func.func @transpose(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<4096x4096xf32> -> tensor<4096x4096xf32>
  return %0 : tensor<4096x4096xf32>
}

func.func @product(%x: tensor<1024x1024xf32>, %w: tensor<1024x1024xf32>, %b: tensor<1024xf32>) -> tensor<1024x1024xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %1 = tx.broadcast %b dims = [1] : tensor<1024xf32> -> tensor<1024x1024xf32>
  %2 = tx.add %0, %1 : tensor<1024x1024xf32>
  return %2 : tensor<1024x1024xf32>
}

func.func @one_row(%x: tensor<1x4096xf32>, %w: tensor<4096x4096xf32>) -> tensor<1x4096xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<1x4096xf32>, tensor<4096x4096xf32>) -> tensor<1x4096xf32>
  return %0 : tensor<1x4096xf32>
}

func.func @narrow_weights(%x: tensor<1x4096xf32>, %w: tensor<4096x4096xi8>, %s: tensor<1x4096xf32>) -> tensor<1x4096xf32> {
  %0 = tx.dequantize %w, %s : (tensor<4096x4096xi8>, tensor<1x4096xf32>) -> tensor<4096x4096xf32>
  %1 = tx.dot_general %x, %0 batch = [] x [] contracting = [1] x [0] : (tensor<1x4096xf32>, tensor<4096x4096xf32>) -> tensor<1x4096xf32>
  return %1 : tensor<1x4096xf32>
}

func.func @convolution(%x: tensor<1x64x56x56xf32>, %k: tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32> {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %0 = tx.conv %x, %k groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1] : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  %1 = tx.broadcast %zero dims = [] : tensor<f32> -> tensor<1x64x56x56xf32>
  %2 = tx.max %0, %1 : tensor<1x64x56x56xf32>
  return %2 : tensor<1x64x56x56xf32>
}

func.func @depthwise(%x: tensor<1x128x56x56xf32>, %k: tensor<128x1x3x3xf32>) -> tensor<1x128x56x56xf32> {
  %0 = tx.conv %x, %k groups = 128 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1] : (tensor<1x128x56x56xf32>, tensor<128x1x3x3xf32>) -> tensor<1x128x56x56xf32>
  return %0 : tensor<1x128x56x56xf32>
}

func.func @max_pool(%x: tensor<8x64x112x112xf32>) -> tensor<8x64x56x56xf32> {
  %0 = tx.max_pool %x dims = [2, 3] sizes = [3, 3] strides = [2, 2] dilations = [1, 1] low = [1, 1] high = [1, 1] : (tensor<8x64x112x112xf32>) -> tensor<8x64x56x56xf32>
  return %0 : tensor<8x64x56x56xf32>
}

func.func @attention(%q: tensor<1x16x2048x128xf32>, %k: tensor<1x16x2048x128xf32>, %v: tensor<1x16x2048x128xf32>, %s: tensor<f32> {tx.scalar}) -> tensor<1x16x2048x128xf32> {
  %0 = tx.attention %q, %k, %v, %s groups = 1 causal : (tensor<1x16x2048x128xf32>, tensor<1x16x2048x128xf32>, tensor<1x16x2048x128xf32>, tensor<f32>) -> tensor<1x16x2048x128xf32>
  return %0 : tensor<1x16x2048x128xf32>
}

func.func @sort(%x: tensor<1000000xf32>) -> tensor<1000000xf32> {
  %0 = tx.sort %x dim = 0 : tensor<1000000xf32>
  return %0 : tensor<1000000xf32>
}

func.func @cumsum(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %0 = tx.cumsum %x dim = 1 : tensor<8192x4096xf32>
  return %0 : tensor<8192x4096xf32>
}
