package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.persistence.map.WriteBatch.Numbered;
import dev.sequitur.persistence.store.JudgedBatch.Original;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.Acceptance;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.Open;
import dev.sequitur.protocol.port.NodeStore.Page;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Intents by order, with the indexes that find them by id, key and contract. */
final class IntentTable {
  private static final byte[] NOTHING = new byte[0];

  /** Entries of those of whom only the names are wanted. */
  private static final int LOOKED_AT_TOGETHER = 32;

  private static final Numbered KEY = Numbered.key(Layout.LAST_ORDER);

  private final StoredValues values;
  private final TimesOfAcceptance times = new TimesOfAcceptance(System::nanoTime);

  IntentTable(StoredValues values) {
    this.values = values;
  }

  /**
   * Where an intent lies, and what its pending entry is found by.
   *
   * @param contract of one that is private and does not make its group
   * @param from of a public one
   * @param dependsOn what it waits for
   */
  record Place(
      long order,
      Optional<ContractAddress> contract,
      Optional<Identity> from,
      Hash bodyHash,
      List<TransactionId> dependsOn) {
    Place {
      dependsOn = List.copyOf(dependsOn);
    }

    static Place of(Intent intent) {
      return new Place(
          intent.order(),
          intent.privately().map(PrivateTransaction::contract),
          intent.publicly().map(PublicTransaction::from),
          intent.bodyHash(),
          intent.privately().map(PrivateTransaction::dependsOn).orElse(List.of()));
    }

    /** The same, at another order. */
    private Place at(long newOrder) {
      return new Place(newOrder, contract, from, bodyHash, dependsOn);
    }

    /** Where it stands as long as it has no receipt. */
    private List<Key> pending() {
      var kind =
          contract
              .map(Layout::pending)
              .or(() -> from.map(Layout::publicPending))
              .orElse(Layout.NEW_GROUPS_PENDING);
      return Stream.concat(
              Stream.of(kind, Layout.OPEN), from.map(any -> Layout.OPEN_PUBLICS).stream())
          .map(region -> region.number(order))
          .toList();
    }

    /** By what it is found from what it waits for, as long as it has no receipt. */
    private List<Key> dependants() {
      return contract.stream()
          .flatMap(of -> dependsOn.stream().map(id -> Layout.dependants(of, id)))
          .map(all -> all.number(order))
          .toList();
    }
  }

  /** An intent with what is the same for whatever order it gets, encoded ahead of the writer. */
  private record Encoded(Intent intent, byte[] value) implements JudgedBatch.Encoded {}

  /** A batch on its way to the writer thread. Encoded on the thread that makes it. */
  final class Batch {
    private final List<Encoded> intents;

    /** Of the last run of {@link #accept}. */
    private TimesOfAcceptance.Dating dating = times.dating();

    Batch(List<Intent> intents) {
      this.intents =
          intents.stream().map(intent -> new Encoded(intent, values.encode(intent.at(0)))).toList();
    }

    /**
     * Decides first and writes after, so that a conflict leaves nothing. On the writer thread,
     * where nothing can come between the two.
     */
    Acceptance accept(WriteBatch store) {
      var judged = JudgedBatch.of(intents, new EarlierIntents(store));
      return judged.acceptance(write(judged.fresh(), store));
    }

    /** It is stored. */
    Acceptance kept(Acceptance acceptance) {
      dating.keep();
      return acceptance;
    }

    private List<Intent> write(List<Encoded> fresh, WriteBatch store) {
      dating = times.dating();
      var written = new ArrayList<Intent>(fresh.size());
      for (var encoded : fresh) {
        var last = store.latest(Layout.LAST_CREATED).map(Layout::time).orElse(Instant.EPOCH);
        var dated = dating.dated(encoded.intent(), last);
        var intent = dated.at(store.next(Layout.LAST_ORDER));
        written.add(intent);
        var created = Layout.bytes(dated.created());
        var value = Layout.joined(created, encoded.value());
        if (dated.created().isBefore(last)) {
          // A clock was far ahead: from here on it goes by the others again.
          store.put(Layout.LAST_CREATED, created);
          store.putNumbered(Layout.intent(intent.order()), value, KEY);
        } else {
          store.raise(Layout.LAST_CREATED, created);
          store.putNumbered(
              Layout.intent(intent.order()), value, KEY.notBefore(Layout.LAST_CREATED));
        }
        write(intent, store);
      }
      return List.copyOf(written);
    }

