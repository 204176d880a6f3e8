// Six small networks. benchmarks/gpu_profile.py prints what the simulator counts for their kernels.

// Three fully connected layers.
func.func @perceptron(%x: tensor<64x784xf32> {tx.name = "x"}, %w1: tensor<784x128xf32>, %b1: tensor<128xf32>,
                      %w2: tensor<128x64xf32>, %b2: tensor<64xf32>, %w3: tensor<64x10xf32>, %b3: tensor<10xf32>) -> tensor<64x10xf32> {
  %0 = tx.dot_general %x, %w1 batch = [] x [] contracting = [1] x [0] : (tensor<64x784xf32>, tensor<784x128xf32>) -> tensor<64x128xf32>
  %1 = tx.broadcast %b1 dims = [1] : tensor<128xf32> -> tensor<64x128xf32>
  %2 = tx.add %0, %1 : tensor<64x128xf32>
  %3 = tx.relu %2 : tensor<64x128xf32>
  %4 = tx.dot_general %3, %w2 batch = [] x [] contracting = [1] x [0] : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<64x64xf32>
  %5 = tx.broadcast %b2 dims = [1] : tensor<64xf32> -> tensor<64x64xf32>
  %6 = tx.add %4, %5 : tensor<64x64xf32>
  %7 = tx.relu %6 : tensor<64x64xf32>
  %8 = tx.dot_general %7, %w3 batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
  %9 = tx.broadcast %b3 dims = [1] : tensor<10xf32> -> tensor<64x10xf32>
  %10 = tx.add %8, %9 : tensor<64x10xf32>
  %r = tx.log_softmax %10 dim = 1 : tensor<64x10xf32>
  return %r : tensor<64x10xf32>
}

// Two convolutions with pooling, and a classifier (as LeNet).
func.func @convolutions(%x: tensor<4x1x28x28xf32> {tx.name = "x"}, %k1: tensor<8x1x5x5xf32>, %b1: tensor<8xf32>,
                        %k2: tensor<16x8x5x5xf32>, %b2: tensor<16xf32>, %w: tensor<256x10xf32>) -> tensor<4x10xf32> {
  %0 = tx.conv %x, %k1 bias %b1 groups = 1 sizes = [5, 5] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<4x1x28x28xf32>, tensor<8x1x5x5xf32>, tensor<8xf32>) -> tensor<4x8x24x24xf32>
  %1 = tx.relu %0 : tensor<4x8x24x24xf32>
  %2 = tx.max_pool %1 dims = [2, 3] sizes = [2, 2] strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0] : (tensor<4x8x24x24xf32>) -> tensor<4x8x12x12xf32>
  %3 = tx.conv %2, %k2 bias %b2 groups = 1 sizes = [5, 5] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<4x8x12x12xf32>, tensor<16x8x5x5xf32>, tensor<16xf32>) -> tensor<4x16x8x8xf32>
  %4 = tx.relu %3 : tensor<4x16x8x8xf32>
  %5 = tx.max_pool %4 dims = [2, 3] sizes = [2, 2] strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0] : (tensor<4x16x8x8xf32>) -> tensor<4x16x4x4xf32>
  %6 = tx.reshape %5 : tensor<4x16x4x4xf32> -> tensor<4x256xf32>
  %r = tx.dot_general %6, %w batch = [] x [] contracting = [1] x [0] : (tensor<4x256xf32>, tensor<256x10xf32>) -> tensor<4x10xf32>
  return %r : tensor<4x10xf32>
}

