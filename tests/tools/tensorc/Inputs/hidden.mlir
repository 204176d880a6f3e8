// A hidden layer whose kernels need more scratch memory in 8 parts than in 4.
func.func @main(%x: tensor<512x64xf32> {tx.name = "x"}, %w: tensor<64x2048xf32> {tx.name = "w"},
    %v: tensor<2048x64xf32> {tx.name = "v"}) -> (tensor<512x64xf32> {tx.name = "y"}) {
  %h = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<512x64xf32>, tensor<64x2048xf32>) -> tensor<512x2048xf32>
  %s = tx.sigmoid %h : tensor<512x2048xf32>
  %y = tx.dot_general %s, %v batch = [] x [] contracting = [1] x [0] : (tensor<512x2048xf32>, tensor<2048x64xf32>) -> tensor<512x64xf32>
  %r = tx.add %y, %x : tensor<512x64xf32>
  return %r : tensor<512x64xf32>
}
