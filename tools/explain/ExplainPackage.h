//===- ExplainPackage.h - Explains the contents of a package --------------===//
#ifndef TENSORC_TOOLS_EXPLAIN_EXPLAINPACKAGE_H
#define TENSORC_TOOLS_EXPLAIN_EXPLAINPACKAGE_H

#include "compiler/session/report/Memory.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tensorc::tool {

struct PackageFacts {
  struct Kernel {
    std::string name;
    unsigned arguments;
    // The size of the code; nullopt if the image does not contain it.
    std::optional<uint64_t> codeBytes;
    std::string order, schedule; // empty if the package does not contain them
  };
  struct Function {
    std::string name;
    unsigned instructions = 0, launches = 0;
    std::vector<std::string> allocations; // bytes, as formulas over sizes
    std::vector<std::string> customCalls;
    std::optional<report::MemoryFacts> memory; // set for entries
  };
  struct Section {
    std::string target;
    uint64_t imageBytes = 0;
    std::vector<Kernel> kernels;
    std::vector<Function> functions;
  };
  std::string compiler;
  uint64_t irHash = 0, bytes = 0, constantBytes = 0;
  size_t constants = 0;
  std::string constantsFile;        // empty if the package has the constants
  std::vector<std::string> entries; // `main(x: f32[n, 64]) -> (y: f32[n])`
  std::vector<Section> sections;
};

/// Explains a package that the runtime has loaded and therefore verified.
/// Sections that the runtime did not select may contain any numbers.
PackageFacts explainPackage(llvm::StringRef bytes);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_EXPLAIN_EXPLAINPACKAGE_H