// A residual block with batch normalization, in f16, and global pooling (as ResNet).
func.func @residual_block(%x: tensor<2x32x14x14xf16> {tx.name = "x"}, %k1: tensor<32x32x3x3xf16>, %k2: tensor<32x32x3x3xf16>,
                          %m: tensor<32xf16>, %v: tensor<32xf16>, %s: tensor<32xf16>, %b: tensor<32xf16>, %e: tensor<f16>) -> tensor<2x32xf16> {
  %0 = tx.conv %x, %k1 groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1] : (tensor<2x32x14x14xf16>, tensor<32x32x3x3xf16>) -> tensor<2x32x14x14xf16>
  %1 = tx.batch_norm %0, %m, %v, %e scale %s bias %b dim = 1 : (tensor<2x32x14x14xf16>, tensor<32xf16>, tensor<32xf16>, tensor<f16>, tensor<32xf16>, tensor<32xf16>) -> tensor<2x32x14x14xf16>
  %2 = tx.relu %1 : tensor<2x32x14x14xf16>
  %3 = tx.conv %2, %k2 groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1] : (tensor<2x32x14x14xf16>, tensor<32x32x3x3xf16>) -> tensor<2x32x14x14xf16>
  %4 = tx.batch_norm %3, %m, %v, %e scale %s bias %b dim = 1 : (tensor<2x32x14x14xf16>, tensor<32xf16>, tensor<32xf16>, tensor<f16>, tensor<32xf16>, tensor<32xf16>) -> tensor<2x32x14x14xf16>
  %5 = tx.add %4, %x : tensor<2x32x14x14xf16>
  %6 = tx.relu %5 : tensor<2x32x14x14xf16>
  %r = tx.mean %6 dims = [2, 3] : (tensor<2x32x14x14xf16>) -> tensor<2x32xf16>
  return %r : tensor<2x32xf16>
}

// A layer of an encoder: attention of four heads of 32, and a feed-forward network with GELU (as BERT).
func.func @encoder(%x: tensor<64x128xf16> {tx.name = "x"}, %wq: tensor<128x128xf16>, %wk: tensor<128x128xf16>, %wv: tensor<128x128xf16>,
                   %wo: tensor<128x128xf16>, %w1: tensor<128x256xf16>, %w2: tensor<256x128xf16>, %g: tensor<128xf16>, %b: tensor<128xf16>,
                   %e: tensor<f16>, %scale: tensor<f16>) -> tensor<64x128xf16> {
  %q = tx.dot_general %x, %wq batch = [] x [] contracting = [1] x [0] : (tensor<64x128xf16>, tensor<128x128xf16>) -> tensor<64x128xf16>
  %k = tx.dot_general %x, %wk batch = [] x [] contracting = [1] x [0] : (tensor<64x128xf16>, tensor<128x128xf16>) -> tensor<64x128xf16>
  %v = tx.dot_general %x, %wv batch = [] x [] contracting = [1] x [0] : (tensor<64x128xf16>, tensor<128x128xf16>) -> tensor<64x128xf16>
  %q4 = tx.reshape %q : tensor<64x128xf16> -> tensor<1x64x4x32xf16>
  %k4 = tx.reshape %k : tensor<64x128xf16> -> tensor<1x64x4x32xf16>
  %v4 = tx.reshape %v : tensor<64x128xf16> -> tensor<1x64x4x32xf16>
  %qh = tx.transpose %q4 permutation = [0, 2, 1, 3] : tensor<1x64x4x32xf16> -> tensor<1x4x64x32xf16>
  %kh = tx.transpose %k4 permutation = [0, 2, 1, 3] : tensor<1x64x4x32xf16> -> tensor<1x4x64x32xf16>
  %vh = tx.transpose %v4 permutation = [0, 2, 1, 3] : tensor<1x64x4x32xf16> -> tensor<1x4x64x32xf16>
  %a = tx.attention %qh, %kh, %vh, %scale groups = 1 : (tensor<1x4x64x32xf16>, tensor<1x4x64x32xf16>, tensor<1x4x64x32xf16>, tensor<f16>) -> tensor<1x4x64x32xf16>
  %at = tx.transpose %a permutation = [0, 2, 1, 3] : tensor<1x4x64x32xf16> -> tensor<1x64x4x32xf16>
  %heads = tx.reshape %at : tensor<1x64x4x32xf16> -> tensor<64x128xf16>
  %o = tx.dot_general %heads, %wo batch = [] x [] contracting = [1] x [0] : (tensor<64x128xf16>, tensor<128x128xf16>) -> tensor<64x128xf16>
  %y = tx.add %o, %x : tensor<64x128xf16>
  %n = tx.layer_norm %y, %e scale %g bias %b : (tensor<64x128xf16>, tensor<f16>, tensor<128xf16>, tensor<128xf16>) -> tensor<64x128xf16>
  %h = tx.dot_general %n, %w1 batch = [] x [] contracting = [1] x [0] : (tensor<64x128xf16>, tensor<128x256xf16>) -> tensor<64x256xf16>
  %hg = tx.gelu %h : tensor<64x256xf16>
  %f = tx.dot_general %hg, %w2 batch = [] x [] contracting = [1] x [0] : (tensor<64x256xf16>, tensor<256x128xf16>) -> tensor<64x128xf16>
  %z = tx.add %f, %n : tensor<64x128xf16>
  %r = tx.layer_norm %z, %e scale %g bias %b : (tensor<64x128xf16>, tensor<f16>, tensor<128xf16>, tensor<128xf16>) -> tensor<64x128xf16>
  return %r : tensor<64x128xf16>
}

