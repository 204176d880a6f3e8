func.func @main(%x: tensor<10xf64>)
    -> (tensor<10xf64> {tx.name = "f64"},
        tensor<10xf32> {tx.name = "f32"},
        tensor<10xbf16> {tx.name = "bf16"}) {
  %r_f64 = tx.rsqrt %x : tensor<10xf64>
  %x_f32 = tx.convert %x : tensor<10xf64> -> tensor<10xf32>
  %r_f32 = tx.rsqrt %x_f32 : tensor<10xf32>
  %x_bf16 = tx.convert %x : tensor<10xf64> -> tensor<10xbf16>
  %r_bf16 = tx.rsqrt %x_bf16 : tensor<10xbf16>
  return %r_f64, %r_f32, %r_bf16
      : tensor<10xf64>, tensor<10xf32>, tensor<10xbf16>
}
