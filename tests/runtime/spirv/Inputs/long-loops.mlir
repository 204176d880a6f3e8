func.func @main(%x: tensor<100003xf32>) -> tensor<100003xf32> {
  %0 = tx.sort %x dim = 0 : tensor<100003xf32>
  return %0 : tensor<100003xf32>
}
