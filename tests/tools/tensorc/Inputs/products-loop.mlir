// Products in a loop. The result of the first product of an iteration is needed last.
func.func @main(%x: tensor<128x64xf32> {tx.name = "x"}, %w: tensor<64x64xf32> {tx.name = "w"}) -> (tensor<64x64xf32> {tx.name = "y"}) {
  %y = tx.scan <[3]> carried = 1 scanned = 0 (%w, %x) : (tensor<64x64xf32>, tensor<128x64xf32>) -> (tensor<64x64xf32>) {
  ^bb0(%i: tensor<i64>, %v: tensor<64x64xf32>, %s: tensor<128x64xf32>):
    %a = tx.dot_general %s, %v batch = [] x [] contracting = [1] x [0] : (tensor<128x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
    %b = tx.dot_general %a, %v batch = [] x [] contracting = [1] x [0] : (tensor<128x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
    %c = tx.dot_general %b, %v batch = [] x [] contracting = [1] x [0] : (tensor<128x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
    %d = tx.dot_general %c, %v batch = [] x [] contracting = [1] x [0] : (tensor<128x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
    %p = tx.dot_general %a, %d batch = [] x [] contracting = [0] x [0] : (tensor<128x64xf32>, tensor<128x64xf32>) -> tensor<64x64xf32>
    %z = tx.tanh %p : tensor<64x64xf32>
    tx.return %z : tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
