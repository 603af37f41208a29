package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.IntentStore;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.Signatures;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Executor;

/** A node as the errands of its machines find it. Thread-safe; nothing here blocks. */
public interface Surroundings {
  Instant now();

  /** The newest final block that was indexed. */
  BlockHeight height();

  BaseLedger ledger();

  IntentStore intents();

  Keys keys();

  Signatures signatures();

  /** Runs what takes milliseconds, and what would build up a stack. */
  Executor computing();

  /** Adds to a figure of the node, by its Prometheus name. */
  void count(String figure, long howMany);

  /** One more of what a kind of machine counts. */
  default void count(String machine, Enum<?> what) {
    count("sequitur_" + machine + "_" + what.name().toLowerCase(Locale.ROOT) + "_total", 1);
  }
}
