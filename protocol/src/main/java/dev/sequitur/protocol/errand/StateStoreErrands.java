package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.distribution.Erased;
import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.distribution.LedgerComparison;
import dev.sequitur.protocol.distribution.SpendableStates;
import dev.sequitur.protocol.distribution.SpendableStates.Looked;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.StateErasure;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.sender.Assembler;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.StateLocks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What is around the rules of a state store: it keeps contents, finds them again, and has the
 * domain work upon the states that they hold. Confined to the state store's thread.
 */
public final class StateStoreErrands {
  /** How long a call waits for contents, and how many do. */
  private static final Duration CALL_WAITS = Duration.ofSeconds(2);

  private static final int MOST_CALLS_WAITING = 1_000;

  private final Surroundings node;
  private final StateStore rules;
  private final CoordinatorSelection selection;
  private final Domain domain;
  private final Edge edge;
  private final Assembler assembler;
  private final Deque<WaitingCall> waitingCalls = new ArrayDeque<>();

  /** All that was begun to be kept so far. */
  private CompletionStage<Void> kept = CompletableFuture.completedFuture(null);

  /** What is being deleted that may come again: what is kept or read meanwhile goes behind it. */
  private CompletionStage<?> dropped = CompletableFuture.completedFuture(null);

  /** The state store itself. */
  public interface Edge {
    /** As decided. Called in the state store's thread. */
    StateStoreState state();

    /** The answer to what it asked for first; lost with its life. Called from any thread. */
    void found(StateStore.Input.ContentsFound contents);

    /** The answer to one of its effects. Called from any thread. */
    void told(StateStore.Input answer);

    /** What this node's submitter would put on the ledger would make these. */
    CompletionStage<Set<StateId>> underWay();

    /** What these were parked for has come: the sender may resume them. */
    void resume(List<TransactionId> transactions);

    /** The contents can't be read: this life ends. Called from any thread. */
    void failed(Throwable cause);
  }

  /**
   * What the state store is to be told.
   *
   * @param inputs in a row
   * @param whenDurable run when all that follows from them is
   */
  public record Work(List<StateStore.Input> inputs, Runnable whenDurable) {
    public Work {
      inputs = List.copyOf(inputs);
    }
  }

  public StateStoreErrands(
      Surroundings node,
      StateStore rules,
      CoordinatorSelection selection,
      Domain domain,
      Edge edge) {
    this.node = node;
    this.rules = rules;
    this.selection = selection;
    this.domain = domain;
    this.edge = edge;
    this.assembler =
        new Assembler(
            selection,
            domain,
            node.keys(),
            (transaction, thrown) -> fault("assemble " + transaction, thrown),
            rules::lacking,
            rules::stopped);
  }

  /**
   * Called whenever something was decided, before its events are stored.
   *
   * @return done when all contents are kept that were decided to be so far, and only then may
   *     anything leave. Fails if one of them can't be: then this life has to end
   */
  public CompletionStage<Void> keep(List<StateStore.Effect> effects) {
    for (var effect : effects) {
      if (effect instanceof StateStore.Keep(var contents)) {
        var before = kept;
        kept =
            dropped
                .thenCompose(gone -> node.contents().putStates(contents))
                .thenCombine(before, (done, too) -> null);
      }
    }
    return kept;
  }

  /** Called whenever something was decided, when it is durable. */
  public void run(List<StateStore.Effect> effects) {
    for (var effect : effects) {
      switch (effect) {
        case StateStore.Counted what -> node.count(what);
        case StateStore.Load(var states) -> load(states);
        case StateStore.Wipe(var states) -> wipe(states);
        case StateStore.LookUp(var asked) -> lookUp(asked);
        case StateStore.Judge(var made) -> judge(made);
        case StateStore.Drop(var states) -> drop(states);
        case StateStore.Recall(var states) -> recall(states);
        // Done before.
        case StateStore.Keep ignored -> {}
      }
    }
    assembler.stateChanged(edge.state());
    var resumable = assembler.resumable(edge.state());
    if (!resumable.isEmpty()) {
      edge.resume(resumable);
    }
    lookAfterWaitingCalls();
  }

