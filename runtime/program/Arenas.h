//===- Arenas.h - buffers that are used only through views ------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_ARENAS_H
#define TENSORC_RUNTIME_PROGRAM_ARENAS_H

#include "runtime/program/Program.h"

namespace tensorc::rt {

/// Returns, for each buffer register of a verified function, whether it holds
/// an arena: an allocation that is read and written only through views. The
/// compiler plans temporaries in arenas. Each view of an arena may therefore be
/// replaced by a buffer of its own, with guards around it.
std::vector<bool> findArenas(const Program &program, const Function &function);

} // namespace tensorc::rt

#endif
