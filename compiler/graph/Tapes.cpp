//===- Tapes.cpp - The tapes of a thread ----------------------------------===//

#include "compiler/graph/Tapes.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::graph {

Tapes &Tapes::ofThread() {
  static thread_local Tapes tapes;
  return tapes;
}

uint32_t Tapes::find(const Node *node) const {
  auto known = numbers.find(node);
  return known == numbers.end() ? constant : known->second;
}

llvm::ArrayRef<Tapes::Operand> Tapes::operandsOf(uint32_t entry) const {
  size_t begin = entries[entry].firstOperand,
         end = entry + 1 < entries.size() ? entries[entry + 1].firstOperand
                                          : operands.size();
  return llvm::ArrayRef(operands).slice(begin, end - begin);
}

void Tapes::note(Node *node) {
  llvm::SmallVector<Operand, 4> found;
  bool depends = false;
  for (Node *input : node->inputs()) {
    found.push_back({input, find(input)});
    depends |= found.back().entry != constant;
  }
  if (!depends)
    return;
  for (const Operand &operand : found)
    operand.node->retain();
  // No other thread can reach the node yet.
  node->isOnTape = true;
  add(node, found);
}

void Tapes::add(Node *node, llvm::ArrayRef<Operand> of) {
  numbers[node] = static_cast<uint32_t>(entries.size());
  entries.push_back({node, static_cast<uint32_t>(operands.size())});
  operands.insert(operands.end(), of.begin(), of.end());
}

/// The references are released after the lists were updated, because destroying
/// nodes may take a long time.
void Tapes::clear(std::vector<Entry> &gone, std::vector<Operand> &read) {
  numbers.clear();
  gone.swap(entries);
  read.swap(operands);
  entries.clear();
  operands.clear();
}

void Tapes::purge() {
  std::vector<std::shared_ptr<Tape>> released;
  for (std::shared_ptr<Tape> &tape : active)
    if (tape->isReleased)
      released.push_back(std::move(tape));
  if (released.empty())
    return;
  llvm::erase(active, nullptr);
  std::vector<Entry> before;
  std::vector<Operand> operandsBefore;
  clear(before, operandsBefore);
  for (const std::shared_ptr<Tape> &tape : active)
    for (const NodeRef &node : tape->watched)
      numbers[node.get()] = watched;
  {
    std::scoped_lock lock(graphMutex());
    for (auto [i, entry] : llvm::enumerate(before)) {
      size_t end = i + 1 < before.size() ? before[i + 1].firstOperand
                                         : operandsBefore.size();
      llvm::SmallVector<Operand, 4> found;
      bool depends = false;
      for (size_t at = entry.firstOperand; at < end; ++at) {
        Operand &operand = operandsBefore[at];
        found.push_back({operand.node, find(operand.node)});
        depends |= found.back().entry != constant;
      }
      if (!depends) {
        entry.node->isOnTape = false;
        continue;
      }
      add(entry.node.get(), found);
      for (size_t at = entry.firstOperand; at < end; ++at)
        operandsBefore[at].node = nullptr;
    }
  }
  for (Operand &operand : operandsBefore)
    if (operand.node)
      operand.node->release();
  if (active.empty())
    detail::nodeObserver = nullptr;
}

Tapes::~Tapes() {
  for (const std::shared_ptr<Tape> &tape : active)
    tape->isReleased = true;
  purge();
}

std::shared_ptr<Tape> Tape::create() {
  Tapes &tapes = Tapes::ofThread();
  tapes.purge();
  auto tape = std::make_shared<Tape>();
  tape->of = &tapes;
  tapes.active.push_back(tape);
  detail::nodeObserver = &tapes;
  return tape;
}

bool Tape::isOfThisThread() const { return of == Tapes::current(); }

void Tape::watch(const NodeRef &node) {
  watched.push_back(node);
  of->numbers.try_emplace(node.get(), Tapes::watched);
}

void Tape::release() {
  isReleased = true;
  if (isOfThisThread())
    of->purge();
}

} // namespace tensorc::graph
