//===- ExpressionEmitter.h - Elements of a fusion's values as code --------===//
#ifndef TENSORC_CODEGEN_EMITTERS_EXPRESSIONEMITTER_H
#define TENSORC_CODEGEN_EMITTERS_EXPRESSIONEMITTER_H

#include "codegen/emitters/KernelBuilder.h"
#include "ir/tx/Size.h"

namespace tensorc::tx {
class ConcatenateOp;
class DynamicUpdateSliceOp;
class IotaOp;
class PadOp;
class RandomBitsOp;
} // namespace tensorc::tx

namespace tensorc::codegen {

struct ElementPlace;
struct PlaceChoice;

/// Turns "the element, or vector of elements, at this index" into code by
/// walking a fusion's producers. Every skeleton calls it inside its innermost
/// loop, with the loops' values bound to the iteration space's dims.
///
/// One dim may run over lanes: lane l of a vector is the element at dim + l.
/// What does not depend on that dim stays scalar until it meets a vector.
class ExpressionEmitter {
public:
  struct Lanes {
    unsigned dim;
    int64_t width;
  };

  /// `dimValues` has an index value per dim of `space`. Lanes that are off in
  /// `mask` (null: all on) are computed from undefined elements and never read
  /// memory.
  ExpressionEmitter(KernelBuilder &kernel,
                    const analysis::IterationSpace &space,
                    mlir::ValueRange dimValues,
                    std::optional<Lanes> lanes = std::nullopt,
                    mlir::Value mask = {});

  /// Binds a value that was computed elsewhere (a reduction's result), at any
  /// index.
  void bind(mlir::Value v, mlir::Value element) { bound[v] = element; }

  /// Binds the value's element at this index.
  void give(mlir::Value v, const analysis::Index &index, mlir::Value element) {
    scopes.front().elements[keyOf(v, index)] = element;
  }

  /// Declares that the value's rows are in memory. Its first dim selects one of
  /// `rows`, its last dim is the position from `offset` on, and the others are
  /// those of the current row. After its last element a row repeats its first
  /// one.
  void keep(mlir::Value v, llvm::ArrayRef<mlir::Value> rows,
            mlir::Value offset) {
    kept = {v, llvm::to_vector(rows), offset};
  }

  /// Declares that lanes begin at multiples of their width, and so does every
  /// row of `row` elements (null: there is one row). Vectors that are therefore
  /// aligned are accessed as such.
  void assumeAligned(mlir::AffineExpr row) {
    aligned = true;
    alignedRow = row;
  }

  /// Declares that lanes begin at multiples of their width, without any
  /// alignment in memory.
  void beginAtMultiples() { atMultiples = true; }

  /// Makes loads of consecutive lanes also prefetch the data `bytes` further,
  /// beyond the page in which the hardware prefetcher works. If a loop is
  /// given, only data that changes along it is prefetched. `locality` is 2 for
  /// L2, 3 for L1.
  void prefetch(int64_t bytes, std::optional<unsigned> loop = std::nullopt,
                unsigned locality = 2) {
    ahead = bytes;
    aheadLoop = loop;
    aheadLocality = locality;
  }

  /// Turns lanes off where a uniform guard fails, instead of branching: a
  /// branch around few instructions costs more than they do.
  void preferMasks() { masksOnly = true; }

  /// Declares that all lanes are usually on. Reads test for that and then do
  /// without the mask, so that the hardware prefetcher sees them.
  void expectAllOn() { mostlyOn = true; }

  /// Returns a scalar, or a vector if the index depends on the lanes' dim.
  mlir::FailureOr<mlir::Value> emit(mlir::Value v,
                                    const analysis::Index &index);
  /// Does the same, but always returns a vector if there are lanes.
  mlir::FailureOr<mlir::Value> emitLanes(mlir::Value v,
                                         const analysis::Index &index);

  /// Stores an element, or one per lane, of the fusion's output. Where
  /// `streaming` (an i1, or null: never) holds, all lanes are on, the place is
  /// aligned to the whole vector, and the store is non-temporal.
  void store(mlir::Value element, unsigned output, const analysis::Index &index,
             mlir::Value streaming = {});

  /// Computes the fusion's outputs at the index, all of them or those that
  /// `isMeant` names. Stores come after all loads, because an output may alias
  /// an input.
  mlir::LogicalResult
  storeOutputs(const analysis::Index &index, mlir::Value streaming = {},
               llvm::function_ref<bool(mlir::Value)> isMeant = nullptr);

