package dev.sequitur.node.rpc.query;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes the rows may have that the queries of one text have found and that are not
 * answered yet: the queries of a batch run beside each other and have them together. Thread-safe.
 */
public final class KeptBytes {
  private final long most;
  private final AnswersTogether.Part all;
  private final AtomicLong taken = new AtomicLong();

  /** Of what is written for the text. */
  private final AtomicLong written = new AtomicLong();

  /**
   * @param all of which the text takes its part
   */
  public KeptBytes(long most, AnswersTogether all) {
    this.most = most;
    this.all = all.part();
  }

  /** What one call takes of it. */
  public Share share() {
    return new Share();
  }

  /**
   * So many more are written for the text, and held until {@link #sent}.
   *
   * @throws RpcFailure if others leave no room for so many
   */
  public void written(long bytes) {
    all.take(bytes);
    written.addAndGet(bytes);
  }

  /** So many are not kept after all. */
  public void notWritten(long bytes) {
    written.addAndGet(-bytes);
    all.giveBack(bytes);
  }

  /** The text is answered. */
  public void sent() {
    all.giveBack(written.getAndSet(0));
  }

  /** Of one call, as long as it is not answered. */
  public final class Share {
    private final AtomicLong own = new AtomicLong();
    private volatile boolean ended;

    private Share() {}

    /**
     * @throws RpcFailure if there is no room for so many, or the call is answered: what still looks
     *     after its time is over takes no room from others, and ends
     */
    void take(long bytes) {
      mustBeAwaited();
      all.take(bytes);
      long mine = own.addAndGet(bytes);
      if (taken.addAndGet(bytes) > most) {
        throw new RpcFailure(
            ErrorCode.ANSWER_TOO_LARGE,
            mine > most
                ? "What the query has found has more than %d bytes together (rpc.limits.answer-bytes). Ask with a smaller limit."
                    .formatted(most)
                : "What the query and others of its batch have found has more than %d bytes together (rpc.limits.answer-bytes). Send it again by itself, or with a smaller limit."
                    .formatted(most));
      }
    }

    /**
     * Before more is read for the call.
     *
     * @throws RpcFailure if the call is answered: nobody waits for what is found
     */
    public void mustBeAwaited() {
      if (ended) {
        throw new RpcFailure(ErrorCode.NO_ANSWER_IN_TIME, "The call is answered already.");
      }
    }

    void giveBack(long bytes) {
      own.addAndGet(-bytes);
      freed(bytes);
    }

    /** The call is answered, well or not. */
    public void end() {
      ended = true;
      freed(own.getAndSet(0));
    }

    private void freed(long bytes) {
      taken.addAndGet(-bytes);
      all.giveBack(bytes);
    }
  }
}
