//===- Module.cpp - a package that is ready to run ------------------------===//
#include "runtime/program/Module.h"

#include "runtime/abi/Bytecode.h"
#include "runtime/abi/Format.h"
#include "runtime/core/check/Checks.h"
#include "runtime/program/Arenas.h"

using namespace tensorc::rt;

Module::~Module() {
  for (Buffer *constant : constants)
    if (constant)
      constant->release();
}

Status Module::openConstants(const std::string &name,
                             std::span<const char> &out) {
  if (!package.beside)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "package: its constants are in the file '%s' beside it: load "
                 "it by its path",
                 name.c_str());
  TENSORC_RT_TRY(package.beside(name, constantsFile));
  out = constantsFile.bytes;
  return Status();
}

/// Loads each image and looks up its kernels.
Status Module::loadImages() {
  kernels.resize(program.kernels.size());
  for (uint32_t i = 0; i < program.images.size(); ++i) {
    std::vector<std::string> names;
    for (const Kernel &kernel : program.kernels)
      if (kernel.image == i)
        names.push_back(kernel.name);
    if (names.empty())
      continue;
    TENSORC_RT_TRY(
        device.loadImage(program.images[i], names, images.emplace_back()));
    size_t next = 0;
    for (size_t k = 0; k < kernels.size(); ++k)
      if (program.kernels[k].image == i)
        kernels[k] = images.back()->kernels[next++];
  }
  return Status();
}

/// Returns a flag per constant: false if runs only upload it (Op::Upload).
static std::vector<bool> findKept(const Program &program) {
  std::vector<bool> isKept(program.constants.size());
  for (const Function &function : program.functions)
    for (size_t at = 0; at < function.code.size();
         at += 1 + headOperands(function.code[at]))
      if (headOp(function.code[at]) == static_cast<uint32_t>(Op::Constant))
        isKept[function.code[at + 2]] = true;
  return isKept;
}

/// Loads the constants. Host-visible devices use them in place if they are
/// aligned. If guards are requested, constants are copied into guarded memory.
Status Module::loadConstants() {
  std::vector<bool> isKept = findKept(program);
  // The buffers of constants keep the package's bytes alive, because a run may
  // return a constant as an output.
  const PackageBytes &holder = constantsFile.owner ? constantsFile : package;
  for (size_t i = 0; i < program.constants.size(); ++i) {
    if (!isKept[i]) {
      constants.push_back(nullptr);
      continue;
    }
    std::span<const char> bytes = program.constants[i];
    auto *data = const_cast<char *>(bytes.data());
    bool aligned = reinterpret_cast<uintptr_t>(data) % bufferAlignment == 0;
    if (device.hostVisible() && aligned && !checks().memory) {
      auto keep = std::make_unique<std::shared_ptr<const void>>(holder.owner);
      constants.push_back(wrapMemory(
          device, data, bytes.size(),
          [](void *user, void *) {
            delete static_cast<std::shared_ptr<const void> *>(user);
          },
          keep.get()));
      (void)keep.release();
      continue;
    }
    Buffer *copy = nullptr;
    TENSORC_RT_TRY(device.allocator.allocate(bytes.size(), copy));
    constants.push_back(copy);
    Stream &stream = device.defaultStream();
    TENSORC_RT_TRY(stream.write(copy->data, data, bytes.size()));
    // A later run may be on another stream, so waits for the copies.
    TENSORC_RT_TRY(stream.synchronize());
  }
  return Status();
}

Status Module::findCustomCalls() {
  customCalls.resize(program.strings.size());
  tensorc_rt_device_properties properties = {};
  device.properties(properties);
  std::string missing;
  for (const Function &function : program.functions)
    for (size_t at = 0; at < function.code.size();
         at += 1 + headOperands(function.code[at])) {
      if (headOp(function.code[at]) != static_cast<uint32_t>(Op::CustomCall))
        continue;
      uint32_t index = function.code[at + 1];
      const std::string &name = program.strings[index];
      customCalls[index] = findCustomCall(name);
      hasCollectives |= name == "collective";
      if (name == "collective" && program.strings[function.code[at + 2]].find(
                                      " calls=") != std::string::npos)
        return error(TENSORC_RT_INVALID_PACKAGE,
                     "package: it was saved by a version whose buckets differ; "
                     "compile it again");
      if (!customCalls[index] && properties.computes)
        missing += (missing.empty() ? "'" : ", '") + name + "'";
    }
  if (missing.empty())
    return Status();
  return error(TENSORC_RT_NOT_FOUND,
               "package: it calls %s, which is not registered: before loading, "
               "make it a tensorc::CustomOp, or call tensorc_rt_register_op or "
               "tensorc_rt_register_custom_call",
               missing.c_str());
}

Status Module::load(Device &device, PackageBytes package,
                    const TileTester &test, std::shared_ptr<Module> &out) {
  auto module = std::make_shared<Module>(device);
  module->package = std::move(package);
  Program &program = module->program;
  TENSORC_RT_TRY(decodePackage(
      module->package.bytes,
      {[&](const char *target) { return device.accepts(target); }, test},
      [&](const std::string &name, std::span<const char> &out) {
        return module->openConstants(name, out);
      },
      program));
  for (Entry &entry : program.entries)
    entry.module = module.get();
  if (checks().memory)
    for (Function &function : program.functions)
      function.arenas = findArenas(program, function);
  TENSORC_RT_TRY(module->loadImages());
  module->constants.reserve(program.constants.size());
  TENSORC_RT_TRY(module->loadConstants());
  TENSORC_RT_TRY(module->findCustomCalls());
  out = std::move(module);
  return Status();
}
