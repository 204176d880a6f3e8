//===- CorruptTest.cpp - any bytes are loaded or refused ------------------===//
#include "tests/compiler/output/package/Packages.h"

#include "runtime/abi/Format.h"

#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tensorc;
using namespace tensorc::test;

/// A program that uses most instructions.
static constexpr const char *mostInstructions = R"(
module attributes {tx.target = "cpu"} {
  llvm.func @multiply_add(!llvm.ptr, i64, i64, !llvm.ptr)
  txp.func @main(%a: !txp.buffer, %k: i64) -> (!txp.buffer, !txp.buffer)
      attributes {inputs = [tensor<?x4xf32, #tx.dims<[n, 4]>>, index],
                  input_names = ["a", "k"],
                  outputs = [tensor<?x4xf32, #tx.dims<[n, 4]>>, tensor<2xi32>]} {
    %n = txp.dim %a, 0
    %c0 = arith.constant 0 : i64
    %c4 = arith.constant 4 : i64
    %c16 = arith.constant 16 : i64
    %positive = arith.cmpi sge, %n, %c0 : i64
    txp.assert %positive, "n is negative"
    %items = arith.muli %n, %c4 : i64
    %bytes = arith.muli %items, %c4 : i64
    %arena = txp.alloc %bytes
    %t = txp.view %arena[%c0] bytes(%bytes)
    %y = txp.alloc %bytes
    txp.fill %t with %k width 4
    txp.copy %t to %y
    %e = txp.record
    txp.wait %e
    %big = arith.cmpi sgt, %n, %c4 : i64
    %z = scf.if %big -> (!txp.buffer) {
      scf.yield %y : !txp.buffer
    } else {
      %u = txp.call @inner(%y, %n) : (!txp.buffer, i64) -> !txp.buffer
      scf.yield %u : !txp.buffer
    }
    txp.launch @multiply_add extent(%items) grain(%c4) ins(%a, %t) outs(%z)
        scalars(%n, %k : i64, i64)
    %s = txp.read_scalar %z[%c0] : i32
    txp.custom_call "corrupt.nothing" ins(%z) scalars(%s : i64) config "c"
    %w = txp.constant_buffer dense<[1, 2]> : tensor<2xi32>
    txp.return %z, %w
  }
  txp.func private @inner(%y: !txp.buffer, %n: i64) -> !txp.buffer {
    txp.return %y
  }
})";

/// Loads a variant; where it loads, runs it on the null device, which touches
/// no memory for the program but goes through all of the interpreter's checks.
static void tryPackage(tensorc_rt_device *device, const std::string &bytes) {
  tensorc_rt_module *module = nullptr;
  tensorc_rt_status *status =
      tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                            TENSORC_RT_BORROW, nullptr, nullptr, &module);
  if ((status == nullptr) != (module != nullptr))
    std::abort();
  tensorc_rt_status_free(status);
  if (!module)
    return;
  tensorc_rt_device_properties properties;
  tensorc_rt_device_get_properties(device, &properties);
  const tensorc_rt_entry *entry = tensorc_rt_module_entry(module, 0);
  if (!properties.computes && entry &&
      tensorc_rt_entry_input_count(entry) == 2 &&
      tensorc_rt_entry_output_count(entry) == 2) {
    Argument a(device, TENSORC_RT_F32, {3, 4}, std::vector<float>(12));
    Outputs out(2);
    (void)run(entry, {a.arg, scalar(7)}, out);
  }
  tensorc_rt_module_release(module);
}

