//===- checkpoint.hpp - files of values that are split over ranks ---------===//
//
//   save_checkpoint("training", model);          // all ranks
//   model = load_checkpoint("training", model);  // on any number of ranks
//
// A folder has a file `checkpoint.json` with a generation and a number of
// ranks, and one file per rank, such as `3.0-of-4.safetensors`. In it, the name
// of a tensor is followed by the shape of the whole tensor and the offset of
// the part: `layers.0.weight|64,32|0,16`. The previous generation is removed
// after `checkpoint.json` was replaced, so a program that is killed at any time
// leaves a complete generation. Python's tc.distributed.save and load use the
// same files.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CHECKPOINT_HPP
#define TENSORC_CHECKPOINT_HPP

#include "tensorc/collectives.hpp"
#include "tensorc/module.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tensorc {

namespace detail {
/// The files of a checkpoint, and the rank that reads or writes them.
struct CheckpointFiles {
  std::filesystem::path folder;
  Location at;
  int64_t generation = 0, ranks = 0;

  CheckpointFiles(const std::string &path, Location place)
      : folder(path), at(place) {
    std::ifstream index(folder / "checkpoint.json");
    std::stringstream text;
    text << index.rdbuf();
    if (index && (!number(text.str(), "generation", generation) ||
                  !number(text.str(), "ranks", ranks)))
      fail("load_checkpoint",
           path + "/checkpoint.json is not the index of a checkpoint", at);
  }
  std::string file(int64_t rank) const {
    return (folder / (std::to_string(generation) + "." + std::to_string(rank) +
                      "-of-" + std::to_string(ranks) + ".safetensors"))
        .string();
  }
  /// Makes the files of this generation the checkpoint, and removes others.
  void commit() const {
    std::filesystem::path index = folder / "checkpoint.json",
                          next = folder / "checkpoint.json.new";
    {
      std::ofstream text(next);
      text << "{\"generation\": " << generation << ", \"ranks\": " << ranks
           << "}";
      if (!text.flush())
        fail("save_checkpoint", "cannot write " + next.string(), at);
    }
    std::filesystem::rename(next, index);
    std::vector<std::filesystem::path> old;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      if (isFile(entry.path().filename().string()))
        old.push_back(entry.path());
    for (int64_t rank = 0; rank < ranks; ++rank)
      old.erase(std::remove(old.begin(), old.end(), file(rank)), old.end());
    for (const std::filesystem::path &path : old)
      std::filesystem::remove(path);
  }

private:
  static bool number(const std::string &text, const char *key, int64_t &value) {
    size_t place = text.find("\"" + std::string(key) + "\":");
    if (place == std::string::npos)
      return false;
    value = std::strtoll(text.c_str() + text.find(':', place) + 1, nullptr, 10);
    return value > 0;
  }
  static bool isFile(const std::string &name) {
    long numbers[3];
    int end = 0;
    return std::sscanf(name.c_str(), "%ld.%ld-of-%ld.safetensors%n",
                       &numbers[0], &numbers[1], &numbers[2], &end) == 3 &&
           end == static_cast<int>(name.size());
  }
};

/// The position of a rank's part within a tensor.
struct PartPlace {
  Shape offset, shape;
  bool isFirst; // first among the ranks that have the same part
  PartPlace(const Tensor &x, int64_t rank, Location at)
      : offset(x.shape(at).size(), 0), shape(x.shape(at)), isFirst(true) {
    std::optional<Sharding> split = sharding(x, at);
    if (!split) {
      isFirst = rank == 0;
      return;
    }
    int64_t stride = 1;
    for (int64_t size : split->mesh)
      stride *= size;
    for (size_t axis = 0; axis < split->mesh.size(); ++axis) {
      stride /= split->mesh[axis];
      int64_t position = rank / stride % split->mesh[axis];
      int64_t dim = split->dims[axis];
      if (dim < 0) {
        isFirst = isFirst && position == 0;
        continue;
      }
      auto d = static_cast<size_t>(dim);
      shape[d] /= split->mesh[axis];
      offset[d] += position * shape[d];
    }
  }
};

/// Returns this rank's part of x; x itself if it is whole.
inline Tensor partOf(const Tensor &x, Location at) {
  std::optional<Sharding> split = sharding(x, at);
  return split ? callWithSharding(tensorc_local_part, "local_part", x.raw(),
                                  *split, at)
               : x;
}

inline std::string numbersText(const Shape &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}
inline Shape numbersOf(const std::string &text) {
  Shape numbers;
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');)
    numbers.push_back(std::stoll(word));
  return numbers;
}

/// Waits for all ranks.
inline void meet() { all_reduce(scalar(0.0f)).eval(); }

/// A tensor to be read: this rank's part of it, and the number of elements
/// found so far.
struct LoadedPart {
  Tensor like, part;
  PartPlace place;
  int64_t found = 0;
  LoadedPart(const Tensor &x, int64_t rank, Location at)
      : like(x), place(x, rank, at) {
    part = zeros(place.shape, x.dtype());
  }