  /// Maximum number of elements of a short row.
  static constexpr int64_t longestRow = 4;

  /// Stores outputs at all indices of the last dim, which has `size`. Lanes are
  /// rows, and contiguous rows are stored as whole vectors.
  mlir::LogicalResult storeShortRows(const analysis::Index &index, int64_t size,
                                     mlir::Value streaming = {});

  /// Prefetches the contiguous vectors from which the outputs at the index are
  /// computed. Only addresses are computed.
  mlir::LogicalResult prefetchOutputs(const analysis::Index &index);

  /// Stores the element, or the lanes, of the update at the space's own index,
  /// in the window of the output that the op replaces.
  mlir::LogicalResult storeWindow(tx::DynamicUpdateSliceOp op, unsigned output);

  /// Loads the stored output.
  mlir::Value reload(unsigned output, const analysis::Index &index);

  /// Returns an i1: whether all guards, which are uniform, hold. Null: always.
  mlir::Value allHold(llvm::ArrayRef<analysis::Guard> guards);

  /// Returns the position of the outputs' elements at the index: they have one
  /// shape.
  mlir::Value outputPlace(const analysis::Index &index) {
    return indexValue(space.linearize(
        index, kernel.dims(kernel.yield().getValues().front())));
  }

  mlir::Value splat(mlir::Value scalar);
  mlir::Value indexValue(mlir::AffineExpr expr);
  /// The expression per lane, as vector<width x index>.
  mlir::Value laneIndex(mlir::AffineExpr expr);

private:
  friend class ElementReads;
  using Key = std::pair<mlir::Value, mlir::AffineMap>;

  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  const analysis::IterationSpace &space;
  llvm::SmallVector<mlir::Value> dimValues;
  std::optional<Lanes> lanes;
  mlir::Value mask;
  /// An i1: whether the guards that mask all lanes hold. Null: always.
  mlir::Value mayRead;
  int64_t ahead = 0;
  std::optional<unsigned> aheadLoop;
  unsigned aheadLocality = 2;
  bool aligned = false, atMultiples = false, masksOnly = false,
       mostlyOn = false;
  /// True if only prefetches are emitted; zeros stand for the values.
  bool asksOnly = false;
  mlir::AffineExpr alignedRow;
  llvm::DenseMap<mlir::Value, mlir::Value> bound;
  struct Kept {
    mlir::Value value;
    llvm::SmallVector<mlir::Value> rows;
    mlir::Value offset;
  };
  Kept kept;
  /// Scopes, innermost last. A guarded branch or narrower mask opens a scope of
  /// its own, because its values are not valid outside.
  struct Scope {
    llvm::DenseMap<Key, mlir::Value> elements;
    llvm::DenseMap<mlir::AffineExpr, mlir::Value> indices;
    /// Proofs that a number, per lane, is at least 0 and below a size.
    llvm::DenseMap<std::pair<mlir::AffineExpr, mlir::AffineExpr>, mlir::Value>
        bounds;
    /// Vectors of contiguous elements from a place on, and of every other
    /// element.
    using Place = std::pair<mlir::Value, mlir::AffineExpr>;
    llvm::DenseMap<Place, mlir::Value> sideBySide, everyOther;
  };
  llvm::SmallVector<Scope> scopes;

  bool variesByLane(const analysis::Index &index) const;
  bool variesByLane(mlir::AffineExpr expr) const;
  Key keyOf(mlir::Value v, const analysis::Index &index) const;
  mlir::AffineExpr symbolOf(mlir::Value v) { return kernel.symbolOf(v); }

