//===- Terminal.h - Messages that quote a user's file ---------------------===//
#ifndef TENSORC_TOOLS_IO_TERMINAL_H
#define TENSORC_TOOLS_IO_TERMINAL_H

#include "llvm/Support/raw_ostream.h"

namespace tensorc::tool {

/// Escapes text for a terminal: control characters and bytes that are not UTF-8
/// become `\1b`. Very long lines are cut.
class Terminal : public llvm::raw_ostream {
public:
  explicit Terminal(llvm::raw_ostream &to)
      : raw_ostream(/*unbuffered=*/true), to(to) {}

  raw_ostream &changeColor(enum Colors color, bool bold, bool background) final;
  raw_ostream &resetColor() final;
  bool is_displayed() const final { return to.is_displayed(); }
  bool has_colors() const final { return to.has_colors(); }

private:
  llvm::raw_ostream &to;
  size_t column = 0;

  void write_impl(const char *bytes, size_t size) final;
  uint64_t current_pos() const final { return to.tell(); }
};

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_IO_TERMINAL_H
