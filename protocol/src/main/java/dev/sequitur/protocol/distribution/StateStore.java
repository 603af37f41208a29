package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.distribution.MissingContents.Missing;
import dev.sequitur.protocol.distribution.StateStoreEvent.BlockApplied;
import dev.sequitur.protocol.distribution.StateStoreEvent.ContentsErased;
import dev.sequitur.protocol.distribution.StateStoreEvent.ContentsGiven;
import dev.sequitur.protocol.distribution.StateStoreEvent.ContentsLost;
import dev.sequitur.protocol.distribution.StateStoreEvent.ContentsSought;
import dev.sequitur.protocol.distribution.StateStoreEvent.ContentsWiped;
import dev.sequitur.protocol.distribution.StateStoreEvent.Corrected;
import dev.sequitur.protocol.distribution.StateStoreEvent.DifferenceFound;
import dev.sequitur.protocol.distribution.StateStoreEvent.DistributionAcknowledged;
import dev.sequitur.protocol.distribution.StateStoreEvent.DistributionBegun;
import dev.sequitur.protocol.distribution.StateStoreEvent.DistributionBegun.Delivery;
import dev.sequitur.protocol.distribution.StateStoreEvent.DistributionsGathered;
import dev.sequitur.protocol.distribution.StateStoreEvent.ErasureDemanded;
import dev.sequitur.protocol.distribution.StateStoreEvent.StatesStored;
import dev.sequitur.protocol.distribution.StateStoreState.Owed;
import dev.sequitur.protocol.distribution.StateStoreState.Unconfirmed;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.StateContentsRequest;
import dev.sequitur.protocol.message.StateContentsResponse;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.message.StateErasure;
import dev.sequitur.protocol.message.StateErasure.StateErasureAnswer;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.pcollections.TreePVector;

/**
 * The private states of one contract on one node. Both sides store before the exchange ends: the
 * distributor what it owes, the receiver what it was given (DST-1).
 *
 * @param genuine whether a state is what its id stands for, as the contract's domain says; pure
 * @param membership who else may hold states of the contract, as far as this node has read
 */