  /** Few inputs change what a call has found, and hundreds may wait: only those are made again. */
  private void lookAfterWaitingCalls() {
    if (waitingCalls.isEmpty()) {
      return;
    }
    var lacks = lacking();
    var again = new ArrayList<WaitingCall>();
    waitingCalls.removeIf(
        call -> {
          if (lacks.isEmpty() || !call.found().isStill(edge.state())) {
            again.add(call);
            return true;
          }
          return isOver(call) && call.fail(lacks);
        });
    again.forEach(call -> answer(call).ifPresent(waitingCalls::addLast));
  }

  private boolean isOver(WaitingCall call) {
    return !node.now().isBefore(call.until());
  }

  private void load(Set<StateId> states) {
    node.contents()
        .states(rules.contract(), states)
        .whenComplete(
            (found, failure) -> {
              if (failure == null) {
                edge.found(new StateStore.Input.ContentsFound(found));
              } else {
                edge.failed(failure);
              }
            });
  }

  /** One that was begun to be kept before must not come after. */
  private void wipe(Set<StateId> states) {
    var unused =
        kept.thenCompose(done -> node.contents().eraseStates(rules.contract(), states))
            .whenComplete(
                (done, failure) ->
                    edge.told(
                        new StateStore.Input.Wiped(
                            failure == null ? List.copyOf(states) : List.of())));
  }

  /** If that fails nothing follows: it is asked for again. */
  private void lookUp(Received<StateErasure> asked) {
    var unused =
        kept(asked.message().states())
            .thenAccept(found -> edge.told(new StateStore.Input.ErasureLookedUp(asked, found)));
  }

  /** If that can't be told, all of them are needed. */
  private void judge(Map<StateId, TransactionId> made) {
    var unused =
        open(Set.copyOf(made.values()))
            .thenCombine(
                edge.underWay(),
                (open, underWay) ->
                    made.entrySet().stream()
                        .filter(each -> !open.contains(each.getValue()))
                        .map(Map.Entry::getKey)
                        .filter(id -> !underWay.contains(id))
                        .collect(Collectors.toSet()))
            .whenComplete(
                (unneeded, failure) ->
                    edge.told(new StateStore.Input.Judged(failure == null ? unneeded : Set.of())));
  }

  /** Of these those that callers of this node have sent, and that have no receipt. */
  private CompletionStage<Set<TransactionId>> open(Set<TransactionId> transactions) {
    CompletionStage<Set<TransactionId>> open =
        CompletableFuture.completedFuture(new HashSet<TransactionId>());
    for (var id : transactions) {
      var isOpen =
          node.intents()
              .intent(id)
              .thenCombine(
                  node.intents().receipt(id),
                  (intent, receipt) -> intent.isPresent() && receipt.isEmpty());
      open =
          open.thenCombine(
              isOpen,
              (found, is) -> {
                if (is) {
                  found.add(id);
                }
                return found;
              });
    }
    return open;
  }

  private void drop(Set<StateId> states) {
    var done =
        kept.thenCompose(now -> node.contents().eraseStates(rules.contract(), states))
            .handle((now, failure) -> failure == null);
    dropped = done;
    var unused =
        done.thenAccept(gone -> edge.told(new StateStore.Input.Dropped(gone ? states : Set.of())));
  }

  /** If that fails nothing follows: others are asked. */
  private void recall(Set<StateId> states) {
    var unused =
        dropped
            .thenCompose(gone -> node.contents().states(rules.contract(), states))
            .thenAccept(found -> edge.told(new StateStore.Input.Recalled(found)));
  }

  /** Of these states those whose contents were kept and are not deleted. */
  public CompletionStage<Set<StateId>> kept(List<StateId> states) {
    return node.contents()
        .states(rules.contract(), states)
        .thenApply(found -> found.stream().map(PrivateState::id).collect(Collectors.toSet()));
  }

