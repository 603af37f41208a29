package dev.sequitur.ledger;

import dev.sequitur.protocol.id.Bytes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps its content over {@link #close}, so that a test may open it again. */
final class MemoryStorage implements LedgerStorage {
  private final Map<Bytes, Bytes> content = new ConcurrentHashMap<>();

  @Override
  public Optional<Bytes> get(Bytes key) {
    return Optional.ofNullable(content.get(key));
  }

  @Override
  public void write(Map<Bytes, Optional<Bytes>> changes) {
    changes.forEach(
        (key, value) ->
            value.ifPresentOrElse(present -> content.put(key, present), () -> content.remove(key)));
  }

  @Override
  public void close() {}
}
