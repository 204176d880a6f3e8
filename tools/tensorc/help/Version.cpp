//===- Version.cpp - tensorc --version ------------------------------------===//

#include "codegen/targets/Target.h"
#include "tools/tensorc/help/Help.h"

#include "llvm/Config/llvm-config.h"

namespace tensorc::tool {

llvm::StringRef commitOfSources() { return TENSORC_COMMIT; }

void printVersion(llvm::raw_ostream &os) {
  os << "tensorc " TENSORC_VERSION "\n"
     << "commit  " << commitOfSources() << "\n"
     << "LLVM    " LLVM_VERSION_STRING "\n"
     << "targets " << codegen::listTargets() << "\n";
}

} // namespace tensorc::tool