// A layer of a decoder in bf16: causal attention with grouped keys, RMS normalization and a gated unit (as Llama).
func.func @decoder(%x: tensor<64x128xbf16> {tx.name = "x"}, %wq: tensor<128x128xbf16>, %wk: tensor<128x64xbf16>, %wv: tensor<128x64xbf16>,
                   %wo: tensor<128x128xbf16>, %wg: tensor<128x256xbf16>, %wu: tensor<128x256xbf16>, %wd: tensor<256x128xbf16>,
                   %g: tensor<128xbf16>, %e: tensor<bf16>, %scale: tensor<bf16>) -> tensor<64x128xbf16> {
  %n = tx.rms_norm %x, %e scale %g : (tensor<64x128xbf16>, tensor<bf16>, tensor<128xbf16>) -> tensor<64x128xbf16>
  %q = tx.dot_general %n, %wq batch = [] x [] contracting = [1] x [0] : (tensor<64x128xbf16>, tensor<128x128xbf16>) -> tensor<64x128xbf16>
  %k = tx.dot_general %n, %wk batch = [] x [] contracting = [1] x [0] : (tensor<64x128xbf16>, tensor<128x64xbf16>) -> tensor<64x64xbf16>
  %v = tx.dot_general %n, %wv batch = [] x [] contracting = [1] x [0] : (tensor<64x128xbf16>, tensor<128x64xbf16>) -> tensor<64x64xbf16>
  %q4 = tx.reshape %q : tensor<64x128xbf16> -> tensor<1x64x4x32xbf16>
  %k4 = tx.reshape %k : tensor<64x64xbf16> -> tensor<1x64x2x32xbf16>
  %v4 = tx.reshape %v : tensor<64x64xbf16> -> tensor<1x64x2x32xbf16>
  %qh = tx.transpose %q4 permutation = [0, 2, 1, 3] : tensor<1x64x4x32xbf16> -> tensor<1x4x64x32xbf16>
  %kh = tx.transpose %k4 permutation = [0, 2, 1, 3] : tensor<1x64x2x32xbf16> -> tensor<1x2x64x32xbf16>
  %vh = tx.transpose %v4 permutation = [0, 2, 1, 3] : tensor<1x64x2x32xbf16> -> tensor<1x2x64x32xbf16>
  %a = tx.attention %qh, %kh, %vh, %scale groups = 2 causal : (tensor<1x4x64x32xbf16>, tensor<1x2x64x32xbf16>, tensor<1x2x64x32xbf16>, tensor<bf16>) -> tensor<1x4x64x32xbf16>
  %at = tx.transpose %a permutation = [0, 2, 1, 3] : tensor<1x4x64x32xbf16> -> tensor<1x64x4x32xbf16>
  %heads = tx.reshape %at : tensor<1x64x4x32xbf16> -> tensor<64x128xbf16>
  %o = tx.dot_general %heads, %wo batch = [] x [] contracting = [1] x [0] : (tensor<64x128xbf16>, tensor<128x128xbf16>) -> tensor<64x128xbf16>
  %y = tx.add %o, %x : tensor<64x128xbf16>
  %m = tx.rms_norm %y, %e scale %g : (tensor<64x128xbf16>, tensor<bf16>, tensor<128xbf16>) -> tensor<64x128xbf16>
  %gate = tx.dot_general %m, %wg batch = [] x [] contracting = [1] x [0] : (tensor<64x128xbf16>, tensor<128x256xbf16>) -> tensor<64x256xbf16>
  %up = tx.dot_general %m, %wu batch = [] x [] contracting = [1] x [0] : (tensor<64x128xbf16>, tensor<128x256xbf16>) -> tensor<64x256xbf16>
  %act = tx.silu %gate : tensor<64x256xbf16>
  %h = tx.mul %act, %up : tensor<64x256xbf16>
  %d = tx.dot_general %h, %wd batch = [] x [] contracting = [1] x [0] : (tensor<64x256xbf16>, tensor<256x128xbf16>) -> tensor<64x128xbf16>
  %r = tx.add %d, %y : tensor<64x128xbf16>
  return %r : tensor<64x128xbf16>
}

