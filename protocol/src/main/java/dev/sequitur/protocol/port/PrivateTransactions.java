package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Submission of private transactions to the sequencer: what an API and a schedule share. All or
 * nothing; durable when the future completes.
 */
public interface PrivateTransactions {
  /**
   * @return ids in the order of the batch; the future fails with {@link RefusedIntent} if one of
   *     them cannot be accepted
   */
  CompletionStage<List<TransactionId>> submit(List<Intent> batch);

  /** Why a batch was not accepted, in a sentence that says what to do. */
  final class RefusedIntent extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String code;

    /**
     * @param code stable, starts with {@code SQ}
     */
    public RefusedIntent(String code, String message) {
      super(message);
      this.code = code;
    }

    public String code() {
      return code;
    }
  }
}
