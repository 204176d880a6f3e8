//===- KeyedFile.cpp - Facts about devices, stored in small files ---------===//
//
// A file contains {"key": ..., NAME: ...}. Its name is NAME-HASH.json, where
// HASH is the hash of the key.
//
//===----------------------------------------------------------------------===//

#include "compiler/session/placement/KeyedFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace tensorc::placement {

static std::string pathIn(llvm::StringRef folder, llvm::StringRef name,
                          llvm::StringRef key) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(
      path, llvm::formatv("{0}-{1:x-16}.json", name, llvm::xxh3_64bits(key)));
  return path.str().str();
}

static std::optional<llvm::json::Value>
loadFrom(const std::string &path, llvm::StringRef name, llvm::StringRef key) {
  constexpr uint64_t maxBytes = 1 << 16;
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status, /*follow=*/false) ||
      status.type() != llvm::sys::fs::file_type::regular_file ||
      status.getSize() > maxBytes)
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return std::nullopt;
  llvm::Expected<llvm::json::Value> text =
      llvm::json::parse((*file)->getBuffer());
  if (!text) {
    llvm::consumeError(text.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *object = text->getAsObject();
  const llvm::json::Value *value =
      object && object->getString("key") == key ? object->get(name) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

std::optional<llvm::json::Value> loadKeyed(const FactFolders &folders,
                                           llvm::StringRef name,
                                           llvm::StringRef key) {
  for (const std::string &folder : {folders.writable, folders.readOnly})
    if (!folder.empty())
      if (auto value = loadFrom(pathIn(folder, name, key), name, key))
        return value;
  return std::nullopt;
}

void storeKeyed(const FactFolders &folders, llvm::StringRef name,
                llvm::StringRef key, llvm::json::Value value) {
  if (folders.writable.empty())
    return;
  // Writes to a temporary file and renames it, so that readers never see a
  // partial file.
  std::string path = pathIn(folders.writable, name, key);
  auto temporary = llvm::sys::fs::TempFile::create(
      folders.writable + "/.tmp-%%%%%%%%%%%%%%%%",
      llvm::sys::fs::owner_read | llvm::sys::fs::owner_write);
  if (!temporary)
    return llvm::consumeError(temporary.takeError());
  llvm::json::Value text =
      llvm::json::Object{{"key", key}, {name, std::move(value)}};
  {
    llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
    os << llvm::formatv("{0:2}\n", text);
    os.flush();
    if (os.has_error()) {
      os.clear_error();
      return llvm::consumeError(temporary->discard());
    }
  }
  llvm::consumeError(temporary->keep(path));
}

} // namespace tensorc::placement
