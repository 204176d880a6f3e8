//===- Fiber.cpp - switches between stacks --------------------------------===//
//
// Switching saves the registers that a call preserves and takes about 2 ns;
// ucontext would add two system calls for the signal mask.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/sim/Fiber.h"

#include <cstdint>
#include <sys/mman.h>

using namespace tensorc::rt::sim;

#if defined(__has_feature)
#define SIM_ASAN __has_feature(address_sanitizer)
#define SIM_TSAN __has_feature(thread_sanitizer)
#else
#define SIM_ASAN 0
#define SIM_TSAN 0
#endif
#if SIM_ASAN
#include <sanitizer/asan_interface.h>
extern "C" void __asan_set_shadow_00(uintptr_t address, size_t bytes);
#endif
#if SIM_TSAN
#include <sanitizer/tsan_interface.h>
#endif

// Pushes the registers that must be preserved, stores the stack pointer in
// *from, takes the other one and pops the registers. The first switch to a
// fiber pops the frame that begin() laid out.
extern "C" void tensorcSimSwitch(void **from, void *to);
#if defined(__x86_64__)
asm(R"(
  .text
  .hidden tensorcSimSwitch
  .globl tensorcSimSwitch
  .type tensorcSimSwitch, @function
tensorcSimSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size tensorcSimSwitch, .-tensorcSimSwitch
  .hidden tensorcSimEnter
  .globl tensorcSimEnter
  .type tensorcSimEnter, @function
tensorcSimEnter:
  movq %rbx, %rdi
  jmpq *%r12
  .size tensorcSimEnter, .-tensorcSimEnter
)");
/// Layout of a fresh stack in words: six registers, the return address, and
/// alignment.
static constexpr size_t frameWords = 8, argumentWord = 4, functionWord = 3,
                        returnWord = 6;
#elif defined(__aarch64__)
asm(R"(
  .text
  .hidden tensorcSimSwitch
  .globl tensorcSimSwitch
  .type tensorcSimSwitch, %function
tensorcSimSwitch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
  .size tensorcSimSwitch, .-tensorcSimSwitch
  .hidden tensorcSimEnter
  .globl tensorcSimEnter
  .type tensorcSimEnter, %function
tensorcSimEnter:
  mov x0, x19
  mov x30, xzr
  br x20
  .size tensorcSimEnter, .-tensorcSimEnter
)");
static constexpr size_t frameWords = 20, argumentWord = 0, functionWord = 1,
                        returnWord = 11;
#else
static constexpr size_t frameWords = 3, argumentWord = 0, functionWord = 1,
                        returnWord = 2;
void tensorcSimSwitch(void **, void *) { __builtin_trap(); }
extern "C" void tensorcSimEnter() { __builtin_trap(); }
#endif
extern "C" void tensorcSimEnter();

#if SIM_ASAN
/// The fiber that is being left. On arrival ASan reports the bounds of its
/// stack.
static thread_local Fiber *leaving = nullptr;
#endif

Fiber::~Fiber() {
#if SIM_TSAN
  if (owned && sanitizer)
    __tsan_destroy_fiber(sanitizer);
#endif
  if (owned)
    munmap(stack, size);
}

void Fiber::enter(void *self) {
  auto *fiber = static_cast<Fiber *>(self);
  // Reuses ASan's fake stack of the fiber that ran on this stack before, if
  // any. A kernel starts thousands of fibers, and each fake stack takes
  // megabytes.
  arrived(fiber->sanitizer);
  fiber->entry(fiber->argument);
  __builtin_trap();
}

bool Fiber::begin(size_t stackBytes, void (*function)(void *), void *context) {
  if (size < stackBytes) {
    void *mapped = mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
      return false;
    if (owned)
      munmap(stack, size);
    stack = static_cast<char *>(mapped);
    size = stackBytes;
    owned = true;
  }
#if SIM_ASAN
  // The former fiber was left in the middle of its frames, so ASan's redzones
  // for them are still marked and must be cleared.
  size_t scale, offset;
  __asan_get_shadow_mapping(&scale, &offset);
  __asan_set_shadow_00((reinterpret_cast<uintptr_t>(stack) >> scale) + offset,
                       size >> scale);
#endif
#if SIM_TSAN
  if (sanitizer)
    __tsan_destroy_fiber(sanitizer);
  sanitizer = __tsan_create_fiber(0);
#endif
  entry = function;
  argument = context;
  auto **words = reinterpret_cast<void **>(stack + size) - frameWords;
  for (size_t i = 0; i < frameWords; ++i)
    words[i] = nullptr;
  words[argumentWord] = this;
  words[functionWord] = reinterpret_cast<void *>(&Fiber::enter);
  words[returnWord] = reinterpret_cast<void *>(&tensorcSimEnter);
  top = words;
  return true;
}

void Fiber::arrived(void *fakeStack) {
#if SIM_ASAN
  const void *bottom;
  size_t bytes;
  __sanitizer_finish_switch_fiber(fakeStack, &bottom, &bytes);
  if (leaving && !leaving->owned) {
    leaving->stack = const_cast<char *>(static_cast<const char *>(bottom));
    leaving->size = bytes;
  }
#endif
}

void Fiber::switchTo(Fiber &other) {
#if SIM_ASAN
  leaving = this;
  __sanitizer_start_switch_fiber(&sanitizer, other.stack, other.size);
#endif
#if SIM_TSAN
  if (!owned)
    sanitizer = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(other.sanitizer, 0);
#endif
  tensorcSimSwitch(&top, other.top);
  arrived(sanitizer);
}
