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
  std::vector<int64_t> dims; // -1 where not static
  int64_t bytes = -1;        // -1 unless all dims are static
  uintptr_t alignment = 1;   // minimum alignment of an argument's address
  /// Element type within the program. There a pair of 4-bit elements is one
  /// byte, and a complex number is its two parts (NONE).
  tensorc_rt_dtype elements = TENSORC_RT_NONE;
  std::vector<std::string> dimNames;
  // Names of the dims, for the C interface.
  std::vector<const char *> dimNamePointers;
  bool donated = false;
  /// For each dim of an output: the input that has a dim with the same name,
  /// and the number of that dim, or -1.
  struct Source {
    int32_t input = -1, dim = -1;
  };
  std::vector<Source> sources;
};

/// The code of a function, which has been checked; see runtime/abi/Bytecode.h.
struct Function {
  std::string name;
  uint32_t words, buffers, events, hostBuffers = 0;
  uint32_t wordArgs, bufferArgs, wordResults, bufferResults;
  bool isEntry = false;
  std::vector<uint32_t> code;
  /// With TENSORC_CHECK=memory, a flag per buffer register: see findArenas.
  std::vector<bool> arenas;
};

struct Entry final : tensorc_rt_entry {
  std::string name;
  std::vector<Value> inputs, outputs;
  const Function *function;
  const Module *module;
  /// The entry that computes the same with less memory, if there is one.
  Entry *smaller = nullptr;
  bool isPlan = false; // an entry that only `smaller` refers to
};

struct Kernel {
  const char *name = nullptr; // interned
  uint32_t arity;
  uint32_t image = 0; // an index into Program::images
  // Role of each argument, buffers first; may be empty.
  std::vector<ArgRole> roles;
  // Dtype of each argument; NONE if unknown.
  std::vector<tensorc_rt_dtype> dtypes;
  // Number of buffers, if roles are declared.
  uint32_t buffers = 0;
  // Numbers of the arguments that are declared sizes.
  std::vector<uint32_t> sizeScalars;
  KernelSizes sizes;
};

/// The section of a package that was chosen for a device. Spans point into the
/// package. Everything else is copied, so that checked data cannot change.
struct Program {
  std::string compiler, target;
  /// Targets of sections that fit the device better, but whose matrix
  /// instructions do not work there, with the errors.
  std::string brokenTiles;
  uint64_t irHash = 0;
  std::vector<Entry> entries;
  std::vector<Function> functions;
  std::vector<Kernel> kernels;
  std::vector<std::string> strings;
  std::vector<std::span<const char>> constants;
  std::vector<uint64_t> constantHashes;
  /// The first image holds the emitted kernels and may be empty.
  std::vector<std::span<const char>> images;
  // Lines of the ops to which launches refer.
  std::vector<tensorc_rt_line> lines;
};

/// What a device answers about the sections of a package.
struct SectionChooser {
  /// Returns how well the device fits a target; 0 if it cannot run code for it.
  std::function<int32_t(const char *target)> fit;
  /// Runs a section's test of matrix instructions, which is a package. Sets
  /// `why` if they do not work. Returns an error if that is not known.
  std::function<Status(std::span<const char> test, std::string &why)> test;
};

/// Returns the bytes of a file next to the package, by its name.
using FileOpener =
    std::function<Status(const std::string &name, std::span<const char> &out)>;

/// Decodes a package. Any bytes give either a valid program or an error. `open`
/// is called if the constants are in a separate file.
Status decodePackage(std::span<const char> bytes, const SectionChooser &choose,
                     const FileOpener &open, Program &out);

/// Checks every instruction of a function: opcodes, operand counts, registers,
/// indices, jump targets, arity of calls. `entry` is null for inner functions.
Status verifyFunction(const Program &program, const Function &function,
                      const Entry *entry);

} // namespace tensorc::rt

#endif
