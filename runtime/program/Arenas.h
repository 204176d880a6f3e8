//===- Arenas.h - buffers that only hold others -----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_ARENAS_H
#define TENSORC_RUNTIME_PROGRAM_ARENAS_H

#include "runtime/program/Program.h"

namespace tensorc::rt {

/// Per buffer register of a verified function: whether it holds an allocation
/// that is read and written only through views of it. Such is the arena that
/// the compiler plans temporaries in; each view then may as well be a buffer of
/// its own, with guards around it.
std::vector<bool> findArenas(const Program &program, const Function &function);

} // namespace tensorc::rt

#endif
