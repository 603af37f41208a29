package dev.sequitur.persistence.store;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.EventNumbers;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.port.RoomStore;
import dev.sequitur.protocol.room.Room;
import dev.sequitur.protocol.room.Room.Forgotten;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A node store for tests: keeps everything in memory and forgets it with the process. Every future
 * is complete when it is returned.
 */
public class InMemoryNodeStore implements NodeStore {
  private final List<Intent> intents = new ArrayList<>();
  private final List<NumberedReceipt> receipts = new ArrayList<>();
  private final Map<TransactionId, Intent> byId = new HashMap<>();
  private final Map<IdempotencyKey, Intent> byKey = new HashMap<>();
  private final Map<TransactionId, NumberedReceipt> endings = new HashMap<>();
  private final Map<OfOthers, NumberedReceipt> endingsOfOthers = new LinkedHashMap<>();
  private final Map<ListenerKind, Map<String, Listener>> listeners =
      new EnumMap<>(ListenerKind.class);
  private final List<NumberedMessage> messages = new ArrayList<>();
  private long lastMessage;
  private final AtomicLong nanos = new AtomicLong();
  private final TimesOfAcceptance times = new TimesOfAcceptance(nanos::get);
  private Instant lastCreated = Instant.EPOCH;
  private final Map<Hash, StoredAbi> abis = new HashMap<>();
  private int abisRead;
  private final Map<ContractAddress, AgreedChange> changes = new HashMap<>();
  private final Map<GroupId, StoredGroup> groups = new HashMap<>();
  private final AtomicLong groupsRead = new AtomicLong();
  private final AtomicLong knownRead = new AtomicLong();
  private final NavigableMap<ContractAddress, KnownGroup> known = new TreeMap<>();
  private final NavigableSet<ChangedGroup> changed =
      new TreeSet<>(
          Comparator.comparing(ChangedGroup::block).thenComparing(ChangedGroup::contract));

  /** Who has withdrawn a group, in the order of that. */
  private final Map<GroupId, NodeName> withdrawn = new LinkedHashMap<>();

  private final Map<TransactionId, Prepared> prepared = new HashMap<>();
  private final Map<TransactionId, Forgotten> forgotten = new HashMap<>();
  private volatile boolean aged;
  private volatile Optional<Bound> upTo = Optional.empty();
  private final Map<StateId, PrivateState> states = new HashMap<>();
  private final AtomicLong contentsKept = new AtomicLong();
  private Optional<ReadSoFar> readSoFar = Optional.empty();
  private volatile Supplier<CompletionStage<Optional<Hindrance>>> hindrance =
      () -> CompletableFuture.completedFuture(Optional.empty());

  /** What keeps it from writing, as a test wants it. */
  public void hinderBy(Supplier<CompletionStage<Optional<Hindrance>>> what) {
    hindrance = what;
  }

  /** How often a description was read. */
  public synchronized int abisRead() {
    return abisRead;
  }

  public synchronized int intentCount() {
    return intents.size();
  }

  /** So long it has been open, whatever clocks say. */
  public void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /** What has ended, as if it had done so long ago. */
  public synchronized void forget(TransactionId id) {
    var ended = endings.remove(id);
    byId.remove(id);
    prepared.remove(id);
    var receipt = ended.receipt();
    forgotten.put(
        id,
        new Forgotten(id, receipt.contract(), ended.own(), receipt.success(), receipt.indexed()));
  }

  /** Up to here all is forgotten, as if there had been more. */
  public void forgottenUpTo(Bound bound) {
    upTo = Optional.of(bound);
  }

  @Override
  public CompletionStage<Optional<Bound>> forgottenUpTo(Kept kept) {
    return answer(() -> kept == Kept.CONTENTS ? upTo : Optional.empty());
  }

  /** All that has ended is older than anybody keeps it. */
  public void age() {
    aged = true;
  }

  @Override
  public CompletionStage<RoomStore.Page> ended(Kept kept, Optional<Long> from, int limit) {
    long first = from.orElse(1L);
    return aged && kept == Kept.CONTENTS
        ? receipts(first - 1, limit)
            .thenApply(
                all ->
                    new RoomStore.Page(
                        first,
                        all.stream()
                            .map(each -> new Room.Row(each.sequence(), Instant.EPOCH, false))
                            .toList()))
        : NodeStore.super.ended(kept, from, limit);
  }

