//===- Check.cpp - FileCheck as a function --------------------------------===//

#include "tests/server/Check.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/FileCheck/FileCheck.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tensorc::tests {

static constexpr int BadUsage = 2;

static int badUsage(const Twine &text) {
  errs() << "FileCheck: error: " << text << "\n";
  return BadUsage;
}

/// The file with its spaces made canonical, as one of `sources`.
static StringRef addFile(FileCheck &check, SourceMgr &sources,
                         MemoryBuffer &file) {
  SmallString<4096> canonical;
  unsigned id = sources.AddNewSourceBuffer(
      MemoryBuffer::getMemBufferCopy(check.CanonicalizeFile(file, canonical),
                                     file.getBufferIdentifier()),
      SMLoc());
  return sources.getMemoryBuffer(id)->getBuffer();
}

int fileCheck(ArrayRef<StringRef> words, StringRef input) {
  FileCheckRequest request;
  StringRef path;
  for (StringRef word : words) {
    if (word.consume_front("--check-prefix="))
      request.CheckPrefixes.push_back(word);
    else if (word.starts_with("-") || !path.empty())
      return badUsage("the test server takes no '" + word + "'");
    else
      path = word;
  }
  auto expected = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!expected)
    return badUsage(path + ": " + expected.getError().message());
  auto given = MemoryBuffer::getFile(input, /*IsText=*/true);
  if (!given)
    return badUsage(input + ": " + given.getError().message());
  if ((*given)->getBufferSize() == 0)
    return badUsage("there is no input");
  FileCheck check(request);
  if (!check.ValidateCheckPrefixes())
    return BadUsage;
  SourceMgr sources;
  if (check.readCheckFile(sources, addFile(check, sources, **expected)))
    return BadUsage;
  return !check.checkInput(sources, addFile(check, sources, **given));
}

} // namespace tensorc::tests
