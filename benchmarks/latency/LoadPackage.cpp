//===- LoadPackage.cpp - Time to load a package and find an entry ---------===//

#include "benchmarks/harness/Harness.h"
#include "runtime/cts/TestPackage.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace bench;
using namespace tensorc::rt;

namespace {

/// Writes a package with constants of `bytes` bytes and the image of a few
/// kernels.
std::string writePackage(int64_t bytes) {
  cts::TestPackage package;
  std::ifstream image(TENSORC_TEST_KERNELS, std::ios::binary);
  package.image.assign(std::istreambuf_iterator<char>(image), {});
  package.kernels = {"through_scratch"};
  package.arities = {2};
  constexpr int64_t parts = 16;
  for (int64_t i = 0; i < parts; ++i)
    package.constants.emplace_back(static_cast<size_t>(bytes / parts), 'x');
  package.add(Op::Constant, {0, 0});
  package.add(Op::Return, {0, 0});
  char path[] = "/tmp/tensorc-load-XXXXXX";
  int file = mkstemp(path);
  if (file >= 0)
    close(file);
  std::ofstream(path, std::ios::binary) << package.bytes();
  return path;
}

void addLoad(const char *name, int64_t bytes) {
  add(std::string("load/") + name, 41, [=](benchmark::State &state) {
    std::string path = writePackage(bytes);
    for (auto _ : state) {
      tensorc_rt_module *module = nullptr;
      const tensorc_rt_entry *entry = nullptr;
      tensorc_rt_status *status =
          tensorc_rt_load(nullptr, path.c_str(), &module);
      if (!status)
        status = tensorc_rt_module_find(module, nullptr, &entry);
      if (status)
        state.SkipWithError(tensorc_rt_status_message(status));
      tensorc_rt_status_free(status);
      tensorc_rt_module_release(module);
    }
    std::remove(path.c_str());
  });
}

void registerAll() {
  addLoad("constants", size(100'000'000, 1'000'000));
  addLoad("small", 1600);
}

} // namespace

int main(int argc, char **argv) { return run(argc, argv, registerAll); }
