//===- TxRandom.td - Random bits from explicit keys -----------------------===//
#ifndef TENSORC_IR_TX_OPS_TXRANDOM_TD
#define TENSORC_IR_TX_OPS_TXRANDOM_TD

include "ir/tx/TxAttributes.td"
include "mlir/IR/EnumAttr.td"

def Tx_RandomAlgorithm : I32EnumAttr<"RandomAlgorithm", "A counter-based generator", [
    I32EnumAttrCase<"Philox4x32_10", 0, "philox4x32_10">,
    I32EnumAttrCase<"Threefry2x32", 1, "threefry2x32">]> {
  let cppNamespace = "::tensorc::tx";
  let genSpecializedAttr = 0;
}

def Tx_RandomAlgorithmAttr : EnumAttr<Tx_Dialect, Tx_RandomAlgorithm, "random_algorithm"> {
  let assemblyFormat = "$value";
}

def Tx_RandomBitsOp : Tx_Op<"random_bits", [Pure, Tx_Costly]> {
  let category = "random";
  let summary = "Random bits, a function of a key and the element's position";
  let description = [{
    The key is two words of 32 bits, the low one first. `philox4x32_10` maps the key and a counter of four words to a
    block of four words, `threefry2x32` (20 rounds) a counter of two words to two, as published with Random123. Block b
    is computed from the counter b, an integer with its low word first. With an operand `counter` (as many words as a
    block), it is computed from `counter` + b, which wraps around. Element i, in row-major order, of a ui32 tensor is
    word i mod w of block floor(i / w), where a block has w words; of a ui64 tensor, words 2i and 2i + 1 are its low and
    high half. The bits are the same on every target.
    ```mlir
    %0 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<8x100xui32>
    ```
  }];
  let arguments = (ins Tx_Words:$key, Optional<Tx_Words>:$counter, Tx_RandomAlgorithmAttr:$algorithm);
  let results = (outs Tx_WordsOrDoubleWords:$result);
  let assemblyFormat = [{
    $key (`counter` `=` $counter^)? $algorithm attr-dict `:` type($key) (`,` type($counter)^)? `->` type($result)
  }];
  let ownsShape = 1;
  let notDifferentiable = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the number of words of a block, which is also the number of
    /// words of the counter.
    int64_t getBlockSize() {
      return getAlgorithm() == RandomAlgorithm::Philox4x32_10 ? 4 : 2;
    }
  }];
}

#endif // TENSORC_IR_TX_OPS_TXRANDOM_TD
