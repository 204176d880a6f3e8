// Programs that measure the costs of processors (codegen/kernel/CpuCosts.def names one for each cost). --shape sets
// sizes on both sides of a threshold; to try another value, edit the table.

// Reads n elements and writes n elements.
func.func @stream(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"}) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.mul %x, %x : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}

func.func @softmax(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %0 = tx.softmax %x dim = 1 : tensor<8192x4096xf32>
  return %0 : tensor<8192x4096xf32>
}

func.func @short_rows(%x: tensor<1048576x12xf32>) -> tensor<1048576xf32> {
  %0 = tx.sum %x dims = [1] : tensor<1048576x12xf32> -> tensor<1048576xf32>
  return %0 : tensor<1048576xf32>
}

func.func @columns(%x: tensor<?x4096xf32, #tx.dims<[n, 4096]>> {tx.name = "x"}) -> tensor<4096xf32> {
  %0 = tx.sum %x dims = [0] : tensor<?x4096xf32, #tx.dims<[n, 4096]>> -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

func.func @transpose(%x: tensor<8192x2048xf32>) -> tensor<2048x8192xf32> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<8192x2048xf32> -> tensor<2048x8192xf32>
  return %0 : tensor<2048x8192xf32>
}

// Pooling of an image in memory, with 3 x 3 windows and stride 2.
func.func @pool(%x: tensor<128x112x112xf32>) -> tensor<128x56x56xf32> {
  %low = tx.constant dense<0xFF800000> : tensor<f32>
  %p = tx.pad %x, %low low = [0, 1, 1] high = [0, 0, 0] interior = [0, 0, 0] : tensor<128x112x112xf32> -> tensor<128x113x113xf32>
  %v = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [2, 2] dilations = [1, 1] : tensor<128x113x113xf32> -> tensor<128x56x56x3x3xf32>
  %m = tx.reduce_max %v dims = [3, 4] : tensor<128x56x56x3x3xf32> -> tensor<128x56x56xf32>
  return %m : tensor<128x56x56xf32>
}

// Gathers whole rows of a table.
func.func @rows(%table: tensor<65536x1024xf32>, %i: tensor<16384x1xi64>) -> tensor<16384x1024xf32> {
  %0 = tx.gather %table, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 1024] : (tensor<65536x1024xf32>, tensor<16384x1xi64>) -> tensor<16384x1024xf32>
  return %0 : tensor<16384x1024xf32>
}

// Gathers elements at random positions of each row of a table.
func.func @elements(%table: tensor<4096x1000xf32>, %i: tensor<4096x256xi64>) -> tensor<4096x256xf32> {
  %0 = tx.iota dim = 0 : tensor<4096x256xi64>
  %1 = tx.reshape %0 : tensor<4096x256xi64> -> tensor<4096x256x1xi64>
  %2 = tx.reshape %i : tensor<4096x256xi64> -> tensor<4096x256x1xi64>
  %3 = tx.concatenate %1, %2 dim = 2 : (tensor<4096x256x1xi64>, tensor<4096x256x1xi64>) -> tensor<4096x256x2xi64>
  %4 = tx.gather %table, %3 offset_dims = [] collapsed_slice_dims = [0, 1] start_index_map = [0, 1] index_vector_dim = 2 slice_sizes = [1, 1] : (tensor<4096x1000xf32>, tensor<4096x256x2xi64>) -> tensor<4096x256xf32>
  return %4 : tensor<4096x256xf32>
}

func.func @products(%x: tensor<1024x1024xbf16>, %y: tensor<1024x1024xbf16>) -> tensor<1024x1024xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// Products. The compiler chooses a kernel by the sizes.
func.func @matmul(%x: tensor<?x?xf32, #tx.dims<[m, k]>> {tx.name = "x"}, %y: tensor<?x?xf32, #tx.dims<[k, n]>> {tx.name = "y"}) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<?x?xf32, #tx.dims<[m, k]>>, tensor<?x?xf32, #tx.dims<[k, n]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[m, n]>>
}

func.func @transposed(%x: tensor<?x?xf32, #tx.dims<[m, k]>> {tx.name = "x"}, %y: tensor<?x?xf32, #tx.dims<[n, k]>> {tx.name = "y"}) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1] : (tensor<?x?xf32, #tx.dims<[m, k]>>, tensor<?x?xf32, #tx.dims<[n, k]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[m, n]>>
}

func.func @x_transposed(%x: tensor<2048x2048xf32>, %y: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0] : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %0 : tensor<2048x2048xf32>
}

func.func @bytes(%x: tensor<1024x1024xi8>, %y: tensor<1024x1024xi8>) -> tensor<1024x1024xi32> {
  %0 = tx.convert %x : tensor<1024x1024xi8> -> tensor<1024x1024xi32>
  %1 = tx.convert %y : tensor<1024x1024xi8> -> tensor<1024x1024xi32>
  %2 = tx.dot_general %0, %1 batch = [] x [] contracting = [1] x [0] : (tensor<1024x1024xi32>, tensor<1024x1024xi32>) -> tensor<1024x1024xi32>
  return %2 : tensor<1024x1024xi32>
}

