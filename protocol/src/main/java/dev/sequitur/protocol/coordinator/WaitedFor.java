package dev.sequitur.protocol.coordinator;

import static java.util.stream.Collectors.groupingBy;

import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Asked;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Other;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Turn;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Waiting;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What a coordinator tells senders of what their transactions wait for (HBT-6). */
final class WaitedFor {
  private final CoordinatorStep step;
  private final Map<NodeName, List<Waiting>> bySender = new HashMap<>();

  private WaitedFor(CoordinatorStep step) {
    this.step = step;
  }

  /** By the node of their sender. */
  static Map<NodeName, List<Waiting>> waiting(CoordinatorStep step) {
    var waitedFor = new WaitedFor(step);
    waitedFor.endorsements();
    waitedFor.turns();
    waitedFor.others();
    return waitedFor.bySender;
  }

  /** Whether it is so for longer than an answer takes. */
  static boolean isLong(CoordinatorStep step, Instant since) {
    var heartbeats = step.setup.settings().heartbeats();
    return !since.isAfter(step.now().minus(heartbeats.coordinatorFailureThreshold()));
  }

  private void tell(NodeName sender, Waiting waiting) {
    bySender.computeIfAbsent(sender, node -> new ArrayList<>()).add(waiting);
  }

  private int most() {
    return step.setup.settings().limits().attestationBatch();
  }

  private void endorsements() {
    for (var batch : step.state().attestations().open().values()) {
      var asked = Endorsing.unanswered(step, batch);
      if (!asked.isEmpty()) {
        Endorsing.members(step, batch)
            .collect(groupingBy(id -> step.get(id).sender()))
            .forEach((sender, ids) -> tell(sender, new Waiting(ids(ids), asked)));
      }
    }
  }

  private static List<TransactionId> ids(List<IntentKey> keys) {
    return keys.stream().map(IntentKey::transaction).toList();
  }

  /** Of all that is queued. What is put off stands in no line. */
  private void turns() {
    var lines = new LinkedHashMap<NodeName, List<CoordinatedTransaction>>();
    for (var sender : Assembling.turns(step)) {
      var queued = queued(sender);
      if (step.state().isHeldOff(sender, step.now())) {
        heldOff(sender, queued);
      } else {
        putOff(queued);
        lines.put(sender, queued.stream().filter(each -> !isPutOff(each)).toList());
      }
    }
    var senders = List.copyOf(lines.keySet());
    for (int place = 0; place < senders.size(); place++) {
      turns(senders, place, lines);
    }
  }

  private List<CoordinatedTransaction> queued(NodeName sender) {
    return step.state().waiting().bySender().get(sender).values().stream()
        .distinct()
        .map(step::get)
        .filter(queued -> queued != null && queued.state() == CoordinatedState.QUEUED)
        .toList();
  }

  private boolean isPutOff(CoordinatedTransaction queued) {
    return queued.notBefore().isAfter(step.now());
  }

  /** Its sender has held up the others, and has its turn later because of that (DSP-8). */
  private void heldOff(NodeName sender, List<CoordinatedTransaction> queued) {
    if (queued.isEmpty()) {
      return;
    }
    var said =
        "its turn at %s, which is not before %s, since %s left the last questions of its coordinator unanswered, or answered them late and in vain"
            .formatted(
                step.setup.self(),
                step.state().silences().get(sender).until().truncatedTo(ChronoUnit.SECONDS),
                sender);
    var turn =
        List.of(
            new Asked(queued.getFirst().transaction().from(), step.now(), 0, Optional.of(said)));
    for (int first = 0; first < queued.size(); first += most()) {
      var part = queued.subList(first, Math.min(first + most(), queued.size()));
      tell(sender, new Waiting(part.stream().map(CoordinatedTransaction::id).toList(), turn));
    }
  }

  private void putOff(List<CoordinatedTransaction> queued) {
    for (var each : queued) {
      if (isPutOff(each)) {
        var setbacks = each.setbacks();
        var refuser = setbacks.refuser().filter(who -> setbacks.conflicts() == 0);
        var said =
            "its next turn at %s, which is not before %s, since %s"
                .formatted(
                    step.setup.self(),
                    each.notBefore().truncatedTo(ChronoUnit.SECONDS),
                    refuser
                        .map(who -> who + " has refused it")
                        .orElse("it would have spent what others here spend"));
        var from = refuser.orElse(each.transaction().from());
        var asked = new Asked(from, step.now(), 0, Optional.of(said));
        tell(each.sender(), new Waiting(List.of(each.id()), List.of(asked)));
      }
    }
  }

