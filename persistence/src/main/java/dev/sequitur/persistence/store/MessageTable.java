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
import dev.sequitur.protocol.port.MessageStore.Following;
import dev.sequitur.protocol.port.NodeStore.NumberedMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Messages between members by sequence, with what finds them by sender and by id. Under a sender
 * stands each message at the number of the one before it here, so that two JVMs of a node cannot
 * both go on from one message.
 */
final class MessageTable {
  private static final Numbered VALUE = Numbered.value(Layout.LAST_MESSAGE);

  private final StoredValues values;

  MessageTable(StoredValues values) {
    this.values = values;
  }

  /** Messages on their way to the writer thread. Encoded on the thread that makes it. */
  final class Batch {
    private record Encoded(Following place, byte[] value) {}

    private final List<Encoded> messages;

    Batch(Instant at, List<Following> messages) {
      this.messages =
          messages.stream()
              .map(
                  each ->
                      new Encoded(each, values.encode(new NumberedMessage(0, at, each.message()))))
              .toList();
    }

    /** On the writer thread. */
    Void put(WriteBatch store) {
      for (var each : messages) {
        var message = each.place().message();
        var place = place(message.contract(), message.from(), each.place().after());
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
            "Where message "
                + message.number()
                + " of "
                + message.from()
                + " in "
                + message.contract()
                + " would stand is another one already: a second JVM has gone on from the same.");
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

  /** All but the newest of a sender. */
  Old forgettable(ContractAddress contract, NodeName from, int keep, Entries stored) {
    var newest = places(contract, from, keep + 1, stored);
    if (newest.size() <= keep) {
      return new Old(List.of());
    }
    // The number of each stands where the next one is.
    var numbers =
        stored.list(
            KeyRange.numbered(Layout.messagesOf(contract, from), 0, newest.get(keep - 1)),
            Order.ASCENDING,
            MessageStore.MOST_FORGOTTEN + 1,
            (key, value) -> new Place(key, Layout.number(value)));
    var gone = new ArrayList<Key>();
    for (int i = 0; i + 1 < numbers.size(); i++) {
      long number = numbers.get(i + 1).key().lastNumber();
      gone.add(numbers.get(i).key());
      gone.add(Layout.message(numbers.get(i).sequence()));
      gone.add(Layout.message(GroupMessageId.of(contract, from, number)));
    }
    return new Old(gone);
  }

  private record Place(Key key, long sequence) {}

  private static Key place(ContractAddress contract, NodeName from, long after) {
    return Layout.messagesOf(contract, from).number(after);
  }

  /** After which numbers the newest messages of a sender stand, descending. */
  private static List<Long> places(
      ContractAddress contract, NodeName from, int most, Entries stored) {
    return stored.list(
        KeyRange.numbered(Layout.messagesOf(contract, from), 0, Long.MAX_VALUE),
        Order.DESCENDING,
        most,
        (key, value) -> key.lastNumber());
  }

  /** The numbers of the newest messages of a sender, ascending. */
  List<Long> numbers(ContractAddress contract, NodeName from, int most, Entries stored) {
    var numbers = new ArrayList<Long>();
    stored
        .get(Layout.newestMessage(contract, from))
        .map(Layout::number)
        .ifPresent(
            newest -> {
              numbers.add(newest);
              numbers.addAll(places(contract, from, most, stored));
            });
    // What the oldest stands after may be gone.
    var whole = numbers.subList(0, Math.min(most, Math.max(0, numbers.size() - 1)));
    return whole.reversed();
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
    var sequences = new ArrayList<Long>();
    // A receiver may have more of a node that was set back than stands here: what is next for it
    // stands after a lower number then.
    sequences.addAll(
        stored.list(
            KeyRange.numbered(Layout.messagesOf(contract, from), 0, after - 1),
            Order.DESCENDING,
            1,
            (key, value) -> Layout.number(value)));
    sequences.addAll(
        stored.list(
            KeyRange.numbered(Layout.messagesOf(contract, from), after, Long.MAX_VALUE),
            Order.ASCENDING,
            limit,
            (key, value) -> Layout.number(value)));
    var found = stored.all(sequences.stream().map(Layout::message).toList());
    return sequences.stream()
        .filter(sequence -> found.containsKey(Layout.message(sequence)))
        .map(sequence -> decode(found.get(Layout.message(sequence)), sequence).message())
        .filter(message -> message.number() > after)
        .limit(limit)
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