  /// Zero, or a zero per lane.
  mlir::Value nothing(mlir::Type element, bool byLane);
  mlir::FailureOr<mlir::Value> compute(mlir::Value v,
                                       const analysis::Index &index);
  mlir::Value loadKept(const analysis::Index &index);
  mlir::FailureOr<mlir::Value> load(mlir::BlockArgument input,
                                    const analysis::Index &index);
  /// `offset` is added to the position, per lane or for all; null: none.
  mlir::Value loadAt(mlir::Value buffer, mlir::AffineExpr position,
                     mlir::Value offset = {});
  mlir::Value loadScalar(mlir::Value buffer, mlir::Value at);
  std::optional<int64_t> laneStep(mlir::AffineExpr position) const;
  llvm::SmallVector<mlir::Value>
  loadVectors(mlir::Value buffer, llvm::ArrayRef<mlir::Value> places,
              mlir::VectorType type,
              llvm::function_ref<mlir::Value(size_t)> maskOf);
  mlir::Value loadEven(mlir::Value buffer, mlir::AffineExpr position,
                       mlir::Value offset);
  mlir::Value moveEven(mlir::Value buffer, mlir::AffineExpr position);
  mlir::Value endOfEven(mlir::Value buffer, mlir::AffineExpr position,
                        bool isFirst);
  mlir::Value known(llvm::DenseMap<Scope::Place, mlir::Value> Scope::*places,
                    mlir::Value buffer, mlir::AffineExpr position,
                    int64_t distance);
  std::optional<llvm::SmallVector<int64_t>> placesOfLanes(mlir::AffineExpr expr,
                                                          bool fromFirst) const;
  mlir::Value loadRepeated(mlir::Value buffer, mlir::AffineExpr position,
                           int64_t count);
  mlir::Value loadInTurns(mlir::Value buffer, mlir::AffineExpr position,
                          llvm::ArrayRef<int64_t> places);
  mlir::Value loadBackwards(mlir::Value buffer, mlir::Value first);
  int64_t sizeOfShortRow(mlir::BlockArgument input,
                         const analysis::Index &index) const;
  mlir::Value loadShortRows(mlir::BlockArgument input,
                            const analysis::Index &index, int64_t size);
  llvm::MaybeAlign alignmentAt(mlir::AffineExpr position, mlir::Type element);
  void prefetchAt(mlir::Value buffer, mlir::Value first);
  /// `on` selects the lanes to store; null: all.
  void storeAt(mlir::Value vector, mlir::Value buffer, mlir::Value at,
               mlir::Value on, llvm::MaybeAlign alignment,
               mlir::Value streaming);
  void storeShortRow(llvm::ArrayRef<mlir::Value> elements, unsigned output,
                     const analysis::Index &index, mlir::Value streaming);
  mlir::FailureOr<mlir::Value> iota(tx::IotaOp op,
                                    const analysis::Index &index);
  mlir::FailureOr<mlir::Value> size(tx::SizeOp op);
  mlir::FailureOr<mlir::Value> randomBits(tx::RandomBitsOp op,
                                          const analysis::Index &index);
  mlir::FailureOr<mlir::Value> elementwise(mlir::Operation *op,
                                           const analysis::Index &index);
  /// Emits an op that reads an operand at computed indices (ElementReads.cpp).
  mlir::FailureOr<mlir::Value> readAtElements(mlir::Operation *op,
                                              const analysis::Index &index);
  mlir::FailureOr<mlir::Value> pad(tx::PadOp op, const analysis::Index &index);
  mlir::FailureOr<mlir::Value> concatenate(tx::ConcatenateOp op,
                                           const analysis::Index &index);
  /// Returns the place of an element that is only moved, from one tensor,
  /// whatever the lane; nullopt if it is computed (ElementPlaces.cpp).
  std::optional<ElementPlace>
  placeOf(mlir::Value v, const analysis::Index &index, unsigned nested = 0);
  mlir::Value choose(const PlaceChoice &choice);
  mlir::Value loadChosen(const ElementPlace &place);
  using Thunk = llvm::function_ref<mlir::FailureOr<mlir::Value>()>;
  /// Emits then() where all guards hold, and otherwise() elsewhere.
  mlir::FailureOr<mlir::Value> guarded(llvm::ArrayRef<analysis::Guard> guards,
                                       mlir::Type element, Thunk then,
                                       Thunk otherwise);
  /// The same with a uniform i1 and one per lane; null: always.
  mlir::FailureOr<mlir::Value> conditional(mlir::Value uniform,
                                           mlir::Value byLane,
                                           mlir::Type element, Thunk then,
                                           Thunk otherwise);
  mlir::FailureOr<mlir::Value> branch(mlir::Value condition, mlir::Type type,
                                      Thunk then, Thunk otherwise);
  /// Returns whether the guard holds, if that is the same for all indices.
  std::optional<bool> settled(const analysis::Guard &guard) const;
  mlir::Value condition(const analysis::Guard &guard, bool byLane);
  mlir::Value narrowCondition(const analysis::Guard &guard);
  mlir::FailureOr<mlir::Value> scoped(Thunk thunk);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_EXPRESSIONEMITTER_H
