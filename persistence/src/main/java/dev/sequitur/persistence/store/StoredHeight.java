package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.StoredMoment;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.ReadSoFar;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Up to which block a node had read the ledger at a moment. */
public final class StoredHeight {
  private StoredHeight() {}

  /** Empty if it had read none. */
  public static Optional<BlockHeight> at(StoredMoment moment, ProtocolFormat format) {
    var found = new AtomicReference<BlockHeight>();
    moment.scan(
        new KeyRange(Layout.INDEXED_TO, Layout.INDEXED_TO.octet(0)),
        (key, value) -> {
          found.set(new StoredValues(format).decode(value, ReadSoFar.class).height());
          return false;
        });
    return Optional.ofNullable(found.get());
  }
}
