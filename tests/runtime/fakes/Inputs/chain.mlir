// Several kernels in a row: the running sums of the ordered values, ordered once
// more, as parts of their sum.
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = tx.sort %x dim = 0 : tensor<1000xf32>
  %1 = tx.cumsum %0 dim = 0 : tensor<1000xf32>
  %2 = tx.sort %1 dim = 0 : tensor<1000xf32>
  %3 = tx.sum %2 dims = [0] : tensor<1000xf32> -> tensor<f32>
  %4 = tx.broadcast %3 dims = [] : tensor<f32> -> tensor<1000xf32>
  %5 = tx.div %2, %4 : tensor<1000xf32>
  return %5 : tensor<1000xf32>
}
