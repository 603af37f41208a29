package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.ListenerStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Listeners in the map of their node's store, whose numbers they are held to. */
record MapListenerStore(OrderedMap map, ListenerTable table) implements ListenerStore {
  @Override
  public CompletionStage<Boolean> create(ListenerKind kind, Listener listener) {
    return map.write(store -> table.create(kind, listener, store));
  }

  @Override
  public CompletionStage<Optional<Listener>> find(ListenerKind kind, String name) {
    return map.read(stored -> table.find(kind, name, stored));
  }

  @Override
  public CompletionStage<List<Listener>> all(ListenerKind kind) {
    return map.read(stored -> table.all(kind, stored));
  }

  @Override
  public CompletionStage<Boolean> acknowledge(ListenerKind kind, Listener listener, Taken taken) {
    return map.write(store -> table.acknowledge(kind, listener, taken, store));
  }

  @Override
  public CompletionStage<Boolean> change(ListenerKind kind, Listener listener, Bytes properties) {
    return map.write(store -> table.change(kind, listener, properties, store));
  }

  @Override
  public CompletionStage<Boolean> stop(ListenerKind kind, String name, Optional<Instant> stopped) {
    return map.write(store -> table.stop(kind, name, stopped, store));
  }

  @Override
  public CompletionStage<Boolean> delete(ListenerKind kind, String name) {
    return map.write(store -> table.delete(kind, name, store));
  }
}