/// Tries variants 0, 1, ... in a child process: a flipped jump may make a
/// program that never ends, which is not a crash. Such a child is replaced by
/// one that goes on with the next variant.
template <typename Variant>
static void tryAll(tensorc_rt_device *device, size_t count, Variant variant) {
  auto *at = static_cast<volatile size_t *>(
      mmap(nullptr, sizeof(size_t), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(at, MAP_FAILED);
  for (*at = 0; *at < count; *at = *at + 1) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (; *at < count; *at = *at + 1) {
        itimerval limit = {{0, 0}, {0, 300000}};
        setitimer(ITIMER_REAL, &limit, nullptr);
        tryPackage(device, variant(*at));
      }
      _exit(0);
    }
    int state = 0;
    waitpid(child, &state, 0);
    bool endless = WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM;
    ASSERT_TRUE(endless || (WIFEXITED(state) && WEXITSTATUS(state) == 0))
        << "variant " << *at << " crashed";
  }
  munmap(const_cast<size_t *>(at), sizeof(size_t));
}

namespace {
class Corrupt : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    ASSERT_EQ(take(tensorc_rt_device_find(GetParam(), &device)), "");
    // A flipped size must not take the machine's memory.
    tensorc_rt_device_set_memory_limit(device, 1 << 20);
    package = packageOf(mostInstructions);
    ASSERT_FALSE(package.empty());
    (void)take(tensorc_rt_register_custom_call(
        "corrupt.nothing",
        [](const tensorc_rt_custom_call *) -> tensorc_rt_status * {
          return nullptr;
        },
        nullptr));
    rt::PackageHeader header;
    std::memcpy(&header, package.data(), sizeof(header));
    table = header.tableOffset;
  }
  void TearDown() override { tensorc_rt_device_set_memory_limit(device, 0); }

  tensorc_rt_device *device = nullptr;
  std::string package;
  size_t table = 0;
};
} // namespace

TEST_P(Corrupt, TheProgramItselfRuns) {
  Loaded loaded(package, GetParam());
  Argument a(device, TENSORC_RT_F32, {3, 4}, std::vector<float>(12));
  Outputs out(2);
  EXPECT_EQ(run(loaded.entry(), {a.arg, scalar(7)}, out), "");
}

TEST_P(Corrupt, EveryByteFlipped) {
  // Every byte of header, table and image; of the padding between, none.
  std::vector<size_t> places;
  for (size_t i = 0; i < package.size(); ++i)
    if (i < sizeof(rt::PackageHeader) || i >= table || package[i] != 0)
      places.push_back(i);
  static constexpr char flips[] = {'\xff', '\x01', '\x80'};
  tryAll(device, places.size() * 3, [&](size_t i) {
    std::string bytes = package;
    bytes[places[i / 3]] ^= flips[i % 3];
    return bytes;
  });
  // With a hash that fits again, so that the loader looks further.
  tryAll(device, (package.size() - table) * 3, [&](size_t i) {
    std::string bytes = package;
    bytes[table + i / 3] ^= flips[i % 3];
    rt::sealPackage(bytes.data(), bytes.size(), table);
    return bytes;
  });
}

TEST_P(Corrupt, EveryTruncation) {
  tryAll(device, package.size() / 7,
         [&](size_t i) { return package.substr(0, i < 64 ? i : i * 7); });
  // The header claims the shorter size, so that the rest is looked at.
  tryAll(device, package.size() - table, [&](size_t i) {
    std::string shorter = package.substr(0, table + i);
    rt::sealPackage(shorter.data(), shorter.size(), table);
    return shorter;
  });
}

TEST_P(Corrupt, RandomWords) {
  tryAll(device, 20000, [&](size_t round) {
    std::mt19937 random(static_cast<uint32_t>(round));
    std::string bytes = package;
    int changes = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < changes; ++i) {
      size_t at = table + random() % (bytes.size() - table - 4);
      uint32_t value = random() % 3 ? random() % 64 : random();
      std::memcpy(bytes.data() + at, &value, random() % 2 ? 4 : 1);
    }
    rt::sealPackage(bytes.data(), bytes.size(), table);
    return bytes;
  });
}

INSTANTIATE_TEST_SUITE_P(Devices, Corrupt, testing::Values("cpu", "null"));