// Two steps of a recurrent network with a gate, over a batch of 64 (a minimal gated unit).
func.func @recurrent(%x: tensor<2x64x32xf32> {tx.name = "x"}, %h0: tensor<64x64xf32>, %wx: tensor<32x128xf32>, %wh: tensor<64x64xf32>,
                     %uh: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %p = tx.dot_general %x, %wx batch = [] x [] contracting = [2] x [0] : (tensor<2x64x32xf32>, tensor<32x128xf32>) -> tensor<2x64x128xf32>
  %f0 = tx.slice %p offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x64x128xf32> -> tensor<1x64x64xf32>
  %c0 = tx.slice %p offsets = [0, 0, 64] strides = [1, 1, 1] : tensor<2x64x128xf32> -> tensor<1x64x64xf32>
  %f1 = tx.slice %p offsets = [1, 0, 0] strides = [1, 1, 1] : tensor<2x64x128xf32> -> tensor<1x64x64xf32>
  %c1 = tx.slice %p offsets = [1, 0, 64] strides = [1, 1, 1] : tensor<2x64x128xf32> -> tensor<1x64x64xf32>
  %fa = tx.reshape %f0 : tensor<1x64x64xf32> -> tensor<64x64xf32>
  %ca = tx.reshape %c0 : tensor<1x64x64xf32> -> tensor<64x64xf32>
  %fb = tx.reshape %f1 : tensor<1x64x64xf32> -> tensor<64x64xf32>
  %cb = tx.reshape %c1 : tensor<1x64x64xf32> -> tensor<64x64xf32>
  %0 = tx.dot_general %h0, %wh batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = tx.add %0, %fa : tensor<64x64xf32>
  %2 = tx.sigmoid %1 : tensor<64x64xf32>
  %3 = tx.mul %2, %h0 : tensor<64x64xf32>
  %4 = tx.dot_general %3, %uh batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = tx.add %4, %ca : tensor<64x64xf32>
  %6 = tx.tanh %5 : tensor<64x64xf32>
  %7 = tx.sub %6, %h0 : tensor<64x64xf32>
  %8 = tx.mul %2, %7 : tensor<64x64xf32>
  %h1 = tx.add %h0, %8 : tensor<64x64xf32>
  %9 = tx.dot_general %h1, %wh batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %10 = tx.add %9, %fb : tensor<64x64xf32>
  %11 = tx.sigmoid %10 : tensor<64x64xf32>
  %12 = tx.mul %11, %h1 : tensor<64x64xf32>
  %13 = tx.dot_general %12, %uh batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %14 = tx.add %13, %cb : tensor<64x64xf32>
  %15 = tx.tanh %14 : tensor<64x64xf32>
  %16 = tx.sub %15, %h1 : tensor<64x64xf32>
  %17 = tx.mul %11, %16 : tensor<64x64xf32>
  %r = tx.add %h1, %17 : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
