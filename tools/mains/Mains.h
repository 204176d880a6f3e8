//===- Mains.h - The tools' programs, inside libtensorc.so ----------------===//
//
// The executables only call these, so that one copy of the compiler is
// installed. Not for embedders: no header that is installed declares them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TOOLS_MAINS_MAINS_H
#define TENSORC_TOOLS_MAINS_MAINS_H

extern "C" {
[[gnu::visibility("default")]] int tensorc_private_tool(int argc, char **argv);
[[gnu::visibility("default")]] int tensorc_private_opt(int argc, char **argv);
}

#endif // TENSORC_TOOLS_MAINS_MAINS_H
