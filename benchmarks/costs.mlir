// Programs that measure the costs of processors again (codegen/kernel/CpuCosts.def names one for each cost). Sizes on both sides of a
// threshold are given by --shape; a number is tried by editing the table.

// 2 n elements go through memory.
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

// Pooling from memory: 3 x 3 at every other place.
func.func @pool(%x: tensor<128x112x112xf32>) -> tensor<128x56x56xf32> {
  %low = tx.constant dense<0xFF800000> : tensor<f32>
  %p = tx.pad %x, %low low = [0, 1, 1] high = [0, 0, 0] interior = [0, 0, 0] : tensor<128x112x112xf32> -> tensor<128x113x113xf32>
  %v = tx.windows %p dims = [1, 2] sizes = [3, 3] strides = [2, 2] dilations = [1, 1] : tensor<128x113x113xf32> -> tensor<128x56x56x3x3xf32>
  %m = tx.reduce_max %v dims = [3, 4] : tensor<128x56x56x3x3xf32> -> tensor<128x56x56xf32>
  return %m : tensor<128x56x56xf32>
}

// Whole rows of a table.
func.func @rows(%table: tensor<65536x1024xf32>, %i: tensor<16384x1xi64>) -> tensor<16384x1024xf32> {
  %0 = tx.gather %table, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 1024] : (tensor<65536x1024xf32>, tensor<16384x1xi64>) -> tensor<16384x1024xf32>
  return %0 : tensor<16384x1024xf32>
}

// Elements anywhere in each row of a table.
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
