package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.coordinator.CoordinatorEffect.Count;
import dev.sequitur.protocol.coordinator.CoordinatorEffect.Counted;
import dev.sequitur.protocol.coordinator.CoordinatorState.Purpose;
import dev.sequitur.protocol.coordinator.CoordinatorState.Subject;
import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractEvent;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.selection.Ranking;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One step of a coordinator: the state as it is so far, and what every part of it needs. */
final class CoordinatorStep extends Step<CoordinatorState, Void, CoordinatorEffect> {
  final CoordinatorSetup setup;
  private final Set<IntentKey> released = new HashSet<>();
  private final Set<Long> left = new HashSet<>();
  private final Map<IntentKey, Optional<Exchange>> leaveWanted = new LinkedHashMap<>();

  CoordinatorStep(CoordinatorSetup setup, CoordinatorState state, Instant now) {
    super(state, now, (unchanged, nothing) -> unchanged);
    this.setup = setup;
  }

  /** The group as it is in the range that this node is in (SEL-10). */
  PrivacyGroup group() {
    return setup.selection().group(state().height());
  }

  Ranking ranking() {
    return setup.selection().ranking(setup.selection().range(state().height()));
  }

  /** The best member before this node that is known to live, and that no sender passes over. */
  Optional<NodeName> betterAlive() {
    return betterAlive(state().passedOver());
  }

  Optional<NodeName> betterAlive(Collection<NodeName> passedOver) {
    return state()
        .availability()
        .betterAlive(
            ranking(),
            setup.self(),
            passedOver,
            now(),
            setup.settings().heartbeats().coordinatorFailureThreshold());
  }

  CoordinatedTransaction get(IntentKey id) {
    return state().transactions().get(id);
  }

  /** Its sender is asked for leave to dispatch it, at the end of this step and with others. */
  void wantLeave(IntentKey id) {
    leaveWanted.putIfAbsent(id, Optional.empty());
  }

  /** So it is, in place of what it was asked before and has not answered. */
  void wantLeaveInPlaceOf(Exchange before, IntentKey id) {
    leaveWanted.put(id, Optional.of(before));
  }

  /**
   * Whose senders are to be asked for leave, each once, in the order in which they got ready; and
   * in place of what.
   */
  Map<IntentKey, Optional<Exchange>> takeLeaveWanted() {
    var taken = new LinkedHashMap<>(leaveWanted);
    leaveWanted.clear();
    return taken;
  }

  void put(CoordinatedTransaction transaction) {
    become(
        transaction.state() == CoordinatedState.GONE
            ? state().withTransactions(state().transactions().minus(transaction.key()))
            : state()
                .withTransactions(state().transactions().plus(transaction.key(), transaction)));
  }

  /** What a row of the table does with a transaction that it has moved. */
  interface Action {
    void run(CoordinatorStep step, CoordinatedTransaction moved);
  }

  /** Whether the table moves this transaction on {@code event}; then all its row says is done. */
  boolean move(IntentKey id, CoordinatedEvent event) {
    var transaction = get(id);
    return transaction != null
        && CoordinatorTables.TRANSACTION
            .move(
                transaction.state(),
                event,
                id,
                (next, action) -> {
                  var moved = transaction.in(next, now());
                  put(moved);
                  action.run(this, moved);
                  return moved;
                })
            .isPresent();
  }

  /**
   * Nobody is asked about it any more. What it was endorsed with is asked about all the same: see
   * {@link #takeLeft}.
   */
  void endRequests(CoordinatedTransaction transaction) {
    var progress = transaction.progress();
    progress
        .place()
        .ifPresent(
            place -> become(state().withAttestations(state().attestations().waitsNoMore(place))));
    progress.batch().ifPresent(left::add);
    progress.confirmation().ifPresent(request -> notAbout(request, transaction.key()));
  }

  /** The batches that a transaction has left, each once. */
  Set<Long> takeLeft() {
    var taken = Set.copyOf(left);
    left.clear();
    return taken;
  }

