//===- MatrixTiles.h - Permission to use AMX's tile registers ---*- C++ -*-===//
//
// Linux lets a process use the tile registers of AMX only after the process has
// asked for permission, because they enlarge the state that the kernel saves
// for each thread. The permission holds for all threads and for processes that
// are forked. Linux refuses it if a thread has an alternate signal stack that
// is too small for the larger state (11 KiB), and then refuses such stacks.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_ABI_MATRIXTILES_H
#define TENSORC_RUNTIME_ABI_MATRIXTILES_H

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tensorc::rt {

/// What tile registers are good for on this machine.
enum class TileAccess {
  /// The processor has none.
  None,
  /// The processor multiplies tiles of bytes and of bf16, but the system
  /// refuses permission.
  Refused,
  Granted
};

/// Asks the system for permission to use tile registers, at the first call.
inline TileAccess requestTiles() {
#if defined(__x86_64__) && defined(__linux__)
  static const TileAccess access = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned bf16 = 1u << 22, tile = 1u << 24, int8 = 1u << 25;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) ||
        (d & (bf16 | tile | int8)) != (bf16 | tile | int8))
      return TileAccess::None;
    constexpr long requestPermission = 0x1023, tileData = 18;
    return syscall(SYS_arch_prctl, requestPermission, tileData)
               ? TileAccess::Refused
               : TileAccess::Granted;
  }();
  return access;
#else
  return TileAccess::None;
#endif
}

} // namespace tensorc::rt

#endif // TENSORC_RUNTIME_ABI_MATRIXTILES_H
