//===- Ranks.h - The reference interpreter on several ranks ---------------===//
#ifndef TENSORC_IR_REFERENCE_RANKS_H
#define TENSORC_IR_REFERENCE_RANKS_H

#include "ir/reference/Interpreter.h"

namespace tensorc::reference {

/// Runs a function on several ranks at once, with the same arguments on each
/// (see `evaluate`). Its collectives are computed from their definition in
/// docs/ops.md, without the runtime's communicator. Returns the results of each
/// rank.
mlir::FailureOr<std::vector<std::vector<Array>>>
evaluateOnRanks(mlir::func::FuncOp function, int64_t ranks,
                llvm::ArrayRef<Array> arguments,
                const CustomCallHandler &customCalls = nullptr);

} // namespace tensorc::reference

#endif // TENSORC_IR_REFERENCE_RANKS_H
