// The first product is a temporary of no bytes.
func.func @main(%x: tensor<0x7xf32>, %w: tensor<7x7xf32>) -> tensor<0x7xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<0x7xf32>, tensor<7x7xf32>) -> tensor<0x7xf32>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [1] x [0] : (tensor<0x7xf32>, tensor<7x7xf32>) -> tensor<0x7xf32>
  return %1 : tensor<0x7xf32>
}
