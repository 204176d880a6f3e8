func.func @ints(%x: tensor<9xi64>, %y: tensor<9xi64>)
    -> (tensor<9xi64> {tx.name = "i64"},
        tensor<9xi32> {tx.name = "i32"}) {
  %r_i64 = tx.div %x, %y : tensor<9xi64>
  %x_i32 = tx.convert %x : tensor<9xi64> -> tensor<9xi32>
  %y_i32 = tx.convert %y : tensor<9xi64> -> tensor<9xi32>
  %r_i32 = tx.div %x_i32, %y_i32 : tensor<9xi32>
  return %r_i64, %r_i32
      : tensor<9xi64>, tensor<9xi32>
}
