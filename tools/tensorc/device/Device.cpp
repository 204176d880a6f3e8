//===- Device.cpp - Programs that are ready to run ------------------------===//

#include "tools/tensorc/device/Device.h"
#include "compiler/placement/Placer.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include "ir/program/Kernels.h"
#include "ir/program/Txp.h"
#include "ir/reference/Interpreter.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using tensorc::reference::Array;

namespace tensorc::tool {

namespace {
class ReferenceExecutable final : public Executable {
public:
  explicit ReferenceExecutable(func::FuncOp function) : function(function) {}
  FailureOr<std::vector<Array>> run(ArrayRef<Array> arguments) override {
    return reference::evaluate(function, arguments);
  }

private:
  func::FuncOp function;
};
} // namespace

std::vector<std::string> deviceNames() {
  std::vector<std::string> names;
  for (int32_t i = 0; i < tensorc_rt_device_count(); ++i) {
    tensorc_rt_device_properties properties;
    tensorc_rt_device_get_properties(tensorc_rt_device_get(i), &properties);
    names.push_back(properties.name);
  }
  names.push_back("reference");
  return names;
}

std::optional<std::string> chooseDevice(const Arguments &arguments) {
  const char *variable = secure_getenv("TENSORC_DEVICE");
  std::string name = arguments.get("device", variable ? variable : "cpu").str();
  if (name == "reference" || name == placement::autoName)
    return name;
  tensorc_rt_device *device;
  tensorc_rt_status *status = tensorc_rt_device_find(name.c_str(), &device);
  if (!status)
    return name;
  if (tensorc_rt_status_code(status) != TENSORC_RT_NOT_FOUND) {
    ok(status);
    return std::nullopt;
  }
  tensorc_rt_status_free(status);
  return badUsage("unknown device '" + name + "'; this machine has " +
                  llvm::join(deviceNames(), ", ")),
         std::nullopt;
}

std::string targetOf(StringRef deviceName) {
  tensorc_rt_device *device;
  if (tensorc_rt_status *status =
          tensorc_rt_device_find(deviceName.str().c_str(), &device)) {
    tensorc_rt_status_free(status); // `reference` compiles nothing
    return "cpu";
  }
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  return codegen::getLocalTarget(properties.target);
}

/// The place of each kernel's first launch.
static std::vector<KernelOrigin> originsOf(ModuleOp module) {
  static llvm::StringSet<> files; // as long as the process
  std::vector<KernelOrigin> origins;
  llvm::StringSet<> seen;
  auto add = [&](Operation *op, StringRef kernel) {
    auto at = op->getLoc()->findInstanceOf<FileLineColLoc>();
    if (at && seen.insert(kernel).second)
      origins.push_back(
          {kernel.str(),
           files.insert(at.getFilename().getValue()).first->getKeyData(),
           at.getLine()});
  };
  module.walk([&](Operation *op) {
    if (auto launch = dyn_cast<txp::LaunchOp>(op))
      add(op, launch.getKernel().getLeafReference());
    else if (auto launch = dyn_cast<txp::LaunchGridOp>(op))
      add(op, launch.getKernel());
  });
  return origins;
}

std::unique_ptr<Executable> prepare(Program &program, StringRef device,
                                    const compiler::CompileOptions &options) {
  if (device == "reference") {
    if (!program.isPackage())
      return std::make_unique<ReferenceExecutable>(program.function);
    return refuse("a package holds no expressions to interpret"), nullptr;
  }
  std::string name = program.function.getName().str();
  if (program.isPackage())
    return loadPackageFile(program.package, name, device);
  OwningOpRef<ModuleOp> module =
      program.function->getParentOfType<ModuleOp>().clone();
  keepOnly(module->lookupSymbol<func::FuncOp>(name));
  FailureOr<std::string> bytes = compiler::compile(*module, options);
  if (failed(bytes))
    return nullptr;
  return loadPackage(std::move(*bytes), name, device, originsOf(*module));
}

} // namespace tensorc::tool
