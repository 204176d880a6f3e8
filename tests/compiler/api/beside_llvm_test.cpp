// A program that links an LLVM of its own next to libtensorc.so: neither may
// see the other's symbols or command-line options.
#include "tensorc/tensorc.hpp"

#include "llvm-c/Core.h"

int main() {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("own", context);
  float value = (tensorc::ones({3}) + 1).to_vector<float>()[2];
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return value == 2 ? 0 : 1;
}
