func.func @main(%x: tensor<40x200xi8> {tx.name = "x"}, %y: tensor<200x72xui8> {tx.name = "y"}, %p: tensor<40x200xbf16> {tx.name = "p"}, %q: tensor<72x200xbf16> {tx.name = "q"})
    -> (tensor<40x72xi32> {tx.name = "bytes"}, tensor<40x72xf32> {tx.name = "brains"}) {
  %a = tx.convert %x : tensor<40x200xi8> -> tensor<40x200xi32>
  %b = tx.convert %y : tensor<200x72xui8> -> tensor<200x72xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<40x200xi32>, tensor<200x72xi32>) -> tensor<40x72xi32>
  %1 = tx.dot_general %p, %q batch = [] x [] contracting = [1] x [1] : (tensor<40x200xbf16>, tensor<72x200xbf16>) -> tensor<40x72xf32>
  return %0, %1 : tensor<40x72xi32>, tensor<40x72xf32>
}
