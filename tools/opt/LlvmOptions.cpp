//===- LlvmOptions.cpp - Options that LLVM registers ----------------------===//

#include "tools/opt/Opt.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace tensorc::tool {

void prepareOptions(const char *program) {
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (name != "help" && name != "version")
      option->setHiddenFlag(llvm::cl::Hidden);
  llvm::cl::SetVersionPrinter([program](llvm::raw_ostream &os) {
    os << program << " " TENSORC_VERSION "\nLLVM " LLVM_VERSION_STRING "\n";
  });
}

} // namespace tensorc::tool
