//===- Device.cpp - Executable programs -----------------------------------===//

#include "tools/tensorc/device/Device.h"
#include "compiler/session/jit/CustomOps.h"
#include "compiler/session/jit/Session.h"
#include "compiler/session/placement/Placer.h"
#include "compiler/session/placement/TileTest.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include "ir/reference/Ranks.h"

#include "llvm/Support/Signals.h"

using namespace mlir;
using tensorc::reference::Array;

namespace tensorc::tool {

namespace {
class ReferenceExecutable final : public Executable {
public:
  explicit ReferenceExecutable(func::FuncOp function) : function(function) {}
  FailureOr<std::vector<Array>> run(ArrayRef<Array> arguments) override {
    return reference::evaluate(function, arguments, jit::callCustomOp);
  }

private:
  func::FuncOp function;
};
} // namespace

void reportFaults() {
  // This must come first, because the runtime saves the existing handlers to
  // call them after its own.
  llvm::sys::unregisterHandlers();
  tensorc_rt_report_faults();
}

std::optional<std::string> chooseDevice(const Arguments &arguments) {
  const char *variable = secure_getenv("TENSORC_DEVICE");
  std::string name =
      arguments.get("device", variable && *variable ? variable : "cpu").str();
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
  std::string message = tensorc_rt_status_message(status);
  tensorc_rt_status_free(status);
  return badUsage(message + ", reference"), std::nullopt;
}

std::string targetOf(StringRef deviceName) {
  tensorc_rt_device *device;
  if (tensorc_rt_status *status =
          tensorc_rt_device_find(deviceName.str().c_str(), &device)) {
    tensorc_rt_status_free(status); // `reference` compiles nothing
    return "cpu";
  }
  return placement::targetOf(device);
}

std::string targetFor(Program &program, StringRef deviceName) {
  tensorc_rt_device *device;
  tensorc_rt_status *status =
      tensorc_rt_device_find(deviceName.str().c_str(), &device);
  if (!status && !program.isPackage()) {
    jit::Session &session = jit::Session::get();
    session.compileAlone([&] {
      session.targetFor(device, program.function->getParentOfType<ModuleOp>());
    });
  }
  tensorc_rt_status_free(status);
  return targetOf(deviceName);
}

FailureOr<std::string> compileProgram(Program &program,
                                      const compiler::CompileOptions &options) {
  OwningOpRef<ModuleOp> module =
      program.function->getParentOfType<ModuleOp>().clone();
  keepOnly(module->lookupSymbol<func::FuncOp>(program.function.getName()));
  return compiler::compile(*module, options);
}

FailureOr<std::vector<std::vector<Array>>>
interpretOnRanks(Program &program, int64_t ranks, ArrayRef<Array> arguments) {
  if (!program.isPackage())
    return reference::evaluateOnRanks(program.function, ranks, arguments,
                                      jit::callCustomOp);
  refuse("a package holds no expressions to interpret");
  return failure();
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
  FailureOr<std::string> bytes = compileProgram(program, options);
  if (failed(bytes))
    return nullptr;
  return loadPackage(std::move(*bytes), name, device);
}

} // namespace tensorc::tool
