//===- Thread.cpp - threads of the runtime --------------------------------===//
#include "runtime/core/threads/Thread.h"

#include "runtime/core/threads/Fork.h"

#include <cerrno>
#include <memory>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <utility>

using namespace tensorc::rt;

static void *runBody(void *argument) {
  std::unique_ptr<std::function<void()>> body(
      static_cast<std::function<void()> *>(argument));
  (*body)();
  return nullptr;
}

/// Maps a stack whose last page cannot be used. Returns null if there is no
/// memory.
static void *mapStack(size_t bytes) {
  void *stack =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED)
    return nullptr;
  (void)mprotect(stack, static_cast<size_t>(getpagesize()), PROT_NONE);
  return stack;
}

void Thread::start(std::function<void()> body) {
  auto owned = std::make_unique<std::function<void()>>(std::move(body));
  pthread_attr_t attributes;
  int code = pthread_attr_init(&attributes);
  if (!code && forkGeneration() > 0) {
    (void)pthread_attr_getstacksize(&attributes, &stackBytes);
    stack = mapStack(stackBytes);
    code =
        stack ? pthread_attr_setstack(&attributes, stack, stackBytes) : EAGAIN;
  }
  if (!code)
    code = pthread_create(&id, &attributes, runBody, owned.get());
  (void)pthread_attr_destroy(&attributes);
  if (!code) {
    (void)owned.release(); // runBody() owns it
    return;
  }
  if (stack)
    munmap(std::exchange(stack, nullptr), stackBytes);
  throw std::system_error(code, std::generic_category());
}

void Thread::join() {
  (void)pthread_join(id, nullptr);
  if (stack)
    munmap(std::exchange(stack, nullptr), stackBytes);
}

void Thread::detach() { (void)pthread_detach(id); }
