//===- Target.cpp - The table of targets ----------------------------------===//

#include "codegen/targets/Target.h"
#include "codegen/targets/amdgpu/AmdgpuTarget.h"
#include "codegen/targets/cpu/CpuTarget.h"
#include "codegen/targets/nvptx/NvptxTarget.h"
#include "codegen/targets/sim/SimTarget.h"

using namespace llvm;

namespace tensorc::codegen {

/// One line per target: what its names begin with, the target, and whether the
/// vendor has a library for transforms. The device has the same prefix and a
/// number: cuda:sm_90 runs on cuda:0, by the driver cuda; rocm:gfx942 on
/// rocm:0, by the driver hip.
static constexpr struct {
  StringLiteral prefix;
  const Target &(*get)();
  bool hasTransforms;
} targets[] = {
    {"cpu", getCpuTarget, false},
    {"cuda", getNvptxTarget, true},
    {"rocm", getAmdgpuTarget, true},
    {"sim", getSimTarget, false},
};

std::string listTargets() {
  std::string list;
  for (const auto &target : targets)
    for (StringRef name : target.get().getNames())
      list += (list.empty() ? "" : ", ") + name.str();
  return list;
}

Expected<const Target &> findTarget(StringRef name) {
  StringRef prefix = name.split(':').first;
  for (const auto &target : targets) {
    StringRef plain = target.hasTransforms ? withoutTransforms(name) : name;
    if (target.prefix == prefix && is_contained(target.get().getNames(), plain))
      return target.get();
  }
  return createStringError("unknown target '" + name + "': known are " +
                           listTargets());
}

Expected<CompiledSource>
Target::compileSource(const KernelSource &source,
                      const CodegenOptions &options) const {
  if (source.language != "cuda")
    return createStringError("is in the language '" + source.language +
                             "', which no device compiles: known is cuda");
  return createStringError("is CUDA C++, which cuda devices run, and not " +
                           options.target);
}

/// Returns the skeletons of a target. A simulated chip uses those of the real
/// chip.
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

std::string getLocalTarget(StringRef reported) {
  // With this variable set, a cpu reports the requested target.
  static const bool isAsked = [] {
    const char *cpu = secure_getenv("TENSORC_CPU");
    return cpu && *cpu;
  }();
  if (isAsked && reported.starts_with("cpu"))
    return reported.str();
  // A cpu reports a baseline; here all that it has may be used. The null device
  // takes any code.
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

static constexpr std::pair<Artefact, StringLiteral> artefactNames[] = {
    {Artefact::LLVM, "llvm"},   {Artefact::Assembly, "asm"},
    {Artefact::PTX, "ptx"},     {Artefact::Object, "object"},
    {Artefact::Cubin, "cubin"}, {Artefact::HSACO, "hsaco"}};

std::optional<Artefact> parseArtefact(StringRef name) {
  for (auto [artefact, text] : artefactNames)
    if (text == name)
      return artefact;
  return std::nullopt;
}

bool isText(Artefact artefact) {
  return artefact == Artefact::LLVM || artefact == Artefact::Assembly ||
         artefact == Artefact::PTX;
}

} // namespace tensorc::codegen
