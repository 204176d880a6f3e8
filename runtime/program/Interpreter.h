//===- Interpreter.h - runs an entry of a module ----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_INTERPRETER_H
#define TENSORC_RUNTIME_PROGRAM_INTERPRETER_H

#include "runtime/program/Module.h"
#include "runtime/program/RunControl.h"

namespace tensorc::rt {

/// Checks the arguments, runs, and fills `outputs`; see tensorc_rt_run. May
/// throw std::bad_alloc, after which no output holds a buffer.
Status runEntry(const Entry &entry, std::span<const tensorc_rt_arg> args,
                std::span<tensorc_rt_output> outputs, Stream &stream,
                Allocator &allocator, const RunControl &control);

/// What a run with these shapes will allocate: the program runs without its
/// work. Buffers of the arguments are not looked at. Fails where sizes depend
/// on values.
Status measureEntry(const Entry &entry, std::span<const tensorc_rt_arg> args,
                    tensorc_rt_memory_plan &out);

} // namespace tensorc::rt

#endif
