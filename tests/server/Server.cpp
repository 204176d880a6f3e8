//===- Server.cpp - Commands of lit tests, many in one process ------------===//
//
// A line of stdin is a request in JSON, a line of stdout its exit status:
//   {"words": ["tensorc", "run", "x.mlir"], "in": "", "out": "o", "err": "e"}
// The files take the place of the command's streams. `leaks` for a word is
// LeakSanitizer's verdict on all that ran so far. A crash ends the server,
// whose last words are then in "err".
//
//===----------------------------------------------------------------------===//
#include "tests/server/Check.h"
#include "tools/tensorc/Commands.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <iostream>
#include <string>
#include <unistd.h>

#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

using namespace llvm;

namespace tensorc::tests {

static constexpr int BadRequest = 2;

static int leaks() {
#if __has_feature(address_sanitizer)
  return __lsan_do_recoverable_leak_check();
#else
  return 0;
#endif
}

/// Lets stream number `stream` write to a file. The file may be that of
/// another stream, so what it holds stays.
static bool redirect(int stream, StringRef path) {
  int file = open(path.str().c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  bool opened = file >= 0 && dup2(file, stream) >= 0;
  if (file >= 0)
    close(file);
  return opened;
}

static int run(ArrayRef<StringRef> words, StringRef input) {
  StringRef program = words.empty() ? "" : words.front();
  if (program == "tensorc")
    return tool::toolMain(words.drop_front());
  if (program == "FileCheck")
    return fileCheck(words.drop_front(), input);
  if (program == "leaks")
    return leaks();
  errs() << "the test server runs no '" << program << "'\n";
  return BadRequest;
}

static int answer(StringRef line) {
  Expected<json::Value> parsed = json::parse(line);
  if (!parsed) {
    errs() << toString(parsed.takeError()) << "\n";
    return BadRequest;
  }
  const json::Object *request = parsed->getAsObject();
  const json::Array *array = request ? request->getArray("words") : nullptr;
  if (!array)
    return BadRequest;
  auto path = [&](StringRef key) {
    return request->getString(key).value_or("");
  };
  if (!redirect(STDOUT_FILENO, path("out")) ||
      !redirect(STDERR_FILENO, path("err")))
    return BadRequest;
  SmallVector<StringRef> words;
  for (const json::Value &word : *array)
    words.push_back(word.getAsString().value_or(""));
  int status = run(words, path("in"));
  outs().flush();
  return status;
}

} // namespace tensorc::tests

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  // What a test prints must not be taken for an answer.
  int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  raw_fd_ostream os(answers, /*shouldClose=*/true);
  for (std::string line; std::getline(std::cin, line);) {
    os << tensorc::tests::answer(line) << "\n";
    os.flush();
  }
}
