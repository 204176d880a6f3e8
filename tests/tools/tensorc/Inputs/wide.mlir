// Wide hidden layers between small inputs and results. A sum over all rows follows.
func.func @main(%x: tensor<512x64xf32> {tx.name = "x"}, %w: tensor<64x1024xf32> {tx.name = "w"}, %u: tensor<1024x1024xf32> {tx.name = "u"},
                %v: tensor<1024x64xf32> {tx.name = "v"}) -> (tensor<512x64xf32> {tx.name = "y"}, tensor<64xf32> {tx.name = "sum"}) {
  %h = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<512x64xf32>, tensor<64x1024xf32>) -> tensor<512x1024xf32>
  %s = tx.sigmoid %h : tensor<512x1024xf32>
  %g = tx.dot_general %s, %u batch = [] x [] contracting = [1] x [0] : (tensor<512x1024xf32>, tensor<1024x1024xf32>) -> tensor<512x1024xf32>
  %t = tx.add %g, %s : tensor<512x1024xf32>
  %y = tx.dot_general %t, %v batch = [] x [] contracting = [1] x [0] : (tensor<512x1024xf32>, tensor<1024x64xf32>) -> tensor<512x64xf32>
  %sum = tx.sum %y dims = [0] : tensor<512x64xf32> -> tensor<64xf32>
  return %y, %sum : tensor<512x64xf32>, tensor<64xf32>
}
