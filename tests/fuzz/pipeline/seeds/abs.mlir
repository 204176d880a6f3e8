func.func @ints(%x: tensor<6xi64>)
    -> (tensor<6xi64> {tx.name = "i64"},
        tensor<6xi32> {tx.name = "i32"}) {
  %r_i64 = tx.abs %x : tensor<6xi64>
  %x_i32 = tx.convert %x : tensor<6xi64> -> tensor<6xi32>
  %r_i32 = tx.abs %x_i32 : tensor<6xi32>
  return %r_i64, %r_i32
      : tensor<6xi64>, tensor<6xi32>
}