  /// Takes the elements of a piece that this rank needs.
  void take(const Tensor &piece, const Shape &offset) {
    Shape size = piece.shape();
    std::vector<Range> ranges;
    std::vector<Arg> starts;
    int64_t count = 1;
    for (size_t d = 0; d < size.size(); ++d) {
      int64_t begin = std::max(offset[d], place.offset[d]);
      int64_t end =
          std::min(offset[d] + size[d], place.offset[d] + place.shape[d]);
      if (begin >= end)
        return;
      ranges.push_back({begin - offset[d], end - offset[d]});
      starts.push_back(begin - place.offset[d]);
      count *= end - begin;
    }
    part = size.empty()
               ? piece
               : dynamic_update_slice(part, slice(piece, ranges), starts);
    found += count;
  }
  Tensor whole(Location at) const {
    std::optional<Sharding> split = sharding(like, at);
    return split ? callWithSharding(tensorc_join_parts, "join_parts",
                                    part.raw(), *split, at)
                 : part;
  }
};
} // namespace detail

/// Writes a value that contains tensors to a folder; each rank writes its
/// parts. All ranks must call this. When it returns, all have written. The
/// folder always has a complete checkpoint: the previous one, or the new one.
template <typename T>
void save_checkpoint(const std::string &folder, const T &value,
                     Location at = Location::current()) {
  detail::CalledAt called(at);
  tensorc_rt_communicator *ranks = tensorc_rt_thread_communicator();
  int64_t rank = tensorc_rt_communicator_rank(ranks);
  std::filesystem::create_directories(folder);
  detail::CheckpointFiles files(folder, at);
  ++files.generation;
  files.ranks = std::max(tensorc_rt_communicator_size(ranks), 1);
  std::map<std::string, Tensor> parts;
  for (const auto &[name, x] : state_dict(value)) {
    detail::PartPlace place(x, rank, at);
    if (!place.isFirst)
      continue;
    std::string key = name + "|" + detail::numbersText(x.shape()) + "|" +
                      detail::numbersText(place.offset);
    parts[key] = detail::partOf(x, at);
  }
  save_tensors(files.file(rank), parts, at);
  // Waits until all ranks have read the index and written their files.
  detail::meet();
  if (rank == 0)
    files.commit();
  detail::meet();
}

/// Reads a checkpoint that save_checkpoint wrote, possibly on another number of
/// ranks. `like` has tensors with the same names, dtypes and shapes; the result
/// is split in the same way. A rank reads one file at a time, and keeps its
/// parts.
template <typename T>
T load_checkpoint(const std::string &folder, T like,
                  Location at = Location::current()) {
  detail::CalledAt called(at);
  int64_t rank = tensorc_rt_communicator_rank(tensorc_rt_thread_communicator());
  detail::CheckpointFiles files(folder, at);
  if (!files.ranks)
    detail::fail("load_checkpoint", folder + " has no checkpoint.json", at);
  std::map<std::string, detail::LoadedPart> parts;
  for (const auto &[name, x] : state_dict(like))
    parts.emplace(name, detail::LoadedPart(x, rank, at));
  for (int64_t r = 0; r < files.ranks; ++r) {
    for (const auto &[key, piece] : load_tensors(files.file(r), at)) {
      size_t last = key.rfind('|'), first = key.rfind('|', last - 1);
      auto wanted = parts.find(key.substr(0, first));
      if (wanted == parts.end())
        continue;
      detail::LoadedPart &part = wanted->second;
      std::string shape = key.substr(first + 1, last - first - 1);
      if (detail::numbersText(part.like.shape()) != shape ||
          part.like.dtype() != piece.dtype())
        detail::fail("load_checkpoint",
                     "'" + wanted->first + "' has another dtype or shape in " +
                         folder,
                     at);
      part.take(piece, detail::numbersOf(key.substr(last + 1)));
    }
    for (const auto &[name, part] : parts)
      part.part.eval();
  }
  for_each_named_tensor(like, [&](const std::string &name, Tensor &x) {
    if (!x.defined())
      return;
    const detail::LoadedPart &part = parts.at(name);
    int64_t count = 1;
    for (int64_t size : part.place.shape)
      count *= size;
    if (part.found != count)
      detail::fail("load_checkpoint",
                   folder + " has no '" + name + "', or not all of it", at);
    x = part.whole(at).to(x.device());
  });
  return like;
}

} // namespace tensorc

#endif
