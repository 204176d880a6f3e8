//===- CpuCosts.cpp - Costs per microarchitecture -------------------------===//
//
// For a processor without a row, a session may measure some of the costs
// (compiler/session/placement/HostCosts.h).
//
//===----------------------------------------------------------------------===//

#include "codegen/kernel/CpuCosts.h"
#include "codegen/kernel/CpuModel.h"
#include "codegen/kernel/TargetInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <atomic>

using namespace llvm;

namespace tensorc::codegen {

static CpuCosts makeGeneric() {
  CpuCosts costs;
  costs.name = costs.cpus = "generic";
#define CPU_COST(NAME, VALUE, SOURCE, ORIGIN, COMMAND)                         \
  costs.NAME = {VALUE, CostSource::SOURCE, ORIGIN};
#define CPU_ROW(...)
#define CPU_VALUE(...)
#include "codegen/kernel/CpuCosts.def"
  return costs;
}

/// Makes a row of the table. Costs that the row does not set have the generic
/// values.
static CpuCosts makeRow(StringRef name, StringRef cpus) {
  CpuCosts costs = makeGeneric();
  costs.name = name;
  costs.cpus = cpus;
#define CPU_COST(NAME, ...) costs.NAME.source = CostSource::Assumed;
#define CPU_ROW(...)
#define CPU_VALUE(...)
#include "codegen/kernel/CpuCosts.def"
#define CPU_COST(...)
#define CPU_ROW(...)
#define CPU_VALUE(ROW, COST, VALUE, SOURCE, ORIGIN)                            \
  if (name == #ROW)                                                            \
    costs.COST = {VALUE, CostSource::SOURCE, ORIGIN};
#include "codegen/kernel/CpuCosts.def"
  return costs;
}

ArrayRef<CpuCosts> listCpuCosts() {
  static const CpuCosts rows[] = {
      makeGeneric(),
#define CPU_COST(...)
#define CPU_ROW(NAME, CPUS) makeRow(#NAME, CPUS),
#define CPU_VALUE(...)
#include "codegen/kernel/CpuCosts.def"
  };
  return rows;
}

ArrayRef<CostColumn> listCostColumns() {
  static const CostColumn columns[] = {
#define CPU_COST(NAME, VALUE, SOURCE, ORIGIN, COMMAND)                         \
  {#NAME, &CpuCosts::NAME, COMMAND},
#define CPU_ROW(...)
#define CPU_VALUE(...)
#include "codegen/kernel/CpuCosts.def"
  };
  return columns;
}

const CpuCosts &getCpuCosts(StringRef cpu) {
  ArrayRef<CpuCosts> rows = listCpuCosts();
  const CpuCosts *found = find_if(rows, [&](const CpuCosts &row) {
    return is_contained(split(row.cpus, ' '), cpu);
  });
  return found == rows.end() ? rows.front() : *found;
}

const CpuCosts &getCpuCosts(const CpuModel &cpu) {
  return getCpuCosts(cpu.isX86() ? findProcessor(cpu.cpu, cpu.features)
                                 : StringRef(cpu.cpu));
}

/// The row that replaces the table's for the target "cpu"; null for none.
static std::atomic<const CpuCosts *> hostCosts{nullptr};

const CpuCosts &getCpuCosts(const TargetInfo &target) {
  if (const CpuCosts *row = hostCosts.load(std::memory_order_acquire);
      row && target.getName() == "cpu")
    return *row;
  Expected<const CpuModel &> model = getCpuModel(target.getName());
  if (model)
    return getCpuCosts(*model);
  consumeError(model.takeError());
  return listCpuCosts().front();
}

//===----------------------------------------------------------------------===//
// Costs of the host
//===----------------------------------------------------------------------===//

bool lacksHostRow() {
  Expected<const CpuModel &> model = getCpuModel("cpu");
  if (model)
    return model->isHost && &getCpuCosts(*model) == &listCpuCosts().front();
  consumeError(model.takeError());
  return false;
}

void setHostCosts(const CpuCosts *row) {
  hostCosts.store(row, std::memory_order_release);
}

std::string getHostCostIdentity() {
  const CpuCosts *row = hostCosts.load(std::memory_order_acquire);
  Expected<const CpuModel &> model = getCpuModel("cpu");
  if (!model) {
    consumeError(model.takeError());
    return "";
  }
  std::string text;
  for (const CostColumn &column : listCostColumns())
    if (row && row->*column.cost != getCpuCosts(*model).*column.cost)
      text +=
          (" " + column.name + "=" + Twine((row->*column.cost).value)).str();
  return text;
}

} // namespace tensorc::codegen
