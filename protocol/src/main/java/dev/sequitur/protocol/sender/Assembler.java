package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.distribution.SpendableStates;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Has the domain assemble for the sender, where the states are, as soon as this node has read as
 * far as the coordinator: upon less it would spend what is spent already. Part of a state store;
 * confined to its thread.
 */
public final class Assembler {
  private static final int MOST_WAITING = 16;

  /** Others resume by themselves, after a while (SND-5). */
  private static final int MOST_PARKED = 1_000;

  /** Contents that do not come within so many blocks are not meant for this node. */
  private static final int CONTENT_BLOCKS = 3;

  private final CoordinatorSelection selection;
  private final Domain domain;
  private final Keys keys;
  private final Faults faults;
  private final Function<StateStoreState, Optional<Lacking>> lacking;
  private final Function<StateStoreState, Optional<String>> stopped;
  private final Set<TransactionId> parked = new LinkedHashSet<>();
  private Optional<BlockHeight> parkedFor = Optional.empty();
  private boolean parkedStopped;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private BlockHeight indexed = BlockHeight.ZERO;
  private BlockHeight newestWithStates = BlockHeight.ZERO;

  /** What is made of a domain that throws. */
  @FunctionalInterface
  public interface Faults {
    /**
     * @return the reason why nothing was assembled, as its caller may see it
     */
    String of(TransactionId transaction, RuntimeException thrown);
  }

  private record Waiting(
      SenderEffect.Assemble work, Consumer<SenderInput.AssemblyFinished> answer) {}

  /**
   * @param selection whose group is that of the range of each request
   * @param lacking what the node lacks for certain
   * @param stopped why nothing is assembled at all (DST-10)
   */
  public Assembler(
      CoordinatorSelection selection,
      Domain domain,
      Keys keys,
      Faults faults,
      Function<StateStoreState, Optional<Lacking>> lacking,
      Function<StateStoreState, Optional<String>> stopped) {
    this.lacking = lacking;
    this.stopped = stopped;
    this.selection = selection;
    this.domain = domain;
    this.keys = keys;
    this.faults = faults;
  }

  /**
   * How far the node has read. What the block did to the states comes to the state store by another
   * way, since only there a gap shows.
   *
   * @param hasStates whether the block spends or creates states of the group
   */
  public void blockSeen(BlockHeight height, boolean hasStates, StateStoreState state) {
    if (height.compareTo(indexed) > 0) {
      indexed = height;
      newestWithStates = hasStates ? height : newestWithStates;
    }
    stateChanged(state);
  }

  /**
   * @param answer told when it is assembled, which may be at once; never, if too many wait
   */
  public void assemble(
      SenderEffect.Assemble work,
      Consumer<SenderInput.AssemblyFinished> answer,
      StateStoreState state) {
    if (waiting.size() == MOST_WAITING) {
      // Its coordinator has given up on it long ago.
      waiting.removeFirst();
    }
    waiting.addLast(new Waiting(work, answer));
    stateChanged(state);
  }

  /**
   * Assembles what waited for it, in its order. One that is not ready keeps none behind it waiting:
   * its coordinator may claim a height that never comes, and be somebody's past one.
   */
  public void stateChanged(StateStoreState state) {
    var ready = new ArrayList<Waiting>();
    waiting.removeIf(each -> isReady(each.work(), state) && ready.add(each));
    ready.forEach(each -> assemble(each, state));
  }

  /**
   * Which of those that were parked for what is missing may be tried again: some of it has come, or
   * is spent by now; and all that were parked while nothing was assembled, if it is again.
   */
  public List<TransactionId> resumable(StateStoreState state) {
    var oldest = lacking.apply(state).map(Lacking::since);
    boolean isStopped = stopped.apply(state).isPresent();
    if (parked.isEmpty() || isStopped || (oldest.equals(parkedFor) && !parkedStopped)) {
      return List.of();
    }
    parkedStopped = false;
    var all = List.copyOf(parked);
    parked.clear();
    return all;
  }

  private boolean isReady(SenderEffect.Assemble work, StateStoreState state) {
    return indexed.compareTo(work.blockHeight()) >= 0 && isComplete(state);
  }

  /** Whether all states of the blocks that were seen are here, but for what will never come. */
  public boolean isComplete(StateStoreState state) {
    return state.height().compareTo(newestWithStates) >= 0
        && !state.awaitsContentSince(indexed.value() - CONTENT_BLOCKS);
  }

