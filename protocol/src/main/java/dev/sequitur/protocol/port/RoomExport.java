package dev.sequitur.protocol.port;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Where what has ended is written before a node forgets its contents (ROM-6). Thread-safe. */
@FunctionalInterface
public interface RoomExport {
  /**
   * Writes these, in their order. What was written and not forgotten since then comes again.
   *
   * @return completes when all of it is there for good; if it fails, nothing of it is forgotten
   */
  CompletionStage<Void> write(List<RoomStore.Ended> ended);
}
