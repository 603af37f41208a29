package dev.sequitur.ledger;

import dev.sequitur.protocol.id.Bytes;
import java.util.Map;
import java.util.Optional;

/** What the keys that a block changed led to before. */
record Undo(Map<Bytes, Optional<Bytes>> before) {}
