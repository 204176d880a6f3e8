//===- TxpHostCopies.td - Ops for buffers that are kept on the host -------===//
#ifndef TENSORC_IR_PROGRAM_TXPHOSTCOPIES_TD
#define TENSORC_IR_PROGRAM_TXPHOSTCOPIES_TD

include "ir/program/TxpOps.td"

def Txp_SpillOp : Txp_QueueOp<"spill"> {
  let summary = "Copies a buffer into new memory of the host.";
  let description = [{
    The result is not memory of the device: only txp.restore may use it. On a
    device that copies while kernels run, a queue other than 0 overlaps the copy
    with the kernels of queue 0.
    ```mlir
    %h = txp.spill %x queue(1)
    ```
  }];
  let arguments = (ins Arg<Txp_Buffer, "", [MemRead]>:$source, Txp_Queue:$queue);
  let results = (outs Res<Txp_Buffer, "", [MemAlloc, MemWrite]>:$host);
  let assemblyFormat = "$source (`queue` `(` $queue^ `)`)? attr-dict";
  let hasVerifier = 1;
}

def Txp_RestoreOp : Txp_QueueOp<"restore"> {
  let summary = "Copies a result of txp.spill, or a constant, into a buffer of the same size.";
  let description = [{
    The bytes of a constant are those of the package. A device does not keep a
    copy of a constant that is only used by this op.
    ```mlir
    txp.restore %h to %y queue(1)
    ```
  }];
  let arguments = (ins Arg<Txp_Buffer, "", [MemRead]>:$host,
    Arg<Txp_Buffer, "", [MemWrite]>:$target, Txp_Queue:$queue);
  let assemblyFormat = "$host `to` $target (`queue` `(` $queue^ `)`)? attr-dict";
  let hasVerifier = 1;
}

#endif
