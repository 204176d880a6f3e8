//===- Environment.cpp - Reading environment variables --------------------===//

#include "compiler/log/Environment.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace tensorc {

llvm::StringRef readVariable(const char *name) {
  const char *text = secure_getenv(name);
  return text ? text : llvm::StringRef();
}

void tellIgnored(const char *name, llvm::StringRef text,
                 llvm::StringRef expected) {
  llvm::errs() << "tensorc: " << name << "=" << text
               << " is ignored: it is not " << expected << "\n";
}

bool readSwitch(const char *name) {
  llvm::StringRef text = readVariable(name);
  if (!text.empty() && text != "0" && text != "1")
    tellIgnored(name, text, "0 or 1");
  return text == "1";
}

} // namespace tensorc
