//===- OutOfMemoryTest.cpp - every allocation fails once ------------------===//
//
// Each scenario runs again and again; in round n the runtime's n-th allocation
// fails. The scenario must say OUT_OF_MEMORY or do without, leave nothing
// behind, and work right afterwards. What counts as an allocation: operator new
// in its forms, aligned_alloc, mmap, memfd_create, ftruncate and pwrite (of
// images of kernels) of the runtime, and a thread started.
// oneTBB's own allocations are left out: the runtime catches whatever it
// throws, and then works on the calling thread, which ThreadsTest.cpp covers.
//
//===----------------------------------------------------------------------===//
#include "runtime/cts/TestPackage.h"
#include "tensorc/communicator.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <link.h>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;

//===----------------------------------------------------------------------===//
// Injection: definitions of a program come before those of libraries.
//===----------------------------------------------------------------------===//

/// Allocations until one fails; below 0: none does.
static std::atomic<int64_t> untilFailure{-1};
static std::atomic<int64_t> liveBlocks{0};
static std::atomic<int> threadsRefused{0}, mapsRefused{0}, imagesRefused{0};
static uintptr_t tbbBegin = 0, tbbEnd = 0;

static bool isTbb(void *caller) {
  auto address = reinterpret_cast<uintptr_t>(caller);
  return address >= tbbBegin && address < tbbEnd;
}

static bool fails() {
  int64_t left = untilFailure.load();
  while (left >= 0 && !untilFailure.compare_exchange_weak(left, left - 1)) {
  }
  return left == 0;
}

static void *allocate(size_t size, size_t alignment, void *caller) {
  if (isTbb(caller))
    return std::malloc(size);
  void *data = nullptr;
  if (fails() || posix_memalign(&data, std::max(alignment, sizeof(void *)),
                                size ? size : 1))
    return nullptr;
  ++liveBlocks;
  return data;
}

static void release(void *data, void *caller) {
  if (data && !isTbb(caller))
    --liveBlocks;
  std::free(data);
}

#define CALLER __builtin_return_address(0)
static void *orThrow(void *data) {
  if (!data)
    throw std::bad_alloc();
  return data;
}
void *operator new(size_t size) { return orThrow(allocate(size, 16, CALLER)); }
void *operator new[](size_t size) {
  return orThrow(allocate(size, 16, CALLER));
}
void *operator new(size_t size, std::align_val_t alignment) {
  return orThrow(allocate(size, static_cast<size_t>(alignment), CALLER));
}
void *operator new(size_t size, const std::nothrow_t &) noexcept {
  return allocate(size, 16, CALLER);
}
void *operator new[](size_t size, const std::nothrow_t &) noexcept {
  return allocate(size, 16, CALLER);
}
void operator delete(void *data) noexcept { release(data, CALLER); }
void operator delete[](void *data) noexcept { release(data, CALLER); }
void operator delete(void *data, size_t) noexcept { release(data, CALLER); }
void operator delete[](void *data, size_t) noexcept { release(data, CALLER); }
void operator delete(void *data, std::align_val_t) noexcept {
  release(data, CALLER);
}
void operator delete(void *data, size_t, std::align_val_t) noexcept {
  release(data, CALLER);
}

// What the runtime calls of libc; visible, or libc's own would be found.
#pragma GCC visibility push(default)
extern "C" {
void *aligned_alloc(size_t alignment, size_t size) {
  void *data = nullptr;
  return fails() || posix_memalign(&data, alignment, size) ? nullptr : data;
}
void *mmap(void *address, size_t size, int protection, int flags, int file,
           off_t offset) {
  if (!isTbb(CALLER) && fails()) {
    ++mapsRefused;
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void *>(
      syscall(SYS_mmap, address, size, protection, flags, file, offset));
}
int memfd_create(const char *name, unsigned flags) {
  if (fails()) {
    errno = ENOMEM;
    return -1;
  }
  return static_cast<int>(syscall(SYS_memfd_create, name, flags));
}
int ftruncate(int file, off_t size) {
  if (!fails())
    return static_cast<int>(syscall(SYS_ftruncate, file, size));
  errno = ENOMEM;
  return -1;
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
  if (!fails())
    return syscall(SYS_pwrite64, file, bytes, size, at);
  ++imagesRefused;
  errno = ENOSPC;
  return -1;
}
#if !__has_feature(address_sanitizer) // It must see threads start.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*body)(void *), void *argument) {
  static auto *real = reinterpret_cast<decltype(&pthread_create)>(
      dlsym(RTLD_NEXT, "pthread_create"));
  if (!isTbb(CALLER) && fails()) {
    ++threadsRefused;
    return EAGAIN;
  }
  return real(thread, attributes, body, argument);
}
#endif
}
#pragma GCC visibility pop

