package dev.sequitur.node.rpc;

import dev.sequitur.node.rpc.BackgroundTask.State;
import java.time.Instant;
import java.util.Optional;

/** The backups that this JVM makes of its node, one at a time. Thread-safe; nothing waits. */
public interface Backups {
  /**
   * The last one that this process has begun.
   *
   * @param state of one that is done: it is on the disk, whole; of one that has failed: the one
   *     before is still there
   * @param directory where it is; empty if none is configured
   * @param entries that were read so far
   * @param bytes of them
   * @param written how many of these bytes the directory did not have
   * @param trouble a sentence on why it has failed
   * @param newest the moment of the newest whole one in the directory, whoever made it
   */
  record Status(
      State state,
      Optional<String> directory,
      Optional<Instant> begun,
      Optional<Instant> ended,
      long entries,
      long bytes,
      long written,
      Optional<String> trouble,
      Optional<Instant> newest) {}

  /** Of what has no directory for them. */
  Backups NONE =
      new Backups() {
        @Override
        public Status begin() {
          throw new RpcFailure(
              ErrorCode.UNSUPPORTED,
              "This JVM makes no backups: say where they may be, by backup.directory of its configuration, and start it again.");
        }

        @Override
        public Status status() {
          return new Status(
              State.NONE,
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              0,
              0,
              0,
              Optional.empty(),
              Optional.empty());
        }
      };

  /**
   * Begins one, unless one is running.
   *
   * @return how it is now
   * @throws RpcFailure if there is no directory for it
   */
  Status begin();

  /** How the last one is. */
  Status status();

  /** A sentence for the operator, if one should be there that is not. */
  default Optional<String> remark() {
    return Optional.empty();
  }
}
