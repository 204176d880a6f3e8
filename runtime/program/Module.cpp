//===- Module.cpp - a package that is ready to run ------------------------===//
#include "runtime/program/Module.h"

#include "runtime/abi/Format.h"

using namespace tensorc::rt;

Module::~Module() {
  for (Buffer *constant : constants)
    constant->release();
}

/// Host-visible devices use constants in place when they are aligned.
Status Module::loadConstants() {
  // A constant must not outlive the bytes: a run's output may be one.
  for (std::span<const char> bytes : program.constants) {
    auto *data = const_cast<char *>(bytes.data());
    bool aligned = reinterpret_cast<uintptr_t>(data) % bufferAlignment == 0;
    if (device.hostVisible() && aligned) {
      auto keep = std::make_unique<std::shared_ptr<const void>>(package.owner);
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
    TENSORC_RT_TRY(
        stream.copy(copy->data, data, bytes.size(), CopyKind::HostToDevice));
    TENSORC_RT_TRY(stream.synchronize());
  }
  return Status();
}

Status Module::load(Device &device, PackageBytes package,
                    std::shared_ptr<Module> &out) {
  auto module = std::make_shared<Module>(device);
  module->package = std::move(package);
  Program &program = module->program;
  TENSORC_RT_TRY(decodePackage(
      module->package.bytes,
      [&](const char *target) { return device.accepts(target); }, program));
  for (Entry &entry : program.entries)
    entry.module = module.get();
  std::vector<std::string> names;
  for (const Kernel &kernel : program.kernels)
    names.push_back(kernel.name);
  if (!names.empty())
    TENSORC_RT_TRY(device.loadImage(program.image, names, module->image));
  module->constants.reserve(program.constants.size());
  TENSORC_RT_TRY(module->loadConstants());
  module->customCalls =
      std::vector<std::atomic<const CustomCall *>>(program.strings.size());
  out = std::move(module);
  return Status();
}
