//===- SiteTable.cpp - Sites of a kernel that call the simulator ----------===//

#include "codegen/targets/sim/SiteTable.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tensorc::codegen::sim {

FileLineColLoc findLine(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location part) {
    found = dyn_cast<FileLineColLoc>(part);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

uint32_t SiteTable::text(llvm::StringRef text) {
  auto [it, isNew] = offsets.try_emplace(text, strings.size());
  if (isNew) {
    strings += text;
    strings += '\0';
  }
  return it->second;
}

unsigned SiteTable::add(rt::SimOp op, uint64_t bytes, unsigned alignment,
                        Location loc) {
  rt::SimSite site = {};
  site.op = op;
  site.bytes = static_cast<uint32_t>(bytes);
  site.alignment = static_cast<uint16_t>(alignment);
  if (auto name = dyn_cast<NameLoc>(loc)) // set by sim-convert-simt-to-host
    site.kernel = text(name.getName());
  FileLineColLoc line = findLine(loc);
  if (!line)
    line = findLine(kernel);
  if (line) {
    std::string position =
        line.getFilename().str() + ":" + std::to_string(line.getLine());
    if (line.getColumn())
      position += ":" + std::to_string(line.getColumn());
    site.user = text(position);
  }
  sites.push_back(site);
  return sites.size() - 1;
}

unsigned SiteTable::addCount(uint64_t instructions, rt::SimClass counted,
                             Location loc) {
  unsigned site = add(rt::SimOp::Count, instructions, /*alignment=*/1, loc);
  sites[site].counted = counted;
  return site;
}

} // namespace tensorc::codegen::sim