//===----------------------------------------------------------------------===//
// Scenarios
//===----------------------------------------------------------------------===//

namespace {
/// The first error of a scenario's calls.
struct Outcome {
  tensorc_rt_code code = TENSORC_RT_OK;
  char message[128] = "";
  bool ok(tensorc_rt_status *status) {
    if (status && !code) {
      code = tensorc_rt_status_code(status);
      std::strncpy(message, tensorc_rt_status_message(status),
                   sizeof(message) - 1);
    }
    bool isOk = !status;
    tensorc_rt_status_free(status);
    return isOk;
  }
};
using Scenario = std::function<void(Outcome &)>;

class OutOfMemory : public testing::Test {
protected:
  void SetUp() override {
    threadsRefused = mapsRefused = imagesRefused = 0;
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *) {
          if (!std::strstr(info->dlpi_name, "libtbb"))
            return 0;
          tbbBegin = info->dlpi_addr;
          for (int i = 0; i < info->dlpi_phnum; ++i)
            tbbEnd = std::max<uintptr_t>(
                tbbEnd, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
                            info->dlpi_phdr[i].p_memsz);
          return 1;
        },
        nullptr);
    ASSERT_EQ(take(tensorc_rt_device_find("cpu", &device)), "");
    static std::string registered = take(tensorc_rt_register_custom_call(
        "oom.call",
        [](const tensorc_rt_custom_call *) -> tensorc_rt_status * {
          return nullptr;
        },
        nullptr));
    ASSERT_EQ(registered, "");
    makePackage();
    ASSERT_EQ(
        take(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                   TENSORC_RT_COPY, nullptr, nullptr, &module)),
        "");
    ASSERT_EQ(take(tensorc_rt_buffer_allocate(device, 16, &x)), "");
  }
  void TearDown() override {
    tensorc_rt_buffer_release(x);
    tensorc_rt_module_release(module);
    tensorc_rt_set_num_threads(0);
  }

  /// Most of what a program does, with more registers than fit in place.
  void makePackage() {
    std::ifstream file(TENSORC_TEST_KERNELS, std::ios::binary);
    package.image.assign(std::istreambuf_iterator<char>(file), {});
    package.kernels = {"through_scratch"};
    package.arities = {2};
    package.words = 100;
    package.buffers = 40;
    package.events = 8;
    package.strings = {"oom.call", "a text that is too long to be in place"};
    package.constants = {std::string(100, 'c')};
    package.add(Op::Const, {0, 4, 0});
    package.add(Op::Const, {1, 16, 0});
    package.add(Op::Const, {2, 64, 0});
    package.add(Op::Const, {3, 1, 0});
    package.add(Op::Constant, {2, 0});
    package.add(Op::Alloc, {1, 1});
    package.add(Op::Launch, {0, 0, 3, 2, 0, 2, 0, 0, 0, 1, 0, 0, 0});
    package.add(Op::Fill, {0, 3, 4});
    package.add(Op::Copy, {1, 0});
    package.add(Op::Record, {0});
    package.add(Op::Wait, {0});
    package.add(Op::Wait, {0}, 1);
    package.add(Op::Spill, {2, 0}, 1);
    package.add(Op::Restore, {2, 1}, 1);
    package.add(Op::Record, {7}, 1);
    package.add(Op::Wait, {7});
    package.add(Op::CustomCall, {0, 1, 1, 1, 1, 0, 1, 0});
    package.add(Op::Call, {1, 1, 1, 1, 0, 3, 5});
    package.add(Op::Return, {0, 0});
    package.inner = {encodeHead(Op::Return, 0, 4), 1, 1, 0, 0};
    bytes = package.bytes();
  }

  void runOn(tensorc_rt_stream *stream, Outcome &out) {
    int64_t four = 4;
    tensorc_rt_arg arg = {x, 0, &four, 1, TENSORC_RT_F32};
    out.ok(tensorc_rt_run(tensorc_rt_module_entry(module, 0), &arg, 1, nullptr,
                          0, stream));
  }
  void withStream(Outcome &out,
                  const std::function<void(tensorc_rt_stream *)> &body) {
    tensorc_rt_stream *stream = nullptr;
    if (!out.ok(tensorc_rt_stream_create(device, &stream)))
      return;
    body(stream);
    out.ok(tensorc_rt_stream_synchronize(stream));
    tensorc_rt_stream_release(stream);
  }

  /// Blocks that are in use when the caches are empty.
  int64_t live() {
    tensorc_rt_device_trim(device);
    return liveBlocks;
  }
  uint64_t allocated() {
    tensorc_rt_memory_stats stats;
    tensorc_rt_device_memory(device, &stats);
    return stats.allocated;
  }

  /// Fails each allocation of the scenario once. `expected` is what it says
  /// when none fails.
  void injectAll(const Scenario &scenario,
                 tensorc_rt_code expected = TENSORC_RT_OK) {
    Outcome warm;
    scenario(warm);
    ASSERT_EQ(warm.code, expected) << warm.message;
    uint64_t memory = allocated();
    int64_t fired = 0, refused = 0;
    for (int64_t n = 0;; ++n) {
      ASSERT_LT(n, 10000);
      int64_t before = live();
      Outcome outcome;
      untilFailure = n;
      scenario(outcome);
      bool wasReached = untilFailure.exchange(-1) < 0;
      if (!wasReached) {
        EXPECT_EQ(outcome.code, expected) << outcome.message;
        break;
      }
      ++fired;
      refused += outcome.code == TENSORC_RT_OUT_OF_MEMORY;
      ASSERT_TRUE(outcome.code == TENSORC_RT_OUT_OF_MEMORY ||
                  outcome.code == expected)
          << "allocation " << n << ": " << outcome.message;
      ASSERT_EQ(live(), before) << "allocation " << n << " leaks";
      ASSERT_EQ(allocated(), memory) << "allocation " << n;
      Outcome again;
      scenario(again);
      ASSERT_EQ(again.code, expected)
          << "after allocation " << n << ": " << again.message;
    }
    std::printf("%lld allocations, %lld refused\n", (long long)fired,
                (long long)refused);
    EXPECT_GT(refused, 0);
  }

  tensorc_rt_device *device = nullptr;
  TestPackage package;
  std::string bytes;
  tensorc_rt_module *module = nullptr;
  tensorc_rt_buffer *x = nullptr;
};
} // namespace

