//===- Programs.cpp - Compiles and loads programs -------------------------===//

#include "pjrt/Compiled.h"
#include "pjrt/Table.h"

#include <algorithm>
#include <cstdio>

namespace tensorc::pjrt {

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Continues a hash (FNV-1a) over the bytes, for fingerprints.
static uint64_t hash(std::string_view bytes, uint64_t value) {
  for (char byte : bytes)
    value = (value ^ static_cast<uint8_t>(byte)) * 0x100000001b3;
  return value;
}

static std::string fingerprintOf(std::string_view code,
                                 std::string_view options) {
  char text[33];
  uint64_t first = hash(options, hash(code, 0xcbf29ce484222325));
  uint64_t second = hash(code, hash(tensorc_version(), first));
  std::snprintf(text, sizeof text, "%016llx%016llx",
                static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(second));
  return text;
}

/// Reads the options and finds the devices.
static Error *prepare(Client &client, std::string_view options,
                      Request &request) {
  CompileOptions read;
  if (!readCompileOptions(options, read))
    return fail(Code::InvalidArgument, "the compile options are damaged");
  for (const CompilerOption &option : read.overrides)
    if (std::string refusal = refusalOf(option); !refusal.empty())
      return fail(Code::InvalidArgument, refusal);
  // Replicas without partitions, which older hosts request, are treated as
  // ranks as well.
  if (read.replicas > 1 && read.partitions > 1)
    return fail(Code::Unimplemented,
                std::to_string(read.replicas) + " replicas of " +
                    std::to_string(read.partitions) +
                    " partitions are not implemented, only one of both");
  int64_t ranks = read.replicas * read.partitions;
  if (read.devices.empty())
    for (int64_t id = 0; id < ranks; ++id)
      read.devices.push_back(id);
  if (static_cast<int64_t>(read.devices.size()) != ranks)
    return fail(Code::InvalidArgument,
                "the assignment names " + std::to_string(read.devices.size()) +
                    " devices for " + std::to_string(ranks));
  for (int64_t id : read.devices) {
    if (id < 0 || id >= static_cast<int64_t>(client.devices.size()))
      return fail(Code::InvalidArgument,
                  "there is no device " + std::to_string(id));
    Device *device = client.devices[id];
    if (std::find(request.devices.begin(), request.devices.end(), device) !=
        request.devices.end())
      return fail(Code::InvalidArgument, "the assignment names device " +
                                             std::to_string(id) + " twice");
    request.devices.push_back(device);
  }
  request.hasReplicas = read.replicas > 1;
  for (int32_t i = 0; i < ranks; ++i)
    request.logicalIds.push_back(request.hasReplicas ? LogicalDevice{i, 0}
                                                     : LogicalDevice{0, i});
  request.options = options;
  request.assignment = read.assignment.empty()
                           ? assignmentOf(read.devices, request.hasReplicas)
                           : read.assignment;
  return nullptr;
}

static LoadedExecutable *loaded(std::shared_ptr<Compiled> compiled) {
  auto *executable = new LoadedExecutable;
  executable->devices = compiled->request.devices;
  executable->code = std::move(compiled);
  return executable;
}

static Error *clientCompile(ClientCompile &args) {
  args.executable = nullptr;
  const Program &program = *args.program;
  std::string_view format(program.format, program.formatSize);
  if (format != "mlir")
    return fail(Code::Unimplemented, "programs of the format '" +
                                         std::string(format) +
                                         "' are not implemented, only 'mlir'");
  std::string_view code(program.code, program.codeSize);
  std::string_view options(args.compileOptions, args.compileOptionsSize);
  auto compiled = std::make_shared<Compiled>();
  if (Error *error = prepare(*args.client, options, compiled->request))
    return error;
  compiled->request.fingerprint = fingerprintOf(code, options);
  if (Error *error = compiled->compile(code))
    return error;
  args.executable = loaded(std::move(compiled));
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Serialized executables
//===----------------------------------------------------------------------===//

// A serialized executable consists of the sizes of the options and of the
// description (8 bytes each), the options, the description, and the package. The
// description has a line for the memory kind of each argument and each result,
// which begins with 'm' or 'n'. Programs for several devices also have lines for
// their shardings, which begin with 'a' or 'r'.

static std::string eightBytes(size_t size) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += static_cast<char>(size >> (8 * i));
  return bytes;
}

/// Removes a size from the front of the bytes. Returns nullopt if there are too
/// few bytes.
static std::optional<uint64_t> takeSize(std::string_view &bytes) {
  if (bytes.size() < 8)
    return std::nullopt;
  uint64_t size = 0;
  for (size_t i = 0; i < 8; ++i)
    size |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
  bytes.remove_prefix(8);
  return size;
}

static std::string linesOf(const Compiled &code) {
  std::string lines;
  auto add = [&](char letter, const auto &texts) {
    for (std::string_view text : texts)
      lines.append(1, letter).append(text) += '\n';
  };
  add('m', code.signature.argumentMemories.kinds);
  add('n', code.signature.resultMemories.kinds);
  add('a', code.shardings.arguments.texts);
  add('r', code.shardings.results.texts);
  return lines;
}

static Described described(std::string_view lines) {
  Described known;
  for (size_t end; (end = lines.find('\n')) != lines.npos;
       lines.remove_prefix(end + 1)) {
    std::string text(lines.substr(0, end).substr(end > 0));
    switch (lines.front()) {
    case 'm':
      known.argumentMemories.push_back(std::move(text));
      break;
    case 'n':
      known.resultMemories.push_back(std::move(text));
      break;
    case 'a':
      known.shardings.arguments.add(std::move(text));
      break;
    case 'r':
      known.shardings.results.add(std::move(text));
    }
  }
  return known;
}

static Error *executableSerialize(ExecutableSerialize &args) {
  const Compiled &compiled = *args.executable->code;
  const std::string &options = compiled.request.options;
  std::string package;
  if (Error *error = compiled.serialize(package))
    return error;
  std::string lines = linesOf(compiled);
  args.serializedExecutable =
      giveBytes(eightBytes(options.size()) + eightBytes(lines.size()) +
                    options + lines + package,
                args);
  args.serializedExecutableDeleter = deleteBytes;
  return nullptr;
}

static Error *deserializeAndLoad(ExecutableDeserializeAndLoad &args) {
  args.loadedExecutable = nullptr;
  std::string_view bytes(args.serializedExecutable,
                         args.serializedExecutableSize);
  std::optional<uint64_t> size = takeSize(bytes), linesSize = takeSize(bytes);
  if (!size || !linesSize || *size > bytes.size() ||
      *linesSize > bytes.size() - *size)
    return fail(Code::InvalidArgument, "the serialized executable is damaged");
  std::string_view options = bytes.substr(0, *size);
  Described known = described(bytes.substr(*size, *linesSize));
  std::string_view package = bytes.substr(*size + *linesSize);
  if (args.overriddenSerializedCompileOptionsSize)
    options = {args.overriddenSerializedCompileOptions,
               args.overriddenSerializedCompileOptionsSize};
  auto compiled = std::make_shared<Compiled>();
  if (Error *error = prepare(*args.client, options, compiled->request))
    return error;
  compiled->request.fingerprint = fingerprintOf(package, options);
  if (Error *error = compiled->load(package, std::move(known)))
    return error;
  args.loadedExecutable = loaded(std::move(compiled));
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Execution contexts, which have no state
//===----------------------------------------------------------------------===//

static Error *contextCreate(ExecuteContextCreate &args) {
  args.context = new ExecuteContext;
  return nullptr;
}

void addPrograms(Table table) {
  table.set<clientCompile, executableSerialize, deserializeAndLoad,
            contextCreate, destroy<&ExecuteContextDestroy::context>>();
}

} // namespace tensorc::pjrt
