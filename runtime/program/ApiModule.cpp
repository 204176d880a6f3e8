//===- ApiModule.cpp - C interface: modules, entries, runs ----------------===//
#include "runtime/core/Api.h"
#include "runtime/core/Callback.h"
#include "runtime/core/threads/Threads.h"
#include "runtime/program/Interpreter.h"
#include "runtime/program/Trust.h"
#include "runtime/program/tiles/TileTest.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tensorc::rt;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// Compares the constants with their hashes in parallel, one task per constant.
static Status verifyConstants(const Program &program) {
  std::vector<char> isAltered(program.constants.size(), 0);
  auto compare = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      std::span<const char> bytes = program.constants[i];
      isAltered[i] =
          hashBytes(bytes.data(), bytes.size()) != program.constantHashes[i];
    }
  };
  if (!isAltered.empty())
    parallelRanges(
        static_cast<int64_t>(isAltered.size()), /*grain=*/1,
        threadsFor(static_cast<int64_t>(isAltered.size()), 1, numThreads()),
        [](void *context, int64_t begin, int64_t end, int32_t) {
          (*static_cast<decltype(compare) *>(context))(begin, end);
        },
        &compare);
  for (size_t i = 0; i < isAltered.size(); ++i)
    if (isAltered[i])
      return error(TENSORC_RT_INVALID_PACKAGE,
                   "package: altered: constant %zu does not have its hash", i);
  return Status();
}

static Status loadModule(tensorc_rt_device *device, PackageBytes bytes,
                         const TrustCheck &trust, tensorc_rt_module **out) {
  TENSORC_RT_TRY(trust.check(bytes.bytes));
  Device *on = unwrap(device);
  if (!on)
    TENSORC_RT_TRY(findDevice(nullptr, on));
  std::shared_ptr<Module> module;
  TENSORC_RT_TRY(Module::load(
      *on, std::move(bytes),
      [on](std::span<const char> test, std::string &why) {
        return testTiles(*on, test, why);
      },
      module));
  reportTiles(*module);
  if (trust.verifiesConstants)
    TENSORC_RT_TRY(verifyConstants(module->program));
  module->self = module;
  *out = module.get();
  return Status();
}

/// Copies to page-aligned memory, so that constants are used in place.
static Status copyBytes(const void *data, size_t size, PackageBytes &out) {
  void *copy = std::aligned_alloc(
      segmentAlignment, (size / segmentAlignment + 1) * segmentAlignment);
  if (!copy)
    return outOfMemory();
  out.owner = std::shared_ptr<const void>(copy, std::free);
  if (size) // `data` may be null if it is 0
    std::memcpy(copy, data, size);
  out.bytes = {static_cast<const char *>(copy), size};
  return Status();
}

tensorc_rt_status *tensorc_rt_load_bytes_with(
    tensorc_rt_device *device, const void *data, size_t size,
    tensorc_rt_load_mode mode, tensorc_rt_deleter deleter, void *user,
    const tensorc_rt_load_options *options, tensorc_rt_module **out) {
  if (out)
    *out = nullptr;
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(mode == TENSORC_RT_COPY || mode == TENSORC_RT_BORROW,
                         "unknown mode of loading"));
    PackageBytes bytes;
    if (!data)
      size = 0;
    if (mode == TENSORC_RT_COPY) {
      TENSORC_RT_TRY(copyBytes(data, size, bytes));
    } else {
      bytes.bytes = {static_cast<const char *>(data), size};
      if (deleter)
        bytes.owner = std::shared_ptr<const void>(data, [=](const void *data) {
          (void)callEmbedder("a deleter", [&] {
            deleter(user, const_cast<void *>(data));
            return Status();
          });
        });
    }
    // Checked only now, because the deleter must also be called if loading
    // fails.
    TENSORC_RT_TRY(needs(out, "the out parameter is NULL"));
    TrustCheck trust;
    TENSORC_RT_TRY(readLoadOptions(options, trust));
    return loadModule(device, std::move(bytes), trust, out);
  });
}

tensorc_rt_status *tensorc_rt_load_bytes(tensorc_rt_device *device,
                                         const void *data, size_t size,
                                         tensorc_rt_load_mode mode,
                                         tensorc_rt_deleter deleter, void *user,
                                         tensorc_rt_module **out) {
  return tensorc_rt_load_bytes_with(device, data, size, mode, deleter, user,
                                    nullptr, out);
}

