package dev.sequitur.protocol.port;

import dev.sequitur.protocol.checkpoint.Agreement;
import dev.sequitur.protocol.checkpoint.Agreements.Answer;
import dev.sequitur.protocol.checkpoint.CheckpointStanding;
import java.util.concurrent.CompletionStage;

/** The checkpoints of a ledger that can make some, and what its readers say of them (ROM-9). */
public interface LedgerCheckpoints {
  CompletionStage<CheckpointStanding> standing();

  /** Tells the ledger what a reader has found in its blocks. Idempotent. */
  CompletionStage<Answer> agree(Agreement agreement);
}
