//===- Lsp.cpp - The program tensorc-lsp-server ---------------------------===//

#include "tools/mains/Mains.h"
#include "tools/opt/Opt.h"

int tensorc_private_lsp(int argc, char **argv) {
  return tensorc::tool::lspMain(argc, argv);
}
