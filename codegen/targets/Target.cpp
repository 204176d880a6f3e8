//===- Target.cpp - Table of targets --------------------------------------===//

#include "codegen/targets/Target.h"

#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tensorc::codegen {

/// All targets. The name of a device is its target's prefix and a number, such
/// as "cuda:0".
static constexpr struct {
  StringLiteral prefix;
  const Target &(*get)();
} targets[] = {
#define KIND(kind, driver, target, ...) {#kind, get##target##Target},
#define DRIVER_ONLY(kind, driver, ...)
    TENSORC_DEVICE_KINDS(KIND, DRIVER_ONLY)
#undef DRIVER_ONLY
#undef KIND
};

std::string listTargets() {
  std::string list;
  for (const auto &target : targets)
    for (StringRef name : target.get().getNames())
      list += (list.empty() ? "" : ", ") + name.str();
  return list;
}

ArrayRef<StringRef> listExamples() {
  static const auto all = [] {
    SmallVector<StringRef> list;
    for (const auto &target : targets)
      list.push_back(target.get().getNames().back());
    return list;
  }();
  return all;
}

ArrayRef<Artefact> listArtefacts() {
  static const auto all = [] {
    SmallVector<Artefact> list;
    for (const auto &target : targets)
      for (const Artefact &artefact : target.get().getArtefacts())
        if (!is_contained(list, artefact))
          list.push_back(artefact);
    return list;
  }();
  return all;
}

std::string listKindsWithAssembly() {
  SmallVector<StringRef> kinds;
  for (const auto &target : targets)
    if (target.get().supportsInlineAssembly())
      kinds.push_back(target.prefix);
  return join(kinds, ", ");
}

Expected<const Target &> findTarget(StringRef name) {
  StringRef prefix = name.split(':').first;
  for (const auto &known : targets) {
    const Target &target = known.get();
    StringRef plain = target.hasTransforms() ? withoutTransforms(name) : name;
    if (known.prefix != prefix || !is_contained(target.getNames(), plain))
      continue;
    if (Error error = target.checkMachine(plain))
      return error;
    return target;
  }
  return createStringError("unknown target '" + name + "': known are " +
                           listTargets());
}

SmallVector<std::string> expandTarget(StringRef name) {
  SmallVector<std::string> list;
  for (const auto &known : targets)
    if (known.prefix == name)
      for (StringRef variant : known.get().getVariants())
        list.push_back(variant.str());
  if (list.empty())
    list.push_back(name.str());
  return list;
}

bool Target::isLowered(mlir::Operation *op) const {
  return op->getDialect() &&
         op->getDialect()
             ->getRegisteredInterface<mlir::LLVMTranslationDialectInterface>();
}

Expected<CompiledSource>
Target::compileSource(const KernelSource &source,
                      const CodegenOptions &options) const {
  auto compiles = [&](const rt::DeviceKind &kind) {
    return kind.language && source.language == kind.language->name;
  };
  const auto *kind = find_if(rt::deviceKinds, compiles);
  if (kind == std::end(rt::deviceKinds)) {
    SmallVector<StringRef> known;
    for (const rt::DeviceKind &kind : rt::deviceKinds)
      if (kind.language)
        known.push_back(kind.language->name);
    return createStringError("is in the language '" + source.language +
                             "', which no device compiles: known is " +
                             join(known, ", "));
  }
  return createStringError(Twine("is ") + kind->language->title + ", which " +
                           rt::listDeviceKinds(compiles) +
                           " devices run, and not " + options.target);
}

Error Target::checkCompiled(StringRef, const Artefact &) const {
  return createStringError("is in no form that --emit names");
}

/// Returns the skeletons for a target string. A simulator uses those of the
/// chip that it simulates.
static SkeletonList skeletonsOf(const Target &target, StringRef name) {
  StringRef chip = target.getSimulatedChip(name);
  if (chip.empty())
    return target.getSkeletons(name);
  for (const auto &known : targets)
    for (StringRef other : known.get().getNames())
      if (&known.get() != &target && other.split(':').second == chip)
        return known.get().getSkeletons(other);
  llvm_unreachable("only chips that have a target are simulated");
}

Expected<TargetInfo> getTargetInfo(StringRef name) {
  Expected<const Target &> target = findTarget(name);
  if (!target)
    return target.takeError();
  TargetInfo info = target->getInfo(name);
  info.setSkeletons(skeletonsOf(*target, name));
  return info;
}

std::string getTargetIdentity(StringRef name) {
  Expected<const Target &> target = findTarget(name);
  if (target)
    return target->getIdentity(name);
  consumeError(target.takeError());
  return name.str();
}

std::string getLocalTarget(StringRef reported) {
  // If TENSORC_CPU is set, a cpu device reports the requested target.
  static const bool isAsked = [] {
    const char *cpu = secure_getenv("TENSORC_CPU");
    return cpu && *cpu;
  }();
  if (isAsked && reported.starts_with("cpu"))
    return reported.str();
  // If it is not set, a cpu device reports a baseline, but code for this
  // machine may use all features of the machine. The null device accepts any
  // code.
  if (reported.starts_with("cpu") || reported == "null")
    return "cpu";
  for (const auto &target : targets)
    if (target.prefix == reported.split(':').first)
      return target.get().getNameFor(withoutTransforms(reported)) +
             (callsTransforms(reported) ? kTransforms.str() : "");
  return reported.str();
}

void registerTargetDialects(mlir::DialectRegistry &registry) {
  for (const auto &target : targets)
    target.get().registerDialects(registry);
}

void registerTargetPasses() {
  for (const auto &target : targets)
    target.get().registerPasses();
}

} // namespace tensorc::codegen
