//===- SiteTable.h - Sites of a kernel that call the simulator --*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_SIM_SITETABLE_H
#define TENSORC_CODEGEN_TARGETS_SIM_SITETABLE_H

#include "runtime/abi/Sim.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace tensorc::codegen::sim {

/// Returns the user's source location: the first part of `loc` that has a line,
/// or null.
mlir::FileLineColLoc findLine(mlir::Location loc);

/// Collects the sites of a kernel (accesses that call the simulator) and the
/// strings to which they refer.
class SiteTable {
public:
  /// `kernel` is used as the location of ops without one, which emitters have
  /// added.
  explicit SiteTable(mlir::Location kernel) : kernel(kernel) {}

  /// Adds a site and returns its number.
  unsigned add(rt::SimOp op, uint64_t bytes, unsigned alignment,
               mlir::Location loc);
  /// Adds the site of a callback that counts instructions.
  unsigned addCount(uint64_t instructions, rt::SimClass counted,
                    mlir::Location loc);

  llvm::ArrayRef<rt::SimSite> getSites() const { return sites; }
  llvm::StringRef getStrings() const { return strings; }

private:
  uint32_t text(llvm::StringRef text);

  mlir::Location kernel;
  std::vector<rt::SimSite> sites;
  std::string strings = std::string(1, '\0');
  llvm::StringMap<uint32_t> offsets;
};

} // namespace tensorc::codegen::sim

#endif // TENSORC_CODEGEN_TARGETS_SIM_SITETABLE_H
