//===- CpuModel.cpp - What a cpu target string stands for -----------------===//

#include "codegen/kernel/CpuModel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;

namespace tensorc::codegen {

static CpuModel hostModel() {
  CpuModel model;
  model.isHost = true;
  model.triple = sys::getProcessTriple();
  model.cpu = sys::getHostCPUName().str();
  model.features = sys::getHostCPUFeatures();
  for (const auto &feature : model.features) {
    if (!model.featureString.empty())
      model.featureString += ',';
    model.featureString += (feature.second ? '+' : '-') + feature.first().str();
  }
  return model;
}

static CpuModel x86Baseline(StringRef level) {
  CpuModel model;
  model.triple = "x86_64-unknown-linux-gnu";
  model.cpu = level.str();
  SmallVector<StringRef> names;
  X86::getFeaturesForCPU(level, names);
  for (StringRef name : names) {
    model.features[name] = true;
    X86::updateImpliedFeatures(name, /*Enabled=*/true, model.features);
  }
  return model;
}

static CpuModel aarch64Baseline() {
  CpuModel model;
  model.triple = "aarch64-unknown-linux-gnu";
  model.cpu = "generic";
  model.features["neon"] = true;
  return model;
}

/// LLVM then takes SVE for fixed vectors that are longer than NEON's.
static CpuModel sveModel(unsigned bits) {
  CpuModel model = aarch64Baseline();
  model.featureString = "+sve";
  model.features["sve"] = true;
  model.sveBits = bits;
  return model;
}

ArrayRef<StringLiteral> getCpuNames() {
  static constexpr StringLiteral names[] = {
      "cpu",           "cpu:x86-64-v2", "cpu:x86-64-v3",
      "cpu:x86-64-v4", "cpu:aarch64",   "cpu:aarch64-sve256"};
  return names;
}

Expected<const CpuModel &> getCpuModel(StringRef target) {
  if (target == "cpu") {
    // Asked of the processor once: a virtual machine's host answers slowly.
    static const CpuModel host = hostModel();
    return host;
  }
  StringRef name = target;
  if (name.consume_front("cpu:x86-64-v")) {
    static const CpuModel levels[] = {x86Baseline("x86-64-v2"),
                                      x86Baseline("x86-64-v3"),
                                      x86Baseline("x86-64-v4")};
    for (const CpuModel &model : levels)
      if (name == StringRef(model.cpu).take_back())
        return model;
  } else if (name == "cpu:aarch64") {
    static const CpuModel arm = aarch64Baseline();
    return arm;
  } else if (name == "cpu:aarch64-sve256") {
    static const CpuModel sve = sveModel(256);
    return sve;
  }
  return createStringError("unknown target '" + target + "': known are " +
                           join(getCpuNames(), ", "));
}

} // namespace tensorc::codegen
