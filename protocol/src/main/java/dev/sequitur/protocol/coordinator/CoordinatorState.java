package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.assembly.AssemblyGraph;
import dev.sequitur.protocol.copying.Copyable;
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
 * @param doubted what is believed to be dispatched and was delegated again: its sender may have
 *     heard of an end that the submitter told this coordinator in vain
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
    PSet<IntentKey> doubted)
    implements CoordinatorStateBuilder.With {

  /**
   * An assemble request that is out. Answers may overtake each other, yet each assembly comes upon
   * those before it: they are taken in the order of the request.
   *
   * @param offered states that the request offered, and that those before have made
   * @param remaining whose answers are not taken yet, in order
   * @param early answers of some of them; empty is an error
   */
  @Copyable
  public record Assembling(
      RequestId request,
      NodeName sender,
      PMap<StateId, PrivateState> offered,
      PVector<IntentKey> remaining,
      PMap<IntentKey, Optional<PostAssembly>> early)
      implements CoordinatorStateAssemblingBuilder.With {
    Assembling answered(IntentKey transaction, Optional<PostAssembly> answer) {
      return withEarly(early.plus(transaction, answer));
    }

    Assembling taken(IntentKey first, Optional<PostAssembly> answer) {
      var next = offered;
      for (var output : answer.map(PostAssembly::outputs).orElse(List.of())) {
        next = next.plus(output.id(), output);
      }
      return new Assembling(request, sender, next, remaining.minus(0), early.minus(first));
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
   * @param resendAt when it is handed over again if it is not committed by then
   */
  public record Handed(Dispatch dispatch, Instant resendAt) {}

  /**
   * @param incarnation greater than that of every earlier start on this node
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
        HashTrie.emptySet());
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

  /** The sender has had its turn with it. */
  CoordinatorState assembling(Assembling out) {
    return with().waiting(waiting.served(out.sender())).assembling(Optional.of(out)).build();
  }

  CoordinatorState withExchanges(Exchanges<RequestId> next, PMap<RequestId, Purpose> nextPurposes) {
    return withRequests(requests.with(next, nextPurposes));
  }
}
