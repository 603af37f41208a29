package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.assembly.AssemblyGraph;
import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.exchange.AnswerTimes;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.selection.Availability;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.PSet;
import org.pcollections.PVector;
import org.pcollections.TreePMap;

/**
 * All that a coordinator knows of one contract, in memory only.
 *
 * @param transactions that are coordinated
 * @param assembling the one assembly that is out (ASM-1)
 * @param handed dispatches that the submitter has not yet committed, by order
 * @param doubts of what is believed to be dispatched
 * @param passedOver better members that senders of what is coordinated have found unable to act
 *     (AVL-7)
 * @param silences of senders that have left a question unanswered
 * @param awake since when it is told the time as it should
 * @param cannotSubmit this node's submitter has said so lately (SUB-11)
 */
@Copyable
public record CoordinatorState(
    ContractMode mode,
    BlockHeight height,
    Availability availability,
    Announcements announcements,
    PMap<IntentKey, CoordinatedTransaction> transactions,
    WaitingLine waiting,
    Optional<Assembling> assembling,
    Attestations attestations,
    AssemblyGraph graph,
    OpenRequests requests,
    TreePMap<Long, Handed> handed,
    Doubts doubts,
    PSet<NodeName> passedOver,
    PMap<NodeName, Silence> silences,
    Awake awake,
    Optional<CannotSubmit> cannotSubmit)
    implements CoordinatorStateBuilder.With {

  /**
   * What waits for assembly, and whose turn it is.
   *
   * @param bySender in order of arrival
   * @param arrivals counts what has come, so that it keeps its order
   * @param lastServed whose transactions were assembled last: the next sender's turn follows
   */
  public record WaitingLine(
      PMap<NodeName, TreePMap<Long, IntentKey>> bySender,
      long arrivals,
      Optional<NodeName> lastServed) {
    static final WaitingLine EMPTY = new WaitingLine(HashTrie.empty(), 0, Optional.empty());

    WaitingLine plus(NodeName sender, IntentKey transaction) {
      var queue = bySender.getOrDefault(sender, TreePMap.empty()).plus(arrivals, transaction);
      return new WaitingLine(bySender.plus(sender, queue), arrivals + 1, lastServed);
    }

    WaitingLine with(NodeName sender, TreePMap<Long, IntentKey> queue) {
      var next = queue.isEmpty() ? bySender.minus(sender) : bySender.plus(sender, queue);
      return new WaitingLine(next, arrivals, lastServed);
    }

    WaitingLine served(NodeName sender) {
      return new WaitingLine(bySender, arrivals, Optional.of(sender));
    }

    WaitingLine cleared() {
      return new WaitingLine(HashTrie.empty(), arrivals, lastServed);
    }
  }

  /**
   * An assemble request that is out. Answers may overtake each other, yet each assembly comes upon
   * those before it: they are taken in the order of the request.
   *
   * @param offered states that the request offered, and that those before have made
   * @param remaining whose answers are not taken yet, in order
   * @param early answers of some of them; empty is an error
   * @param assembledAny whether an answer that was taken is no error
   */
  @Copyable
  public record Assembling(
      RequestId request,
      NodeName sender,
      PMap<StateId, PrivateState> offered,
      PVector<IntentKey> remaining,
      PMap<IntentKey, Optional<PostAssembly>> early,
      boolean assembledAny)
      implements CoordinatorStateAssemblingBuilder.With {
    Assembling answered(IntentKey transaction, Optional<PostAssembly> answer) {
      return withEarly(early.plus(transaction, answer));
    }

    Assembling taken(IntentKey first, Optional<PostAssembly> answer) {
      var next = offered;
      for (var output : answer.map(PostAssembly::outputs).orElse(List.of())) {
        next = next.plus(output.id(), output);
      }
      return new Assembling(
          request,
          sender,
          next,
          remaining.minus(0),
          early.minus(first),
          assembledAny || answer.isPresent());
    }
  }

  /**
   * Requests and notifications that are not answered yet.
   *
   * @param purposes what each open exchange is about
   * @param next numbers requests within this incarnation
   * @param assemblies how long senders have taken to assemble
   * @param leaves how long they have taken to give leave or deny it
   */
  public record OpenRequests(
      Exchanges<RequestId> exchanges,
      PMap<RequestId, Purpose> purposes,
      long next,
      AnswerTimes<RequestId> assemblies,
      AnswerTimes<RequestId> leaves) {
    static final OpenRequests NONE =
        new OpenRequests(
            Exchanges.none(), HashTrie.empty(), 0, AnswerTimes.none(), AnswerTimes.none());

    OpenRequests with(Exchanges<RequestId> newExchanges, PMap<RequestId, Purpose> newPurposes) {
      return new OpenRequests(newExchanges, newPurposes, next, assemblies, leaves);
    }

    OpenRequests withNext(long newNext) {
      return new OpenRequests(exchanges, purposes, newNext, assemblies, leaves);
    }

    OpenRequests withAssemblies(AnswerTimes<RequestId> newAssemblies) {
      return new OpenRequests(exchanges, purposes, next, newAssemblies, leaves);
    }

    OpenRequests withLeaves(AnswerTimes<RequestId> newLeaves) {
      return new OpenRequests(exchanges, purposes, next, assemblies, newLeaves);
    }
  }

  /** What an exchange is about. */
  public enum Subject {
    ASSEMBLY,
    ENDORSEMENT,
    CONFIRMATION,
    NOTIFICATION,
    /** Whether a member lives of which somebody else says so. */
    LIVENESS
  }

  /**
   * @param transactions that it is about, if it is about any
   */
  public record Purpose(Subject subject, List<IntentKey> transactions) {
    Purpose without(IntentKey transaction) {
      return new Purpose(
          subject, transactions.stream().filter(each -> !each.equals(transaction)).toList());
    }
  }

  /**
   * This node's submitter gets nothing to the base ledger.
   *
   * @param until it counts, unless the submitter says so again
   */
  public record CannotSubmit(String why, Instant until) {}

  /**
   * The submitter may have told this coordinator of the end of a dispatch in vain (RCV-4).
   *
   * @param about what the submitter is asked for: it was delegated again, so that its sender may
   *     have heard of an end, or is old
   * @param looked when it was last seen what is old
   */
  public record Doubts(PSet<IntentKey> about, Instant looked) {
    static final Doubts NONE = new Doubts(HashTrie.emptySet(), Instant.EPOCH);

    Doubts about(PSet<IntentKey> dispatched) {
      return new Doubts(dispatched, looked);
    }

    Doubts looked(Instant now) {
      return new Doubts(about, now);
    }
  }

  /**
   * A JVM that was stopped, or collects garbage, tells its coordinators the time late. What it
   * missed lies before it then.
   *
   * @param told when it was last told the time
   * @param since when it was last told late
   */
  public record Awake(Instant told, Instant since) {
    static final Awake NEVER = new Awake(Instant.EPOCH, Instant.EPOCH);

    Awake told(Instant now, Duration late) {
      return new Awake(now, told.plus(late).isBefore(now) ? now : since);
    }

    boolean isFor(Duration time, Instant now) {
      return !since.plus(time).isAfter(now);
    }
  }

  /**
   * A sender has left questions unanswered (DSP-8).
   *
   * @param times how often, with no long time between
   * @param until nothing of it is assembled earlier
   */
  public record Silence(int times, Instant until) {}

  /**
   * @param resendAt when it is handed over again if it is not committed by then
   */
  public record Handed(Dispatch dispatch, Instant resendAt) {}

  /**
   * What a coordinator has told the others of itself.
   *
   * @param sequence of its newest heartbeat; the incarnation tells one start of it from another
   * @param startupSentAt when this node last announced itself for this contract
   */
  public record Announcements(
      HeartbeatSequence sequence,
      Optional<Instant> lastHeartbeat,
      Optional<Instant> startupSentAt) {
    Announcements heartbeat(HeartbeatSequence newest, Instant at) {
      return new Announcements(newest, Optional.of(at), startupSentAt);
    }

    Announcements startup(Instant at) {
      return new Announcements(sequence, lastHeartbeat, Optional.of(at));
    }
  }

  /**
   * @param incarnation another one than that of each earlier start on this node
   */
  public static CoordinatorState initial(long incarnation, BlockHeight height) {
    return new CoordinatorState(
        ContractMode.INACTIVE,
        height,
        Availability.UNKNOWN,
        new Announcements(
            new HeartbeatSequence(incarnation, 0), Optional.empty(), Optional.empty()),
        HashTrie.empty(),
        WaitingLine.EMPTY,
        Optional.empty(),
        Attestations.NONE,
        AssemblyGraph.EMPTY,
        OpenRequests.NONE,
        TreePMap.empty(),
        Doubts.NONE,
        HashTrie.emptySet(),
        HashTrie.empty(),
        Awake.NEVER,
        Optional.empty());
  }

  /** What the submitter is asked for, since it may have ended. */
  public PSet<IntentKey> doubted() {
    return doubts.about();
  }

  CoordinatorState withDoubted(PSet<IntentKey> dispatched) {
    return withDoubts(doubts.about(dispatched));
  }

  /** Nothing here would be missed. */
  public boolean isIdle() {
    return mode == ContractMode.INACTIVE && exchanges().open().isEmpty() && handed.isEmpty();
  }

  public Exchanges<RequestId> exchanges() {
    return requests.exchanges();
  }

  /** What each open exchange is about. */
  public PMap<RequestId, Purpose> purposes() {
    return requests.purposes();
  }

  /** Whether it is not its turn yet, since it was silent. */
  boolean isHeldOff(NodeName sender, Instant now) {
    var silence = silences.get(sender);
    return silence != null && silence.until().isAfter(now);
  }

  /**
   * It has held up the others once more. What it has answered between changes nothing, or it would
   * answer for that.
   *
   * @param again how long nothing of it is assembled after a silence
   * @param part of the time for an answer that it has taken, at most 1
   */
  CoordinatorState heldUp(NodeName sender, Instant now, Backoff again, double part) {
    var before = silences.get(sender);
    boolean lately = before != null && before.until().plus(again.cap()).isAfter(now);
    int times = lately ? before.times() + 1 : 1;
    var wait = again.wait(times, sender.hashCode());
    var until = now.plusMillis(Math.round(wait.toMillis() * part));
    return withSilences(silences.plus(sender, new Silence(times, until)));
  }

  /** The sender has had its turn with it. */
  CoordinatorState assembling(Assembling out) {
    return with().waiting(waiting.served(out.sender())).assembling(Optional.of(out)).build();
  }

  CoordinatorState withExchanges(Exchanges<RequestId> next, PMap<RequestId, Purpose> nextPurposes) {
    return withRequests(requests.with(next, nextPurposes));
  }
}