  /**
   * A caller has contents erased (ROM-7).
   *
   * @param found of the states those that are {@link #kept}
   * @param answer told when that is durable, or why they are not erased
   */
  public Work erase(List<StateId> states, Set<StateId> found, Consumer<Erased.Answer> answer) {
    var refusal = rules.erasureRefusal(edge.state(), states, found);
    return new Work(
        refusal.isPresent() ? List.of() : List.of(new StateStore.Input.Erase(states)),
        () ->
            answer.accept(
                new Erased.Answer(
                    refusal,
                    refusal.isPresent() ? Optional.empty() : rules.erasure(edge.state(), states))));
  }

  /**
   * What callers have had erased, with who has answered.
   *
   * @param after the last place of the page before; empty to begin
   */
  public Erased.Page erasures(Optional<Erased.Place> after, int limit) {
    return edge.state().erased().page(after, limit);
  }

  /** From other nodes. */
  public Work deliver(List<Received<? extends Message.ForStateStore>> messages) {
    return new Work(messages.stream().map(StateStore.Input::of).toList(), () -> {});
  }

  /**
   * From this node's submitter; may come again.
   *
   * @param answer told when it is durable
   */
  public Work distribute(List<Dispatch> dispatches, Consumer<SubmitterInput.OutputsStored> answer) {
    return new Work(
        List.of(new StateStore.Input.Distribute(dispatches)),
        () -> answer.accept(SubmitterInput.OutputsStored.by(dispatches)));
  }

  /**
   * From this node's sender; may come again.
   *
   * @param answer told when it is durable, with the outputs that this node may hold: the sender
   *     stores it with them, and they are its coordinator's word
   */
  public Work distributePrepared(
      Received<PreparedTransactionDistribution> prepared,
      Consumer<Received<PreparedTransactionDistribution>> answer) {
    var message = prepared.message();
    var held = message.outputs().stream().filter(rules::mayHold).toList();
    var forThisNode = prepared.with(message.withOutputs(held));
    return new Work(
        List.of(new StateStore.Input.DistributePrepared(message)),
        () -> answer.accept(forThisNode));
  }

  /**
   * What the state store is told of a block, and acknowledges when it is durable.
   *
   * @param after the block before it that has states of the contract
   * @return empty if that one was lost: both come again, in order
   */
  public Optional<StateStore.Input> block(BlockNotice notice, BlockHeight after) {
    return rules.follows(edge.state(), after)
        ? Optional.of(notice.forStateStore())
        : Optional.empty();
  }

  /** How far this node has read the base ledger. */
  public void blockSeen(BlockNotice notice) {
    assembler.blockSeen(notice.height(), notice.hasStates(), edge.state());
  }

  /**
   * @param answer told when it is assembled, which may be at once; never, if too many wait
   */
  public void assemble(SenderEffect.Assemble work, Consumer<SenderInput.AssemblyFinished> answer) {
    assembler.assemble(work, answer, edge.state());
  }

  /**
   * @return for each, in order, what is wrong with it; what the states that are known to be on
   *     their way would make right is not
   */
  public List<Optional<Domain.Objection>> validate(List<PrivateTransaction> transactions) {
    var state = edge.state();
    return new Validation(
            selection.group(), domain, state, thrown -> fault("check an intent", thrown))
        .of(
            transactions,
            assembler.isComplete(state)
                && rules.lacking(state).isEmpty()
                && rules.stopped(state).isEmpty());
  }

  /** What is unspent here of these, to be compared with the ledger (DST-9). */
  public LedgerComparison.Holding holding(List<StateId> states) {
    return rules.holding(edge.state(), states);
  }

  /** A part of all that is unspent here. */
  public LedgerComparison.Holding holding(int part) {
    return rules.holding(edge.state(), part);
  }

  /**
   * It is not what the ledger shows since this block (DST-9).
   *
   * @param whenDurable run when that is
   */
  public Work differs(BlockHeight since, Runnable whenDurable) {
    return new Work(List.of(new StateStore.Input.Differs(since)), whenDurable);
  }

