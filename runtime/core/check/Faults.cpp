//===- Faults.cpp - reports a kernel's fault before the process ends ------===//
//
// The signal handler may interrupt any code, so it takes no locks and allocates
// no memory.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/check/Faults.h"

#include "runtime/core/threads/Fork.h"

#include <csignal>
#include <cstring>
#include <unistd.h>

using namespace tensorc::rt;

// The launch that this thread runs. A signal handler reads it, so the access
// must not allocate.
[[gnu::tls_model(
    "initial-exec")]] static thread_local constinit const Launch *current =
    nullptr;
[[gnu::tls_model(
    "initial-exec")]] static thread_local constinit bool currentIsHost = false;

FaultScope::FaultScope(const Launch &launch, bool isHost)
    : former(current), wasHost(currentIsHost) {
  currentIsHost = isHost;
  current = &launch;
}

FaultScope::~FaultScope() {
  current = former;
  currentIsHost = wasHost;
}

static constexpr struct {
  int number;
  const char *name;
} signals[] = {{SIGSEGV, "SIGSEGV"},
               {SIGBUS, "SIGBUS"},
               {SIGFPE, "SIGFPE"},
               {SIGILL, "SIGILL"}};
static constexpr size_t numSignals = std::size(signals);
static struct sigaction formerActions[numSignals];

namespace {
/// A line of text that is written by one system call.
class Line {
public:
  Line &operator<<(const char *word) {
    // Names in a package may contain control characters, which a terminal would
    // execute.
    for (; word && *word && length < sizeof(text) - 1; ++word)
      text[length++] = static_cast<unsigned char>(*word) < ' ' || *word == 0x7f
                           ? '?'
                           : *word;
    return *this;
  }
  Line &operator<<(uint64_t number) { return digits(number, 10); }
  Line &hex(uint64_t number) { return *this << "0x", digits(number, 16); }
  void print() {
    text[length++] = '\n';
    // A failure cannot be reported anywhere.
    if (write(STDERR_FILENO, text, length) < 0)
      return;
  }

private:
  Line &digits(uint64_t number, unsigned base) {
    char reversed[21] = {};
    char *at = reversed + sizeof(reversed) - 1;
    do
      *--at = "0123456789abcdef"[number % base];
    while (number /= base);
    return *this << at;
  }

  char text[512];
  size_t length = 0;
};
} // namespace

/// Appends a text such as ", 4 bytes behind argument 1 of 64 bytes" about the
/// buffer nearest to the address, if there is one nearby.
static void nameArgument(Line &line, const Launch &launch, uint64_t address) {
  constexpr uint64_t near = 1 << 16;
  uint64_t least = near;
  uint32_t which = launch.arity;
  bool isBehind = true;
  for (uint32_t i = 0; launch.sizes && i < launch.arity; ++i) {
    uint64_t begin = launch.args[i], end = begin + launch.sizes[i];
    if (!launch.sizes[i])
      continue;
    bool behind = address >= end;
    uint64_t distance = behind            ? address - end
                        : address < begin ? begin - address
                                          : 0;
    if (distance >= least)
      continue;
    least = distance;
    which = i;
    isBehind = behind;
  }
  if (which == launch.arity)
    return;
  line << ", " << least << (isBehind ? " bytes behind" : " bytes before")
       << " argument " << which << " of " << launch.sizes[which] << " bytes";
}

static void report(const char *signal, const siginfo_t &info) {
  const Launch &launch = *current;
  Line line;
  line << "tensorc: " << signal << " in kernel '" << launch.name << "'";
  if (launch.file)
    line << " (" << launch.file << ":" << uint64_t(launch.line) << ")";
  if (info.si_signo == SIGSEGV || info.si_signo == SIGBUS) {
    auto address = reinterpret_cast<uint64_t>(info.si_addr);
    (line << ": it accessed ").hex(address);
    if (currentIsHost)
      nameArgument(line, launch, address);
  }
  line.print();
}

static void onFault(int number, siginfo_t *info, void *) {
  size_t i = 0;
  while (signals[i].number != number)
    ++i;
  // A signal that was sent by a process is not a fault of the kernel.
  bool isFault = info->si_code > 0;
  if (isFault && current)
    report(signals[i].name, *info);
  // After this handler returns, the access faults again, and the previous
  // handler is called. The default handler ends the process.
  sigaction(number, &formerActions[i], nullptr);
  if (!isFault)
    raise(number);
}

void tensorc::rt::reportFaults() {
  ProcessLockGuard lock(ProcessLock::Hook);
  static constinit bool isDone = false;
  if (std::exchange(isDone, true))
    return;
  for (size_t i = 0; i < numSignals; ++i) {
    struct sigaction action = {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(signals[i].number, &action, &formerActions[i]);
  }
}
