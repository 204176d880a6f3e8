//===- Mains.h - Main functions of the tools, in libtensorc.so ------------===//
//
// The executables only call these functions, so that only one copy of the
// compiler is installed. They are not part of the public interface, and no
// installed header declares them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TOOLS_MAINS_MAINS_H
#define TENSORC_TOOLS_MAINS_MAINS_H

extern "C" {
[[gnu::visibility("default")]] int tensorc_private_tool(int argc, char **argv);
[[gnu::visibility("default")]] int tensorc_private_opt(int argc, char **argv);
[[gnu::visibility("default")]] int tensorc_private_lsp(int argc, char **argv);
}

#endif // TENSORC_TOOLS_MAINS_MAINS_H