  /**
   * One after another, each upon what those before it have used (ASM-1). Each identity signs once,
   * all that is assembled for it (ATT-7).
   */
  private void assemble(Waiting asked, StateStoreState state) {
    var work = asked.work();
    var why = stopped.apply(state);
    if (why.isPresent()) {
      asked.answer().accept(parked(work, why.get()));
      return;
    }
    var group = selection.group(work.blockHeight());
    var spendable = new SpendableStates(state, work.locks());
    var results = new LinkedHashMap<TransactionId, Domain.Assembly>();
    var assembledFor = new LinkedHashMap<Identity, Map<PrivateTransaction, PostAssembly>>();
    for (var transaction : work.transactions()) {
      spendable.begin();
      var result =
          known(transaction.id(), assemble(group, transaction, spendable), spendable, state);
      if (result instanceof Domain.Assembly.Assembled(var assembly)) {
        spendable.use(assembly);
        assembledFor
            .computeIfAbsent(transaction.from(), identity -> new LinkedHashMap<>())
            .put(transaction, assembly);
      }
      results.put(transaction.id(), result);
    }
    var signed = new ArrayList<CompletionStage<Map<TransactionId, Domain.Assembly>>>();
    assembledFor.forEach((identity, assemblies) -> signed.add(signed(group, identity, assemblies)));
    // At once where the keys are here; else from the thread that hears of the last signature.
    var unused =
        Answers.all(signed)
            .thenAccept(
                all -> {
                  all.forEach(results::putAll);
                  var finished =
                      new SenderInput.AssemblyFinished(work.request(), work.inReplyTo(), results);
                  asked.answer().accept(finished);
                });
  }

  private SenderInput.AssemblyFinished parked(SenderEffect.Assemble work, String why) {
    var results = new LinkedHashMap<TransactionId, Domain.Assembly>();
    parkedStopped = true;
    for (var transaction : work.transactions()) {
      park(transaction.id());
      results.put(transaction.id(), new Domain.Assembly.Parked(why));
    }
    return new SenderInput.AssemblyFinished(work.request(), work.inReplyTo(), results);
  }

  private void park(TransactionId transaction) {
    if (parked.size() < MOST_PARKED) {
      parked.add(transaction);
    }
  }

  /** What was not found while something is lacking is not known to be absent (DST-5). */
  private Domain.Assembly known(
      TransactionId transaction,
      Domain.Assembly result,
      SpendableStates spendable,
      StateStoreState state) {
    var lacks = spendable.isEndReached() ? lacking.apply(state) : Optional.<Lacking>empty();
    if (lacks.isEmpty()) {
      return result;
    }
    parkedFor = lacks.map(Lacking::since);
    park(transaction);
    return new Domain.Assembly.Parked(lacks.get().sentence());
  }

  /** By the key that the group knows in the range that it is assembled in. Never fails. */
  private CompletionStage<Map<TransactionId, Domain.Assembly>> signed(
      PrivacyGroup group, Identity identity, Map<PrivateTransaction, PostAssembly> assemblies) {
    try {
      var transitions = new ArrayList<Hash>();
      assemblies.forEach(
          (transaction, assembly) -> transitions.add(assembly.transition(transaction.key())));
      var tree = MerkleTree.of(transitions);
      var key =
          group
              .committee()
              .member(identity)
              .map(Member::verifier)
              .orElseGet(() -> keys.verifier(identity.name()));
      return keys.signed(identity.name(), key, group.attestation(Purpose.ASSEMBLY).message(tree))
          .thenApply(value -> proved(assemblies, tree, new Signature(identity, key, value)))
          .exceptionally(silent -> unsigned(assemblies, silent));
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(
          instead(
              assemblies,
              transaction -> new Domain.Assembly.Failed(faults.of(transaction.id(), e))));
    }
  }

  private static Map<TransactionId, Domain.Assembly> proved(
      Map<PrivateTransaction, PostAssembly> assemblies, MerkleTree tree, Signature signature) {
    var results = new LinkedHashMap<TransactionId, Domain.Assembly>();
    assemblies.forEach(
        (transaction, assembly) -> {
          var proof = new Proof(tree.path(results.size()), List.of(signature));
          results.put(transaction.id(), new Domain.Assembly.Assembled(assembly.proved(proof)));
        });
    return results;
  }

  /** Who holds the key may sign another time: that is no try of the transaction. */
  private static Map<TransactionId, Domain.Assembly> unsigned(
      Map<PrivateTransaction, PostAssembly> assemblies, Throwable why) {
    return instead(
        assemblies, transaction -> new Domain.Assembly.Parked(Answers.cause(why).getMessage()));
  }

  private static Map<TransactionId, Domain.Assembly> instead(
      Map<PrivateTransaction, PostAssembly> assemblies,
      Function<PrivateTransaction, Domain.Assembly> result) {
    var results = new LinkedHashMap<TransactionId, Domain.Assembly>();
    assemblies
        .keySet()
        .forEach(transaction -> results.put(transaction.id(), result.apply(transaction)));
    return results;
  }

  /** A fault of the domain must not take the state store, and every other transaction, with it. */
  private Domain.Assembly assemble(
      PrivacyGroup group, PrivateTransaction transaction, SpendableStates spendable) {
    try {
      return domain.assemble(group, transaction, spendable, keys);
    } catch (RuntimeException e) {
      return new Domain.Assembly.Failed(faults.of(transaction.id(), e));
    }
  }
}
