package dev.sequitur.simulation;

import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.messaging.MessageBookEvent;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.schedule.queue.QueueEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What a node still has after a crash: its journals and its node store. */
final class Disk {
  final Map<ContractAddress, Journals> journals = new HashMap<>();
  final List<QueueEvent> queue = new ArrayList<>();
  final List<SubmitterEvent> publicSubmitter = new ArrayList<>();
  final Map<TransactionId, Intent> intents = new LinkedHashMap<>();
  final Map<TransactionId, Receipt> receipts = new LinkedHashMap<>();
  final Map<TransactionId, Prepared> prepared = new LinkedHashMap<>();
  final Map<StateId, PrivateState> contents = new HashMap<>();

  /** Of what has ended, what nobody finds any more but by its id. */
  final Set<TransactionId> forgotten = new HashSet<>();

  final Set<StateId> forgottenContents = new HashSet<>();

  /** What blocks up to this height have spent is forgotten. */
  long forgottenUpTo;

  /** Groups whose committee has changed, as read last. */
  final Map<ContractAddress, PrivacyGroup> committees = new HashMap<>();

  final Map<GroupId, StoredGroup> groups = new LinkedHashMap<>();
  private final Map<ContractAddress, Map<NodeName, NavigableMap<Long, GroupMessage>>> messages =
      new HashMap<>();
  IndexedTo indexedTo = new IndexedTo(BlockHeight.ZERO, new Hash(0, 0, 0, 0));
  Optional<ReadSoFar> readSoFar = Optional.empty();

  /** As it is now: a backup, whatever happens here afterwards. */
  Disk copy() {
    var copy = new Disk();
    journals.forEach((contract, of) -> copy.journals.put(contract, of.copy()));
    copy.queue.addAll(queue);
    copy.publicSubmitter.addAll(publicSubmitter);
    copy.intents.putAll(intents);
    copy.receipts.putAll(receipts);
    copy.prepared.putAll(prepared);
    copy.contents.putAll(contents);
    copy.forgotten.addAll(forgotten);
    copy.forgottenContents.addAll(forgottenContents);
    copy.forgottenUpTo = forgottenUpTo;
    copy.committees.putAll(committees);
    copy.groups.putAll(groups);
    messages.forEach(
        (contract, bySender) ->
            bySender.forEach((from, all) -> copy.messages(contract, from).putAll(all)));
    copy.indexedTo = indexedTo;
    copy.readSoFar = readSoFar;
    return copy;
  }

  /** Of one contract. */
  record Journals(
      List<SenderEvent> sender,
      List<SubmitterEvent> submitter,
      List<StateStoreEvent> states,
      List<MessageBookEvent> messages) {
    Journals() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    private Journals copy() {
      return new Journals(
          new ArrayList<>(sender),
          new ArrayList<>(submitter),
          new ArrayList<>(states),
          new ArrayList<>(messages));
    }
  }

  Journals journals(ContractAddress contract) {
    return journals.computeIfAbsent(contract, c -> new Journals());
  }

  /** Of one sender, by number. */
  NavigableMap<Long, GroupMessage> messages(ContractAddress contract, NodeName from) {
    return messages
        .computeIfAbsent(contract, c -> new TreeMap<>())
        .computeIfAbsent(from, node -> new TreeMap<>());
  }

  void put(GroupMessage message) {
    messages(message.contract(), message.from()).putIfAbsent(message.number(), message);
  }

  /** But for the newest. */
  void forget(ContractAddress contract, NodeName from, int keep) {
    var all = messages(contract, from);
    while (all.size() > keep) {
      all.pollFirstEntry();
    }
  }

  /** Ascending. */
  List<Long> newestNumbers(ContractAddress contract, NodeName from, int most) {
    return messages(contract, from).descendingKeySet().stream().limit(most).toList().reversed();
  }

  Map<NodeName, Long> newestMessages(ContractAddress contract) {
    var newest = new TreeMap<NodeName, Long>();
    messages
        .getOrDefault(contract, Map.of())
        .forEach(
            (from, all) -> {
              if (!all.isEmpty()) {
                newest.put(from, all.lastKey());
              }
            });
    return newest;
  }

  /**
   * A receipt stays, unless a success on the ledger comes after a failure (CNF-2), or at another
   * place (CNF-11).
   *
   * @return whether it was stored
   */
  boolean complete(Receipt receipt) {
    var earlier = receipts.get(receipt.transaction());
    if (earlier != null && !receipt.replaces(earlier)) {
      return false;
    }
    receipts.put(receipt.transaction(), receipt);
    forgotten.remove(receipt.transaction());
    return true;
  }

  /** What is found by its id. */
  Optional<PrivateState> state(StateId id) {
    return Optional.ofNullable(contents.get(id)).filter(found -> !forgottenContents.contains(id));
  }

  /** As it comes, however often. */
  void put(PrivateState state) {
    contents.put(state.id(), state);
    forgottenContents.remove(state.id());
  }

  /** What is found by its id. */
  Optional<Intent> intent(TransactionId id) {
    return Optional.ofNullable(intents.get(id)).filter(found -> !forgotten.contains(id));
  }

  /** What is found by its id. */
  Optional<Receipt> receipt(TransactionId id) {
    return Optional.ofNullable(receipts.get(id)).filter(found -> !forgotten.contains(id));
  }

  Optional<Intent> byKey(IdempotencyKey key) {
    return intents.values().stream()
        .filter(intent -> intent.idempotencyKey().filter(key::equals).isPresent())
        .findFirst();
  }

  /** Whether it takes the place of the receipt of this very intent. */
  boolean replaces(Receipt late, IntentKey intent) {
    var receipt = receipts.get(intent.transaction());
    return receipt != null
        && late.replaces(receipt)
        && intents
            .get(intent.transaction())
            .privately()
            .filter(it -> it.key().equals(intent))
            .isPresent();
  }

  /** Public transactions without a receipt. */
  List<Intent> publicPending(long after, int limit) {
    return intents.values().stream()
        .filter(intent -> intent.publicly().isPresent())
        .filter(intent -> !receipts.containsKey(intent.transaction().id()))
        .filter(intent -> intent.order() > after)
        .limit(limit)
        .toList();
  }

  /** What makes a group and has no receipt. */
  List<Intent> newGroupsPending(long after, int limit) {
    return intents.values().stream()
        .filter(intent -> intent.newGroup().isPresent())
        .filter(intent -> !receipts.containsKey(intent.transaction().id()))
        .filter(intent -> intent.order() > after)
        .limit(limit)
        .toList();
  }

  List<Intent> pending(ContractAddress contract, long after, int limit) {
    return intents.values().stream()
        .filter(
            intent -> intent.privately().filter(it -> it.contract().equals(contract)).isPresent())
        .filter(intent -> !forgotten.contains(intent.transaction().id()))
        .filter(intent -> !receipts.containsKey(intent.transaction().id()))
        .filter(intent -> intent.order() > after)
        .limit(limit)
        .toList();
  }
}
