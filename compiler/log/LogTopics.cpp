//===- LogTopics.cpp - The topics of TENSORC_LOG --------------------------===//

#include "compiler/log/LogTopics.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace tensorc {

static unsigned bit(LogTopic topic) {
  return 1u << static_cast<unsigned>(topic);
}

static unsigned readTopics() {
  llvm::SmallVector<llvm::StringRef> words;
  if (const char *text = secure_getenv("TENSORC_LOG"))
    llvm::StringRef(text).split(words, ',', /*MaxSplit=*/-1,
                                /*KeepEmpty=*/false);
  unsigned topics = 0;
  for (llvm::StringRef word : words) {
    unsigned named = llvm::StringSwitch<unsigned>(word)
                         .Cases({"1", "all"}, ~0u)
                         .Case("compile", bit(LogTopic::Compile))
                         .Case("cache", bit(LogTopic::Cache))
                         .Case("placement", bit(LogTopic::Placement))
                         .Case("devices", bit(LogTopic::Devices))
                         .Default(0);
    if (!named)
      llvm::errs()
          << "tensorc: TENSORC_LOG: '" << word
          << "' is not a topic; there are: compile, cache, placement, devices, "
             "all\n";
    topics |= named;
  }
  return topics;
}

bool isLogged(LogTopic topic) {
  static const unsigned topics = readTopics();
  return topics & bit(topic);
}

} // namespace tensorc
