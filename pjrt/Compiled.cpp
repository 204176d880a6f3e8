//===- Compiled.cpp - A compiled program ----------------------------------===//

#include "pjrt/Compiled.h"
#include "pjrt/Types.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace tensorc::pjrt {

Compiled::~Compiled() {
  for (tensorc_function *function : functions)
    tensorc_function_release(function);
  tensorc_program_release(program);
  for (tensorc_rt_module *module : modules)
    tensorc_rt_module_release(module);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

namespace {
/// Makes this thread compile for a device during the lifetime of this object.
class DeviceScope {
public:
  explicit DeviceScope(const Device &device) {
    status = tensorc_thread_device(&former);
    if (!status)
      status = tensorc_set_device(device.description.name.c_str());
  }
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;
  ~DeviceScope() {
    if (former)
      tensorc_status_free(tensorc_set_device(*former ? former : nullptr));
    tensorc_string_free(former);
    tensorc_status_free(status);
  }
  Error *check() { return fail(std::exchange(status, nullptr)); }

private:
  char *former = nullptr;
  tensorc_status *status = nullptr;
};
} // namespace

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Warns once about a program whose devices duplicate some of the work.
static void warnOfWholeOps(uint64_t count) {
  static std::atomic<bool> isTold{false};
  if (count && !isTold.exchange(true))
    std::fprintf(stderr,
                 "tensorc: each device computes %llu operations of a program "
                 "as wholes, because no rule splits them (cost_analysis() has "
                 "the number of each program)\n",
                 static_cast<unsigned long long>(count));
}

Error *Compiled::compile(std::string_view code) {
  // The names of ops are in the text, and in the strings of bytecode.
  callsHost = code.find("tensorc.host") != std::string_view::npos;
  if (auto *failed = tensorc_program_read_artifact(code.data(), code.size(),
                                                   "jit", &program))
    return fail(failed);
  for (Device *device : request.devices) {
    DeviceScope scope(*device);
    if (Error *error = scope.check())
      return error;
    if (auto *failed =
            tensorc_program_function(program, &functions.emplace_back()))
      return fail(failed);
  }
  if (Error *error = describeFunction())
    return error;
  if (request.devices.size() > 1) {
    warnOfWholeOps(tensorc_program_whole_ops(program));
    return readShardings();
  }
  known.text = code;
  return nullptr;
}

Error *MemoryList::add(std::string_view kind) {
  size_t i = 0;
  while (i < std::size(memoryKinds) && !kind.empty() && memoryKinds[i] != kind)
    ++i;
  if (i == std::size(memoryKinds))
    return fail(Code::InvalidArgument,
                "there is no memory of the kind '" + std::string(kind) + "'");
  indices.push_back(i);
  kinds.push_back(memoryKinds[i].data());
  sizes.push_back(memoryKinds[i].size());
  return nullptr;
}

Error *Signature::addArgument(tensorc_dtype dtype, std::vector<int64_t> dims,
                              bool isDonated, std::string_view memoryKind) {
  if (Error *error = argumentMemories.add(memoryKind))
    return error;
  donated.push_back(isDonated);
  argumentLayouts.add(dims.size());
  argumentRanks.push_back(dims.size());
  if (std::any_of(dims.begin(), dims.end(),
                  [](int64_t dim) { return dim < 0; }))
    return nullptr; // the size is known only when the program runs
  size_t size = 0;
  if (Error *error = hostSize(elementTypeOf(dtype), dims, size))
    return error;
  bytes.arguments += static_cast<int64_t>(size);
  return nullptr;
}

Error *Signature::addResult(tensorc_dtype dtype, std::vector<int64_t> dims,
                            std::string_view memoryKind) {
  if (Error *error = resultMemories.add(memoryKind))
    return error;
  ElementType type = elementTypeOf(dtype);
  size_t size = 0;
  for (int64_t dim : dims)
    if (dim < 0)
      return fail(Code::Unimplemented,
                  "the size of a result is known only when the program runs");
  if (Error *error = hostSize(type, dims, size))
    return error;
  bytes.results += static_cast<int64_t>(size);
  resultTypes.push_back(type);
  resultLayouts.add(dims.size());
  resultRanks.push_back(dims.size());
  flatDims.insert(flatDims.end(), dims.begin(), dims.end());
  resultDims.push_back(std::move(dims));
  return nullptr;
}

Error *Compiled::read(Property property, bool isResult, size_t index,
                      std::string &text) const {
  char *found = nullptr;
  if (auto *failed =
          property(program, isResult, static_cast<int32_t>(index), &found))
    return fail(failed);
  text = found;
  tensorc_string_free(found);
  return nullptr;
}

Error *Compiled::describeFunction() {
  tensorc_function *function = functions.front();
  int32_t arguments = tensorc_function_argument_count(function);
  std::string kind;
  for (int32_t i = 0; i < arguments; ++i) {
    tensorc_type type;
    if (auto *failed = tensorc_function_argument(function, i, &type))
      return fail(failed);
    if (Error *error = read(tensorc_program_memory_kind, false, i, kind))
      return error;
    if (Error *error = signature.addArgument(
            type.dtype, {type.dims, type.dims + type.rank},
            tensorc_program_donates(program, i) != 0, kind))
      return error;
  }
  signature.hasHiddenResult = tensorc_program_returns_effect(program) != 0;
  int32_t count =
      tensorc_function_result_count(function) - signature.hasHiddenResult;
  for (int32_t i = 0; i < count; ++i) {
    tensorc_type type;
    if (auto *failed = tensorc_function_result(function, i, &type))
      return fail(failed);
    if (Error *error = read(tensorc_program_memory_kind, true, i, kind))
      return error;
    if (Error *error = signature.addResult(
            type.dtype, {type.dims, type.dims + type.rank}, kind))
      return error;
  }
  uint64_t peak = 0;
  if (auto *failed = tensorc_function_memory(function, &peak))
    // Ignored: the cost depends on values that are known only at run time.
    tensorc_status_free(failed);
  signature.bytes.temporaries = std::max<int64_t>(
      static_cast<int64_t>(peak) - signature.bytes.results, 0);
  return nullptr;
}

template <class Answer>
bool Compiled::ask(tensorc_status *(*question)(const tensorc_program *,
                                               Answer *),
                   Answer &answer) const {
  DeviceScope scope(*request.devices.front());
  std::unique_ptr<Error> error(scope.check());
  if (!error)
    error.reset(fail(question(program, &answer)));
  return !error;
}

const std::vector<NamedValue> &Compiled::costs() {
  std::call_once(known.once, [&] {
    tensorc_costs run{};
    run.struct_size = sizeof run;
    if (!ask(tensorc_program_costs, run))
      return;
    auto add = [&](const char *name, double number) {
      known.properties.push_back(named(name, ValueType::Float, 1));
      known.properties.back().real = static_cast<float>(number);
    };
    add("flops", run.operations);
    add("bytes accessed", run.bytes);
    add("kernels", static_cast<double>(run.kernels));
    if (request.devices.size() > 1)
      add("whole operations",
          static_cast<double>(tensorc_program_whole_ops(program)));
  });
  return known.properties;
}

std::string Compiled::collectives() const {
  char *found = nullptr;
  std::string text = ask(tensorc_program_collectives, found) ? found : "";
  tensorc_string_free(found);
  return text;
}

const std::string &Compiled::text() {
  std::call_once(known.onceText, [&] {
    if (request.devices.size() > 1)
      known.text = describeShardings();
  });
  return known.text;
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

Error *Compiled::serialize(std::string &bytes) const {
  if (!modules.empty()) {
    bytes = package;
    return nullptr;
  }
  if (callsHost)
    return fail(Code::FailedPrecondition,
                "a program that calls functions of this process cannot be "
                "serialized");
  namespace fs = std::filesystem;
  std::error_code code;
  std::string folder = fs::temp_directory_path(code) / "tensorc-XXXXXX";
  if (code || !mkdtemp(folder.data()))
    return fail(Code::Internal, "there is no folder for temporary files");
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(request.devices.front()->device,
                                   &properties);
  tensorc_save_options save{};
  save.struct_size = sizeof save;
  save.target = properties.target;
  save.kind = "package";
  std::string path = folder + "/program.tcpkg";
  Error *error = fail(tensorc_program_save(program, path.c_str(), &save));
  if (!error) {
    std::ifstream stream(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(stream), {});
    if (stream.bad() || bytes.empty())
      error = fail(Code::Internal, "a temporary file cannot be read");
  }
  fs::remove_all(folder, code);
  return error;
}

Error *Compiled::load(std::string_view bytes, Described &&known) {
  package = bytes;
  shardings = std::move(known.shardings);
  for (Device *device : request.devices) {
    if (auto *failed = tensorc_rt_load_bytes(
            device->device, package.data(), package.size(), TENSORC_RT_COPY,
            nullptr, nullptr, &modules.emplace_back()))
      return fail(failed);
    if (auto *failed = tensorc_rt_module_find(modules.back(), nullptr,
                                              &entries.emplace_back()))
      return fail(failed);
  }
  if (Error *error = describeEntry(known))
    return error;
  if (request.devices.size() > 1 &&
      (shardings.arguments.texts.size() != signature.donated.size() ||
       shardings.results.texts.size() != signature.resultTypes.size()))
    return fail(Code::InvalidArgument, "the serialized executable is damaged");
  return nullptr;
}

Error *Compiled::describeEntry(const Described &known) {
  const tensorc_rt_entry *entry = entries.front();
  auto kindIn = [](const std::vector<std::string> &kinds, size_t i) {
    return i < kinds.size() ? kinds[i] : std::string();
  };
  tensorc_rt_value_info info;
  for (int32_t i = 0; i < tensorc_rt_entry_input_count(entry); ++i) {
    if (auto *failed = tensorc_rt_entry_input(entry, i, &info))
      return fail(failed);
    if (Error *error = signature.addArgument(
            static_cast<tensorc_dtype>(info.dtype),
            {info.dims, info.dims + info.rank}, info.is_donated != 0,
            kindIn(known.argumentMemories, i)))
      return error;
  }
  for (int32_t i = 0; i < tensorc_rt_entry_output_count(entry); ++i) {
    if (auto *failed = tensorc_rt_entry_output(entry, i, &info))
      return fail(failed);
    if (Error *error =
            signature.addResult(static_cast<tensorc_dtype>(info.dtype),
                                {info.dims, info.dims + info.rank},
                                kindIn(known.resultMemories, i)))
      return error;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Copies results that are arguments. A host returns such results without
/// calling the program, unless it asks for a copy.
static Error *copyForwarded(const std::vector<tensorc_tensor *> &arguments,
                            const std::vector<uint8_t> &taken,
                            std::vector<tensorc_tensor *> &outputs) {
  std::vector<tensorc_tensor *> kept;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (!taken[i])
      kept.push_back(arguments[i]);
  return fail(tensorc_copy_forwarded(
      kept.data(), static_cast<int32_t>(kept.size()), outputs.data(),
      static_cast<int32_t>(outputs.size())));
}

Error *Compiled::run(size_t rank,
                     const std::vector<tensorc_tensor *> &arguments,
                     const std::vector<uint8_t> &given,
                     std::vector<tensorc_tensor *> &outputs) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  outputs.assign(signature.resultTypes.size() + signature.hasHiddenResult,
                 nullptr);
  tensorc_status *failed = nullptr;
  const bool isLoaded = !entries.empty();
  if (isLoaded) {
    std::vector<tensorc_arg> all;
    for (tensorc_tensor *argument : arguments)
      all.push_back(tensorc_tensor_arg(argument));
    failed = tensorc_call(entries[rank], all.data(),
                          static_cast<int32_t>(all.size()), {nullptr, 0},
                          outputs.data(), static_cast<int32_t>(outputs.size()));
  } else {
    tensorc_call_options call{};
    call.struct_size = sizeof call;
    call.donated = given.data();
    failed = tensorc_function_call_into(functions[rank], arguments.data(),
                                        &call, outputs.data());
  }
  Error *error = fail(failed);
  if (!error)
    error = copyForwarded(arguments, given, outputs);
  if (error)
    for (tensorc_tensor *&output : outputs)
      if (tensorc_tensor *unused = std::exchange(output, nullptr))
        tensorc_tensor_release(unused);
  for (size_t i = 0; i < arguments.size(); ++i)
    if (isLoaded || !given[i])
      tensorc_tensor_release(arguments[i]);
  if (signature.hasHiddenResult) {
    if (outputs.back())
      tensorc_tensor_release(outputs.back());
    outputs.pop_back();
  }
  lastRun = Clock::now() - begin;
  return error;
}

} // namespace tensorc::pjrt
