#include "tools/mains/Mains.h"

int main(int argc, char **argv) { return tensorc_private_lsp(argc, argv); }
