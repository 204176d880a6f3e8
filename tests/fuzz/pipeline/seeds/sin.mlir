func.func @main(%x: tensor<11xf64>)
    -> (tensor<11xf64> {tx.name = "f64"},
        tensor<11xf32> {tx.name = "f32"},
        tensor<11xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.sin %x : tensor<11xf64>
  %x_f32 = tx.convert %x : tensor<11xf64> -> tensor<11xf32>
  %r_f32 = tx.sin %x_f32 : tensor<11xf32>
  %x_bf16 = tx.convert %x : tensor<11xf64> -> tensor<11xbf16>
  %r_bf16 = tx.sin %x_bf16 : tensor<11xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<11xf64>, tensor<11xf32>, tensor<11xbf16>
}
