// Loops, barriers, workgroup memory and shuffles through it.
func.func @rows(%x: tensor<5x300xf32>) -> (tensor<5x300xf32>, tensor<5x300xf32>, tensor<5x300xi64>) {
  %0 = tx.softmax %x dim = 1 : tensor<5x300xf32>
  %1 = tx.sort %x dim = 1 : tensor<5x300xf32>
  %2 = tx.argsort %x dim = 1 : tensor<5x300xf32>
  return %0, %1, %2 : tensor<5x300xf32>, tensor<5x300xf32>, tensor<5x300xi64>
}

func.func @product(%x: tensor<33x70xf32>, %y: tensor<70x50xf32>) -> tensor<33x50xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<33x70xf32>, tensor<70x50xf32>) -> tensor<33x50xf32>
  return %0 : tensor<33x50xf32>
}

// Narrow types, signs, shifts and division.
func.func @integers(%x: tensor<64xi8>, %y: tensor<64xi16>, %z: tensor<64xi64>)
    -> (tensor<64xi8>, tensor<64xi16>, tensor<64xi64>) {
  %0 = tx.sub %x, %x : tensor<64xi8>
  %1 = tx.mul %x, %x : tensor<64xi8>
  %2 = tx.sub %0, %1 : tensor<64xi8>
  %3 = tx.shr_arith %2, %x : tensor<64xi8>
  %4 = tx.shl %y, %y : tensor<64xi16>
  %5 = tx.min %4, %y : tensor<64xi16>
  %6 = tx.neg %z : tensor<64xi64>
  %7 = tx.max %6, %z : tensor<64xi64>
  return %3, %5, %7 : tensor<64xi8>, tensor<64xi16>, tensor<64xi64>
}

func.func @functions(%x: tensor<500xf32>) -> (tensor<500xf32>, tensor<500xf32>, tensor<500xi32>) {
  %0 = tx.tanh %x : tensor<500xf32>
  %1 = tx.exp %x : tensor<500xf32>
  %2 = tx.abs %x : tensor<500xf32>
  %3 = tx.sqrt %2 : tensor<500xf32>
  %4 = tx.add %1, %3 : tensor<500xf32>
  %5 = tx.convert %4 : tensor<500xf32> -> tensor<500xi32>
  return %0, %4, %5 : tensor<500xf32>, tensor<500xf32>, tensor<500xi32>
}

func.func @scale(%x: tensor<500xf32>, %s: tensor<f32>) -> tensor<500xf32> {
  %0 = tx.broadcast %s dims = [] : tensor<f32> -> tensor<500xf32>
  %1 = tx.mul %x, %0 : tensor<500xf32>
  return %1 : tensor<500xf32>
}

// Metal has no f64, so integers compute it, and the tangent of f32.
func.func @wide(%x: tensor<500xf64>, %y: tensor<500xf32>) -> (tensor<500xf64>, tensor<500xf32>) {
  %0 = tx.div %x, %x : tensor<500xf64>
  %1 = tx.add %0, %x : tensor<500xf64>
  %2 = tx.tan %y : tensor<500xf32>
  return %1, %2 : tensor<500xf64>, tensor<500xf32>
}
