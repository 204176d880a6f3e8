//===- Collectives.td - Functions over several ranks ----------------------===//
//
// Included by Api.td. The place of the include matters, because headers declare
// functions in the order of their definitions.
//
//===----------------------------------------------------------------------===//

//===--- Several devices --------------------------------------------------===//

let section = "Several devices", header = "arrays" in {
def AllReduce : Function<"all_reduce", (params Tensor:$x, Choice<CombinerEnum>:$combiner, Ints<"count", "{}">:$groups, Int<"0">:$group_size)> {
  let examples = ["all_reduce([1, 2], combine_sum, [0], 1) == [1, 2]"];
  let composites = ["all_reduce"];
  let comment = [{
    Combines the elements of all ranks in the order of the ranks; each rank gets the result. The ranks are those of the
    thread's communicator (tensorc/communicator.h); without one there is one rank, and the result is x. `groups` lists
    the ranks of all groups, `group_size` per group; if it is empty, all ranks are one group.
  }];
  let builder = "graph::allReduce";
  let wrapperByHand = 1;
}
def AllGather : Function<"all_gather", (params Tensor:$x, Int<"0">:$axis, Ints<"count", "{}">:$groups, Int<"0">:$group_size)> {
  let examples = ["all_gather([[1, 2]], -1, [0], 1) == [[1, 2]]"];
  let composites = ["all_gather"];
  let comment = "The values of all ranks, one after another along an axis, on each of them. `groups` has the same meaning as in all_reduce.";
  let builder = "graph::allGather";
}
def ReduceScatter : Function<"reduce_scatter",
    (params Tensor:$x, Choice<CombinerEnum>:$combiner, Int<"0">:$axis, Ints<"count", "{}">:$groups, Int<"0">:$group_size)> {
  let examples = ["reduce_scatter([1, 2], combine_max, 0, [0], 1) == [1, 2]"];
  let composites = ["reduce_scatter"];
  let comment = "Rank r gets part r, along an axis, of the result of all_reduce. The number of ranks divides the axis.";
  let builder = "graph::reduceScatter";
  let wrapperByHand = 1;
}
def AllToAll : Function<"all_to_all", (params Tensor:$x, Int<"0">:$split_axis, Int<"0">:$concat_axis, Ints<"count", "{}">:$groups, Int<"0">:$group_size)> {
  let examples = ["all_to_all([[1, 2]], 0, 1, [0], 1) == [[1, 2]]"];
  let composites = ["all_to_all"];
  let comment = [{
    Rank r gets part r, along the split axis, of the values of all ranks; these parts follow each other along the other
    axis. The number of ranks divides the split axis.
  }];
  let builder = "graph::allToAll";
}
def CollectiveBroadcast : Function<"collective_broadcast", (params Tensor:$x, Int<"0">:$root, Ints<"count", "{}">:$groups, Int<"0">:$group_size)> {
  let examples = ["collective_broadcast([1, 2], 0, [0], 1) == [1, 2]"];
  let composites = ["collective_broadcast"];
  let comment = "All ranks get the value of the rank `root`, which is a position in its group.";
  let builder = "graph::collectiveBroadcast";
}
def CollectivePermute : Function<"collective_permute",
    (params Tensor:$x, Ints<"count">:$sources, Ints<"count">:$targets)> {
  let examples = ["collective_permute([1, 2], [0], [0]) == [1, 2]"];
  let composites = ["collective_permute"];
  let comment = [{
    The value of rank sources[i], on rank targets[i]; zeros on ranks that are no target. No rank is a source or a target
    twice.
  }];
  let builder = "graph::collectivePermute";
}
def PartitionId : Function<"partition_id", (params)> {
  let examples = ["partition_id() == i64(0)"];
  let composites = ["partition_id"];
  let comment = "The number of this rank, an i64 of rank 0.";
  let builder = "graph::partitionId";
}
def Shard : Function<"shard", (params Tensor:$x, Ints<"count">:$mesh, Ints<"count">:$dims)> {
  let examples = ["shard([[1, 2]], [1, 1], [0, -1]) == [[1, 2]]"];
  let composites = ["shard"];
  let comment = [{
    x, split over the ranks of the thread's communicator, which are a grid of the sizes `mesh`, in row-major order: axis a of
    it splits the axis dims[a] of x, or none if that is -1. The result is x as a whole. What is computed from it is split
    likewise, and collectives are inserted where parts of other ranks are needed. Without a communicator this is x.
  }];
  let builder = "graph::shard";
  let wrapperByHand = 1;
}
def LocalPart : Function<"local_part", (params Tensor:$x, Ints<"count">:$mesh, Ints<"count">:$dims)> {
  let examples = ["local_part([[1, 2]], [1, 1], [0, -1]) == [[1, 2]]"];
  let composites = ["local_part"];
  let comment = "This rank's part of x, which is split as by shard. The result differs between the ranks; join_parts of it is x again.";
  let builder = "graph::localPart";
  let wrapperByHand = 1;
}
def JoinParts : Function<"join_parts", (params Tensor:$x, Ints<"count">:$mesh, Ints<"count">:$dims)> {
  let examples = ["join_parts([[1, 2]], [1, 1], [0, -1]) == [[1, 2]]"];
  let composites = ["join_parts"];
  let comment = [{
    The tensor that consists of the ranks' parts; x is this rank's part. The result stays split, like a result of shard,
    so no rank needs memory for all of it.
  }];
  let builder = "graph::joinParts";
  let wrapperByHand = 1;
}
} // section
