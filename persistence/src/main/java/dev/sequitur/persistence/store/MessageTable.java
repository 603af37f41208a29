package dev.sequitur.persistence.store;

import dev.sequitur.persistence.journal.Key;
import dev.sequitur.persistence.journal.KeyRange;
import dev.sequitur.persistence.journal.LevelDb;
import dev.sequitur.persistence.journal.WriteBatch;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.MessageStore;
import dev.sequitur.protocol.port.NodeStore.NumberedMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages between members by sequence, with what finds them by sender and number, and by id. */
final class MessageTable {
  private final LevelDb db;
  private final StoredValues values;

  MessageTable(LevelDb db, StoredValues values) {
    this.db = db;
    this.values = values;
  }

  /** Messages on their way to the writer thread. Encoded on the thread that makes it. */
  final class Batch {
    private record Encoded(GroupMessage message, byte[] value) {}

    private final List<Encoded> messages;

    Batch(Instant at, List<GroupMessage> messages) {
      this.messages =
          messages.stream()
              .map(each -> new Encoded(each, values.encode(new NumberedMessage(0, at, each))))
              .toList();
    }

    /** On the writer thread. */
    Void put(WriteBatch store) {
      for (var each : messages) {
        var message = each.message();
        var place = place(message.contract(), message.from(), message.number());
        if (store.get(place).isEmpty()) {
          long sequence = lastSequence(store) + 1;
          store.put(Layout.message(sequence), each.value());
          store.put(place, Layout.bytes(sequence));
          store.put(Layout.message(message.id()), Layout.bytes(sequence));
          store.put(
              Layout.newestMessage(message.contract(), message.from()),
              Layout.bytes(message.number()));
          store.put(Layout.LAST_MESSAGE, Layout.bytes(sequence));
        }
      }
      return null;
    }
  }

  /** On the writer thread. */
  Void forget(WriteBatch store, ContractAddress contract, NodeName from, long upTo) {
    long newest = store.get(Layout.newestMessage(contract, from)).map(Layout::number).orElse(1L);
    long last = Math.min(upTo, newest - 1);
    if (last < 1) {
      return null;
    }
    var gone = new ArrayList<Key>();
    db.scan(
        KeyRange.numbered(Layout.messagesOf(contract, from), 1, last),
        LevelDb.Order.ASCENDING,
        (key, value) -> {
          gone.add(key);
          store.delete(Layout.message(Layout.number(value)));
          store.delete(Layout.message(GroupMessageId.of(contract, from, key.lastNumber())));
          return gone.size() < MessageStore.MOST_FORGOTTEN;
        });
    gone.forEach(store::delete);
    return null;
  }

  private static Key place(ContractAddress contract, NodeName from, long number) {
    return Layout.messagesOf(contract, from).number(number);
  }

  /** The last sequence number given out, 0 before the first. */
  static long lastSequence(WriteBatch store) {
    return Layout.number(store.get(Layout.LAST_MESSAGE));
  }

  Map<NodeName, Long> newest(ContractAddress contract) {
    var newest = new HashMap<NodeName, Long>();
    db.scan(
        KeyRange.startingWith(Layout.newestMessages(contract)),
        LevelDb.Order.ASCENDING,
        (key, value) -> {
          newest.put(Layout.messageSender(contract, key), Layout.number(value));
          return true;
        });
    return Map.copyOf(newest);
  }

  List<GroupMessage> of(ContractAddress contract, NodeName from, long after, int limit) {
    var sequences =
        db.list(
            KeyRange.numbered(Layout.messagesOf(contract, from), after + 1, Long.MAX_VALUE),
            LevelDb.Order.ASCENDING,
            limit,
            (key, value) -> Layout.number(value));
    // Whoever deletes does not wait for whoever reads.
    return sequences.stream()
        .flatMap(each -> at(each).stream())
        .map(NumberedMessage::message)
        .toList();
  }

  Optional<NumberedMessage> find(GroupMessageId id) {
    return db.get(Layout.message(id)).map(Layout::number).flatMap(this::at);
  }

  private Optional<NumberedMessage> at(long sequence) {
    return db.get(Layout.message(sequence)).map(bytes -> decode(bytes, sequence));
  }

  List<NumberedMessage> after(long sequence, int limit) {
    return page(
        KeyRange.numbered(Layout.MESSAGES, sequence + 1, Long.MAX_VALUE),
        LevelDb.Order.ASCENDING,
        limit);
  }

  List<NumberedMessage> before(long sequence, int limit) {
    return page(
        KeyRange.numbered(Layout.MESSAGES, 1, sequence - 1), LevelDb.Order.DESCENDING, limit);
  }

  private List<NumberedMessage> page(KeyRange range, LevelDb.Order order, int limit) {
    return db.list(range, order, limit, (key, value) -> decode(value, key.lastNumber()));
  }

  private NumberedMessage decode(byte[] bytes, long sequence) {
    return values.decode(bytes, NumberedMessage.class).at(sequence);
  }
}