TEST_F(OutOfMemory, CollectivesFailOnBothRanks) {
  injectAll([&](Outcome &out) {
    tensorc_rt_device *devices[] = {device, device};
    tensorc_rt_communicator *ranks[2] = {};
    if (!out.ok(tensorc_rt_communicator_create_local(devices, 2, ranks)))
      return;
    tensorc_rt_collective sum = {};
    sum.struct_size = sizeof sum;
    sum.kind = TENSORC_RT_ALL_REDUCE;
    sum.dtype = TENSORC_RT_F32;
    sum.count = 4;
    tensorc_rt_buffer *buffers[2] = {}; // which keep the collective's error
    for (tensorc_rt_buffer *&buffer : buffers)
      out.ok(tensorc_rt_buffer_allocate(device, 16, &buffer));
    auto start = [&](int32_t rank, tensorc_rt_stream *stream) {
      sum.input.buffer = sum.output.buffer = buffers[rank];
      tensorc_rt_communicator_set_timeout(ranks[rank], 20000);
      out.ok(tensorc_rt_communicate(ranks[rank], &sum, stream));
    };
    // By reference, so that the test itself allocates nothing.
    auto onTwo = [&](tensorc_rt_stream *first) {
      auto onSecond = [&](tensorc_rt_stream *second) {
        start(0, first);
        start(1, second);
      };
      withStream(out, std::ref(onSecond));
    };
    if (!out.code)
      withStream(out, std::ref(onTwo));
    for (tensorc_rt_buffer *buffer : buffers)
      tensorc_rt_buffer_release(buffer);
    for (tensorc_rt_communicator *rank : ranks)
      tensorc_rt_communicator_release(rank);
  });
}

