//===- Opt.cpp - The program tensorc-opt ----------------------------------===//

#include "tools/opt/Opt.h"
#include "tools/mains/Mains.h"

int tensorc_private_opt(int argc, char **argv) {
  return tensorc::tool::optMain(argc, argv);
}