    private void write(Intent intent, WriteBatch store) {
      var transaction = intent.transaction();
      var place = Place.of(intent);
      store.putNumbered(
          Layout.place(transaction.id()),
          Layout.joined(Layout.bytes(place.order()), values.encode(place.at(0))),
          Numbered.value(Layout.LAST_ORDER));
      place.pending().forEach(key -> store.putNumbered(key, NOTHING, KEY));
      var waiting = Layout.bytes(transaction.id());
      place.dependants().forEach(key -> store.putNumbered(key, waiting, KEY));
      if (intent.publicly().isPresent()) {
        store.putNumbered(Layout.PUBLICS.number(intent.order()), NOTHING, KEY);
      }
      intent
          .idempotencyKey()
          .ifPresent(
              key ->
                  store.put(
                      Layout.idempotency(key),
                      values.encode(new Original(transaction.id(), intent.bodyHash()))));
    }
  }

  /** What was accepted before an intent: in the store, or earlier in its own batch. */
  private final class EarlierIntents implements JudgedBatch.Earlier<Encoded> {
    private final WriteBatch store;
    private final Map<IdempotencyKey, Original> keys = new HashMap<>();
    private final Map<TransactionId, Original> ids = new HashMap<>();

    EarlierIntents(WriteBatch store) {
      this.store = store;
    }

    @Override
    public Optional<Original> of(Encoded encoded) {
      var intent = encoded.intent();
      var id = intent.transaction().id();
      return intent
          .idempotencyKey()
          .flatMap(this::byKey)
          .or(() -> Optional.ofNullable(ids.get(id)))
          .or(
              () ->
                  place(store.getRare(Layout.place(id))).map(p -> new Original(id, p.bodyHash())));
    }

    private Optional<Original> byKey(IdempotencyKey key) {
      return Optional.ofNullable(keys.get(key))
          .or(
              () ->
                  store
                      .getRare(Layout.idempotency(key))
                      .map(b -> values.decode(b, Original.class)));
    }

    @Override
    public void add(Encoded encoded) {
      var intent = encoded.intent();
      var original = new Original(intent.transaction().id(), intent.bodyHash());
      intent.idempotencyKey().ifPresent(key -> keys.put(key, original));
      ids.put(original.transaction(), original);
    }
  }

  /** Takes an intent off the pending ones, if this node has accepted it. */
  void end(TransactionId id, WriteBatch store) {
    place(store.getLasting(Layout.place(id)))
        .ifPresent(
            place -> {
              place.pending().forEach(store::delete);
              place.dependants().forEach(store::delete);
            });
  }

  /**
   * Whether this node has accepted it: another's may have the same id, and in another contract the
   * same commitment. On the writer thread.
   */
  boolean isOwn(IntentKey key, ContractAddress contract, WriteBatch store) {
    return place(store.getRare(Layout.place(key.transaction())))
        .flatMap(
            place -> store.get(Layout.intent(place.order())).map(it -> decode(it, place.order())))
        .flatMap(Intent::privately)
        .filter(own -> own.key().equals(key) && own.contract().equals(contract))
        .isPresent();
  }

  /** Of one that this node has accepted, also if its contents are forgotten. */
  Optional<Long> order(TransactionId id, WriteBatch store) {
    return store.getRare(Layout.place(id)).map(Layout::number);
  }

  /** On the writer thread. */
  void change(PublicTransaction changed, WriteBatch store) {
    find(changed.id(), store::get)
        .ifPresent(
            intent ->
                store.put(
                    Layout.intent(intent.order()),
                    Layout.joined(
                        Layout.bytes(intent.created()), values.encode(intent.as(changed).at(0)))));
  }

  Optional<Intent> find(TransactionId id, Entries stored) {
    return find(id, stored::get);
  }

  private Optional<Intent> find(TransactionId id, Function<Key, Optional<byte[]>> stored) {
    return place(stored.apply(Layout.place(id)))
        .flatMap(
            place ->
                stored
                    .apply(Layout.intent(place.order()))
                    .map(bytes -> decode(bytes, place.order())));
  }

  Optional<TransactionId> byIdempotencyKey(IdempotencyKey key, Entries stored) {
    return stored.get(Layout.idempotency(key)).map(this::original);
  }

  List<Intent> byKeyName(String name, int limit, Entries stored) {
    var places =
        stored.list(
            KeyRange.startingWith(Layout.keysNamed(name)),
            Order.ASCENDING,
            limit,
            (key, value) -> Layout.place(original(value)));
    var orders =
        stored.all(places).values().stream()
            .map(Layout::number)
            .sorted(Comparator.reverseOrder())
            .toList();
    return at(orders, stored);
  }

