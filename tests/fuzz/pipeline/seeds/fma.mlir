func.func @main(%x: tensor<8xf64>, %y: tensor<8xf64>, %z: tensor<8xf64>)
    -> (tensor<8xf64> {tx.name = "f64"},
        tensor<8xf32> {tx.name = "f32"},
        tensor<8xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.fma %x, %y, %z : tensor<8xf64>
  %x_f32 = tx.convert %x : tensor<8xf64> -> tensor<8xf32>
  %y_f32 = tx.convert %y : tensor<8xf64> -> tensor<8xf32>
  %z_f32 = tx.convert %z : tensor<8xf64> -> tensor<8xf32>
  %r_f32 = tx.fma %x_f32, %y_f32, %z_f32 : tensor<8xf32>
  %x_bf16 = tx.convert %x : tensor<8xf64> -> tensor<8xbf16>
  %y_bf16 = tx.convert %y : tensor<8xf64> -> tensor<8xbf16>
  %z_bf16 = tx.convert %z : tensor<8xf64> -> tensor<8xbf16>
  %r_bf16 = tx.fma %x_bf16, %y_bf16, %z_bf16 : tensor<8xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<8xf64>, tensor<8xf32>, tensor<8xbf16>
}