/// Maps a file for reading. Releasing `out.owner` unmaps it.
static Status mapFile(const char *path, PackageBytes &out) {
  auto failed = [&] {
    return error(errno == ENOENT   ? TENSORC_RT_NOT_FOUND
                 : errno == ENOMEM ? TENSORC_RT_OUT_OF_MEMORY
                                   : TENSORC_RT_DEVICE_ERROR,
                 "cannot read '%s': %s", path, std::strerror(errno));
  };
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0)
    return failed();
  struct stat info;
  Status status;
  void *data = MAP_FAILED;
  if (fstat(file, &info) != 0)
    status = failed();
  else if (!S_ISREG(info.st_mode))
    status =
        error(TENSORC_RT_INVALID_PACKAGE, "'%s' is not a regular file", path);
  else if (info.st_size == 0)
    return close(file), Status(); // An empty file cannot be mapped.
  else if ((data = mmap(nullptr, info.st_size, PROT_READ, MAP_PRIVATE, file,
                        0)) == MAP_FAILED)
    status = failed();
  close(file);
  if (!status.ok())
    return status;
  auto size = static_cast<size_t>(info.st_size);
  out.owner = std::shared_ptr<const void>(
      data, [=](const void *) { munmap(data, size); });
  out.bytes = {static_cast<const char *>(data), size};
  return Status();
}

tensorc_rt_status *tensorc_rt_load_with(tensorc_rt_device *device,
                                        const char *path,
                                        const tensorc_rt_load_options *options,
                                        tensorc_rt_module **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(path, "no path"));
    TrustCheck trust;
    TENSORC_RT_TRY(readLoadOptions(options, trust));
    PackageBytes bytes;
    TENSORC_RT_TRY(mapFile(path, bytes));
    if (trust.needsDigest()) {
      // Copies the bytes, because another process could change the file after
      // the check.
      PackageBytes copy;
      TENSORC_RT_TRY(copyBytes(bytes.bytes.data(), bytes.bytes.size(), copy));
      bytes = std::move(copy);
    }
    const char *slash = std::strrchr(path, '/');
    std::string folder(path, slash ? slash + 1 : path);
    bytes.beside = [folder](const std::string &name, PackageBytes &out) {
      return mapFile((folder + name).c_str(), out);
    };
    Status status = loadModule(device, std::move(bytes), trust, out);
    // The message begins with "package: ", but does not contain the file's
    // name.
    if (tensorc_rt_status_code(status.get()) == TENSORC_RT_INVALID_PACKAGE)
      return error(TENSORC_RT_INVALID_PACKAGE, "%s: %s", path,
                   tensorc_rt_status_message(status.get()));
    return status;
  });
}

tensorc_rt_status *tensorc_rt_load(tensorc_rt_device *device, const char *path,
                                   tensorc_rt_module **out) {
  return tensorc_rt_load_with(device, path, nullptr, out);
}

void tensorc_rt_module_retain(tensorc_rt_module *module) {
  if (module)
    unwrap(module)->refs.fetch_add(1, std::memory_order_relaxed);
}

void tensorc_rt_module_release(tensorc_rt_module *module) {
  if (module && unwrap(module)->refs.fetch_sub(1) == 1) {
    // Work on streams may keep the module alive after its release.
    std::shared_ptr<Module> self = std::move(unwrap(module)->self);
  }
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

const char *tensorc_rt_module_compiler(const tensorc_rt_module *module) {
  return module ? unwrap(module)->program.compiler.c_str() : "";
}

const char *tensorc_rt_module_target(const tensorc_rt_module *module) {
  return module ? unwrap(module)->program.target.c_str() : "";
}

tensorc_rt_device *tensorc_rt_module_device(const tensorc_rt_module *module) {
  return module ? &unwrap(module)->device : nullptr;
}

uint64_t tensorc_rt_module_ir_hash(const tensorc_rt_module *module) {
  return module ? unwrap(module)->program.irHash : 0;
}

tensorc_rt_status *tensorc_rt_module_verify(const tensorc_rt_module *module) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(module, "no module"));
    return verifyConstants(unwrap(module)->program);
  });
}

/// Returns the entries without those that are plans of others, which come last.
static std::span<const Entry> namedEntries(const Module &module) {
  const std::vector<Entry> &all = module.program.entries;
  size_t count = all.size();
  while (count && all[count - 1].isPlan)
    --count;
  return {all.data(), count};
}