  @Override
  public CompletionStage<List<Ended>> whole(RoomStore.Page page, int rows) {
    return receipts(page.from() - 1, rows).thenApply(all -> all.stream().map(this::whole).toList());
  }

  private Ended whole(NumberedReceipt receipt) {
    var id = receipt.receipt().transaction();
    var spent =
        receipt.receipt().onLedger().stream()
            .flatMap(place -> place.spent().stream())
            .flatMap(state -> Optional.ofNullable(states.get(state)).stream())
            .toList();
    return new Ended(
        receipt,
        Optional.empty(),
        Optional.ofNullable(byId.get(id)),
        Optional.ofNullable(prepared.get(id)),
        spent);
  }

  @Override
  public CompletionStage<Optional<Forgotten>> forgotten(TransactionId id) {
    return answer(() -> Optional.ofNullable(forgotten.get(id)));
  }

  @Override
  public CompletionStage<Optional<Hindrance>> hindrance() {
    return hindrance.get();
  }

  @Override
  public CompletionStage<Optional<AgreedChange>> agree(AgreedChange agreed) {
    return answer(
        () -> {
          var open =
              Optional.ofNullable(changes.get(agreed.contract())).filter(it -> it.phase().isOpen());
          if (open.isEmpty()
              && changes.values().stream().filter(it -> it.phase().isOpen()).count() < MOST_OPEN) {
            changes.put(agreed.contract(), agreed);
            return Optional.of(agreed);
          }
          return open;
        });
  }

  @Override
  public CompletionStage<Optional<AgreedChange>> join(AgreedChange now) {
    return answer(
        () ->
            Optional.ofNullable(
                changes.computeIfPresent(
                    now.contract(), (contract, before) -> before.joined(now))));
  }

  @Override
  public CompletionStage<Optional<AgreedChange>> agreed(ContractAddress contract) {
    return answer(() -> Optional.ofNullable(changes.get(contract)));
  }

  @Override
  public CompletionStage<List<AgreedChange>> openChanges() {
    return answer(
        () ->
            changes.values().stream()
                .filter(it -> it.phase().isOpen())
                .sorted(Comparator.comparing(it -> it.contract().value()))
                .toList());
  }

  @Override
  public CompletionStage<Acceptance> accept(List<Intent> batch) {
    return answer(() -> decide(batch));
  }

  private Acceptance decide(List<Intent> batch) {
    var ids = new ArrayList<TransactionId>();
    var fresh = new LinkedHashMap<TransactionId, Intent>();
    for (var intent : batch) {
      var original = earlier(intent, fresh);
      if (original.isPresent() && !original.get().bodyHash().equals(intent.bodyHash())) {
        return new Acceptance.IdempotencyConflict(
            intent
                .idempotencyKey()
                .map(IdempotencyKey::name)
                .orElse(intent.transaction().id().toString()),
            original.get().transaction().id());
      }
      if (original.isEmpty()) {
        long order = intents.size() + fresh.size() + 1L;
        var dating = times.dating();
        var dated = ordered(dating.dated(intent, lastCreated), order);
        dating.keep();
        lastCreated = dated.created();
        fresh.put(intent.transaction().id(), dated);
      }
      ids.add(original.orElse(intent).transaction().id());
    }
    fresh.values().forEach(this::add);
    return new Acceptance.Accepted(List.copyOf(ids), List.copyOf(fresh.values()));
  }

  @Override
  public CompletionStage<Void> change(PublicTransaction changed) {
    return answer(
        () -> {
          intents.replaceAll(
              each -> each.transaction().id().equals(changed.id()) ? each.as(changed) : each);
          byId.computeIfPresent(changed.id(), (id, each) -> each.as(changed));
          byKey.replaceAll(
              (key, each) ->
                  each.transaction().id().equals(changed.id()) ? each.as(changed) : each);
          return null;
        });
  }

  private Optional<Intent> earlier(Intent intent, Map<TransactionId, Intent> fresh) {
    var id = intent.transaction().id();
    return intent
        .idempotencyKey()
        .flatMap(
            key ->
                Optional.ofNullable(byKey.get(key))
                    .or(
                        () ->
                            fresh.values().stream()
                                .filter(f -> f.idempotencyKey().equals(Optional.of(key)))
                                .findFirst()))
        .or(() -> Optional.ofNullable(fresh.get(id)))
        .or(() -> Optional.ofNullable(byId.get(id)));
  }

