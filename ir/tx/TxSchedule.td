//===- TxSchedule.td - Schedules and orders of fusions --------------------===//
#ifndef TENSORC_IR_TX_TXSCHEDULE_TD
#define TENSORC_IR_TX_TXSCHEDULE_TD

include "ir/tx/TxDialect.td"

def Tx_OrderAttr : AttrDef<Tx_Dialect, "Order"> {
  let mnemonic = "order";
  let summary = "What fixes the bits of a fusion's results";
  let description = [{
    How the elements of a sum are combined. Every schedule of the fusion gives
    the same bits.

    `instruction` is the class of what combines: "fma", one multiply-add per
    step of k, in order; "chains", interleaved chains of multiply-adds;
    "matrix", instructions on tiles, 16 steps each; "chunks", one after the
    other; "slots": each takes every so-many-th chunk.
    `lanes` are logical lanes, outermost first, combined by halves, innermost
    first; `?` is a number that follows from a size when the kernel runs.
    `chunk` elements, or steps of k, are combined on their own; 0 is all of
    them. An attention rescales its sums once for each block of `keys` keys.

    "chains" has one number of lanes, L, and chunks of C steps. Within a chunk,
    lane l starts at 0 and adds the products of the steps l, l + L, ... in order
    with fused multiply-add. The lanes are combined by halves, and the chunks
    are added in order, to a sum that starts at 0. Each operation rounds to
    nearest even and keeps subnormal numbers.
    ```mlir
    #tx.order<"matrix", chunk = 512>
    #tx.order<"chains", lanes = [2], chunk = 32>
    #tx.order<"slots", lanes = [64, 4], chunk = 16384>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$instruction,
                        OptionalArrayRefParameter<"int64_t">:$lanes,
                        DefaultValuedParameter<"int64_t", "0">:$chunk,
                        DefaultValuedParameter<"int64_t", "0">:$keys);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns a text such as "matrix chunk=512".
    std::string toString() const;
  }];
}

def Tx_ScheduleAttr : AttrDef<Tx_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "How a fusion's kernels share out the work";
  let description = [{
    The skeleton that makes the kernels, and the numbers that it asks for. The
    target lists its skeletons. A schedule never changes a bit of the results;
    `#tx.order` does.
    ```mlir
    #tx.schedule<"mma", rows = 128, columns = 128, threads = 256, stages = 4>
    ```
  }];
  let parameters = (ins
    StringRefParameter<>:$skeleton,
    OptionalArrayRefParameter<"::tensorc::tx::ScheduleValue">:$values);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the value with this name, if any.
    std::optional<int64_t> get(::llvm::StringRef name) const;
    /// Returns a text such as "mma rows=128 columns=128".
    std::string toString() const;
  }];
}

#endif // TENSORC_IR_TX_TXSCHEDULE_TD