int32_t tensorc_rt_module_entry_count(const tensorc_rt_module *module) {
  return module ? static_cast<int32_t>(namedEntries(*unwrap(module)).size())
                : 0;
}

const tensorc_rt_entry *tensorc_rt_module_entry(const tensorc_rt_module *module,
                                                int32_t index) {
  bool valid = index >= 0 && index < tensorc_rt_module_entry_count(module);
  return valid ? &unwrap(module)->program.entries[static_cast<size_t>(index)]
               : nullptr;
}

tensorc_rt_status *tensorc_rt_module_find(const tensorc_rt_module *module,
                                          const char *name,
                                          const tensorc_rt_entry **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(module, "no module"));
    std::span<const Entry> entries = namedEntries(*unwrap(module));
    std::string known;
    for (const Entry &entry : entries) {
      if (entry.name == (name ? name : "main") ||
          (!name && entries.size() == 1)) {
        *out = &entry;
        return Status();
      }
      known += (known.empty() ? "" : ", ") + entry.name;
    }
    return error(TENSORC_RT_NOT_FOUND, "no entry '%s'; there are: %s",
                 name ? name : "main", known.c_str());
  });
}

static const Entry &unwrap(const tensorc_rt_entry *entry) {
  return *static_cast<const Entry *>(entry);
}

const char *tensorc_rt_entry_name(const tensorc_rt_entry *entry) {
  return entry ? unwrap(entry).name.c_str() : "";
}

int32_t tensorc_rt_entry_input_count(const tensorc_rt_entry *entry) {
  return entry ? static_cast<int32_t>(unwrap(entry).inputs.size()) : 0;
}

int32_t tensorc_rt_entry_output_count(const tensorc_rt_entry *entry) {
  return entry ? static_cast<int32_t>(unwrap(entry).outputs.size()) : 0;
}

static tensorc_rt_status *describe(const tensorc_rt_entry *entry,
                                   std::vector<Value> Entry::*list,
                                   int32_t index, tensorc_rt_value_info *out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(entry, "no entry"));
    const std::vector<Value> &values = unwrap(entry).*list;
    if (index < 0 || static_cast<size_t>(index) >= values.size())
      return error(TENSORC_RT_NOT_FOUND, "value %d of %zu", index,
                   values.size());
    const Value &value = values[static_cast<size_t>(index)];
    *out = {value.name.c_str(), value.dtype,
            value.scalar,       static_cast<int32_t>(value.dims.size()),
            value.dims.data(),  value.dimNamePointers.data(),
            value.donated};
    return Status();
  });
}

tensorc_rt_status *tensorc_rt_entry_input(const tensorc_rt_entry *entry,
                                          int32_t index,
                                          tensorc_rt_value_info *out) {
  return describe(entry, &Entry::inputs, index, out);
}

tensorc_rt_status *tensorc_rt_entry_output(const tensorc_rt_entry *entry,
                                           int32_t index,
                                           tensorc_rt_value_info *out) {
  return describe(entry, &Entry::outputs, index, out);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static bool isLacking(const Status &status) {
  return tensorc_rt_status_code(status.get()) == TENSORC_RT_OUT_OF_MEMORY;
}

/// Runs an entry, or the first of its plans that fits into the device's memory
/// limit. Sets `isKnownToRanks` as runEntry does.
static Status runHere(const Entry &entry, std::span<const tensorc_rt_arg> args,
                      std::span<tensorc_rt_output> outputs,
                      tensorc_rt_stream *stream, const RunControl &control,
                      const RunMemory &memory, bool &isKnownToRanks) {
  if (outputs.size() != entry.outputs.size())
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "%s: room for %zu outputs, expected %zu", entry.name.c_str(),
                 outputs.size(), entry.outputs.size());
  Stream *on = nullptr;
  TENSORC_RT_TRY(chooseStream(stream, entry.module->device, on));
  // The error of the plan that needs the fewest bytes.
  Status lacking;
  uint64_t fewest = UINT64_MAX;
  for (const Entry *chosen = &entry; chosen; chosen = chosen->smaller) {
    uint64_t bytes = 0;
    Status status = checkLimit(*chosen, entry, args, on->device.allocator,
                               control, memory, bytes);
    if (!isLacking(status)) {
      TENSORC_RT_TRY(std::move(status));
      return runEntry(*chosen, args, outputs, *on, on->device.allocator,
                      control, memory, &isKnownToRanks);
    }
    if (bytes < fewest) {
      fewest = bytes;
      lacking = std::move(status);
    }
  }
  return lacking;
}

