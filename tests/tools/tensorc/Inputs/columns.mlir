func.func @main(%x: tensor<16x2048xf32> {tx.name = "x"}, %w: tensor<1024x16xf32> {tx.name = "w"}, %v: tensor<16x1024xf32> {tx.name = "v"}) -> (tensor<16x2048xf32> {tx.name = "y"}) {
  %h = tx.dot_general %w, %x batch = [] x [] contracting = [1] x [0] : (tensor<1024x16xf32>, tensor<16x2048xf32>) -> tensor<1024x2048xf32>
  %s = tx.sigmoid %h : tensor<1024x2048xf32>
  %y = tx.dot_general %v, %s batch = [] x [] contracting = [1] x [0] : (tensor<16x1024xf32>, tensor<1024x2048xf32>) -> tensor<16x2048xf32>
  return %y : tensor<16x2048xf32>
}
