func.func @ints(%x: tensor<7xi64>, %y: tensor<7xi64>)
    -> (tensor<7xi64> {tx.name = "i64"},
        tensor<7xi32> {tx.name = "i32"}) {
  %r_i64 = tx.mul %x, %y : tensor<7xi64>
  %x_i32 = tx.convert %x : tensor<7xi64> -> tensor<7xi32>
  %y_i32 = tx.convert %y : tensor<7xi64> -> tensor<7xi32>
  %r_i32 = tx.mul %x_i32, %y_i32 : tensor<7xi32>
  return %r_i64, %r_i32
      : tensor<7xi64>, tensor<7xi32>
}