  /**
   * The places of one sender's transactions, by rounds: in each of them each sender has a batch
   * assembled.
   */
  private void turns(
      List<NodeName> senders, int place, Map<NodeName, List<CoordinatedTransaction>> lines) {
    var sender = senders.get(place);
    var own = lines.get(sender);
    int batch = step.setup.settings().limits().assembleBatch();
    var out = step.state().assembling();
    int beforeAll = out.map(assembling -> assembling.remaining().size()).orElse(0);
    var first = out.flatMap(assembling -> assembling.remaining().stream().findFirst());
    var standing = first.map(step::get).map(WaitedFor::other);
    int from = 0;
    while (from < own.size() && isLong(step, own.get(from).since())) {
      int round = from / batch;
      int to = Math.min(own.size(), Math.min((round + 1) * batch, from + most()));
      long before = (long) beforeAll + from;
      for (int other = 0; other < senders.size(); other++) {
        if (other != place) {
          long turnsBefore = other < place ? round + 1L : round;
          before += Math.min(turnsBefore * batch, lines.get(senders.get(other)).size());
        }
      }
      var part =
          own.subList(from, to).stream()
              .takeWhile(each -> isLong(step, each.since()))
              .map(CoordinatedTransaction::id)
              .toList();
      tell(sender, Waiting.inLine(part, new Turn(Math.toIntExact(before), standing)));
      from = to;
    }
  }

  private static Other other(CoordinatedTransaction transaction) {
    return new Other(transaction.id(), transaction.transaction().from(), transaction.since());
  }

  /** What is endorsed, or may be dispatched, and comes after others that are not. */
  private void others() {
    var last = new HashMap<IntentKey, IntentKey>();
    var together = new HashMap<NodeName, Map<IntentKey, List<IntentKey>>>();
    for (var transaction : step.state().transactions().values()) {
      if (isLong(step, transaction.since())) {
        var inTheWay = inTheWay(transaction.key(), last);
        if (!inTheWay.equals(transaction.key())) {
          together
              .computeIfAbsent(transaction.sender(), sender -> new HashMap<>())
              .computeIfAbsent(inTheWay, key -> new ArrayList<>())
              .add(transaction.key());
        }
      }
    }
    together.forEach((sender, all) -> all.forEach((other, keys) -> after(sender, other, keys)));
  }

  private void after(NodeName sender, IntentKey inTheWay, List<IntentKey> keys) {
    var other = step.get(inTheWay);
    var asked =
        other
            .progress()
            .batch()
            .map(
                number ->
                    Endorsing.unanswered(step, step.state().attestations().open().get(number)))
            .orElse(List.of());
    for (int first = 0; first < keys.size(); first += most()) {
      var part = keys.subList(first, Math.min(first + most(), keys.size()));
      tell(sender, Waiting.after(other(other), asked, ids(part)));
    }
  }

  /**
   * What it comes after, and what that comes after, to the one that all of them wait for; itself if
   * it waits for none.
   *
   * @param known of what was looked at before
   */
  private IntentKey inTheWay(IntentKey transaction, Map<IntentKey, IntentKey> known) {
    var way = new ArrayList<IntentKey>();
    var last = transaction;
    for (var next = Optional.of(last); next.isPresent(); next = before(last)) {
      last = next.get();
      if (known.containsKey(last)) {
        last = known.get(last);
        break;
      }
      way.add(last);
    }
    for (var each : way) {
      known.put(each, last);
    }
    return last;
  }

  /** One that it comes after and that keeps it where it is. */
  private Optional<IntentKey> before(IntentKey id) {
    var transaction = step.get(id);
    if (transaction.state() == CoordinatedState.ATTESTATION && transaction.endorsed()) {
      return transaction.isExternal()
          ? before(id, other -> true)
          : before(id, other -> !other.isReady());
    }
    if (transaction.state() == CoordinatedState.CONFIRMATION && transaction.granted()) {
      return before(id, other -> other.state() != CoordinatedState.DISPATCHED);
    }
    return Optional.empty();
  }

  private Optional<IntentKey> before(IntentKey id, Predicate<CoordinatedTransaction> keepsIt) {
    return step.state().graph().node(id).orElseThrow().predecessors().stream()
        .map(step::get)
        .filter(other -> other != null && keepsIt.test(other))
        .map(CoordinatedTransaction::key)
        .findFirst();
  }
}
