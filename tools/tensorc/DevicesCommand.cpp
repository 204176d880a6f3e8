//===- DevicesCommand.cpp - tensorc devices -------------------------------===//

#include "tools/tensorc/Commands.h"

#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <thread>

namespace tensorc::tool {

static int run(const Arguments &) {
  llvm::outs() << "cpu        " << llvm::sys::getHostCPUName() << ", "
               << std::thread::hardware_concurrency() << " threads\n"
               << "reference  the interpreter, exact and slow\n";
  return Success;
}

const Command devicesCommand = {"devices",
                                "list the devices of this machine",
                                "",
                                {},
                                "  tensorc devices\n",
                                /*takesInput=*/false,
                                run};

} // namespace tensorc::tool
