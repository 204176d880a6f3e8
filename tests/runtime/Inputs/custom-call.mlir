// What the stage `lower` prints for a program that calls a function of the embedder:
// y = scale(x), then y is given out; `n` and 3.0 are passed as words.
module attributes {tx.target = "cpu"} {
  module @kernels {
  }
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<?xf32, #tx.dims<[n]>>], input_names = ["x"],
                  outputs = [tensor<?xf32, #tx.dims<[n]>>], output_names = ["y"]} {
    %n = txp.dim %x, 0
    %c4 = arith.constant 4 : i64
    %three = arith.constant 3 : i64
    %bytes = arith.muli %n, %c4 : i64
    %y = txp.alloc %bytes
    txp.custom_call "test.scale" ins(%x) outs(%y) scalars(%n, %three : i64, i64) config "up"
    txp.return %y
  }
}
