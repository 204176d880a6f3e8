// --start-from=emit
module attributes {tx.target = "cpu:x86-64-v3"} {
  module @kernels {
    func.func @exp_sum(%arg0: memref<?xf32> {llvm.noalias}, %arg1: memref<?xf32> {llvm.noalias}, %arg2: index, %arg3: index, %arg4: memref<?xi8>) attributes {txk.kernel} {
      %cst = arith.constant dense<[true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false]> : vector<32xi1>
      %c8 = arith.constant 8 : index
      %cst_0 = arith.constant dense<0.000000e+00> : vector<32xf32>
      %c1 = arith.constant 1 : index
      scf.for %arg5 = %arg2 to %arg3 step %c1 {
        %0 = arith.muli %arg5, %c8 : index
        %1 = vector.maskedload %arg0[%0], %cst, %cst_0 : memref<?xf32>, vector<32xi1>, vector<32xf32> into vector<32xf32>
        %2 = math.exp %1 : vector<32xf32>
        %3 = arith.addf %2, %cst_0 : vector<32xf32>
        %4 = arith.select %cst, %3, %cst_0 : vector<32xi1>, vector<32xf32>
        %5 = arith.addf %4, %cst_0 : vector<32xf32>
        %6 = vector.shuffle %5, %5 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xf32>, vector<32xf32>
        %7 = vector.shuffle %5, %5 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xf32>, vector<32xf32>
        %8 = arith.addf %6, %7 : vector<16xf32>
        %9 = vector.shuffle %8, %8 [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xf32>, vector<16xf32>
        %10 = vector.shuffle %8, %8 [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xf32>, vector<16xf32>
        %11 = arith.addf %9, %10 : vector<8xf32>
        %12 = vector.shuffle %11, %11 [0, 1, 2, 3] : vector<8xf32>, vector<8xf32>
        %13 = vector.shuffle %11, %11 [4, 5, 6, 7] : vector<8xf32>, vector<8xf32>
        %14 = arith.addf %12, %13 : vector<4xf32>
        %15 = vector.shuffle %14, %14 [0, 1] : vector<4xf32>, vector<4xf32>
        %16 = vector.shuffle %14, %14 [2, 3] : vector<4xf32>, vector<4xf32>
        %17 = arith.addf %15, %16 : vector<2xf32>
        %18 = vector.shuffle %17, %17 [0] : vector<2xf32>, vector<2xf32>
        %19 = vector.shuffle %17, %17 [1] : vector<2xf32>, vector<2xf32>
        %20 = arith.addf %18, %19 : vector<1xf32>
        %21 = vector.extract %20[0] : f32 from vector<1xf32>
        memref.store %21, %arg1[%arg5] : memref<?xf32>
      }
      return
    }
  }
  txp.func @main(%arg0: !txp.buffer) -> !txp.buffer attributes {input_names = ["arg0"], inputs = [tensor<?x8xf32, #tx.dims<[n, 8]>>], output_names = ["out0"], outputs = [tensor<?xf32, #tx.dims<[n]>>]} {
    %c1821_i64 = arith.constant 1821 : i64
    %c4_i64 = arith.constant 4 : i64
    %0 = txp.dim %arg0, 0
    %1 = arith.muli %0, %c4_i64 : i64
    %2 = txp.alloc %1
    txp.launch @kernels::@exp_sum extent(%0) grain(%c1821_i64) ins(%arg0) outs(%2)
    txp.return %2
  }
}