  private void add(Intent intent) {
    intents.add(intent);
    byId.put(intent.transaction().id(), intent);
    intent.idempotencyKey().ifPresent(key -> byKey.put(key, intent));
  }

  private static Intent ordered(Intent intent, long order) {
    return new Intent(
        order, intent.created(), intent.idempotencyKey(), intent.bodyHash(), intent.transaction());
  }

  @Override
  public CompletionStage<Optional<Intent>> intent(TransactionId id) {
    return answer(() -> Optional.ofNullable(byId.get(id)));
  }

  @Override
  public CompletionStage<Optional<TransactionId>> intentByIdempotencyKey(IdempotencyKey key) {
    return answer(() -> Optional.ofNullable(byKey.get(key)).map(i -> i.transaction().id()));
  }

  @Override
  public CompletionStage<List<Intent>> intentsByKeyName(String name, int limit) {
    return answer(
        () ->
            byKey.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(name))
                .map(Map.Entry::getValue)
                .sorted(Comparator.comparing(Intent::order).reversed())
                .limit(limit)
                .toList());
  }

  @Override
  public CompletionStage<List<Intent>> open(Open which, Page page) {
    return answer(
        () ->
            (page.newestFirst() ? intents.reversed() : intents)
                .stream()
                    .filter(this::isPending)
                    .filter(intent -> is(intent, which))
                    .filter(
                        intent ->
                            page.newestFirst()
                                ? intent.order() < page.beyond()
                                : intent.order() > page.beyond())
                    .limit(Math.max(0, page.limit()))
                    .toList());
  }

  private static boolean is(Intent intent, Open which) {
    return switch (which) {
      case Open.All() -> true;
      case Open.Of(var contract) ->
          intent.privately().filter(it -> it.contract().equals(contract)).isPresent();
      case Open.Publics() -> intent.publicly().isPresent();
    };
  }

  @Override
  public CompletionStage<Set<ContractAddress>> contractsWithPending() {
    return answer(
        () ->
            intents.stream()
                .filter(this::isPending)
                .flatMap(intent -> intent.privately().stream())
                .map(PrivateTransaction::contract)
                .collect(Collectors.toUnmodifiableSet()));
  }

  @Override
  public CompletionStage<List<Intent>> publicPending(Identity from, long after, int limit) {
    return answer(
        () ->
            intents.stream()
                .filter(this::isPending)
                .filter(it -> it.publicly().filter(p -> p.from().equals(from)).isPresent())
                .filter(intent -> intent.order() > after)
                .limit(limit)
                .toList());
  }

  @Override
  public CompletionStage<List<TransactionId>> dependants(
      ContractAddress contract, TransactionId of, int limit) {
    return answer(
        () ->
            intents.stream()
                .filter(this::isPending)
                .flatMap(intent -> intent.privately().stream())
                .filter(it -> it.contract().equals(contract) && it.dependsOn().contains(of))
                .map(PrivateTransaction::id)
                .limit(Math.max(0, limit))
                .toList());
  }

  @Override
  public CompletionStage<Set<Identity>> sendersWithPublicPending() {
    return answer(
        () ->
            intents.stream()
                .filter(this::isPending)
                .flatMap(intent -> intent.publicly().stream())
                .map(PublicTransaction::from)
                .collect(Collectors.toUnmodifiableSet()));
  }

  @Override
  public CompletionStage<List<Intent>> newGroupsPending(long after, int limit) {
    return answer(
        () ->
            intents.stream()
                .filter(this::isPending)
                .filter(intent -> intent.newGroup().isPresent() && intent.order() > after)
                .limit(Math.max(0, limit))
                .toList());
  }

  private boolean isPending(Intent intent) {
    return !endings.containsKey(intent.transaction().id());
  }

  @Override
  public CompletionStage<List<Intent>> intents(Optional<Long> before, int limit) {
    return answer(
        () ->
            intents.stream()
                .sorted(Comparator.comparing(Intent::order).reversed())
                .filter(intent -> intent.order() < before.orElse(Long.MAX_VALUE))
                .limit(Math.max(0, limit))
                .toList());
  }

  @Override
  public CompletionStage<List<Intent>> publics(Optional<Long> before, int limit) {
    return intents(before, Integer.MAX_VALUE)
        .thenApply(
            all ->
                all.stream()
                    .filter(intent -> intent.publicly().isPresent())
                    .limit(Math.max(0, limit))
                    .toList());
  }

  @Override
  public CompletionStage<Optional<TransactionId>> publicByNonce(Receipt.Nonce nonce) {
    return publicBy(
        receipt ->
            receipt.called().filter(it -> it.nonce().equals(Optional.of(nonce))).isPresent());
  }

  @Override
  public CompletionStage<Optional<TransactionId>> publicByHash(TransactionHash hash) {
    return publicBy(
        receipt ->
            receipt.called().isPresent()
                && receipt.onLedger().filter(place -> place.hash().equals(hash)).isPresent());
  }

  private CompletionStage<Optional<TransactionId>> publicBy(Predicate<Receipt> which) {
    return answer(
        () ->
            receipts.stream()
                .map(NumberedReceipt::receipt)
                .filter(which)
                .map(Receipt::transaction)
                .findFirst());
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> complete(List<Receipt> batch) {
    return answer(() -> batch.stream().flatMap(this::complete).toList());
  }

  private Stream<NumberedReceipt> complete(Receipt receipt) {
    var last = endings.get(receipt.transaction());
    if (last != null && !receipt.replaces(last.receipt())) {
      return Stream.empty();
    }
    var numbered = new NumberedReceipt(receipts.size() + 1L, receipt);
    receipts.add(numbered);
    endings.put(receipt.transaction(), numbered);
    return Stream.of(numbered);
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> confirm(
      Map<IntentKey, Receipt> confirmations, Set<IntentKey> known) {
    return answer(
        () ->
            confirmations.entrySet().stream()
                .flatMap(
                    entry ->
                        known.contains(entry.getKey())
                            ? complete(entry.getValue())
                            : confirm(entry.getKey(), entry.getValue()))
                .toList());
  }

  private Stream<NumberedReceipt> confirm(IntentKey intent, Receipt receipt) {
    if (isOwn(intent, receipt.contract())) {
      return Optional.ofNullable(endings.get(intent.transaction()))
              .filter(last -> receipt.replaces(last.receipt()))
              .isPresent()
          ? complete(receipt)
          : Stream.empty();
    }
    var key = new OfOthers(intent, receipt.contract());
    if (!endingsOfOthers.containsKey(key) || receipt.replaces(endingsOfOthers.get(key).receipt())) {
      appendOfOthers(key, receipt);
    }
    return Stream.empty();
  }

  private record OfOthers(IntentKey intent, ContractAddress contract) {}

  private void appendOfOthers(OfOthers intent, Receipt receipt) {
    var numbered = new NumberedReceipt(receipts.size() + 1L, receipt, false);
    receipts.add(numbered);
    endingsOfOthers.put(intent, numbered);
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> firstOfOthers(
      TransactionId id, Optional<ContractAddress> after, int limit) {
    return answer(
        () -> {
          var first = new TreeMap<String, NumberedReceipt>();
          endingsOfOthers.forEach(
              (key, numbered) -> {
                if (key.intent().transaction().equals(id)) {
                  first.putIfAbsent(key.contract().value(), numbered);
                }
              });
          return first
              .tailMap(after.map(ContractAddress::value).orElse(""), false)
              .values()
              .stream()
              .limit(Math.max(0, limit))
              .toList();
        });
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> correct(List<NumberedReceipt> corrections) {
    return answer(() -> corrections.stream().flatMap(this::correct).toList());
  }

  private Stream<NumberedReceipt> correct(NumberedReceipt correction) {
    var receipt = correction.receipt();
    if (correction.own()) {
      var last = endings.get(receipt.transaction());
      if (last == null || last.sequence() != correction.sequence()) {
        return Stream.empty();
      }
      var numbered = new NumberedReceipt(receipts.size() + 1L, receipt);
      receipts.add(numbered);
      endings.put(receipt.transaction(), numbered);
      return Stream.of(numbered);
    }
    endingsOfOthers.entrySet().stream()
        .filter(each -> each.getValue().sequence() == correction.sequence())
        .map(Map.Entry::getKey)
        .findFirst()
        .ifPresent(intent -> appendOfOthers(intent, receipt));
    return Stream.empty();
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> receiptsOfOthers(TransactionId id, int limit) {
    return answer(
        () ->
            endingsOfOthers.entrySet().stream()
                .filter(entry -> entry.getKey().intent().transaction().equals(id))
                .map(Map.Entry::getValue)
                .sorted(Comparator.comparingLong(NumberedReceipt::sequence))
                .limit(Math.max(0, limit))
                .toList());
  }

  private boolean isOwn(IntentKey key, ContractAddress contract) {
    var intent = byId.get(key.transaction());
    return intent != null
        && intent
            .privately()
            .filter(it -> it.key().equals(key) && it.contract().equals(contract))
            .isPresent();
  }

  @Override
  public CompletionStage<Optional<NumberedReceipt>> receipt(TransactionId id) {
    return answer(() -> Optional.ofNullable(endings.get(id)));
  }

  @Override
  public CompletionStage<List<NumberedReceipt>> receipts(long after, int limit) {
    return answer(
        () ->
            receipts.stream()
                .filter(receipt -> receipt.sequence() > after)
                .filter(it -> it.own() || !byId.containsKey(it.receipt().transaction()))
                .limit(Math.max(0, limit))
                .toList());
  }

  private Map<String, Listener> of(ListenerKind kind) {
    return listeners.computeIfAbsent(kind, first -> new HashMap<>());
  }

  @Override
  public CompletionStage<Void> putMessages(Instant at, List<Following> batch) {
    return answer(
        () -> {
          for (var each : batch) {
            var there = following(each);
            if (there.isPresent() && !there.get().equals(each.message())) {
              throw new IllegalStateException("Another message is there: " + there.get().id());
            }
          }
          for (var each : batch) {
            if (following(each).isEmpty()) {
              messages.add(new NumberedMessage(++lastMessage, at, each.message()));
            }
          }
          return null;
        });
  }

  /** What stands where it would. */
  private Optional<GroupMessage> following(Following place) {
    var message = place.message();
    return sent(message.contract(), message.from())
        .filter(each -> each.number() > place.after())
        .findFirst();
  }

  private Stream<GroupMessage> sent(ContractAddress contract, NodeName from) {
    return messages.stream()
        .map(NumberedMessage::message)
        .filter(each -> each.contract().equals(contract) && each.from().equals(from))
        .sorted(Comparator.comparing(GroupMessage::number));
  }

  @Override
  public CompletionStage<Void> forgetMessages(ContractAddress contract, NodeName from, int keep) {
    return answer(
        () -> {
          var sent = sent(contract, from).toList();
          var gone =
              sent.stream()
                  .limit(Math.clamp(sent.size() - (long) keep, 0, MOST_FORGOTTEN))
                  .collect(Collectors.toSet());
          messages.removeIf(each -> gone.contains(each.message()));
          return null;
        });
  }

  @Override
  public CompletionStage<Map<NodeName, Long>> newestMessages(ContractAddress contract) {
    return answer(
        () -> {
          var newest = new HashMap<NodeName, Long>();
          messages.stream()
              .map(NumberedMessage::message)
              .filter(message -> message.contract().equals(contract))
              .forEach(message -> newest.merge(message.from(), message.number(), Math::max));
          return newest;
        });
  }

  @Override
  public CompletionStage<List<Long>> newestNumbers(
      ContractAddress contract, NodeName from, int most) {
    return answer(
        () -> {
          var all = sent(contract, from).map(GroupMessage::number).toList();
          return all.subList(Math.max(0, all.size() - most), all.size());
        });
  }

  @Override
  public CompletionStage<List<GroupMessage>> messagesAfter(
      ContractAddress contract, NodeName from, long after, int limit) {
    return answer(
        () -> sent(contract, from).filter(each -> each.number() > after).limit(limit).toList());
  }

  @Override
  public CompletionStage<Optional<NumberedMessage>> message(GroupMessageId id) {
    return answer(
        () -> messages.stream().filter(each -> each.message().id().equals(id)).findFirst());
  }

  @Override
  public CompletionStage<List<NumberedMessage>> messages(long after, int limit) {
    return answer(
        () ->
            messages.stream()
                .filter(message -> message.sequence() > after)
                .limit(Math.max(0, limit))
                .toList());
  }

  @Override
  public CompletionStage<List<NumberedMessage>> messagesBefore(Optional<Long> before, int limit) {
    long sequence = before.orElse(Long.MAX_VALUE);
    return answer(
        () ->
            messages.stream()
                .filter(message -> message.sequence() < sequence)
                .sorted(Comparator.comparing(NumberedMessage::sequence).reversed())
                .limit(Math.max(0, limit))
                .toList());
  }

  /** Of this node; their numbers are this store's. */
  public ListenerStore listeners() {
    return new Listeners();
  }

  private final class Listeners implements ListenerStore {
    @Override
    public CompletionStage<Boolean> create(ListenerKind kind, Listener listener) {
      return answer(
          () -> {
            var existing = of(kind).putIfAbsent(listener.name(), listener);
            return existing == null || existing.properties().equals(listener.properties());
          });
    }

    @Override
    public CompletionStage<Optional<Listener>> find(ListenerKind kind, String name) {
      return answer(() -> Optional.ofNullable(of(kind).get(name)));
    }

    @Override
    public CompletionStage<Boolean> acknowledge(ListenerKind kind, Listener known, Taken taken) {
      return answer(
          () -> {
            var listener = of(kind).get(known.name());
            if (listener == null || !listener.isSameAs(known)) {
              return false;
            }
            long last =
                switch (kind) {
                  case RECEIPTS -> receipts.size();
                  case MESSAGES -> lastMessage;
                  case EVENTS, SCHEDULES, WEBHOOKS -> Long.MAX_VALUE;
                };
            if (taken.upTo() > last) {
              throw new IllegalArgumentException("Nothing of that number yet.");
            }
            of(kind).put(known.name(), listener.taken(taken));
            return true;
          });
    }

    @Override
    public CompletionStage<Boolean> change(ListenerKind kind, Listener known, Bytes properties) {
      return answer(
          () -> {
            var there =
                Optional.ofNullable(of(kind).get(known.name())).filter(known::isSameAs).isPresent();
            if (there) {
              of(kind).computeIfPresent(known.name(), (same, it) -> it.withProperties(properties));
            }
            return there;
          });
    }

    @Override
    public CompletionStage<Boolean> delete(ListenerKind kind, String name) {
      return answer(() -> of(kind).remove(name) != null);
    }

    @Override
    public CompletionStage<Boolean> stop(
        ListenerKind kind, String name, Optional<Instant> stopped) {
      return answer(
          () ->
              of(kind).computeIfPresent(name, (same, listener) -> listener.withStopped(stopped))
                  != null);
    }

    @Override
    public CompletionStage<List<Listener>> all(ListenerKind kind) {
      return answer(
          () -> of(kind).values().stream().sorted(Comparator.comparing(Listener::name)).toList());
    }
  }

  @Override
  public CompletionStage<Boolean> putAbi(StoredAbi abi) {
    return answer(
        () -> {
          var key = StoredAbi.key(abi.owner(), abi.hash());
          long own = abis.values().stream().filter(it -> it.owner().equals(abi.owner())).count();
          if (!abis.containsKey(key) && (abis.size() >= MOST_ABIS || own >= MOST_ABIS_OF_OWNER)) {
            return false;
          }
          abis.putIfAbsent(key, abi);
          return true;
        });
  }

  @Override
  public CompletionStage<Boolean> deleteAbi(String owner, Hash hash) {
    return answer(() -> abis.remove(StoredAbi.key(owner, hash)) != null);
  }

  @Override
  public CompletionStage<Optional<StoredAbi>> abi(String owner, Hash hash) {
    return answer(
        () -> {
          abisRead++;
          return Optional.ofNullable(abis.get(StoredAbi.key(owner, hash)));
        });
  }

  @Override
  public CompletionStage<List<AbiKey>> abiKeys() {
    return answer(
        () ->
            abis.values().stream()
                .map(StoredAbi::key)
                .sorted(Comparator.comparing(AbiKey::created).reversed())
                .toList());
  }

  @Override
  public CompletionStage<Void> putGroup(StoredGroup group) {
    return answer(
        () -> {
          var before = Optional.ofNullable(groups.get(group.id()));
          var known = before.map(it -> it.joined(group)).orElse(group);
          groups.put(group.id(), known);
          withdrawn.remove(group.id());
          known.withdrawnBy().ifPresent(giver -> queue(known.id(), giver));
          return null;
        });
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> putGiven(StoredGroup group) {
    return answer(
        () -> {
          if (!groups.containsKey(group.id()) && awaited(group.awaitedOf()) < MOST_AWAITED) {
            groups.put(group.id(), group);
            group.withdrawnBy().ifPresent(giver -> queue(group.id(), giver));
          }
          return Optional.ofNullable(groups.get(group.id()));
        });
  }

  private void queue(GroupId id, NodeName giver) {
    withdrawn.put(id, giver);
    var all = withdrawn.keySet().stream().filter(it -> withdrawn.get(it).equals(giver)).toList();
    if (all.size() > MOST_WITHDRAWN) {
      groups.remove(all.getFirst());
      withdrawn.remove(all.getFirst());
    }
  }

  private long awaited(Optional<NodeName> giver) {
    return groups.values().stream()
        .filter(group -> giver.isPresent() && group.awaitedOf().equals(giver))
        .count();
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> group(GroupId id) {
    return answer(() -> Optional.ofNullable(groups.get(id)));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> groupAt(ContractAddress contract) {
    return answer(
        () ->
            groups.values().stream()
                .filter(it -> it.group().map(PrivacyGroup::contract).equals(Optional.of(contract)))
                .findFirst());
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> groupOf(Hash deploy) {
    return answer(
        () ->
            groups.values().stream()
                .filter(
                    it -> it.deployment().filter(d -> d.call().hash().equals(deploy)).isPresent())
                .findFirst());
  }

  @Override
  public CompletionStage<Void> putKnown(StoredGroup group, KnownGroup now, BlockHeight at) {
    return putGroup(group)
        .thenAccept(
            done -> {
              known.put(now.contract(), now);
              changed.add(new ChangedGroup(at, now.contract()));
            });
  }

  @Override
  public CompletionStage<List<LocalMember>> groupsOf(
      Names names, Optional<LocalMember> after, int limit) {
    var order = Comparator.comparing(LocalMember::name).thenComparing(LocalMember::contract);
    return answer(
        () ->
            counted(
                known.values().stream()
                    .flatMap(group -> group.members().stream())
                    .filter(it -> names.have(it.name()))
                    .filter(it -> after.isEmpty() || order.compare(it, after.get()) > 0)
                    .sorted(order)
                    .limit(limit)));
  }

  @Override
  public CompletionStage<List<ChangedGroup>> changedGroups(
      BlockHeight above, BlockHeight upTo, Optional<ChangedGroup> after, int limit) {
    return answer(
        () ->
            counted(
                after.map(last -> changed.tailSet(last, false)).orElse(changed).stream()
                    .filter(it -> it.block().compareTo(above) > 0)
                    .filter(it -> it.block().compareTo(upTo) <= 0)
                    .limit(limit)));
  }

  @Override
  public CompletionStage<Optional<StoredGroup>> groupMadeBy(TransactionId genesis) {
    return answer(
        () ->
            groups.values().stream()
                .filter(group -> group.genesisTransaction().equals(Optional.of(genesis)))
                .findFirst());
  }

  @Override
  public CompletionStage<List<StoredGroup>> groups(Optional<StoredGroup> before, int limit) {
    var byAge =
        Comparator.comparing(StoredGroup::created)
            .thenComparing(group -> group.id().value())
            .reversed();
    return answer(
        () ->
            groups.values().stream()
                .filter(group -> before.isEmpty() || byAge.compare(group, before.get()) > 0)
                .sorted(byAge)
                .limit(limit)
                .peek(group -> groupsRead.incrementAndGet())
                .toList());
  }

  /** How many groups were read in pages. */
  public long groupsRead() {
    return groupsRead.get();
  }

  @Override
  public CompletionStage<List<StoredGroup>> unfinishedGroups() {
    return answer(() -> groups.values().stream().filter(StoredGroup::isUnfinished).toList());
  }

  @Override
  public CompletionStage<List<KnownGroup>> knownGroups(Optional<ContractAddress> after, int limit) {
    return answer(
        () ->
            counted(
                (after.isEmpty() ? known : known.tailMap(after.get(), false))
                    .values().stream().limit(limit)));
  }

  @Override
  public CompletionStage<List<KnownGroup>> known(Collection<ContractAddress> contracts) {
    return answer(
        () -> counted(contracts.stream().distinct().map(known::get).filter(Objects::nonNull)));
  }

  @Override
  public CompletionStage<List<KnownGroup>> submittedBy(Collection<LedgerAddress> submitters) {
    return answer(
        () -> counted(known.values().stream().filter(it -> submitters.contains(it.submitter()))));
  }

  private <T> List<T> counted(Stream<T> some) {
    return some.peek(row -> knownRead.incrementAndGet()).toList();
  }

  /** How many rows of what is kept of groups were read, in pages or by name. */
  public long knownRead() {
    return knownRead.get();
  }

  @Override
  public CompletionStage<Long> countKnown() {
    return answer(() -> (long) known.size());
  }

  @Override
  public CompletionStage<List<String>> localMembers(Optional<String> after, int limit) {
    return answer(
        () ->
            known.values().stream()
                .flatMap(group -> group.local().stream())
                .distinct()
                .sorted()
                .filter(name -> after.isEmpty() || name.compareTo(after.get()) > 0)
                .limit(limit)
                .toList());
  }

  @Override
  public CompletionStage<Void> putPrepared(Prepared newest) {
    return answer(
        () -> {
          prepared.putIfAbsent(newest.prepared().transaction(), newest);
          return null;
        });
  }

  @Override
  public CompletionStage<Optional<Prepared>> prepared(TransactionId id) {
    return answer(() -> Optional.ofNullable(prepared.get(id)));
  }

  @Override
  public CompletionStage<Void> putStates(List<PrivateState> kept) {
    return answer(
        () -> {
          kept.forEach(state -> states.put(state.id(), state));
          contentsKept.incrementAndGet();
          return null;
        });
  }

  @Override
  public CompletionStage<Void> eraseStates(ContractAddress contract, Collection<StateId> ids) {
    return answer(
        () -> {
          states
              .values()
              .removeIf(each -> each.contract().equals(contract) && ids.contains(each.id()));
          return null;
        });
  }

  @Override
  public long contentsKept() {
    return contentsKept.get();
  }

  @Override
  public CompletionStage<List<PrivateState>> states(
      ContractAddress contract, Collection<StateId> ids) {
    return answer(
        () ->
            ids.stream()
                .filter(states::containsKey)
                .map(states::get)
                .filter(state -> state.contract().equals(contract))
                .toList());
  }

  @Override
  public CompletionStage<List<PrivateState>> statesAfter(
      ContractAddress contract, Optional<StateId> after, int limit) {
    return answer(
        () ->
            states.values().stream()
                .filter(state -> state.contract().equals(contract))
                .sorted(Comparator.comparing(state -> state.id().toString()))
                .dropWhile(
                    state ->
                        after
                            .filter(id -> state.id().toString().compareTo(id.toString()) <= 0)
                            .isPresent())
                .limit(limit)
                .toList());
  }

  @Override
  public CompletionStage<Optional<ReadSoFar>> readSoFar() {
    return answer(() -> readSoFar);
  }

  @Override
  public CompletionStage<Void> putIndexedTo(IndexedTo to) {
    return answer(
        () -> {
          readSoFar = Optional.of(ReadSoFar.upTo(readSoFar, to));
          return null;
        });
  }

  @Override
  public CompletionStage<ReadSoFar.Reindex> beginReindex(IndexedTo from) {
    return answer(
        () -> {
          var before = readSoFar.orElseThrow(() -> new IllegalStateException("Nothing was read."));
          readSoFar = Optional.of(before.readAgain(from, receipts.size()));
          of(ListenerKind.EVENTS)
              .replaceAll(
                  (name, listener) ->
                      listener.setBack(
                          EventNumbers.lastOf(from.height().value()),
                          EventNumbers.lastOf(before.height().value())));
          return readSoFar.get().reindex().orElseThrow();
        });
  }

  @Override
  public CompletionStage<Void> endReindex(ReadSoFar.Reindex reindex) {
    return answer(
        () -> {
          readSoFar = readSoFar.map(read -> read.ended(reindex));
          return null;
        });
  }

  private synchronized <T> CompletionStage<T> answer(Supplier<T> answer) {
    try {
      return CompletableFuture.completedFuture(answer.get());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
