package dev.sequitur.ledger;

import dev.sequitur.ledger.codec.ByteReader;
import dev.sequitur.ledger.codec.ByteWriter;
import dev.sequitur.protocol.id.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the keys that a block changed led to before, as bytes. */
final class UndoCodec {
  private UndoCodec() {}

  static Bytes encode(Map<Bytes, Optional<Bytes>> undo) {
    return new ByteWriter()
        .putAll(
            undo.entrySet(),
            (out, entry) -> {
              out.putBytes(entry.getKey()).putByte(entry.getValue().isPresent() ? 1 : 0);
              entry.getValue().ifPresent(out::putBytes);
            })
        .toBytes();
  }

  static Map<Bytes, Optional<Bytes>> decode(Bytes encoded) {
    var undo = new HashMap<Bytes, Optional<Bytes>>();
    ByteReader.readAll(
        encoded.toByteArray(),
        in ->
            in.getAll(
                from ->
                    undo.put(
                        from.getBytes(),
                        from.getByte() == 1 ? Optional.of(from.getBytes()) : Optional.empty())));
    return undo;
  }
}
