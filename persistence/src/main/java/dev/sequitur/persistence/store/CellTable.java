package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The cells of a node: an entry each, and one for the version of each stream. */
final class CellTable implements CellStore {
  private final OrderedMap map;

  CellTable(OrderedMap map) {
    this.map = map;
  }

  @Override
  public <T> CompletionStage<T> load(String stream, Supplier<? extends Visitor<T>> visitor) {
    return map.afterEarlierWrites()
        .thenCompose(written -> map.read(stored -> load(stream, visitor.get(), stored)));
  }

  /**
   * @throws IllegalStateException if a checkpoint was written meanwhile
   */
  private static <T> T load(String stream, Visitor<T> visitor, Entries stored) {
    long version = Layout.number(stored.get(version(stream)));
    var prefix = cells(stream);
    int length = prefix.asByteBuffer().remaining();
    stored.scan(
        KeyRange.startingWith(prefix),
        Order.ASCENDING,
        (key, value) -> {
          var bytes = key.asByteBuffer().position(length);
          var rest = new byte[bytes.remaining()];
          bytes.get(rest);
          visitor.visit(rest, value);
          return true;
        });
    if (Layout.number(stored.get(version(stream))) != version) {
      throw new IllegalStateException(
          "A checkpoint of " + stream + " was written while it was read: read it again.");
    }
    return visitor.finish(version);
  }

  @Override
  public CompletionStage<Boolean> write(String stream, Change change) {
    return map.write(
        store -> {
          if (Layout.number(store.get(version(stream))) != change.from()) {
            return false;
          }
          change.removed().forEach(key -> store.delete(cells(stream).raw(key)));
          change.cells().forEach(cell -> store.put(cells(stream).raw(cell.key()), cell.value()));
          store.put(version(stream), Layout.bytes(change.to()));
          return true;
        });
  }

  private static Key version(String stream) {
    return Key.in(KeySpace.CELL_VERSION).text(stream);
  }

  private static Key cells(String stream) {
    return Key.in(KeySpace.CELL).text(stream);
  }
}
