//===- Mains.h - The tools' main functions, in libtensorc.so --------------===//
//
// The executables only call these, so that only one copy of the compiler is
// installed. Not part of the public interface: no installed header declares
// them.
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
