//===- Compiled.h - A compiled program ------------------------------------===//
#ifndef TENSORC_PJRT_COMPILED_H
#define TENSORC_PJRT_COMPILED_H

#include "pjrt/CompileOptions.h"
#include "pjrt/Objects.h"

#include "tensorc/compile.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <string_view>

namespace tensorc::pjrt {

/// A host's request to compile a program.
struct Request {
  std::vector<Device *> devices; // devices in the order of the ranks
  std::vector<LogicalDevice> logicalIds;
  bool hasReplicas = false; // the ranks are replicas, not partitions
  std::string options;      // the bytes that the host passed
  std::string assignment;   // a DeviceAssignmentProto
  std::string fingerprint;  // hash of the program and its options
};

/// Row-major layouts, and pointers to them for the host.
struct LayoutList {
  std::deque<MemoryLayout> layouts; // does not move its elements
  std::vector<MemoryLayout *> pointers;

  void add(size_t rank) {
    layouts.push_back(rowMajor(rank));
    pointers.push_back(&layouts.back());
  }
};

/// How devices split arguments or results.
struct ShardingList {
  std::vector<std::string> texts;   // in XLA's notation
  std::deque<std::string> messages; // protocol buffers
  // Pointers to the messages, for the host. A deque does not move its elements.
  std::vector<const char *> pointers;
  std::vector<size_t> sizes;

  void add(std::string text);
};

struct Shardings {
  ShardingList arguments, results;
};

/// What a package lacks of a program.
struct Described {
  Shardings shardings;
  std::vector<std::string> argumentMemories, resultMemories; // their kinds
};

/// The kinds of memory that have arguments or results.
struct MemoryList {
  std::vector<size_t> indices; // in Device::memories
  // The names, for the host.
  std::vector<const char *> kinds;
  std::vector<size_t> sizes;

  /// Adds a kind; "" is the default one.
  Error *add(std::string_view kind);
};

/// The types of arguments and results, in arrays that the host can read.
struct Signature {
  std::vector<uint8_t> donated; // one flag per argument
  MemoryList argumentMemories, resultMemories;
  LayoutList argumentLayouts, resultLayouts;
  std::vector<size_t> argumentRanks;
  std::vector<std::vector<int64_t>> resultDims;
  std::vector<ElementType> resultTypes;
  std::vector<int64_t> flatDims; // dims of all results, concatenated
  std::vector<size_t> resultRanks;
  struct {
    int64_t arguments = 0, results = 0, temporaries = 0;
  } bytes;
  /// True if the function has one more result, which waits for its effects.
  bool hasHiddenResult = false;

  Error *addArgument(tensorc_dtype dtype, std::vector<int64_t> dims,
                     bool isDonated, std::string_view memoryKind);
  Error *addResult(tensorc_dtype dtype, std::vector<int64_t> dims,
                   std::string_view memoryKind);
};

/// A program that was compiled in this process, or loaded from a package that
/// an earlier process made. Each rank of the program runs on a different
/// device.
struct Compiled {
  Compiled() = default;
  Compiled(const Compiled &) = delete;
  Compiled &operator=(const Compiled &) = delete;
  ~Compiled();

  Request request;
  Signature signature;
  std::string name = "main";
  Shardings shardings;    // empty for one device
  bool callsHost = false; // calls functions of this process
  /// Duration of the last run.
  std::atomic<std::chrono::nanoseconds> lastRun{};

  /// Returns the memory in which a rank has a result.
  Memory *resultMemory(size_t rank, size_t result) const {
    return request.devices[rank]
        ->memories[signature.resultMemories.indices[result]];
  }
  Error *compile(std::string_view code);
  /// Loads the package of a program that was described so.
  Error *load(std::string_view bytes, Described &&known);
  /// Runs the program of a rank and releases the arguments. Arguments in
  /// `donated` may be overwritten.
  Error *run(size_t rank, const std::vector<tensorc_tensor *> &arguments,
             const std::vector<uint8_t> &donated,
             std::vector<tensorc_tensor *> &outputs);
  Error *serialize(std::string &bytes) const;
  /// Returns the operations and the memory traffic of a run; empty if they are
  /// unknown.
  const std::vector<NamedValue> &costs();
  /// Returns the program as a module. For several devices the module only has
  /// the shardings of arguments and results, and the collectives that each
  /// device runs. Empty if the program was loaded for one device.
  const std::string &text();

private:
  /// Asks about the program on the first device. False if there is no answer,
  /// as for a package.
  template <class Answer>
  bool ask(tensorc_status *(*question)(const tensorc_program *, Answer *),
           Answer &answer) const;
  Error *describeFunction();
  /// Reads a text about an argument or result of the program.
  using Property = tensorc_status *(*)(const tensorc_program *, int32_t,
                                       int32_t, char **);
  Error *read(Property property, bool isResult, size_t index,
              std::string &text) const;
  Error *readShardings();
  std::string describeShardings() const;
  std::string collectives() const;
  Error *describeEntry(const Described &known);

  // Either the program and its functions are set, or the members of a loaded
  // package. Functions, modules and entries are indexed by rank.
  tensorc_program *program = nullptr;
  std::vector<tensorc_function *> functions;
  std::string package;
  std::vector<tensorc_rt_module *> modules;
  std::vector<const tensorc_rt_entry *> entries;
  struct {
    std::once_flag once, onceText;
    std::vector<NamedValue> properties;
    std::string text;
  } known;
};

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_COMPILED_H