/// Runs an entry. If that fails, makes the collectives that need this rank fail
/// on the other ranks, which would wait for them.
static Status run(const Entry &entry, std::span<const tensorc_rt_arg> args,
                  std::span<tensorc_rt_output> outputs,
                  tensorc_rt_stream *stream, const RunControl &control,
                  const RunMemory &memory) {
  bool isKnownToRanks = false;
  Status status(guard([&] {
    return runHere(entry, args, outputs, stream, control, memory,
                   isKnownToRanks);
  }));
  Communicator *communicator = control.communicator;
  if (!status.ok() && !isKnownToRanks && communicator &&
      communicator->size > 1 && entry.module->hasCollectives)
    communicator->abort(status.clone());
  return status;
}

tensorc_rt_status *tensorc_rt_entry_memory(const tensorc_rt_entry *entry,
                                           const tensorc_rt_arg *args,
                                           int32_t argCount,
                                           tensorc_rt_memory_plan *out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(entry && argCount >= 0 && (!argCount || args),
                         "no entry or arguments"));
    return measureEntry(unwrap(entry), {args, static_cast<size_t>(argCount)},
                        RunControl::ofThread(), *out);
  });
}

/// Runs an entry. If `options` is null, the calling thread's default options
/// apply.
static tensorc_rt_status *
runWith(const tensorc_rt_entry *entry, const tensorc_rt_arg *args,
        int32_t argCount, tensorc_rt_output *outputs, int32_t outputCount,
        tensorc_rt_stream *stream, const tensorc_rt_run_options *options,
        const RunMemory &memory = {}) {
  if (!entry || argCount < 0 || outputCount < 0 || (argCount && !args) ||
      (outputCount && !outputs))
    return error(TENSORC_RT_INVALID_ARGUMENT, "no entry, arguments or outputs")
        .release();
  std::span<tensorc_rt_output> results(outputs,
                                       static_cast<size_t>(outputCount));
  for (tensorc_rt_output &output : results)
    output.buffer = nullptr;
  tensorc_rt_status *status = guard([&] {
    std::span<const tensorc_rt_arg> list(args, static_cast<size_t>(argCount));
    return options ? run(unwrap(entry), list, results, stream,
                         RunControl(options), memory)
                   : run(unwrap(entry), list, results, stream,
                         RunControl::ofThread(), memory);
  });
  if (status)
    for (tensorc_rt_output &output : results)
      tensorc_rt_buffer_release(std::exchange(output.buffer, nullptr));
  return status;
}

tensorc_rt_status *tensorc_rt_run(const tensorc_rt_entry *entry,
                                  const tensorc_rt_arg *args, int32_t argCount,
                                  tensorc_rt_output *outputs,
                                  int32_t outputCount,
                                  tensorc_rt_stream *stream) {
  return runWith(entry, args, argCount, outputs, outputCount, stream, nullptr);
}

tensorc_rt_status *
tensorc_rt_run_with(const tensorc_rt_entry *entry, const tensorc_rt_arg *args,
                    int32_t argCount, tensorc_rt_output *outputs,
                    int32_t outputCount, tensorc_rt_stream *stream,
                    const tensorc_rt_run_options *options) {
  if (Status status = checkRunOptions(options); !status.ok())
    return status.release();
  return runWith(entry, args, argCount, outputs, outputCount, stream, options);
}

tensorc_rt_status *
tensorc_rt_run_into(const tensorc_rt_entry *entry, const tensorc_rt_arg *args,
                    int32_t argCount, const tensorc_rt_run_memory *memory,
                    tensorc_rt_output *outputs, int32_t outputCount,
                    tensorc_rt_stream *stream,
                    const tensorc_rt_run_options *options) {
  if (Status status = checkRunOptions(options); !status.ok())
    return status.release();
  RunMemory given;
  if (memory) {
    constexpr size_t needed =
        offsetof(tensorc_rt_run_memory, outputs) + sizeof(memory->outputs);
    if (memory->struct_size < needed)
      return error(TENSORC_RT_INVALID_ARGUMENT,
                   "the memory of a run: struct_size is %zu",
                   memory->struct_size)
          .release();
    given = {memory->donated, memory->outputs, {}};
    if (memory->struct_size >= sizeof(*memory) && memory->lines)
      given.lines = {memory->lines, memory->line_count};
  }
  return runWith(entry, args, argCount, outputs, outputCount, stream, options,
                 given);
}
