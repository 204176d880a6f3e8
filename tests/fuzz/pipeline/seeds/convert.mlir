func.func @main(%x: tensor<8xf64>)
    -> (tensor<8xf32> {tx.name = "f32"}, tensor<8xbf16> {tx.name = "bf16"},
        tensor<8xi64> {tx.name = "i64"}, tensor<8xi32> {tx.name = "i32"},
        tensor<8xi8> {tx.name = "i8"}, tensor<8xi1> {tx.name = "i1"}) {
  %0 = tx.convert %x : tensor<8xf64> -> tensor<8xf32>
  %1 = tx.convert %x : tensor<8xf64> -> tensor<8xbf16>
  %2 = tx.convert %x : tensor<8xf64> -> tensor<8xi64>
  %3 = tx.convert %x : tensor<8xf64> -> tensor<8xi32>
  %4 = tx.convert %x : tensor<8xf64> -> tensor<8xi8>
  %5 = tx.convert %x : tensor<8xf64> -> tensor<8xi1>
  return %0, %1, %2, %3, %4, %5
      : tensor<8xf32>, tensor<8xbf16>, tensor<8xi64>, tensor<8xi32>,
        tensor<8xi8>, tensor<8xi1>
}