  /** Out of the graph, with its locks. */
  void takeOut(IntentKey id) {
    release(id);
    become(state().withGraph(state().graph().remove(id)));
  }

  /** In the graph as a lock only, until its end is known. */
  void withhold(IntentKey id) {
    become(state().withGraph(state().graph().withhold(id)));
  }

  /** Confirmed: in the graph as a lock only. */
  void settle(IntentKey id, BlockHeight height) {
    release(id);
    become(state().withGraph(state().graph().settle(id, height)));
  }

  private void release(IntentKey id) {
    state().graph().node(id).ifPresent(node -> released.addAll(node.dependants()));
  }

  /** Who came after something that is out of its way now, each once. */
  Set<IntentKey> takeReleased() {
    var taken = Set.copyOf(released);
    released.clear();
    return taken;
  }

  /** Whether the table moves the contract on {@code event}; then all its row says is done. */
  boolean move(ContractEvent event) {
    return CoordinatorTables.CONTRACT
        .move(
            state().mode(),
            event,
            setup.group().contract(),
            (next, action) -> {
              become(state().withMode(next));
              action.accept(this);
              return next;
            })
        .isPresent();
  }

  /** Asks for what the submitter holds of this node's earlier dispatches. */
  void loadDispatches() {
    effect(new CoordinatorEffect.LoadUnconfirmedDispatches());
  }

  RequestId newRequestId() {
    long number = state().requests().next();
    become(state().withRequests(state().requests().withNext(number + 1)));
    return new RequestId(
        setup.self().value()
            + "-"
            + state().announcements().sequence().incarnation()
            + "-"
            + number);
  }

  /** Sends what an exchange begins with, and resends it until it is answered. */
  void begin(RequestId request, Exchange exchange, Subject subject, List<IntentKey> about) {
    send(exchange);
    beginLater(request, exchange, subject, about);
  }

  /** The same, but the first send is the first resend. */
  void beginLater(RequestId request, Exchange exchange, Subject subject, List<IntentKey> about) {
    become(
        state()
            .withExchanges(
                state().exchanges().begin(request, exchange),
                state().purposes().plus(request, new Purpose(subject, about))));
  }

  /** What is asked is about this one no longer; a request that is about none ends. */
  void notAbout(RequestId request, IntentKey id) {
    var purpose = state().purposes().get(request);
    if (purpose == null) {
      return;
    }
    var rest = purpose.without(id);
    if (rest.transactions().isEmpty()) {
      end(request);
      return;
    }
    var open = state().exchanges().get(request).orElseThrow();
    var smaller =
        open.message() instanceof RequestDispatchConfirmation asked
            ? open.withMessage(asked.without(id.transaction()))
            : open;
    become(
        state()
            .withExchanges(
                state().exchanges().begin(request, smaller),
                state().purposes().plus(request, rest)));
  }

  /** The exchange is not open any more, if it was. */
  void end(RequestId request) {
    if (state().exchanges().get(request).isPresent()) {
      become(
          state()
              .withExchanges(state().exchanges().end(request), state().purposes().minus(request)));
    }
  }

  /**
   * Ends a notification that {@code from} was sent. Ids can be guessed, and whoever could end a
   * request in this way would keep its answer, and its time-out, from ever being noticed.
   */
  void endNotification(NodeName from, RequestId notification) {
    var purpose = state().purposes().get(notification);
    if (isSentTo(from, notification) && purpose.subject() == Subject.NOTIFICATION) {
      end(notification);
    }
  }

  /** Whether that exchange is open, and with that node. */
  boolean isSentTo(NodeName node, RequestId request) {
    return state().exchanges().get(request).filter(open -> open.to().equals(node)).isPresent();
  }

  /** Whether that exchange is open, and about this one still. */
  boolean isAbout(RequestId request, IntentKey id) {
    var purpose = state().purposes().get(request);
    return purpose != null && purpose.transactions().contains(id);
  }

  void count(Counted what) {
    effect(new Count(what));
  }
}
