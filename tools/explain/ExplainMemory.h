//===- ExplainMemory.h - What memory a program will take ------------------===//
#ifndef TENSORC_TOOLS_EXPLAIN_EXPLAINMEMORY_H
#define TENSORC_TOOLS_EXPLAIN_EXPLAINMEMORY_H

#include "ir/program/Txp.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace tensorc::tool {

/// Bytes, as numbers or as formulas over the program's named sizes; "?" if they
/// are known only at run time.
struct MemoryFacts {
  std::string inputs, outputs, constants, arena, peak;
  /// A temporary in the arena.
  struct Slot {
    std::string offset, bytes;
    /// The kernel that writes it first.
    std::string kernel;
  };
  std::vector<Slot> slots;
};

/// Returns a JSON number, or a string for an expression.
llvm::json::Value quantity(llvm::StringRef text);
llvm::json::Object toJson(const MemoryFacts &memory);
/// Prints one line each, indented by two columns.
void print(llvm::raw_ostream &os, const MemoryFacts &memory);

/// Explains a program after the stage lower, whose memory is planned.
MemoryFacts explainMemory(txp::FuncOp program);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_EXPLAIN_EXPLAINMEMORY_H
