//===- Device.cpp - Programs that are ready to run ------------------------===//

#include "tools/tensorc/Device.h"

#include "ir/reference/Interpreter.h"

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

std::vector<std::string> deviceNames() { return {"cpu", "reference"}; }

bool isDevice(StringRef name) {
  return llvm::is_contained(deviceNames(), name);
}

std::optional<std::string> chooseDevice(const Arguments &arguments) {
  const char *variable = std::getenv("TENSORC_DEVICE");
  StringRef name = arguments.get("device", variable ? variable : "cpu");
  if (isDevice(name))
    return name.str();
  return badUsage("unknown device '" + name + "'; this build has " +
                  llvm::join(deviceNames(), ", ")),
         std::nullopt;
}

std::unique_ptr<Executable> prepare(func::FuncOp function, StringRef device,
                                    const compiler::CompileOptions &options) {
  if (device == "reference")
    return std::make_unique<ReferenceExecutable>(function);
  return refuse("device " + device + " is not available yet"), nullptr;
}

} // namespace tensorc::tool
