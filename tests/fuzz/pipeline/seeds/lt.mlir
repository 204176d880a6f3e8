func.func @ints(%x: tensor<6xi64>, %y: tensor<6xi64>)
    -> (tensor<6xi1> {tx.name = "i64"},
        tensor<6xi1> {tx.name = "i32"}) {
  %r_i64 = tx.lt %x, %y : tensor<6xi64>
  %x_i32 = tx.convert %x : tensor<6xi64> -> tensor<6xi32>
  %y_i32 = tx.convert %y : tensor<6xi64> -> tensor<6xi32>
  %r_i32 = tx.lt %x_i32, %y_i32 : tensor<6xi32>
  return %r_i64, %r_i32
      : tensor<6xi1>, tensor<6xi1>
}
