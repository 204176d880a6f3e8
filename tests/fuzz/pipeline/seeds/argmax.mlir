func.func @main(%x: tensor<6x3xf64>)
    -> (tensor<6xi64>, tensor<6xi32>, tensor<6xi64>, tensor<3xi64>, tensor<i64>, tensor<6x3xi64>) {
  %0 = tx.argmax %x dims = [1] : tensor<6x3xf64> -> tensor<6xi64>
  %f = tx.convert %x : tensor<6x3xf64> -> tensor<6x3xf32>
  %1 = tx.argmax %f dims = [1] : tensor<6x3xf32> -> tensor<6xi32>
  %b = tx.convert %x : tensor<6x3xf64> -> tensor<6x3xbf16>
  %2 = tx.argmax %b dims = [1] : tensor<6x3xbf16> -> tensor<6xi64>
  %3 = tx.argmax %f dims = [0] : tensor<6x3xf32> -> tensor<3xi64>
  %4 = tx.argmax %f dims = [0, 1] : tensor<6x3xf32> -> tensor<i64>
  %5 = tx.argmax %f dims = [] : tensor<6x3xf32> -> tensor<6x3xi64>
  return %0, %1, %2, %3, %4, %5
      : tensor<6xi64>, tensor<6xi32>, tensor<6xi64>, tensor<3xi64>, tensor<i64>, tensor<6x3xi64>
}
