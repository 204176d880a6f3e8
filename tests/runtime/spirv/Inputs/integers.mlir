func.func @main(%x: tensor<5x40xi32>, %y: tensor<40xi32>) -> (tensor<5x40xi32>, tensor<5xi32>) {
  %b = tx.broadcast %y dims = [1] : tensor<40xi32> -> tensor<5x40xi32>
  %s = tx.mul %x, %b : tensor<5x40xi32>
  %sorted = tx.sort %s dim = 1 : tensor<5x40xi32>
  %sum = tx.sum %s dims = [1] : tensor<5x40xi32> -> tensor<5xi32>
  return %sorted, %sum : tensor<5x40xi32>, tensor<5xi32>
}
