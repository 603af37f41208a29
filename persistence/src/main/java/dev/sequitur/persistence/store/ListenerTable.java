package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.EventNumbers;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Listeners by name, each kind in a region of its own. Changes are made on the writer thread. */
record ListenerTable(StoredValues values) {
  /** Whether it is there now with these properties. */
  boolean create(ListenerKind kind, Listener listener, WriteBatch store) {
    var existing = find(kind, listener.name(), store);
    if (existing.isEmpty()) {
      put(kind, listener, store);
    }
    return existing.map(e -> e.properties().equals(listener.properties())).orElse(true);
  }

  /** Whether it is there still. */
  boolean acknowledge(ListenerKind kind, Listener known, Taken taken, WriteBatch store) {
    var found = find(kind, known.name(), store).filter(known::isSameAs);
    if (found.isEmpty()) {
      return false;
    }
    if (!exists(kind, taken.upTo(), store)) {
      throw new IllegalArgumentException(
          "Nothing has the number " + taken.upTo() + " yet: acknowledge what was received.");
    }
    var next = found.get().taken(taken);
    if (!next.equals(found.get())) {
      put(kind, next, store);
    }
    return true;
  }

  /** Whether the store has given this number, or does not number these. */
  private static boolean exists(ListenerKind kind, long number, WriteBatch store) {
    return switch (kind) {
      case RECEIPTS -> store.reaches(Layout.LAST_SEQUENCE, number);
      case MESSAGES -> store.reaches(Layout.LAST_MESSAGE, number);
      case EVENTS, SCHEDULES, WEBHOOKS -> true;
    };
  }

  /** Whether it was there still. */
  boolean change(ListenerKind kind, Listener known, Bytes properties, WriteBatch store) {
    var found = find(kind, known.name(), store).filter(known::isSameAs);
    found.ifPresent(listener -> put(kind, listener.withProperties(properties), store));
    return found.isPresent();
  }

  /** Whether there is one of that name. */
  boolean stop(ListenerKind kind, String name, Optional<Instant> stopped, WriteBatch store) {
    var found = find(kind, name, store);
    found.ifPresent(listener -> put(kind, listener.withStopped(stopped), store));
    return found.isPresent();
  }

  /** One of contracts' events, to what blocks up to the fork have, since later ones are gone. */
  void setBack(Listener listener, BlockHeight fork, BlockHeight read, WriteBatch store) {
    long to = EventNumbers.lastOf(fork.value());
    long readTo = EventNumbers.lastOf(read.value());
    find(ListenerKind.EVENTS, listener.name(), store)
        .map(found -> found.setBack(to, readTo))
        .ifPresent(back -> put(ListenerKind.EVENTS, back, store));
  }

  /** Whether there was one of that name. */
  boolean delete(ListenerKind kind, String name, WriteBatch store) {
    var key = Layout.listener(kind, name);
    boolean exists = store.get(key).isPresent();
    store.delete(key);
    return exists;
  }

  Optional<Listener> find(ListenerKind kind, String name, Entries stored) {
    return stored.get(Layout.listener(kind, name)).map(this::read);
  }

  /** All of them by name. */
  List<Listener> all(ListenerKind kind, Entries stored) {
    return stored
        .list(
            KeyRange.startingWith(Layout.listeners(kind)),
            Order.ASCENDING,
            Integer.MAX_VALUE,
            (key, value) -> read(value))
        .stream()
        .sorted(Comparator.comparing(Listener::name))
        .toList();
  }

  private Optional<Listener> find(ListenerKind kind, String name, WriteBatch store) {
    return store.get(Layout.listener(kind, name)).map(this::read);
  }

  private void put(ListenerKind kind, Listener listener, WriteBatch store) {
    store.put(Layout.listener(kind, listener.name()), values.encode(listener));
  }

  private Listener read(byte[] bytes) {
    return values.decode(bytes, Listener.class);
  }
}
