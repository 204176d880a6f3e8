//===- ExplainProfile.cpp - tensorc explain --profile ---------------------===//
//
// Runs the program with random inputs on a simulator of the target's chip,
// which counts hardware events, and prints the counts of each kernel.
//
//===----------------------------------------------------------------------===//

#include "codegen/targets/Registers.h"
#include "codegen/targets/sim/SimKernelAttrs.h"
#include "compiler/output/artefacts/Artefacts.h"
#include "compiler/session/report/KernelProfile.h"
#include "ir/text/Characters.h"
#include "tensorc/profile.h"
#include "tools/tensorc/Commands.h"
#include "tools/tensorc/Inputs.h"
#include "tools/tensorc/Timing.h"
#include "tools/tensorc/device/AutoDevice.h"
#include "tools/tensorc/device/Device.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tensorc::report;

namespace tensorc::tool {

namespace {
/// Owns the process's profile hook during its lifetime. Keeps the profile of the
/// last launch of each kernel, in the order of their first launches.
class ProfileCollector {
public:
  ProfileCollector() {
    tensorc_rt_set_profile_hook(
        [](void *user, const char *kernel, const char *json) {
          static_cast<ProfileCollector *>(user)->add(kernel, json);
        },
        this);
  }
  ~ProfileCollector() { tensorc_rt_set_profile_hook(nullptr, nullptr); }
  ProfileCollector(const ProfileCollector &) = delete;

  auto &get() { return kernels; }

private:
  void add(StringRef kernel, StringRef json) {
    std::string name = printable(kernel, /*isText=*/false);
    KernelProfile profile = llvm::cantFail(readProfile(name, json));
    auto [it, isNew] = kernels.insert({name, KernelProfile()});
    profile.launches = isNew ? 1 : it->second.launches + 1;
    it->second = std::move(profile);
  }

  llvm::MapVector<std::string, KernelProfile, llvm::StringMap<unsigned>>
      kernels;
};
} // namespace

static std::string listChips() {
  std::vector<std::string> chips;
  for (const codegen::GpuRates &each : codegen::listGpuRates())
    chips.push_back(each.chip.str());
  return llvm::join(chips, ", ");
}

static void printText(ArrayRef<KernelProfile> kernels,
                      const codegen::GpuRates &chip) {
  llvm::outs() << "profile for " << chip.chip << " (" << chip.product
               << "), counted by the simulator; times are estimates\n";
  for (const KernelProfile &kernel : kernels) {
    llvm::outs() << "\n";
    print(llvm::outs(), kernel, chip);
  }
}

static void printJson(ArrayRef<KernelProfile> kernels,
                      const codegen::GpuRates &chip) {
  llvm::json::Array array;
  for (const KernelProfile &kernel : kernels)
    array.push_back(toJson(kernel, chip));
  llvm::outs() << llvm::formatv(
      "{0:2}\n", llvm::json::Value(llvm::json::Object{
                     {"chip", chip.chip}, {"kernels", std::move(array)}}));
}

/// Returns the registers of the kernels if the program is compiled for the
/// target itself, which may need the vendor's assembler. Kernels have the same names on
/// the simulator. Returns an empty map otherwise.
static llvm::StringMap<int64_t> findRegisters(ModuleOp program,
                                              StringRef target,
                                              const Arguments &arguments,
                                              Timing &timing) {
  StringRef kind = codegen::artefactWithRegisters(target);
  llvm::StringMap<int64_t> none;
  if (kind.empty())
    return none;
  std::string name = target.str(), refusal;
  compiler::CompileOptions options = optionsOf(target, arguments, timing);
  options.target = name;
  // Without an assembler, the number of registers is not known.
  ScopedDiagnosticHandler quiet(program.getContext(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> own = program.clone();
  compiler::ArtefactRequest request{kind, name};
  FailureOr<compiler::Artefact> artefact =
      compiler::makeArtefact(*own, options, request, refusal);
  if (failed(artefact))
    return none;
  auto registers = codegen::readRegisters(artefact->bytes);
  if (registers)
    return std::move(*registers);
  llvm::consumeError(registers.takeError());
  return none;
}

int explainProfile(const Arguments &arguments) {
  reportFaults();
  StringRef target = arguments.get("target");
  const codegen::GpuRates *chip =
      codegen::findGpuRates(target.split(':').second);
  if (!chip)
    return badUsage("--profile needs --target with one of the chips " +
                    listChips() + ", as in --target=sim:sm_90a");
  std::optional<InputOptions> inputOptions = InputOptions::parse(arguments);
  if (!inputOptions)
    return BadUsage;
  inputOptions->draw = true;
  Program program;
  if (failed(loadProgram(arguments, program)))
    return Refused;
  FailureOr<std::vector<reference::Array>> inputs =
      gatherInputs(program.function, *inputOptions);
  if (failed(inputs))
    return Refused;
  Timing timing(false);
  llvm::StringMap<int64_t> registers;
  if (!program.isPackage()) {
    if (failed(specializeFor(program.function, *inputs)))
      return Refused;
    registers = findRegisters(program.module.get(), target, arguments, timing);
    program.module.get()->setAttr(codegen::sim::kProfileAttr,
                                  UnitAttr::get(&program.module.getContext()));
  }
  std::string simulator = "sim:" + chip->chip.str();
  // Few blocks run, so that optimizing their code takes longer than running it.
  // Counts do not depend on it.
  compiler::CompileOptions options = optionsOf(simulator, arguments, timing);
  options.optLevel = 0;
  std::unique_ptr<Executable> executable = prepare(program, simulator, options);
  if (!executable)
    return Refused;
  ProfileCollector collector;
  if (failed(executable->run(*inputs)))
    return Refused;
  std::vector<KernelProfile> kernels;
  for (auto &[name, kernel] : collector.get()) {
    if (auto known = registers.find(name); known != registers.end())
      kernel.registers = known->second;
    kernels.push_back(std::move(kernel));
  }
  if (kernels.empty() && program.isPackage())
    return refuse(program.package + " was not compiled for a profile");
  if (arguments.has("json"))
    printJson(kernels, *chip);
  else
    printText(kernels, *chip);
  return Success;
}

} // namespace tensorc::tool