  /**
   * To be made what the ledger shows (DST-11).
   *
   * @param answer told when it is durable whether it was done: not if this store has read on
   */
  public Work correct(StateStore.Correction correction, Consumer<Boolean> answer) {
    boolean may = rules.isCorrectable(edge.state(), correction);
    return new Work(List.of(new StateStore.Input.Correct(correction)), () -> answer.accept(may));
  }

  /** Why nothing is done upon what is held (DST-10). */
  public Optional<String> stopped() {
    return rules.stopped(edge.state());
  }

  /** How these states stand now. */
  public StateStoreState.Standing standing(List<StateId> states) {
    return edge.state().standing(states);
  }

  /** What this node lacks for certain now (DST-5). */
  public Optional<Lacking> lacking() {
    return rules.lacking(edge.state());
  }

  /**
   * A call that would be answered by what is not found, while contents are lacking, waits a moment
   * for them: mostly they are on their way.
   *
   * @return fails with an {@link IllegalArgumentException}, which has a sentence for the caller
   */
  public CompletionStage<Bytes> call(Identity from, String function, Bytes inputs) {
    var stopped = stopped();
    if (stopped.isPresent()) {
      return CompletableFuture.failedFuture(new IllegalArgumentException(stopped.get()));
    }
    var call =
        new WaitingCall(
            from,
            function,
            inputs,
            node.now().plus(CALL_WAITS),
            new Looked(Map.of()),
            new CompletableFuture<>());
    answer(call)
        .ifPresent(
            waiting -> {
              if (waitingCalls.size() == MOST_CALLS_WAITING) {
                waitingCalls.removeFirst().fail(lacking());
              }
              waitingCalls.addLast(waiting);
            });
    return call.answer();
  }

  /** Answers it; if that has to wait for contents, it is given back with what it has found. */
  private Optional<WaitingCall> answer(WaitingCall call) {
    var stopped = stopped();
    if (stopped.isPresent()) {
      call.answer().completeExceptionally(new IllegalArgumentException(stopped.get()));
      return Optional.empty();
    }
    var spendable = new SpendableStates(edge.state(), StateLocks.NONE);
    Optional<Bytes> answer = Optional.empty();
    Optional<IllegalArgumentException> refusal = Optional.empty();
    try {
      answer =
          Optional.of(
              domain.call(
                  selection.group(), call.from(), call.function(), call.inputs(), spendable));
    } catch (IllegalArgumentException e) {
      refusal = Optional.of(e);
    } catch (RuntimeException e) {
      refusal = Optional.of(new IllegalArgumentException(fault("answer a call", e), e));
    }
    var lacks = spendable.isEndReached() ? lacking() : Optional.<Lacking>empty();
    if (lacks.isPresent()) {
      return isOver(call) && call.fail(lacks)
          ? Optional.empty()
          : Optional.of(call.having(spendable.looked()));
    }
    answer.ifPresent(call.answer()::complete);
    refusal.ifPresent(call.answer()::completeExceptionally);
    return Optional.empty();
  }

  /**
   * @param until it waits for contents
   * @param found what it has found when it was made last
   */
  private record WaitingCall(
      Identity from,
      String function,
      Bytes inputs,
      Instant until,
      Looked found,
      CompletableFuture<Bytes> answer) {
    WaitingCall having(Looked now) {
      return new WaitingCall(from, function, inputs, until, now, answer);
    }

    boolean fail(Optional<Lacking> lacks) {
      return answer.completeExceptionally(
          new IllegalArgumentException(
              lacks.map(Lacking::sentence).orElse("Too many calls wait for contents.")));
    }
  }

  /** What the caller is told: what the exception says may hold private data (EXC-5). */
  private String fault(String what, RuntimeException thrown) {
    node.fault(domain, what, thrown);
    return "Domain " + domain.name() + " has a fault: see the log of this node.";
  }
}