TEST_F(OutOfMemory, LoadFromMemory) {
  injectAll([&](Outcome &out) {
    tensorc_rt_module *loaded = nullptr;
    out.ok(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &loaded));
    tensorc_rt_module_release(loaded);
  });
}

TEST_F(OutOfMemory, LoadBorrowedBytesGivesThemBackOnce) {
  int loads = 0, deleted = 0;
  injectAll([&](Outcome &out) {
    tensorc_rt_module *loaded = nullptr;
    ++loads;
    out.ok(tensorc_rt_load_bytes(
        device, bytes.data(), bytes.size(), TENSORC_RT_BORROW,
        [](void *user, void *) { ++*static_cast<int *>(user); }, &deleted,
        &loaded));
    tensorc_rt_module_release(loaded);
  });
  EXPECT_EQ(deleted, loads);
}

TEST_F(OutOfMemory, LoadFromAFile) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory maps memory of its own";
  std::string path =
      testing::TempDir() + "oom-" + std::to_string(getpid()) + ".tcpkg";
  std::ofstream(path, std::ios::binary) << bytes;
  auto files = [] {
    auto list = std::filesystem::directory_iterator("/proc/self/fd");
    return std::distance(begin(list), end(list));
  };
  // Without kernels of another module each load makes a region for its own.
  tensorc_rt_module_release(std::exchange(module, nullptr));
  auto before = files();
  injectAll([&](Outcome &out) {
    tensorc_rt_module *loaded = nullptr;
    out.ok(tensorc_rt_load(device, path.c_str(), &loaded));
    tensorc_rt_module_release(loaded);
  });
  EXPECT_EQ(files(), before);
  EXPECT_EQ(mapsRefused, 2);   // the package, and the region
  EXPECT_EQ(imagesRefused, 2); // code, and data
  std::filesystem::remove(path);
}

TEST_F(OutOfMemory, RunOnTheDefaultStream) {
  injectAll([&](Outcome &out) { runOn(nullptr, out); });
}

TEST_F(OutOfMemory, RunOnSeveralThreads) {
  tensorc_rt_set_num_threads(3);
  injectAll([&](Outcome &out) { runOn(nullptr, out); });
}

TEST_F(OutOfMemory, RunOnAStream) {
  if (std::getenv("TENSORC_CHECK"))
    GTEST_SKIP() << "TENSORC_CHECK=memory keeps a record of each block, which "
                    "a stream frees after its work";
  injectAll([&](Outcome &out) {
    withStream(out, [&](tensorc_rt_stream *stream) {
      runOn(stream, out);
      runOn(stream, out);
    });
  });
  EXPECT_EQ(tensorc_rt_buffer_references(x), 1u);
}

TEST_F(OutOfMemory, Events) {
  injectAll([&](Outcome &out) {
    withStream(out, [&](tensorc_rt_stream *stream) {
      tensorc_rt_event *first = nullptr, *last = nullptr;
      int64_t time = 0;
      if (out.ok(tensorc_rt_event_create(device, &first)) &&
          out.ok(tensorc_rt_event_create(device, &last)) &&
          out.ok(tensorc_rt_event_record(first, nullptr)) &&
          out.ok(tensorc_rt_stream_wait(stream, first)) &&
          out.ok(tensorc_rt_event_record(last, stream)) &&
          out.ok(tensorc_rt_event_synchronize(last)))
        out.ok(tensorc_rt_event_elapsed(first, last, &time));
      tensorc_rt_event_release(first);
      tensorc_rt_event_release(last);
    });
  });
#if !__has_feature(address_sanitizer)
  EXPECT_EQ(threadsRefused, 1);
#endif
}

