package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.founding.FoundingTable.FoundingPhase;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * The groups that are made here. None of it outlives a life: what must is in the node store.
 *
 * @param about what each open question is asked for
 * @param accepted the groups of accepted transactions
 * @param agenda those that go on later
 * @param next the next number to be given to anything
 * @param turn the one that the base ledger or the node store is asked about as it is tried again
 * @param reading of what was accepted
 */
@Copyable
public record FoundingState(
    Questions questions,
    PMap<RequestId, About> about,
    PMap<GroupId, Making> makings,
    PMap<TransactionId, GroupId> accepted,
    TreePMap<Turn, GroupId> agenda,
    long next,
    Optional<GroupId> turn,
    Reading reading)
    implements FoundingStateBuilder.With {
  /** Being made at a time; beyond, callers are refused. */
  public static final int MOST = 1_000;

  /** What a question is asked for. */
  public sealed interface About {
    /** The key of a member. */
    record Key(GroupId group, Identity member) implements About {}

    /** Whether a member's node takes part. */
    record Part(GroupId group) implements About {}

    /** A caller wants a key. */
    record Caller(long call, Identity identity) implements About {}
  }

  /** When one goes on, in the order in which that was asked for. */
  public record Turn(Instant at, long number) implements Comparable<Turn> {
    @Override
    public int compareTo(Turn other) {
      int byTime = at.compareTo(other.at);
      return byTime == 0 ? Long.compare(number, other.number) : byTime;
    }
  }

  /**
   * Of what was accepted and has no receipt.
   *
   * @param again whether there may be more than what is being read
   * @param at when it is read again, after it could not be
   */
  public record Reading(boolean underway, boolean again, Optional<Instant> at) {
    static final Reading NONE = new Reading(false, false, Optional.empty());
  }

  /**
   * What nodes have said to what they were asked together.
   *
   * @param open those that have not
   * @param failures what those said that may say something else later
   * @param refusal what one said for good
   */
  public record Answers(
      PMap<RequestId, NodeName> open,
      PMap<Identity, Verifier> keys,
      List<String> failures,
      Optional<String> refusal) {
    static final Answers NONE =
        new Answers(HashTrie.empty(), HashTrie.empty(), List.of(), Optional.empty());

    Answers asking(RequestId id, NodeName node) {
      return new Answers(open.plus(id, node), keys, failures, refusal);
    }

    Answers answered(RequestId id) {
      return new Answers(open.minus(id), keys, failures, refusal);
    }

    Answers with(Identity member, Verifier key) {
      return new Answers(open, keys.plus(member, key), failures, refusal);
    }

    Answers failed(String why) {
      var all = new ArrayList<>(failures);
      if (!all.contains(why)) {
        all.add(why);
      }
      return new Answers(open, keys, List.copyOf(all), refusal);
    }

    Answers refused(String why) {
      return new Answers(open, keys, failures, refusal.or(() -> Optional.of(why)));
    }
  }

  /**
   * What the base ledger is offered for the contract.
   *
   * @param fees to be offered next; the first ones again after a restart
   * @param since when the ledger took it first at these fees, or refused them of what was taken up
   * @param pooled what the ledger has taken, at any fees
   */
  public record Offer(Optional<Fees> fees, Optional<Instant> since, List<TransactionHash> pooled) {
    static final Offer NONE = new Offer(Optional.empty(), Optional.empty(), List.of());

    Offer offering(Fees newFees) {
      return new Offer(Optional.of(newFees), Optional.empty(), pooled);
    }

    Offer pooled(TransactionHash hash, Instant now) {
      var all = new LinkedHashSet<>(pooled);
      all.add(hash);
      return new Offer(fees, since, List.copyOf(all)).standing(now);
    }

    /** The ledger has it, or may have it from another JVM. */
    Offer standing(Instant now) {
      return new Offer(fees, since.or(() -> Optional.of(now)), pooled);
    }
  }

  /**
   * A group that is made here.
   *
   * @param genesis the transaction that makes it
   * @param accepted if that was accepted, and not asked for by a call
   * @param request empty if it was found in the node store
   * @param caller who waits for its first try
   * @param stored as it is in the node store, or is to be
   * @param takenUp whether another life or another JVM may have had its contract taken before
   * @param given whether all members have said that they take part
   * @param ended why it is never made
   * @param looks how often it was found in the node store without being made
   * @param waitsFor what its last try has failed over
   * @param told what the operator was told last of it
   * @param turn if it waits for one
   */
  @Copyable
  public record Making(
      GroupId group,
      FoundingPhase phase,
      TransactionId genesis,
      Optional<NewGroup> accepted,
      Optional<GroupRequest> request,
      Optional<Long> caller,
      Optional<StoredGroup> stored,
      boolean takenUp,
      Answers answers,
      boolean given,
      Offer offer,
      Optional<String> ended,
      int looks,
      Optional<String> waitsFor,
      Optional<String> told,
      Optional<Turn> turn)
      implements FoundingStateMakingBuilder.With {
    static Making of(GroupId group, FoundingPhase phase, TransactionId genesis) {
      return new Making(
          group,
          phase,
          genesis,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          false,
          Answers.NONE,
          false,
          Offer.NONE,
          Optional.empty(),
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }
  }

  static FoundingState initial(String incarnation) {
    return new FoundingState(
        Questions.none(incarnation),
        HashTrie.empty(),
        HashTrie.empty(),
        HashTrie.empty(),
        TreePMap.empty(),
        0,
        Optional.empty(),
        Reading.NONE);
  }

  /** Whether nothing is made and nobody waits for anything. */
  public boolean isEmpty() {
    return makings.isEmpty()
        && accepted.isEmpty()
        && about.isEmpty()
        && questions.open().open().isEmpty()
        && agenda.isEmpty()
        && turn.isEmpty()
        && !reading.underway()
        && reading.at().isEmpty();
  }

  /** Whether there is no room for so many more. */
  public boolean isFull(long more) {
    return more > 0 && makings.size() + more > MOST;
  }

  FoundingState with(Making making) {
    return withMakings(makings.plus(making.group(), making));
  }

  Optional<Making> find(GroupId group) {
    return Optional.ofNullable(makings.get(group));
  }

  /** One that is known to be there. */
  Making get(GroupId group) {
    return makings.get(group);
  }

  /** The making of the group goes on at that time, or as soon after as its turn comes. */
  FoundingState onAgenda(GroupId group, Instant at) {
    var turnOf = new Turn(at, next);
    return with(get(group).withTurn(Optional.of(turnOf)))
        .withAgenda(agenda.plus(turnOf, group))
        .withNext(next + 1);
  }

  /** The making of the group waits for no turn any more. */
  FoundingState offAgenda(GroupId group) {
    var making = get(group);
    return making.turn().isEmpty()
        ? this
        : with(making.withTurn(Optional.empty())).withAgenda(agenda.minus(making.turn().get()));
  }

  /** As if the group had never been here. */
  FoundingState without(GroupId group) {
    var making = get(group);
    var left = offAgenda(group);
    var questionsLeft = left.questions();
    var aboutLeft = left.about();
    for (var id : making.answers().open().keySet()) {
      questionsLeft = questionsLeft.end(id);
      aboutLeft = aboutLeft.minus(id);
    }
    return left.with()
        .questions(questionsLeft)
        .about(aboutLeft)
        .makings(left.makings().minus(group))
        .accepted(
            making.accepted().map(it -> left.accepted().minus(it.id())).orElse(left.accepted()))
        .build();
  }
}
