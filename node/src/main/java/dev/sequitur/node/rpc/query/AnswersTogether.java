package dev.sequitur.node.rpc.query;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;

/**
 * How many bytes the answers of all callers may have together, from when their rows are found until
 * the last one of their text is written to the connection, or that has ended. So many long ones at
 * once do not use up the memory, though each is within its own bound. Whoever is alone has room in
 * any case. Thread-safe.
 */
public final class AnswersTogether {
  /** Rows and JSON take several times the bytes of the text that is made of them. */
  private static final int PART_OF_MEMORY = 16;

  private final long most;
  private long taken; // guarded by this

  public AnswersTogether(long most) {
    this.most = most;
  }

  /** As many as go well with the memory that this JVM may use. */
  public static AnswersTogether ofThisJvm() {
    return new AnswersTogether(Runtime.getRuntime().maxMemory() / PART_OF_MEMORY);
  }

  /** So many they have now. */
  public synchronized long taken() {
    return taken;
  }

  /** What one text takes of it. */
  Part part() {
    return new Part();
  }

  /** Of one text. */
  final class Part {
    private long own; // guarded by all of them

    private Part() {}

    /**
     * @throws RpcFailure if others leave no room for so many
     */
    void take(long bytes) {
      synchronized (AnswersTogether.this) {
        if (taken > own && taken + bytes > most) {
          throw new RpcFailure(
              ErrorCode.TOO_MANY_ANSWERS,
              "The answers that this node is making for all its callers have more than %d bytes together, a sixteenth of its memory. Ask again in a moment, or for less."
                  .formatted(most));
        }
        taken += bytes;
        own += bytes;
      }
    }

    void giveBack(long bytes) {
      synchronized (AnswersTogether.this) {
        taken -= bytes;
        own -= bytes;
      }
    }
  }
}
