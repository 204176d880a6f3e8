//===- Tool.cpp - The program tensorc -------------------------------------===//

#include "tools/mains/Mains.h"
#include "tools/tensorc/Commands.h"

#include "llvm/Support/InitLLVM.h"

int tensorc_private_tool(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  std::vector<llvm::StringRef> words(argv + 1, argv + argc);
  return tensorc::tool::toolMain(words);
}
