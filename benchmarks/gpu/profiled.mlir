// Common programs at sizes that fill a few blocks of a GPU. benchmarks/gpu_profile.py prints what the simulator counts for them.

func.func @add(%x: tensor<256x1024xf32> {tx.name = "x"}, %y: tensor<256x1024xf32> {tx.name = "y"}) -> tensor<256x1024xf32> {
  %r = tx.add %x, %y : tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

func.func @add_f16(%x: tensor<256x1024xf16> {tx.name = "x"}, %y: tensor<256x1024xf16> {tx.name = "y"}) -> tensor<256x1024xf16> {
  %r = tx.add %x, %y : tensor<256x1024xf16>
  return %r : tensor<256x1024xf16>
}

func.func @bias_gelu(%x: tensor<256x1024xf32> {tx.name = "x"}, %b: tensor<1024xf32> {tx.name = "b"}) -> tensor<256x1024xf32> {
  %0 = tx.broadcast %b dims = [1] : tensor<1024xf32> -> tensor<256x1024xf32>
  %1 = tx.add %x, %0 : tensor<256x1024xf32>
  %r = tx.gelu %1 : tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

func.func @swiglu_bf16(%x: tensor<256x1024xbf16> {tx.name = "x"}, %y: tensor<256x1024xbf16> {tx.name = "y"}) -> tensor<256x1024xbf16> {
  %0 = tx.silu %x : tensor<256x1024xbf16>
  %r = tx.mul %0, %y : tensor<256x1024xbf16>
  return %r : tensor<256x1024xbf16>
}

func.func @chain(%x: tensor<256x1024xf32> {tx.name = "x"}, %y: tensor<256x1024xf32> {tx.name = "y"}) -> tensor<256x1024xf32> {
  %0 = tx.mul %x, %y : tensor<256x1024xf32>
  %1 = tx.exp %0 : tensor<256x1024xf32>
  %2 = tx.tanh %1 : tensor<256x1024xf32>
  %3 = tx.add %2, %x : tensor<256x1024xf32>
  %r = tx.sqrt %3 : tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

func.func @odd_sizes(%x: tensor<255x1023xf32> {tx.name = "x"}, %y: tensor<255x1023xf32> {tx.name = "y"}) -> tensor<255x1023xf32> {
  %r = tx.mul %x, %y : tensor<255x1023xf32>
  return %r : tensor<255x1023xf32>
}

func.func @to_f16(%x: tensor<256x1024xf32> {tx.name = "x"}) -> tensor<256x1024xf16> {
  %r = tx.convert %x : tensor<256x1024xf32> -> tensor<256x1024xf16>
  return %r : tensor<256x1024xf16>
}

func.func @dequantize(%x: tensor<256x1024xi8> {tx.name = "x"}, %s: tensor<f32> {tx.name = "s"}) -> tensor<256x1024xf32> {
  %r = tx.dequantize %x, %s : (tensor<256x1024xi8>, tensor<f32>) -> tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

func.func @row_bias(%x: tensor<256x1024xf32> {tx.name = "x"}, %b: tensor<256xf32> {tx.name = "b"}) -> tensor<256x1024xf32> {
  %0 = tx.broadcast %b dims = [0] : tensor<256xf32> -> tensor<256x1024xf32>
  %r = tx.add %x, %0 : tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

func.func @select(%x: tensor<256x1024xf32> {tx.name = "x"}, %y: tensor<256x1024xf32> {tx.name = "y"}) -> tensor<256x1024xf32> {
  %0 = tx.gt %x, %y : tensor<256x1024xf32>
  %r = tx.select %0, %x, %y : tensor<256x1024xi1>, tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

func.func @sum_rows(%x: tensor<256x1024xf32> {tx.name = "x"}) -> tensor<256xf32> {
  %r = tx.sum %x dims = [1] : tensor<256x1024xf32> -> tensor<256xf32>
  return %r : tensor<256xf32>
}

func.func @sum_columns(%x: tensor<256x1024xf32> {tx.name = "x"}) -> tensor<1024xf32> {
  %r = tx.sum %x dims = [0] : tensor<256x1024xf32> -> tensor<1024xf32>
  return %r : tensor<1024xf32>
}

func.func @sum_all(%x: tensor<256x1024xf32> {tx.name = "x"}) -> tensor<f32> {
  %r = tx.sum %x dims = [0, 1] : tensor<256x1024xf32> -> tensor<f32>
  return %r : tensor<f32>
}

func.func @max_rows_f16(%x: tensor<256x1024xf16> {tx.name = "x"}) -> tensor<256xf16> {
  %r = tx.reduce_max %x dims = [1] : tensor<256x1024xf16> -> tensor<256xf16>
  return %r : tensor<256xf16>
}

func.func @sum_short_rows(%x: tensor<8192x12xf32> {tx.name = "x"}) -> tensor<8192xf32> {
  %r = tx.sum %x dims = [1] : tensor<8192x12xf32> -> tensor<8192xf32>
  return %r : tensor<8192xf32>
}

func.func @sum_middle(%x: tensor<16x64x256xf32> {tx.name = "x"}) -> tensor<16x256xf32> {
  %r = tx.sum %x dims = [1] : tensor<16x64x256xf32> -> tensor<16x256xf32>
  return %r : tensor<16x256xf32>
}

func.func @argmax(%x: tensor<256x1024xf32> {tx.name = "x"}) -> tensor<256xi64> {
  %r = tx.argmax %x dims = [1] : tensor<256x1024xf32> -> tensor<256xi64>
  return %r : tensor<256xi64>
}

func.func @variance(%x: tensor<256x1024xf32> {tx.name = "x"}, %c: tensor<f32> {tx.name = "c"}) -> tensor<256xf32> {
  %r = tx.var %x, %c dims = [1] : (tensor<256x1024xf32>, tensor<f32>) -> tensor<256xf32>
  return %r : tensor<256xf32>
}

func.func @softmax(%x: tensor<256x1024xf32> {tx.name = "x"}) -> tensor<256x1024xf32> {
  %r = tx.softmax %x dim = 1 : tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

func.func @softmax_f16(%x: tensor<256x1024xf16> {tx.name = "x"}) -> tensor<256x1024xf16> {
  %r = tx.softmax %x dim = 1 : tensor<256x1024xf16>
  return %r : tensor<256x1024xf16>
}

func.func @softmax_first(%x: tensor<256x1024xf32> {tx.name = "x"}) -> tensor<256x1024xf32> {
  %r = tx.softmax %x dim = 0 : tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

func.func @log_softmax(%x: tensor<256x1024xf32> {tx.name = "x"}) -> tensor<256x1024xf32> {
  %r = tx.log_softmax %x dim = 1 : tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

func.func @layer_norm(%x: tensor<256x1024xf32> {tx.name = "x"}, %e: tensor<f32> {tx.name = "e"}, %s: tensor<1024xf32> {tx.name = "s"}, %b: tensor<1024xf32> {tx.name = "b"}) -> tensor<256x1024xf32> {
  %r = tx.layer_norm %x, %e scale %s bias %b : (tensor<256x1024xf32>, tensor<f32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

func.func @rms_norm(%x: tensor<256x1024xf16> {tx.name = "x"}, %e: tensor<f16> {tx.name = "e"}, %s: tensor<1024xf16> {tx.name = "s"}) -> tensor<256x1024xf16> {
  %r = tx.rms_norm %x, %e scale %s : (tensor<256x1024xf16>, tensor<f16>, tensor<1024xf16>) -> tensor<256x1024xf16>
  return %r : tensor<256x1024xf16>
}

func.func @cumsum(%x: tensor<256x1024xf32> {tx.name = "x"}) -> tensor<256x1024xf32> {
  %r = tx.cumsum %x dim = 1 : tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

func.func @transpose(%x: tensor<256x1024xf32> {tx.name = "x"}) -> tensor<1024x256xf32> {
  %r = tx.transpose %x permutation = [1, 0] : tensor<256x1024xf32> -> tensor<1024x256xf32>
  return %r : tensor<1024x256xf32>
}

func.func @transpose_f16(%x: tensor<256x1024xf16> {tx.name = "x"}) -> tensor<1024x256xf16> {
  %r = tx.transpose %x permutation = [1, 0] : tensor<256x1024xf16> -> tensor<1024x256xf16>
  return %r : tensor<1024x256xf16>
}

func.func @heads(%x: tensor<4x128x8x64xf16> {tx.name = "x"}) -> tensor<4x8x128x64xf16> {
  %r = tx.transpose %x permutation = [0, 2, 1, 3] : tensor<4x128x8x64xf16> -> tensor<4x8x128x64xf16>
  return %r : tensor<4x8x128x64xf16>
}

func.func @nchw_to_nhwc(%x: tensor<4x64x32x32xf32> {tx.name = "x"}) -> tensor<4x32x32x64xf32> {
  %r = tx.transpose %x permutation = [0, 2, 3, 1] : tensor<4x64x32x32xf32> -> tensor<4x32x32x64xf32>
  return %r : tensor<4x32x32x64xf32>
}

func.func @concatenate(%x: tensor<256x1024xf32> {tx.name = "x"}, %y: tensor<256x1024xf32> {tx.name = "y"}) -> tensor<256x2048xf32> {
  %r = tx.concatenate %x, %y dim = 1 : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x2048xf32>
  return %r : tensor<256x2048xf32>
}

func.func @pad(%x: tensor<256x1024xf32> {tx.name = "x"}, %v: tensor<f32> {tx.name = "v"}) -> tensor<258x1026xf32> {
  %r = tx.pad %x, %v low = [1, 1] high = [1, 1] interior = [0, 0] : tensor<256x1024xf32> -> tensor<258x1026xf32>
  return %r : tensor<258x1026xf32>
}

func.func @embedding(%x: tensor<1000x256xf32> {tx.name = "x"}, %i: tensor<512xi64> {tx.name = "i"}) -> tensor<512x256xf32> {
  %r = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 256] : (tensor<1000x256xf32>, tensor<512xi64>) -> tensor<512x256xf32>
  return %r : tensor<512x256xf32>
}

func.func @max_pool(%x: tensor<4x16x64x64xf32> {tx.name = "x"}) -> tensor<4x16x32x32xf32> {
  %r = tx.max_pool %x dims = [2, 3] sizes = [2, 2] strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0] : (tensor<4x16x64x64xf32>) -> tensor<4x16x32x32xf32>
  return %r : tensor<4x16x32x32xf32>
}

func.func @gemm_f32(%x: tensor<256x256xf32> {tx.name = "x"}, %y: tensor<256x256xf32> {tx.name = "y"}) -> tensor<256x256xf32> {
  %r = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}

func.func @gemm_f16(%x: tensor<512x512xf16> {tx.name = "x"}, %y: tensor<512x512xf16> {tx.name = "y"}) -> tensor<512x512xf16> {
  %r = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<512x512xf16>, tensor<512x512xf16>) -> tensor<512x512xf16>
  return %r : tensor<512x512xf16>
}

func.func @gemm_bf16(%x: tensor<512x512xbf16> {tx.name = "x"}, %y: tensor<512x512xbf16> {tx.name = "y"}) -> tensor<512x512xbf16> {
  %r = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %r : tensor<512x512xbf16>
}

func.func @gemm_f16_transposed(%x: tensor<512x512xf16> {tx.name = "x"}, %y: tensor<512x512xf16> {tx.name = "y"}) -> tensor<512x512xf16> {
  %r = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1] : (tensor<512x512xf16>, tensor<512x512xf16>) -> tensor<512x512xf16>
  return %r : tensor<512x512xf16>
}

func.func @linear_relu_f16(%x: tensor<256x512xf16> {tx.name = "x"}, %y: tensor<512x512xf16> {tx.name = "y"}, %b: tensor<512xf16> {tx.name = "b"}) -> tensor<256x512xf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<256x512xf16>, tensor<512x512xf16>) -> tensor<256x512xf16>
  %1 = tx.broadcast %b dims = [1] : tensor<512xf16> -> tensor<256x512xf16>
  %2 = tx.add %0, %1 : tensor<256x512xf16>
  %r = tx.relu %2 : tensor<256x512xf16>
  return %r : tensor<256x512xf16>
}

func.func @vector_matrix(%x: tensor<1024xf32> {tx.name = "x"}, %y: tensor<1024x512xf32> {tx.name = "y"}) -> tensor<512xf32> {
  %r = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0] : (tensor<1024xf32>, tensor<1024x512xf32>) -> tensor<512xf32>
  return %r : tensor<512xf32>
}

func.func @matrix_vector(%x: tensor<256x1024xf32> {tx.name = "x"}, %y: tensor<1024xf32> {tx.name = "y"}) -> tensor<256xf32> {
  %r = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<256x1024xf32>, tensor<1024xf32>) -> tensor<256xf32>
  return %r : tensor<256xf32>
}

func.func @attention(%q: tensor<1x4x256x64xf16> {tx.name = "q"}, %k: tensor<1x4x256x64xf16> {tx.name = "k"}, %v: tensor<1x4x256x64xf16> {tx.name = "v"}, %s: tensor<f16> {tx.name = "s"}) -> tensor<1x4x256x64xf16> {
  %r = tx.attention %q, %k, %v, %s groups = 1 : (tensor<1x4x256x64xf16>, tensor<1x4x256x64xf16>, tensor<1x4x256x64xf16>, tensor<f16>) -> tensor<1x4x256x64xf16>
  return %r : tensor<1x4x256x64xf16>
}

func.func @attention_grouped(%q: tensor<1x4x256x64xf16> {tx.name = "q"}, %k: tensor<1x2x256x64xf16> {tx.name = "k"}, %v: tensor<1x2x256x64xf16> {tx.name = "v"}, %s: tensor<f16> {tx.name = "s"}) -> tensor<1x4x256x64xf16> {
  %r = tx.attention %q, %k, %v, %s groups = 2 causal : (tensor<1x4x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<f16>) -> tensor<1x4x256x64xf16>
  return %r : tensor<1x4x256x64xf16>
}

func.func @conv3x3(%x: tensor<2x16x32x32xf32> {tx.name = "x"}, %k: tensor<32x16x3x3xf32> {tx.name = "k"}) -> tensor<2x32x32x32xf32> {
  %r = tx.conv %x, %k groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1] : (tensor<2x16x32x32xf32>, tensor<32x16x3x3xf32>) -> tensor<2x32x32x32xf32>
  return %r : tensor<2x32x32x32xf32>
}