  private TransactionId original(byte[] bytes) {
    return values.decode(bytes, Original.class).transaction();
  }

  List<Intent> open(Open which, Page page, Entries stored) {
    var region =
        switch (which) {
          case Open.All() -> Layout.OPEN;
          case Open.Of(var contract) -> Layout.pending(contract);
          case Open.Publics() -> Layout.OPEN_PUBLICS;
        };
    return page.newestFirst()
        ? numbered(
            KeyRange.numbered(region, 0, page.beyond() - 1), Order.DESCENDING, page.limit(), stored)
        : pending(region, page.beyond(), page.limit(), stored);
  }

  List<Intent> publicPending(Identity from, long after, int limit, Entries stored) {
    return pending(Layout.publicPending(from), after, limit, stored);
  }

  List<Intent> newGroupsPending(long after, int limit, Entries stored) {
    return pending(Layout.NEW_GROUPS_PENDING, after, limit, stored);
  }

  private List<Intent> pending(Key prefix, long after, int limit, Entries stored) {
    return numbered(
        KeyRange.numbered(prefix, after + 1, Long.MAX_VALUE), Order.ASCENDING, limit, stored);
  }

  /** Those of which only the order stands in a range. */
  private List<Intent> numbered(KeyRange range, Order order, int limit, Entries stored) {
    return at(stored.list(range, order, limit, (key, nothing) -> key.lastNumber()), stored);
  }

  List<TransactionId> dependants(
      ContractAddress contract, TransactionId of, int limit, Entries stored) {
    return stored.list(
        KeyRange.startingWith(Layout.dependants(contract, of)),
        Order.ASCENDING,
        limit,
        (key, id) -> Layout.transaction(id));
  }

  /** Looks at some entries of each sender, however many it has. */
  Set<Identity> sendersWithPublicPending(Entries stored) {
    return ofEach(Layout.PUBLIC_PENDING, Layout::pendingSender, Layout::publicPending, stored);
  }

  /** Looks at some entries of each contract, however many it has. */
  Set<ContractAddress> contractsWithPending(Entries stored) {
    return ofEach(Layout.PENDING, Layout::pendingContract, Layout::pending, stored);
  }

  /**
   * A few entries at a time, and what is left of the last one's is skipped: mostly each has one or
   * two, and a database that is far away is asked for many by one question.
   */
  private <T> Set<T> ofEach(
      Key region, Function<Key, T> read, Function<T, Key> prefix, Entries stored) {
    var until = KeyRange.startingWith(region).until();
    var all = new HashSet<T>();
    var from = region;
    List<T> page;
    do {
      page =
          stored.list(
              new KeyRange(from, until),
              Order.ASCENDING,
              LOOKED_AT_TOGETHER,
              (key, nothing) -> read.apply(key));
      all.addAll(page);
      from = page.isEmpty() ? from : prefix.apply(page.getLast()).number(Long.MAX_VALUE);
    } while (page.size() == LOOKED_AT_TOGETHER);
    return Set.copyOf(all);
  }

  List<Intent> before(long order, int limit, Entries stored) {
    return stored.list(
        KeyRange.numbered(Layout.INTENTS, 0, order - 1),
        Order.DESCENDING,
        limit,
        (key, value) -> decode(value, key.lastNumber()));
  }

  List<Intent> publicsBefore(long order, int limit, Entries stored) {
    return numbered(
        KeyRange.numbered(Layout.PUBLICS, 0, order - 1), Order.DESCENDING, limit, stored);
  }

  /** In the order given, but for what is forgotten, maybe since its order was read. */
  private List<Intent> at(List<Long> orders, Entries stored) {
    var found = stored.all(orders.stream().map(Layout::intent).toList());
    return orders.stream()
        .filter(order -> found.containsKey(Layout.intent(order)))
        .map(order -> decode(found.get(Layout.intent(order)), order))
        .toList();
  }

  Intent decode(byte[] bytes, long order) {
    var rest = Arrays.copyOfRange(bytes, Numbered.SINCE_BYTES, bytes.length);
    return values.decode(rest, Intent.class).at(order, Layout.time(bytes));
  }

  private Optional<Place> place(Optional<byte[]> bytes) {
    return bytes.map(
        value ->
            values
                .decode(Arrays.copyOfRange(value, Long.BYTES, value.length), Place.class)
                .at(Layout.number(value)));
  }
}
