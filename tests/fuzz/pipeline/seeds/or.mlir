func.func @ints(%x: tensor<5xi64>, %y: tensor<5xi64>)
    -> (tensor<5xi64> {tx.name = "i64"},
        tensor<5xi32> {tx.name = "i32"}) {
  %r_i64 = tx.or %x, %y : tensor<5xi64>
  %x_i32 = tx.convert %x : tensor<5xi64> -> tensor<5xi32>
  %y_i32 = tx.convert %y : tensor<5xi64> -> tensor<5xi32>
  %r_i32 = tx.or %x_i32, %y_i32 : tensor<5xi32>
  return %r_i64, %r_i32
      : tensor<5xi64>, tensor<5xi32>
}
