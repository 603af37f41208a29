package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.persistence.map.WriteBatch.Numbered;
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
  private static final Numbered VALUE = Numbered.value(Layout.LAST_MESSAGE);

  private final StoredValues values;

  MessageTable(StoredValues values) {
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
        var known = store.getRare(place);
        if (known.isPresent()) {
          requireSame(store, Layout.number(known.get()), message);
        } else {
          long sequence = store.next(Layout.LAST_MESSAGE);
          store.putNumbered(
              Layout.message(sequence), each.value(), Numbered.key(Layout.LAST_MESSAGE));
          store.putNumbered(place, Layout.bytes(sequence), VALUE);
          store.putNumbered(Layout.message(message.id()), Layout.bytes(sequence), VALUE);
          store.put(
              Layout.newestMessage(message.contract(), message.from()),
              Layout.bytes(message.number()));
        }
      }
      return null;
    }

    private void requireSame(WriteBatch store, long sequence, GroupMessage message) {
      var there = store.get(Layout.message(sequence)).map(bytes -> decode(bytes, sequence));
      if (there.isPresent() && !there.get().message().equals(message)) {
        throw new IllegalStateException(
            "Message "
                + message.number()
                + " of "
                + message.from()
                + " in "
                + message.contract()
                + " is another one already: a second JVM has numbered alike.");
      }
    }
  }

  /**
   * Those that may be forgotten, of which there is never more than so many at once.
   *
   * @param gone all their entries
   */
  record Old(List<Key> gone) {
    Old {
      gone = List.copyOf(gone);
    }

    boolean isEmpty() {
      return gone.isEmpty();
    }

    /** On the writer thread. */
    Void forget(WriteBatch store) {
      gone.forEach(store::delete);
      return null;
    }
  }

  /** All up to a number, but never the newest: it stays so, whatever comes after. */
  Old forgettable(ContractAddress contract, NodeName from, long upTo, Entries stored) {
    long newest = stored.get(Layout.newestMessage(contract, from)).map(Layout::number).orElse(1L);
    long last = Math.max(0, Math.min(upTo, newest - 1));
    var gone = new ArrayList<Key>();
    stored
        .list(
            KeyRange.numbered(Layout.messagesOf(contract, from), 1, last),
            Order.ASCENDING,
            MessageStore.MOST_FORGOTTEN,
            (key, value) ->
                List.of(
                    key,
                    Layout.message(Layout.number(value)),
                    Layout.message(GroupMessageId.of(contract, from, key.lastNumber()))))
        .forEach(gone::addAll);
    return new Old(gone);
  }

  private static Key place(ContractAddress contract, NodeName from, long number) {
    return Layout.messagesOf(contract, from).number(number);
  }

  Map<NodeName, Long> newest(ContractAddress contract, Entries stored) {
    var newest = new HashMap<NodeName, Long>();
    stored.scan(
        KeyRange.startingWith(Layout.newestMessages(contract)),
        Order.ASCENDING,
        (key, value) -> {
          newest.put(Layout.messageSender(contract, key), Layout.number(value));
          return true;
        });
    return Map.copyOf(newest);
  }

  /** Those that are there: whoever deletes does not wait for whoever reads. */
  List<GroupMessage> of(
      ContractAddress contract, NodeName from, long after, int limit, Entries stored) {
    var sequences =
        stored.list(
            KeyRange.numbered(Layout.messagesOf(contract, from), after + 1, Long.MAX_VALUE),
            Order.ASCENDING,
            limit,
            (key, value) -> Layout.number(value));
    var found = stored.all(sequences.stream().map(Layout::message).toList());
    return sequences.stream()
        .filter(sequence -> found.containsKey(Layout.message(sequence)))
        .map(sequence -> decode(found.get(Layout.message(sequence)), sequence).message())
        .toList();
  }

  Optional<NumberedMessage> find(GroupMessageId id, Entries stored) {
    return stored
        .get(Layout.message(id))
        .map(Layout::number)
        .flatMap(
            sequence -> stored.get(Layout.message(sequence)).map(bytes -> decode(bytes, sequence)));
  }

  List<NumberedMessage> after(long sequence, int limit, Entries stored) {
    return page(
        KeyRange.numbered(Layout.MESSAGES, sequence + 1, Long.MAX_VALUE),
        Order.ASCENDING,
        limit,
        stored);
  }

  List<NumberedMessage> before(long sequence, int limit, Entries stored) {
    return page(
        KeyRange.numbered(Layout.MESSAGES, 1, sequence - 1), Order.DESCENDING, limit, stored);
  }

  private List<NumberedMessage> page(KeyRange range, Order order, int limit, Entries stored) {
    return stored.list(range, order, limit, (key, value) -> decode(value, key.lastNumber()));
  }

  private NumberedMessage decode(byte[] bytes, long sequence) {
    return values.decode(bytes, NumberedMessage.class).at(sequence);
  }
}