TEST_F(OutOfMemory, Buffers) {
  alignas(64) static char memory[128];
  injectAll([&](Outcome &out) {
    withStream(out, [&](tensorc_rt_stream *stream) {
      tensorc_rt_buffer *a = nullptr, *b = nullptr, *c = nullptr, *d = nullptr;
      char data[64] = {};
      if (out.ok(tensorc_rt_buffer_allocate(device, 100, &a)) &&
          out.ok(tensorc_rt_buffer_allocate(device, 3 << 20, &d)) &&
          out.ok(tensorc_rt_buffer_wrap(device, memory, 128, nullptr, nullptr,
                                        &b)) &&
          out.ok(tensorc_rt_buffer_view(a, 0, 64, &c)) &&
          out.ok(tensorc_rt_buffer_copy(c, 0, b, 0, 64, stream)) &&
          out.ok(tensorc_rt_buffer_write(c, 0, data, 64, stream)))
        out.ok(tensorc_rt_buffer_read(b, 0, data, 64, stream));
      for (tensorc_rt_buffer *buffer : {a, b, c, d})
        tensorc_rt_buffer_release(buffer);
    });
  });
}

TEST_F(OutOfMemory, ErrorsKeepTheirCodeOrSayOutOfMemory) {
  injectAll(
      [&](Outcome &out) {
        out.ok(tensorc_rt_run(tensorc_rt_module_entry(module, 0), nullptr, 0,
                              nullptr, 0, nullptr));
      },
      TENSORC_RT_INVALID_ARGUMENT);
  injectAll(
      [&](Outcome &out) {
        const tensorc_rt_entry *entry = nullptr;
        out.ok(tensorc_rt_module_find(
            module, "an entry that is not there, with a long name", &entry));
      },
      TENSORC_RT_NOT_FOUND);
  injectAll(
      [&](Outcome &out) {
        tensorc_rt_device *found = nullptr;
        out.ok(tensorc_rt_device_find("abacus", &found));
      },
      TENSORC_RT_NOT_FOUND);
}

TEST_F(OutOfMemory, CustomCallsAreRegisteredOrNot) {
  int count = 0;
  for (int64_t n = 0;; ++n) {
    std::string name = "oom.a name that needs memory " + std::to_string(n);
    auto nothing = [](const tensorc_rt_custom_call *) {
      return static_cast<tensorc_rt_status *>(nullptr);
    };
    untilFailure = n;
    tensorc_rt_status *status =
        tensorc_rt_register_custom_call(name.c_str(), nothing, nullptr);
    bool wasReached = untilFailure.exchange(-1) < 0;
    if (!wasReached) {
      EXPECT_EQ(take(status), "");
      break;
    }
    ++count;
    EXPECT_EQ(tensorc_rt_status_code(status), TENSORC_RT_OUT_OF_MEMORY);
    tensorc_rt_status_free(status);
    EXPECT_EQ(
        take(tensorc_rt_register_custom_call(name.c_str(), nothing, nullptr)),
        "");
  }
  EXPECT_GT(count, 0);
}

int main(int argc, char **argv) {
  // The first use of the runtime happens once in a process: in a child each.
  for (int64_t n = 0, last = 0; !last; ++n) {
    pid_t child = fork();
    if (child == 0) {
      tensorc_rt_device *device = nullptr;
      untilFailure = n;
      tensorc_rt_status *status = tensorc_rt_device_find("cpu", &device);
      bool wasReached = untilFailure.exchange(-1) < 0;
      if (wasReached &&
          tensorc_rt_status_code(status) != TENSORC_RT_OUT_OF_MEMORY && status)
        _exit(1);
      tensorc_rt_status_free(status);
      if (tensorc_rt_device_find("cpu", &device))
        _exit(2);
      _exit(wasReached ? 0 : 3);
    }
    int state = 0;
    waitpid(child, &state, 0);
    last = WIFEXITED(state) && WEXITSTATUS(state) == 3;
    if (!last && state != 0) {
      std::fprintf(stderr, "first use, allocation %lld: state %d\n",
                   (long long)n, state);
      return 1;
    }
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
