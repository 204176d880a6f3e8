//===- main.cpp - tensorc -------------------------------------------------===//

#include "tools/tensorc/Commands.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  std::vector<llvm::StringRef> words(argv + 1, argv + argc);
  return tensorc::tool::toolMain(words);
}