// Bytes that are contiguous along K and widened when they are read.
func.func @quantized(%x: tensor<1x4096xf32>, %y: tensor<4096x4096xi8>) -> tensor<1x4096xf32> {
  %0 = tx.convert %y : tensor<4096x4096xi8> -> tensor<4096x4096xf32>
  %1 = tx.dot_general %x, %0 batch = [] x [] contracting = [1] x [1] : (tensor<1x4096xf32>, tensor<4096x4096xf32>) -> tensor<1x4096xf32>
  return %1 : tensor<1x4096xf32>
}

func.func @convolution(%x: tensor<8x64x56x56xf32>, %w: tensor<256x64x3x3xf32>) -> tensor<8x256x56x56xf32> {
  %0 = tx.conv %x, %w groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1]
      input_dilations = [1, 1] : (tensor<8x64x56x56xf32>, tensor<256x64x3x3xf32>) -> tensor<8x256x56x56xf32>
  return %0 : tensor<8x256x56x56xf32>
}

func.func @attention(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>, %v: tensor<8x512x64xf32>) -> tensor<8x512x64xf32> {
  %scale = tx.constant dense<0.125> : tensor<f32>
  %0 = tx.attention %q, %k, %v, %scale groups = 1
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>, tensor<8x512x64xf32>, tensor<f32>) -> tensor<8x512x64xf32>
  return %0 : tensor<8x512x64xf32>
}

// Rows that do not consist of whole cache lines.
func.func @unaligned(%x: tensor<5000x1023xf32>, %y: tensor<1023xf32>) -> tensor<5000x1023xf32> {
  %b = tx.broadcast %y dims = [1] : tensor<1023xf32> -> tensor<5000x1023xf32>
  %0 = tx.mul %x, %b : tensor<5000x1023xf32>
  return %0 : tensor<5000x1023xf32>
}

// Transforms along rows and along columns. The real and imaginary parts are
// separate planes.
func.func @transform(%x: tensor<2x1024x1024xf32>) -> tensor<2x1024x1024xf32> {
  %0 = tx.fft %x length = 1024 : tensor<2x1024x1024xf32>
  %1 = tx.transpose %0 permutation = [0, 2, 1] : tensor<2x1024x1024xf32> -> tensor<2x1024x1024xf32>
  %2 = tx.fft %1 length = 1024 : tensor<2x1024x1024xf32>
  %3 = tx.transpose %2 permutation = [0, 2, 1] : tensor<2x1024x1024xf32> -> tensor<2x1024x1024xf32>
  return %3 : tensor<2x1024x1024xf32>
}

// Computes one long sum.
func.func @total(%x: tensor<16777216xf32>) -> tensor<f32> {
  %0 = tx.sum %x dims = [0] : tensor<16777216xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @few_columns(%x: tensor<4194304x3xf32>) -> tensor<3xf32> {
  %0 = tx.sum %x dims = [0] : tensor<4194304x3xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @sorted(%x: tensor<?x?xf32, #tx.dims<[m, n]>> {tx.name = "x"}) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %0 = tx.sort %x dim = 1 : tensor<?x?xf32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[m, n]>>
}

func.func @sorted_places(%x: tensor<?x?xf32, #tx.dims<[m, n]>> {tx.name = "x"}) -> tensor<?x?xi64, #tx.dims<[m, n]>> {
  %0 = tx.argsort %x dim = 1 : tensor<?x?xf32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xi64, #tx.dims<[m, n]>>
}

// Selects the 20 largest elements of each row, and of each column.
func.func @largest(%x: tensor<1000x2000xf32>) -> tensor<1000x20xf32> {
  %0 = tx.sort %x dim = 1 descending : tensor<1000x2000xf32>
  %1 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<1000x2000xf32> -> tensor<1000x20xf32>
  return %1 : tensor<1000x20xf32>
}

func.func @largest_of_columns(%x: tensor<2000x700xf32>) -> tensor<20x700xf32> {
  %0 = tx.sort %x dim = 0 descending : tensor<2000x700xf32>
  %1 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<2000x700xf32> -> tensor<20x700xf32>
  return %1 : tensor<20x700xf32>
}

func.func @factors(%x: tensor<10000x16x16xf32>) -> tensor<10000x16x16xf32> {
  %0 = tx.cholesky %x : (tensor<10000x16x16xf32>) -> tensor<10000x16x16xf32>
  return %0 : tensor<10000x16x16xf32>
}

// Computes a likelihood over time steps whose variances are a recurrence.
func.func @steps(%v: tensor<f32>, %x: tensor<20000xf32>) -> tensor<f32> {
  %0:2 = tx.scan <[20000]> carried = 2 scanned = 1 (%v, %v, %x) : (tensor<f32>, tensor<f32>, tensor<20000xf32>) -> (tensor<f32>, tensor<f32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>, %b: tensor<f32>, %z: tensor<f32>):
    %half = tx.constant dense<0.5> : tensor<f32>
    %square = tx.mul %z, %z : tensor<f32>
    %q = tx.div %square, %a : tensor<f32>
    %l = tx.log %a : tensor<f32>
    %e = tx.add %q, %l : tensor<f32>
    %b1 = tx.add %b, %e : tensor<f32>
    %h = tx.mul %a, %half : tensor<f32>
    %a1 = tx.add %h, %square : tensor<f32>
    tx.return %a1, %b1 : tensor<f32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}
