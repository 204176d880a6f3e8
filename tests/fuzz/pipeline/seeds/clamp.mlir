func.func @main(%l: tensor<9xf64>, %x: tensor<9xf64>, %h: tensor<9xf64>)
    -> (tensor<9xf64> {tx.name = "f64"},
        tensor<9xf32> {tx.name = "f32"},
        tensor<9xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.clamp %l, %x, %h : tensor<9xf64>
  %l_f32 = tx.convert %l : tensor<9xf64> -> tensor<9xf32>
  %x_f32 = tx.convert %x : tensor<9xf64> -> tensor<9xf32>
  %h_f32 = tx.convert %h : tensor<9xf64> -> tensor<9xf32>
  %r_f32 = tx.clamp %l_f32, %x_f32, %h_f32 : tensor<9xf32>
  %l_bf16 = tx.convert %l : tensor<9xf64> -> tensor<9xbf16>
  %x_bf16 = tx.convert %x : tensor<9xf64> -> tensor<9xbf16>
  %h_bf16 = tx.convert %h : tensor<9xf64> -> tensor<9xbf16>
  %r_bf16 = tx.clamp %l_bf16, %x_bf16, %h_bf16 : tensor<9xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<9xf64>, tensor<9xf32>, tensor<9xbf16>
}
