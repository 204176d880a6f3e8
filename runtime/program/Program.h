//===- Program.h - a decoded package ----------------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_PROGRAM_H
#define TENSORC_RUNTIME_PROGRAM_PROGRAM_H

#include "runtime/core/Status.h"
#include "runtime/program/KernelSizes.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

struct tensorc_rt_entry {};

namespace tensorc::rt {

class Module;

/// An input or output of an entry.
struct Value {
  std::string name;
  tensorc_rt_dtype dtype;
  bool scalar;
  std::vector<int64_t> dims; // -1 when not static
  int64_t bytes = -1;        // where all dims are static and their size is one
  uintptr_t alignment = 1;   // of an argument's address
  /// Element type within a program. There a pair of 4-bit elements is one byte,
  /// and a complex number is its parts (NONE).
  tensorc_rt_dtype elements = TENSORC_RT_NONE;
  std::vector<std::string> dimNames;
  std::vector<const char *> dimNamePointers; // for the C interface
  bool donated = false;
  /// For an output's dims: the input and its dim of the same name, or -1.
  struct Source {
    int32_t input = -1, dim = -1;
  };
  std::vector<Source> sources;
};

/// Checked code; see runtime/abi/Bytecode.h.
struct Function {
  std::string name;
  uint32_t words, buffers, events;
  uint32_t wordArgs, bufferArgs, wordResults, bufferResults;
  bool isEntry = false;
  std::vector<uint32_t> code;
  /// For each buffer register, with TENSORC_CHECK=memory: see findArenas.
  std::vector<bool> arenas;
};

struct Entry final : tensorc_rt_entry {
  std::string name;
  std::vector<Value> inputs, outputs;
  const Function *function;
  const Module *module;
};

struct Kernel {
  std::string name;
  uint32_t arity;
  uint32_t image = 0;         // an index into Program::images
  std::vector<ArgRole> roles; // none, or of each argument: buffers first
  std::vector<tensorc_rt_dtype> dtypes; // parallel; NONE: not known
  uint32_t buffers = 0;                 // where there are roles
  std::vector<uint32_t> sizeScalars;    // the arguments that are declared sizes
  KernelSizes sizes;
  std::string file; // of the program's source, if known
  uint32_t line = 0;
};

/// The section of a package that was chosen for a device. Spans point into the
/// package. Everything else is a copy, so that checked data cannot change.
struct Program {
  std::string compiler, target;
  uint64_t irHash = 0;
  std::vector<Entry> entries;
  std::vector<Function> functions;
  std::vector<Kernel> kernels;
  std::vector<std::string> strings;
  std::vector<std::span<const char>> constants;
  std::vector<uint64_t> constantHashes;
  /// The first image holds the emitted kernels and may be empty.
  std::vector<std::span<const char>> images;
};

/// Returns how well a device fits a target; 0: not at all.
using TargetChooser = std::function<int32_t(const char *target)>;

/// Returns the bytes of a file next to the package, by its name.
using FileOpener =
    std::function<Status(const std::string &name, std::span<const char> &out)>;

/// Decodes any bytes into a valid package or an error. `open` is called if
/// constants are in a file of their own.
Status decodePackage(std::span<const char> bytes, const TargetChooser &choose,
                     const FileOpener &open, Program &out);

/// Checks every instruction of a function: opcodes, operand counts, registers,
/// indices, jump targets, arity of calls. `entry` is null for inner functions.
Status verifyFunction(const Program &program, const Function &function,
                      const Entry *entry);

} // namespace tensorc::rt

#endif