public record StateStore(
    NodeName self,
    ContractAddress contract,
    Predicate<PrivateState> genuine,
    Supplier<Members> membership,
    SequencerSettings settings) {
  /**
   * The nodes of the group's members.
   *
   * @param others than this one, in order of name
   * @param holdAll each state is for each of them: what the ledger shows and this node lacks
   *     concerns it for certain (DST-5)
   * @param committees the nodes of each committee that the group has had, oldest first
   * @param leaves the block from which on this node is none of them (CMT-8); empty if it stays
   */
  public record Members(
      List<NodeName> others,
      boolean holdAll,
      List<Set<NodeName>> committees,
      Optional<BlockHeight> leaves) {
    public Members {
      others = List.copyOf(others);
      committees = List.copyOf(committees);
    }

    /** Of a group whose members never change. */
    public Members(List<NodeName> others, boolean holdAll) {
      this(others, holdAll, List.of());
    }

    /** Of a group that this node stays in. */
    public Members(List<NodeName> others, boolean holdAll, List<Set<NodeName>> committees) {
      this(others, holdAll, committees, Optional.empty());
    }

    /** Whether what blocks up to this one make and this node lacks is asked for (CMT-8). */
    boolean isIn(BlockHeight height) {
      return leaves.filter(block -> height.compareTo(block) >= 0).isEmpty();
    }

    /** Whether a node is owed nothing any more, nor owes: it has left before the last change. */
    boolean hasLeft(NodeName node) {
      int changes = committees.size() - 1;
      return changes > 1
          && committees.subList(changes - 1, changes + 1).stream()
              .noneMatch(nodes -> nodes.contains(node));
    }

    /** Whether it is for one of them that asks for it (DST-7). */
    boolean mayHold(NodeName asker, PrivateState content) {
      return isOnItsList(asker, content) || (others.contains(asker) && isForAll(content));
    }

    /**
     * Whether a state is for every member, also for one that was none when it was made: its list
     * had the whole committee then (DST-2).
     */
    private boolean isForAll(PrivateState content) {
      if (!holdAll || committees.size() < 2) {
        return false;
      }
      var nodes = content.distribution().stream().map(Identity::node).collect(Collectors.toSet());
      return committees.stream().anyMatch(nodes::containsAll);
    }

    static Members of(CoordinatorSelection selection, Domain domain, NodeName self) {
      var group = selection.group();
      return new Members(
          group.committee().nodes().stream().filter(node -> !node.equals(self)).toList(),
          holdAll(group, domain),
          group.committees().all().stream().map(quorum -> quorum.committee().nodes()).toList(),
          leaves(selection, self));
    }

    /** With the range after its removal; long ago, if nobody hears it any more (CMT-5). */
    private static Optional<BlockHeight> leaves(CoordinatorSelection selection, NodeName self) {
      var group = selection.group();
      if (group.committee().hasMemberOn(self)) {
        return Optional.empty();
      }
      return group.nodes().contains(self)
          ? Optional.of(selection.nextRange(group.committees().changes().getLast().block()))
          : Optional.of(BlockHeight.ZERO);
    }

    /**
     * Whether each state of a group is for each of its members. A domain that fails at it says
     * nothing for certain.
     */
    public static boolean holdAll(PrivacyGroup group, Domain domain) {
      try {
        return domain.sharesAllStates(group);
      } catch (RuntimeException e) {
        return false;
      }
    }
  }

  /** Of a group whose members never change. */
  public StateStore(
      NodeName self,
      ContractAddress contract,
      Predicate<PrivateState> genuine,
      Members members,
      SequencerSettings settings) {
    this(self, contract, genuine, () -> members, settings);
  }

  /** Of a group as a node finds it, now and later. */
  public static StateStore of(
      CoordinatorSelection selection, Domain domain, NodeName self, SequencerSettings settings) {
    return new StateStore(
        self,
        selection.group().contract(),
        state -> domain.isGenuine(selection.group(), state),
        () -> Members.of(selection, domain, self),
        settings);
  }

  /** Who else may hold states of the contract now. */
  Members members() {
    return membership.get();
  }

  /** Blocks after which content is forgotten whose transaction was never confirmed. */
  private static final long UNCONFIRMED_BLOCKS = 10_000;

  private static final long SWEEP_BLOCKS = 1_000;

  /** States that are gathered for one message. */
  private static final int MOST_ITEMS = 1_000;

  /** What a state store answers to. */
  public sealed interface Input {
    record Started() implements Input {}

    /** The answer to {@link Load}. Until it comes, it is told nothing else. */
    record ContentsFound(List<PrivateState> contents) implements Input {}

    /** From this node's submitter: to be stored here and given to those on the lists. */
    record Distribute(List<Dispatch> dispatches) implements Input {}

    /** External submit mode: the sender's node gives the outputs to those on the lists (EXT-1). */
    record DistributePrepared(PreparedTransactionDistribution prepared) implements Input {}

    record Given(Received<StateDistribution> received) implements Input {}

    record Acknowledged(Received<StateDistributionAcknowledgement> received) implements Input {}

    /** Another member lacks contents. */
    record Asked(Received<StateContentsRequest> received) implements Input {}

    /** What another member has of what this node lacks. */
    record Answered(Received<StateContentsResponse> received) implements Input {}

    record BlockIndexed(BlockHeight height, List<StateId> spent, List<StateId> created)
        implements Input {}

    /**
     * A caller has contents erased (ROM-7); what {@link StateStore#erasureRefusal} refuses is left
     * as it is.
     */
    record Erase(List<StateId> states) implements Input {
      public Erase {
        states = List.copyOf(states);
      }
    }

    /** Another member has had contents erased. */
    record ErasureAsked(Received<StateErasure> received) implements Input {}

    /**
     * The answer to {@link LookUp}.
     *
     * @param kept of the states those whose contents this node has kept
     */
    record ErasureLookedUp(Received<StateErasure> asked, Set<StateId> kept) implements Input {
      public ErasureLookedUp {
        kept = Set.copyOf(kept);
      }
    }

    record ErasureAnswered(Received<StateErasureAnswer> received) implements Input {}

    /**
     * The answer to {@link Wipe}.
     *
     * @param states that are gone; none if that has failed
     */
    record Wiped(List<StateId> states) implements Input {
      public Wiped {
        states = List.copyOf(states);
      }
    }

    /**
     * The answer to {@link Judge}.
     *
     * @param unneeded those that nothing needs that is under way
     */
    record Judged(Set<StateId> unneeded) implements Input {
      public Judged {
        unneeded = Set.copyOf(unneeded);
      }
    }

    /**
     * The answer to {@link Drop}.
     *
     * @param states that are gone; none if that has failed
     */
    record Dropped(Set<StateId> states) implements Input {
      public Dropped {
        states = Set.copyOf(states);
      }
    }

    /** The answer to {@link Recall}. */
    record Recalled(List<PrivateState> contents) implements Input {
      public Recalled {
        contents = List.copyOf(contents);
      }
    }

    /** What this node holds is not what the ledger shows since this block (DST-9). */
    record Differs(BlockHeight since) implements Input {}

    /** To be made what the ledger shows (DST-11). */
    record Correct(Correction correction) implements Input {}

    record Tick() implements Input {}

    /** From another node. */
    static Input of(Received<? extends Message.ForStateStore> received) {
      return switch (received.message()) {
        case StateDistribution given -> new Given(received.with(given));
        case StateDistributionAcknowledgement acknowledged ->
            new Acknowledged(received.with(acknowledged));
        case StateContentsRequest asked -> new Asked(received.with(asked));
        case StateContentsResponse answered -> new Answered(received.with(answered));
        case StateErasure erasure -> new ErasureAsked(received.with(erasure));
        case StateErasureAnswer answered -> new ErasureAnswered(received.with(answered));
      };
    }
  }

  /**
   * What a comparison with the ledger has found to be different, or a part of it.
   *
   * @param upTo the last block that was read; of a store that is further it says nothing
   * @param spent what is held, though a block has spent it
   * @param made what is not held, though it is unspent, and by which block
   * @param kept contents of those, as far as this node has kept them
   * @param whole whether nothing else is different
   * @param unmade what is held, though no block has made it
   */
  public record Correction(
      BlockHeight upTo,
      List<StateId> spent,
      List<Missing> made,
      List<PrivateState> kept,
      boolean whole,
      List<StateId> unmade) {
    public Correction {
      spent = List.copyOf(spent);
      made = List.copyOf(made);
      kept = List.copyOf(kept);
      unmade = List.copyOf(unmade);
    }

    /** Whether the comparison has found nothing that differs. */
    boolean isEmpty() {
      return spent.isEmpty() && made.isEmpty() && unmade.isEmpty();
    }
  }

  /** What has to be done besides sending messages. */
  public sealed interface Effect {}

  /**
   * Where spent states are kept too. It is begun before the events of the same decision are stored;
   * nobody is told that they are before both is done.
   */
  public record Keep(List<PrivateState> contents) implements Effect {
    public Keep {
      contents = List.copyOf(contents);
    }
  }

  /** First in each life: what is kept of these is told as {@link Input.ContentsFound}. */
  public record Load(Set<StateId> states) implements Effect {
    public Load {
      states = Set.copyOf(states);
    }
  }

  /**
   * Contents that are deleted where they are kept, once all is kept that was to be before: answered
   * by {@link Input.Wiped}.
   */
  public record Wipe(Set<StateId> states) implements Effect {
    public Wipe {
      states = Set.copyOf(states);
    }
  }

  /**
   * Another member has had contents erased: of which states have any been kept? Answered by {@link
   * Input.ErasureLookedUp}; if it is not, the member asks again.
   */
  public record LookUp(Received<StateErasure> asked) implements Effect {}

  /**
   * Of contents that no block has made a state of: which does nothing need that is under way on
   * this node? Answered by {@link Input.Judged}.
   *
   * @param made by which transaction each would have been
   */
  public record Judge(Map<StateId, TransactionId> made) implements Effect {
    public Judge {
      made = Map.copyOf(made);
    }
  }

  /** Contents that are deleted where they are kept: answered by {@link Input.Dropped}. */
  public record Drop(Set<StateId> states) implements Effect {
    public Drop {
      states = Set.copyOf(states);
    }
  }

  /** What is kept of these is told as {@link Input.Recalled}. */
  public record Recall(Set<StateId> states) implements Effect {
    public Recall {
      states = Set.copyOf(states);
    }
  }

  /** Something worth counting. */
  public enum Counted implements Effect {
    /** A node has given more that is not confirmed than may be; it is not acknowledged. */
    DISTRIBUTION_REFUSED,
    /** Something came under the id of a state that is not that state; it is stored nowhere. */
    FALSE_STATE
  }

  public Machine<Input, StateStoreState, StateStoreEvent, Effect> machine() {
    return new Machine<>(
        StateStoreState.initial(),
        this::decide,
        this::evolve,
        now -> Optional.of(new Input.Started()),
        new Input.Tick());
  }

  /** Pure: the same state, input and time give the same decision. */
  public Decision<StateStoreState, StateStoreEvent, Effect> decide(
      StateStoreState state, Input input, Instant now) {
    var step = new Step<StateStoreState, StateStoreEvent, Effect>(state, now, this::evolve);
    switch (input) {
      case Input.Distribute(var dispatches) ->
          onDistribute(step, dispatches.stream().map(Made::by).toList());
      case Input.DistributePrepared(var prepared) -> onDistribute(step, List.of(Made.by(prepared)));
      case Input.Given(var received) -> onGiven(step, received);
      case Input.BlockIndexed block -> onBlock(step, block);
      case Input.Acknowledged(var received) -> onAcknowledged(step, received);
      case Input.Asked(var received) -> search().onRequest(step, received);
      case Input.Answered(var received) -> search().onResponse(step, received);
      case Input.Tick ignored -> {
        oweNothingToWhoLeft(step);
        var ticked = step.state().exchanges().tick(now);
        step.become(step.state().withExchanges(ticked.rest()));
        ticked.resend().forEach(step::send);
        step.state().waiting().keySet().forEach(to -> sendWaiting(step, to));
        step.become(step.state().withGiven(HashTrie.empty()));
        search().tick(step, ticked.timedOut());
        new Erasing(this).goOn(step);
      }
      case Input.Started ignored -> {
        step.become(step.state().withExchanges(Exchanges.<RequestId>none()));
        step.become(step.state().withWaiting(HashTrie.empty()));
        step.become(step.state().withAsking(Optional.empty()).withGiven(HashTrie.empty()));
        step.become(step.state().withErased(step.state().erased().atRest()));
        step.become(step.state().withUnmade(step.state().unmade().atRest()));
        step.effect(new Load(state.wanted()));
      }
      case Input.ContentsFound(var contents) -> onFound(step, contents);
      case Input.Differs(var since) -> onDiffers(step, since);
      case Input.Correct(var correction) -> onCorrect(step, correction);
      case Input.Erase(var states) -> new Erasing(this).onDemand(step, states);
      case Input.ErasureAsked(var received) -> new Erasing(this).onAsked(step, received);
      case Input.ErasureLookedUp(var asked, var kept) ->
          new Erasing(this).onLookedUp(step, asked, kept);
      case Input.ErasureAnswered(var received) -> new Erasing(this).onAnswered(step, received);
      case Input.Wiped(var states) -> new Erasing(this).onWiped(step, states);
      case Input.Judged(var unneeded) -> new UnmadeSweep(this).onJudged(step, unneeded);
      case Input.Dropped(var states) -> new UnmadeSweep(this).onDropped(step, states);
      case Input.Recalled(var contents) -> new UnmadeSweep(this).onRecalled(step, contents);
    }
    return step.finish();
  }

  /** The first block is the one that counts. */
  private static void onDiffers(
      Step<StateStoreState, StateStoreEvent, Effect> step, BlockHeight since) {
    if (step.state().differs().filter(known -> known.compareTo(since) <= 0).isEmpty()) {
      step.record(new DifferenceFound(since));
    }
  }

  private void onCorrect(
      Step<StateStoreState, StateStoreEvent, Effect> step, Correction correction) {
    if (!isCorrectable(step.state(), correction)
        || (correction.isEmpty() && step.state().differs().isEmpty())) {
      return;
    }
    var members = members();
    var made = new HashSet<StateId>();
    correction.made().forEach(each -> made.add(each.state()));
    var kept =
        correction.kept().stream()
            .filter(content -> made.contains(content.id()) && mayHold(members, content))
            .toList();
    // What is put back is older than what was asked for: all are asked from the beginning.
    step.become(step.state().bring(kept).withAsking(Optional.empty()));
    step.record(
        new Corrected(
            correction.spent(),
            correction.made(),
            kept.stream().map(PrivateState::id).toList(),
            correction.whole(),
            correction.unmade()));
  }

  /** A block that came since the ledger was read may have spent what would be taken for unspent. */
  public boolean isCorrectable(StateStoreState state, Correction correction) {
    return state.height().compareTo(correction.upTo()) <= 0;
  }

  /** What the ledger is compared with (DST-9). */
  public LedgerComparison.Holding holding(StateStoreState state, Collection<StateId> asked) {
    var unspent = new HashSet<StateId>();
    for (var id : asked) {
      if (state.isUnspent(id)) {
        unspent.add(id);
      }
    }
    return new LedgerComparison.Holding(
        state.height(), unspent, (long) state.confirmed().size() + state.missing().size());
  }

  /** In so many parts it tells all that it holds unspent. */
  public static final int PARTS = 256;

  /**
   * A part of all that it holds unspent.
   *
   * @param part from 0
   */
  public LedgerComparison.Holding holding(StateStoreState state, int part) {
    var unspent = new ArrayList<StateId>();
    for (var id : state.confirmed().keySet()) {
      if (Math.floorMod(id.hashCode(), PARTS) == part) {
        unspent.add(id);
      }
    }
    for (var id : state.contentMissing().keySet()) {
      if (Math.floorMod(id.hashCode(), PARTS) == part) {
        unspent.add(id);
      }
    }
    return holding(state, unspent);
  }

  /**
   * Why nothing is done upon what is held here, since it is not what the ledger shows (DST-10). A
   * sentence for whoever waits for it.
   */
  public Optional<String> stopped(StateStoreState state) {
    return state.differs().map(since -> differing(contract, since));
  }

  /** Of a group that differs since a block: what is wrong, and what to do. */
  public static String differing(ContractAddress contract, BlockHeight since) {
    return "What this node holds of group %s differs from the ledger since block %s: it reads, assembles and endorses nothing of the group until `sequitur compare-ledger %s --rebuild` has made it what the ledger shows."
        .formatted(contract, since, contract);
  }

  private ContentsSearch search() {
    return new ContentsSearch(this);
  }

  /** What was not kept yet when the last life ended is as if it had never come. */
  private void onFound(
      Step<StateStoreState, StateStoreEvent, Effect> step, List<PrivateState> contents) {
    var kept = new HashMap<StateId, PrivateState>();
    contents.forEach(content -> kept.put(content.id(), content));
    var lost = new HashSet<>(step.state().wanted());
    lost.removeAll(kept.keySet());
    if (!lost.isEmpty()) {
      step.record(new ContentsLost(List.copyOf(lost)));
    }
    step.become(step.state().found(kept));
    oweNothingToWhoLeft(step);
    for (var owed : step.state().outbox().values()) {
      begin(step, owed, kept);
    }
  }

  /**
   * Whether a block may be applied now. One that comes after a gap is left for later, and is not
   * acknowledged: to apply it would pass over the block between.
   *
   * @param after the block before it that has states of the contract
   */
  public boolean follows(StateStoreState state, BlockHeight after) {
    return after.compareTo(state.height()) <= 0;
  }

  /**
   * Why contents are not erased as a caller demands; a sentence. Empty if they are (ROM-7).
   *
   * @param kept of the states those whose contents this node has kept
   */
  public Optional<String> erasureRefusal(
      StateStoreState state, Collection<StateId> states, Set<StateId> kept) {
    var erasing = new Erasing(this);
    return erasing.refusal(state, states).or(() -> erasing.unknown(state, states, kept));
  }

  /** What has come of it that a caller had these erased; empty if none has, or nobody knows. */
  public Optional<Erased.Demand> erasure(StateStoreState state, Collection<StateId> states) {
    return Optional.ofNullable(state.erased().demands().get(Erasing.id(states)));
  }

  /** What this node lacks for certain (DST-5); empty where what is missing may be for others. */
  public Optional<Lacking> lacking(StateStoreState state) {
    var missing = state.missing();
    var members = members();
    if (!members.holdAll() || missing.isEmpty() || !members.isIn(state.height())) {
      return Optional.empty();
    }
    var answers =
        state.asking().<Map<NodeName, Asking.Answer>>map(Asking::answers).orElse(Map.of());
    return Optional.of(
        new Lacking(
            missing.size(),
            missing.oldest().orElseThrow(),
            members.others().stream()
                .map(node -> new Lacking.Asked(node, Optional.ofNullable(answers.get(node))))
                .toList()));
  }

  /** What is not meant for this node is not stored, whoever sent it (DST-2). */
  public boolean mayHold(PrivateState content) {
    return mayHold(members(), content);
  }

  /**
   * The same of many contents.
   *
   * @param members as they are now
   */
  boolean mayHold(Members members, PrivateState content) {
    return (isOnItsList(self, content) || members.isForAll(content)) && isGenuine(content);
  }

  private static boolean isOnItsList(NodeName node, PrivateState content) {
    return content.distribution().stream().anyMatch(party -> party.node().equals(node));
  }

  /**
   * Another content under the id of a state on the ledger would hide the true one (DST-3). It is
   * another node's: what it does to the domain must not take the state store with it.
   */
  private boolean isGenuine(PrivateState content) {
    try {
      return content.contract().equals(contract) && genuine.test(content);
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Repeats a durable change on recovery. */
  public StateStoreState evolve(StateStoreState state, StateStoreEvent event) {
    return switch (event) {
      case StatesStored(var from, var items) -> {
        var next = state;
        for (var item : items) {
          next = store(next, from, item);
        }
        yield next;
      }
      case DistributionBegun begun -> {
        var next = state;
        for (var owed : begun.owed()) {
          next = next.owe(owed);
        }
        yield next;
      }
      case DistributionAcknowledged(var distribution) ->
          state.withOutbox(state.outbox().minus(distribution));
      case DistributionsGathered(var distributions, var together) ->
          state.gather(distributions, together);
      case ContentsLost(var states) -> state.lose(states);
      case ContentsGiven given -> ContentsSearch.evolve(state, given);
      case ContentsSought sought -> ContentsSearch.evolve(state, sought);
      case BlockApplied block -> apply(state, block);
      case DifferenceFound(var since) -> state.withDiffers(Optional.of(since));
      case Corrected corrected -> correct(state, corrected);
      case ErasureDemanded(var demand) -> {
        var next = Erasing.evolve(state, demand.states());
        yield next.withErased(next.erased().demanded(demand));
      }
      case ContentsErased(var states) -> Erasing.evolve(state, states);
      case ContentsWiped(var states) -> state.withErased(state.erased().gone(states));
      case StateStoreEvent.ContentsDropped(var states) -> {
        var unmade = state.unmade();
        for (var id : states) {
          unmade = unmade.minus(id);
        }
        yield state.withUnmade(unmade);
      }
      case StateStoreEvent.ErasureAnswered(var demand, var by, var has) ->
          state.withErased(state.erased().answered(demand, by, has));
    };
  }

  private StateStoreState correct(StateStoreState state, Corrected corrected) {
    var next = state;
    for (var id : corrected.spent()) {
      next = next.spend(id);
    }
    for (var id : corrected.unmade()) {
      next = next.unmake(id, self);
    }
    var kept = Set.copyOf(corrected.kept());
    for (var each : corrected.made()) {
      boolean isHere = kept.contains(each.state()) || next.unconfirmed().containsKey(each.state());
      if (next.isUnspent(each.state())) {
        continue;
      }
      next = isHere ? next.confirm(each.state()) : next.await(each);
    }
    return corrected.whole() ? next.withDiffers(Optional.empty()) : next;
  }

  private static StateStoreState store(
      StateStoreState state, NodeName from, StateStoreEvent.Item item) {
    if (state.knows(item.state())) {
      return state;
    }
    return state.missing().contains(item.state())
        ? state.confirm(item.state())
        : state.hold(item.state(), new Unconfirmed(item.producedBy(), from, state.height()));
  }

  private static StateStoreState apply(StateStoreState before, BlockApplied block) {
    var next = before.compared(block).at(block.height());
    for (var id : block.created()) {
      if (next.unconfirmed().containsKey(id)) {
        next = next.confirm(id);
      } else if (!next.confirmed().containsKey(id)) {
        next = next.await(id);
      }
    }
    for (var id : block.spent()) {
      next = next.spend(id);
    }
    return isSwept(before, block.height()) ? forgetOld(next) : next;
  }

  /** Now and then: the blocks between two that concern the contract may be many. */
  private static boolean isSwept(StateStoreState before, BlockHeight height) {
    return height.value() / SWEEP_BLOCKS != before.height().value() / SWEEP_BLOCKS;
  }

  private static StateStoreState forgetOld(StateStoreState state) {
    var next = state;
    long keepFrom = state.height().value() - UNCONFIRMED_BLOCKS;
    for (var entry : state.unconfirmed().entrySet()) {
      if (entry.getValue().since().value() < keepFrom) {
        next = next.forgetUnconfirmed(entry.getKey());
      }
    }
    return next;
  }

  private record Made(TransactionId by, List<PrivateState> outputs) {
    static Made by(Dispatch dispatch) {
      return new Made(dispatch.prepared().transaction(), dispatch.outputs());
    }

    static Made by(PreparedTransactionDistribution prepared) {
      return new Made(prepared.prepared().transaction(), prepared.outputs());
    }
  }

  /** The submitter asks again after a restart: what is stored and owed already is left alone. */
  private void onDistribute(Step<StateStoreState, StateStoreEvent, Effect> step, List<Made> made) {
    var own = new ArrayList<StateDistribution.Item>();
    Map<NodeName, List<StateDistribution.Item>> others = new LinkedHashMap<>();
    for (var each : made) {
      for (var output : each.outputs()) {
        var item = new StateDistribution.Item(each.by(), output);
        if (step.state().knows(output.id()) || step.state().erased().has(output.id())) {
          continue;
        } else if (!isGenuine(output)) {
          // Made by another node, and what it makes may be anything.
          step.effect(Counted.FALSE_STATE);
          continue;
        }
        for (var node : nodesOf(output)) {
          if (node.equals(self)) {
            own.add(item);
          } else {
            others.computeIfAbsent(node, n -> new ArrayList<>()).add(item);
          }
        }
      }
    }
    if (!own.isEmpty()) {
      store(step, self, own);
    }
    Map<List<StateDistribution.Item>, List<Delivery>> alike = new LinkedHashMap<>();
    others.forEach(
        (node, items) -> {
          var id = distributionId(items, node);
          if (!step.state().outbox().containsKey(id)) {
            alike.computeIfAbsent(items, same -> new ArrayList<>()).add(new Delivery(node, id));
          }
        });
    alike.forEach(
        (items, deliveries) -> {
          var contents = new HashMap<StateId, PrivateState>();
          items.forEach(item -> contents.put(item.state().id(), item.state()));
          var begun = new DistributionBegun(deliveries, items.stream().map(this::shareOf).toList());
          step.record(begun);
          begun.owed().forEach(owed -> begin(step, owed, contents));
        });
  }

  private StateStoreEvent.Share shareOf(StateDistribution.Item item) {
    var content = item.state();
    return new StateStoreEvent.Share(
        item.producedBy(),
        content.id(),
        isOnItsList(self, content) ? Optional.empty() : Optional.of(content));
  }

  /** Contents first, since what they are found by follows from them. */
  private static void store(
      Step<StateStoreState, StateStoreEvent, Effect> step,
      NodeName from,
      List<StateDistribution.Item> items) {
    var contents = items.stream().map(StateDistribution.Item::state).toList();
    step.effect(new Keep(contents));
    step.become(step.state().bring(contents));
    step.record(
        new StatesStored(
            from,
            items.stream()
                .map(item -> new StateStoreEvent.Item(item.producedBy(), item.state().id()))
                .toList()));
  }

  /**
   * By all that it carries. The submitter may ask again together with earlier ones, and what is
   * spent meanwhile is no longer known here: by its first item alone it could be taken for one that
   * is owed still, and the rest of it would go to nobody.
   */
  private static RequestId distributionId(List<StateDistribution.Item> items, NodeName node) {
    var digest = new CanonicalDigest();
    items.forEach(item -> digest.add(item.state().id().value()));
    return new RequestId(digest.finish() + "-to-" + node);
  }

  private static TreeSet<NodeName> nodesOf(PrivateState state) {
    var nodes = new TreeSet<NodeName>();
    state.distribution().forEach(party -> nodes.add(party.node()));
    return nodes;
  }

  private void begin(
      Step<StateStoreState, StateStoreEvent, Effect> step,
      Owed owed,
      Map<StateId, PrivateState> contents) {
    var items =
        owed.items().stream()
            .map(
                item ->
                    new StateDistribution.Item(
                        item.producedBy(),
                        item.foreign().orElseGet(() -> contents.get(item.state()))))
            .toList();
    step.become(
        step.state()
            .waitsToo(owed.to(), new StateDistribution(owed.distribution(), contract, items)));
    sendWaiting(step, owed.to());
  }

  /**
   * As one, unless another is on its way to that node. One that had to be sent again is waited for
   * no longer: it may be one that is not taken now (DST-4).
   */
  private void sendWaiting(Step<StateStoreState, StateStoreEvent, Effect> step, NodeName to) {
    var all = step.state().waiting().getOrDefault(to, TreePVector.empty());
    boolean underWay =
        step.state().exchanges().open().values().stream()
            .anyMatch(
                open ->
                    open.to().equals(to)
                        && open.sends() == 1
                        && open.pattern() == Exchange.Pattern.RELIABLE_NOTIFICATION);
    if (all.isEmpty() || underWay) {
      return;
    }
    var together = new ArrayList<StateDistribution>();
    int items = 0;
    for (var each : all) {
      items += each.items().size();
      if (!together.isEmpty() && items > MOST_ITEMS) {
        break;
      }
      together.add(each);
    }
    var rest = all.subList(together.size(), all.size());
    step.become(
        step.state()
            .withWaiting(
                rest.isEmpty()
                    ? step.state().waiting().minus(to)
                    : step.state().waiting().plus(to, TreePVector.from(rest))));
    send(step, to, together.size() == 1 ? together.get(0) : gathered(step, to, together));
  }

  private StateDistribution gathered(
      Step<StateStoreState, StateStoreEvent, Effect> step,
      NodeName to,
      List<StateDistribution> together) {
    var items = together.stream().flatMap(each -> each.items().stream()).toList();
    var id = distributionId(items, to);
    step.record(
        new DistributionsGathered(
            together.stream().map(StateDistribution::distributionId).toList(),
            new Delivery(to, id)));
    return new StateDistribution(id, contract, items);
  }

  private void send(
      Step<StateStoreState, StateStoreEvent, Effect> step, NodeName to, StateDistribution message) {
    var backoff = settings.delivery().resendNotification();
    var exchange = Exchange.reliableNotification(to, message, backoff, step.now());
    step.become(
        step.state()
            .withExchanges(step.state().exchanges().begin(message.distributionId(), exchange)));
    step.send(exchange);
  }

  private void onGiven(
      Step<StateStoreState, StateStoreEvent, Effect> step, Received<StateDistribution> received) {
    var items = received.message().items();
    var genuine = items.stream().filter(item -> isGenuine(item.state())).toList();
    if (genuine.size() < items.size()) {
      step.effect(Counted.FALSE_STATE);
    }
    var fresh =
        genuine.stream()
            .filter(
                item -> !step.state().knows(item.state().id()) && isOnItsList(self, item.state()))
            .filter(item -> !step.state().erased().has(item.state().id()))
            .toList();
    var share = share(step.state(), received.from(), fresh);
    if (!share.taken().isEmpty()) {
      store(step, received.from(), share.taken());
    }
    if (!share.isWhole()) {
      // Not acknowledged: the rest comes again, and fits when it is confirmed.
      step.effect(Counted.DISTRIBUTION_REFUSED);
      return;
    }
    step.reply(
        received.from(),
        received.id(),
        new StateDistributionAcknowledgement(received.message().distributionId(), contract));
  }

  /**
   * What of a distribution is for this node and new to it.
   *
   * @param taken all of that, or what of it is stored now
   */
  private record Share(List<StateDistribution.Item> taken, boolean isWhole) {}

  /**
   * Which contents of a distribution are stored. A node that has sent too many that are not
   * confirmed (DST-4) gets only those stored that the ledger shows already.
   *
   * @param fresh those that are for this node and new to it
   */
  private Share share(StateStoreState state, NodeName from, List<StateDistribution.Item> fresh) {
    var awaited =
        fresh.stream().filter(item -> state.missing().contains(item.state().id())).toList();
    int unconfirmed = fresh.size() - awaited.size();
    boolean fits =
        from.equals(self)
            || state.unconfirmedFrom(from) + unconfirmed <= settings.limits().unconfirmedPerNode();
    return fits ? new Share(fresh, true) : new Share(awaited, unconfirmed == 0);
  }

  private void onAcknowledged(
      Step<StateStoreState, StateStoreEvent, Effect> step,
      Received<StateDistributionAcknowledgement> received) {
    var distribution = received.message().distributionId();
    var owed = step.state().outbox().get(distribution);
    // Ids can be guessed: nobody else may say that the receiver has it, nor before it is sent.
    if (owed != null
        && owed.to().equals(received.from())
        && step.state().exchanges().get(distribution).isPresent()) {
      step.record(new DistributionAcknowledged(distribution));
      step.become(step.state().withExchanges(step.state().exchanges().end(distribution)));
      sendWaiting(step, owed.to());
    }
  }

  /** Else it would be sent for ever to nodes that have left (CMT-7), or do not listen (CMT-8). */
  private void oweNothingToWhoLeft(Step<StateStoreState, StateStoreEvent, Effect> step) {
    if (step.state().outbox().isEmpty()) {
      return;
    }
    var members = members();
    boolean isGone = members.hasLeft(self);
    for (var owed : step.state().outbox().values()) {
      if (isGone || members.hasLeft(owed.to())) {
        step.record(new DistributionAcknowledged(owed.distribution()));
        step.become(
            step.state()
                .withExchanges(step.state().exchanges().end(owed.distribution()))
                .withWaiting(step.state().waiting().minus(owed.to())));
      }
    }
  }

  private void onBlock(
      Step<StateStoreState, StateStoreEvent, Effect> step, Input.BlockIndexed block) {
    boolean seen = block.height().compareTo(step.state().height()) <= 0;
    if (!seen && (!block.spent().isEmpty() || !block.created().isEmpty())) {
      var before = step.state();
      step.record(new BlockApplied(block.height(), block.spent(), block.created()));
      var unmade = new UnmadeSweep(this);
      unmade.recall(step, before.unmade().among(block.created()));
      if (isSwept(before, block.height())) {
        unmade.begin(step);
      }
    }
  }
}
