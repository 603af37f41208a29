package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.founding.ChangingTable.ChangingEvent;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.CommitteeStanding;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.ChangeStore.Phase;
import dev.sequitur.protocol.port.ChangeStore.Told;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.Signature;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How a node has the committee of a group changed, once its own operator has agreed (AGR-1 to
 * AGR-7). Pure: what is known of a change is kept in the node store, and each look at it says from
 * that, from the group and from the height what is to be done next. So a crash loses nothing, and
 * any JVM of the node can go on.
 *
 * @param rules which domains and keys this node has, which nodes it knows
 * @param rangeSize blocks of a range, as all members have it
 * @param tellsGenesis whether the base ledger shows what a group begins with
 */
public record Changing(GroupRules rules, long rangeSize, boolean tellsGenesis) {
  /** The code of what a node does not agree to. */
  public static final String UNUSABLE = "SQ020041";

  /** The code of a second change beside one that is open, or of too many. */
  public static final String ANOTHER = "SQ020042";

  /** Bytes of a domain's configuration that are told to a new member, and taken, at most. */
  public static final int MOST_CONFIGURATION = 256 * 1024;

  /**
   * Looks of a node at a change that it might give to the base ledger, before which those of each
   * member that comes before its own have done it: else all would pay for it.
   */
  static final int PATIENCE = 5;

  /** What is to be done about a change. */
  public sealed interface Next {
    /** What is known of it has changed. */
    record Become(AgreedChange now) implements Next {}

    /** The group is read on the base ledger. */
    record Read() implements Next {}

    /** This node signs with these of its keys. */
    record Sign(List<Member> keys) implements Next {}

    /** These nodes are told who has signed. */
    record Tell(Set<NodeName> nodes) implements Next {}

    /** The base ledger is given the change. */
    record Give() implements Next {}

    /** Another node is to give it first. */
    record Wait() implements Next {}

    /** The base ledger would not take it in its next block: nothing is done until there is one. */
    record Hold() implements Next {}

    /** This node takes the group as the base ledger shows it. */
    record Enter(PrivacyGroup group) implements Next {}

    /**
     * What this node holds of the group is made what the base ledger shows.
     *
     * @param readAgain whether a change that was in a block before it took the group may have
     *     escaped it: the group is read once more then
     */
    record Join(boolean readAgain) implements Next {}
  }

  // From the operator

  /**
   * Why this node does not agree to a change, as far as it can tell now.
   *
   * @param group empty if this node is in none of that contract
   */
  public Optional<RefusedIntent> refusal(
      ContractAddress contract,
      Optional<PrivacyGroup> group,
      CommitteeChange change,
      BlockHeight height) {
    if (group.isEmpty() && !change.quorum().committee().hasMemberOn(rules.self())) {
      return Optional.of(IntentRules.unknownGroup(contract));
    }
    return problem(group, change, height).map(sentence -> new RefusedIntent(UNUSABLE, sentence));
  }

  /** Of a group that it is in none of, the base ledger may have the change already (AGR-6). */
  private Optional<String> problem(
      Optional<PrivacyGroup> group, CommitteeChange change, BlockHeight height) {
    if (group.isPresent() && change.until().compareTo(height) <= 0) {
      return Optional.of(
          "Block %s has passed already, up to which the committee of before counts: name a later one than %s."
              .formatted(change.until(), height));
    }
    return group
        .flatMap(known -> flaw(known, change).or(() -> tooSoon(known, change)))
        .or(() -> ofMembers(group.map(PrivacyGroup::committee), change));
  }

  private static Optional<String> flaw(PrivacyGroup group, CommitteeChange change) {
    var standing = group.committees().standing();
    return standing
        .flaw(change)
        .map(
            flaw ->
                "%s The last change of this group has number %s."
                    .formatted(flaw.sentence(), standing.number()));
  }

  /** Of a change whose last block comes before the first that may have it (AGR-7). */
  private Optional<String> tooSoon(PrivacyGroup group, CommitteeChange change) {
    return notBefore(group)
        .filter(first -> change.until().compareTo(first) < 0)
        .map(first -> "%s Name a later last block than %s.".formatted(held(first), change.until()));
  }

  /**
   * The first block that may have the group's next change (AGR-7); empty if any may. The ledger
   * keeps one committee before the newest: with the next change it takes no more what the committee
   * before the last one has endorsed. That one coordinates to the end of the range with the last
   * change, and what has leave by then gets one range more to reach the ledger.
   */
  Optional<BlockHeight> notBefore(PrivacyGroup group) {
    return group.committees().standing().former().map(this::notBefore);
  }

  private BlockHeight notBefore(CommitteeStanding.Former former) {
    var end = new BlockRange(former.changed().range(rangeSize).index() + 2).first(rangeSize);
    return new BlockHeight(Math.min(former.until().value() + 1, end.value()));
  }

  private static String held(BlockHeight first) {
    return "The next change is given to the base ledger from block %s on: up to then the committee before the last change counts."
        .formatted(first);
  }

  private Optional<String> ofMembers(Optional<Committee> before, CommitteeChange change) {
    var fresh =
        before.map(change::newcomers).orElseGet(() -> change.quorum().committee().members());
    for (var member : fresh) {
      var identity = member.identity();
      if (!identity.node().equals(rules.self())) {
        if (!rules.peers().get().contains(identity.node())) {
          return Optional.of(
              "Member %s is on a node that this one does not know: its peers are %s."
                  .formatted(identity, new TreeSet<>(rules.peers().get())));
        }
      } else if (rules.taken().test(identity)) {
        return Optional.of(
            "Member %s is called like a key of its node's own: choose another name."
                .formatted(identity));
      } else if (before.isPresent() && !holds(member)) {
        return Optional.of(notHeld(member));
      }
    }
    return before.isPresent() && toSign(before.get(), change).isEmpty()
        ? Optional.of(
            "This node holds no key that could sign the change: no member of the group, or of the group as it would be, is here with its key.")
        : Optional.empty();
  }

  private boolean holds(Member member) {
    return rules.keys().standing(member.identity().name(), member.verifier()) == Keys.Standing.HELD;
  }

  private static String notHeld(Member member) {
    return "The change names a key of member %s that its node does not hold, or has revoked: `sequitur keys list` shows the one of now."
        .formatted(member.identity());
  }

  /** What is kept of a change from then on. */
  public static Phase first(Optional<PrivacyGroup> group) {
    return group.isPresent() ? Phase.SIGNING : Phase.READING;
  }

  /** Why a change is not kept, since this is; empty if it is the same and goes on. */
  public static Optional<RefusedIntent> refusal(AgreedChange kept, CommitteeChange change) {
    return kept.isOf(change)
        ? Optional.empty()
        : Optional.of(
            new RefusedIntent(
                ANOTHER,
                "This node's operator has agreed to another change of the group, which is open: withdraw that one first (sequencer_withdrawCommitteeChange)."));
  }

  /** There is no room for one more. */
  public static RefusedIntent tooMany() {
    return new RefusedIntent(
        ANOTHER, "Too many changes of committees are open at this node: withdraw some, or wait.");
  }

  /** What the operator's withdrawal comes to; empty if it comes too late. */
  public static Optional<AgreedChange> withdrawn(AgreedChange agreed) {
    return moved(agreed, ChangingEvent.WITHDRAW);
  }

  private static Optional<AgreedChange> moved(AgreedChange agreed, ChangingEvent event) {
    return ChangingTable.CHANGING.move(
        agreed.phase(), event, agreed.contract(), (next, nothing) -> agreed.withPhase(next));
  }

  // At each look

  /**
   * What is to be done now.
   *
   * @param group as this node knows it; empty if it is in none of that contract
   * @param height the newest final block that it has read
   * @param looks how often it has looked at this one since it could give it to the base ledger
   */
  public Next next(
      AgreedChange agreed, Optional<PrivacyGroup> group, BlockHeight height, int looks) {
    if (agreed.phase() == Phase.JOINING) {
      return joining(agreed, group);
    }
    if (agreed.phase() == Phase.READING && group.isEmpty()) {
      return tellsGenesis || agreed.told().isPresent()
          ? new Next.Read()
          : new Next.Tell(others(agreed.change().quorum().committee().nodes()));
    }
    if (agreed.phase() == Phase.GIVING && group.isEmpty() && !tellsGenesis) {
      return ended(agreed, group, height).<Next>map(Next.Become::new).orElseGet(Next.Hold::new);
    }
    return ended(agreed, group, height)
        .<Next>map(Next.Become::new)
        .orElseGet(() -> open(agreed, group.or(agreed::read), height, looks));
  }

  private static Next joining(AgreedChange agreed, Optional<PrivacyGroup> group) {
    var shown = agreed.read().filter(read -> hasTaken(read, agreed.change()));
    return shown
        .filter(read -> group.isEmpty())
        .<Next>map(Next.Enter::new)
        .orElseGet(() -> new Next.Join(shown.isPresent()));
  }

  private static Optional<AgreedChange> ended(
      AgreedChange agreed, Optional<PrivacyGroup> group, BlockHeight height) {
    var change = agreed.change();
    if (group.filter(it -> it.committees().number() >= change.number()).isPresent()) {
      return hasTaken(group.get(), change)
          ? moved(agreed, agreed.read().isPresent() ? ChangingEvent.LET_IN : ChangingEvent.TAKEN)
              .map(it -> it.withNote(Optional.empty()))
          : over(agreed, "Another change has taken the number " + change.number() + ".");
    }
    return height.compareTo(change.until()) > 0
        ? over(agreed, "No block up to " + change.until() + " has it.")
        : Optional.empty();
  }

  /** Whether that change is among those that a block has. */
  private static boolean hasTaken(PrivacyGroup group, CommitteeChange change) {
    var committees = group.committees();
    if (committees.number() < change.number()) {
      return false;
    }
    var taken = committees.changes().get(change.number() - 1);
    return taken.quorum().equals(change.quorum()) && taken.until().equals(change.until());
  }

  private static Optional<AgreedChange> over(AgreedChange agreed, String why) {
    return moved(agreed, ChangingEvent.PASSED).map(it -> it.withNote(Optional.of(why)));
  }

  private Next open(
      AgreedChange agreed, Optional<PrivacyGroup> known, BlockHeight height, int looks) {
    if (agreed.phase() == Phase.READING || known.isEmpty()) {
      return new Next.Read();
    }
    var group = known.get();
    return switch (agreed.phase()) {
      case SIGNING -> new Next.Sign(toSign(group.committee(), agreed.change()));
      case GATHERING ->
          isEnough(agreed, group, height)
              ? new Next.Become(moved(agreed, ChangingEvent.ENOUGH).orElseThrow())
              : new Next.Tell(others(nodes(group.committee(), agreed.change())));
      case GIVING -> giving(agreed, group, height, looks);
      case READING, JOINING, IN_FORCE, OVER, WITHDRAWN ->
          throw new IllegalStateException("" + agreed);
    };
  }

  private Next giving(AgreedChange agreed, PrivacyGroup group, BlockHeight height, int looks) {
    var first = notBefore(group).filter(block -> block.value() > height.value() + 1);
    if (first.isEmpty()) {
      if (!isEnough(agreed, group, height)) {
        return new Next.Hold();
      }
      return looks >= turn(agreed, group.committee()) ? new Next.Give() : new Next.Wait();
    }
    var why = first.map(Changing::held);
    return agreed.note().equals(why) ? new Next.Hold() : new Next.Become(agreed.withNote(why));
  }

  /** Whether the base ledger would take it in the next block. */
  private static boolean isEnough(AgreedChange agreed, PrivacyGroup group, BlockHeight height) {
    return group
        .committees()
        .standing()
        .flaw(agreed.change(), agreed.signers(), new BlockHeight(height.value() + 1))
        .isEmpty();
  }

  /** Where a call names places in the committee of before, who is new cannot make it (CMT-3). */
  private int turn(AgreedChange agreed, Committee before) {
    var nodes = new TreeSet<NodeName>();
    agreed.signatures().forEach(each -> nodes.add(each.party().node()));
    if (!tellsGenesis) {
      nodes.retainAll(before.nodes());
    }
    return PATIENCE * nodes.headSet(rules.self()).size();
  }

  /** With which keys this node signs: its members' of before that it holds, and all new ones. */
  List<Member> toSign(Committee before, CommitteeChange change) {
    return Stream.concat(
            before.members().stream().filter(member -> isHere(member) && holds(member)),
            change.newcomers(before).stream().filter(this::isHere))
        .distinct()
        .toList();
  }

  private boolean isHere(Member member) {
    return member.identity().node().equals(rules.self());
  }

  private Set<NodeName> others(Collection<NodeName> all) {
    var nodes = new LinkedHashSet<>(all);
    nodes.remove(rules.self());
    return nodes;
  }

  /** Of the members before a change and after it. */
  public static Set<NodeName> nodes(Committee before, CommitteeChange change) {
    var nodes = new TreeSet<>(before.nodes());
    nodes.addAll(change.quorum().committee().nodes());
    return nodes;
  }

  // What a group has begun with, where the base ledger has only its hash (AGR-9)

  /**
   * What a node is told about that asks; empty if it asks for nothing, or has no place in the
   * change.
   *
   * @param asked what it says of its signatures
   */
  public Optional<Deploy> answer(
      NodeName from, AgreedChange agreed, PrivacyGroup group, List<Signature> asked) {
    var counts = agreed.phase().isOpen() || agreed.phase() == Phase.IN_FORCE;
    return !tellsGenesis
            && counts
            && asked.isEmpty()
            && agreed.change().quorum().committee().hasMemberOn(from)
        ? Optional.of(Deploy.of(group)).filter(terms -> tooLarge(terms).isEmpty())
        : Optional.empty();
  }

  private static Optional<String> tooLarge(Deploy terms) {
    int size = terms.genesis().configuration().size();
    int members = terms.genesis().committee().members().size();
    return size <= MOST_CONFIGURATION && members <= CommitteeChange.MOST_MEMBERS
        ? Optional.empty()
        : Optional.of(
            "it has %s bytes of configuration and %s members, and at most %s and %s are taken"
                .formatted(size, members, MOST_CONFIGURATION, CommitteeChange.MOST_MEMBERS));
  }

  /** Whether a node that is in no group of the contract needs to be told what it has begun with. */
  public boolean awaitsTerms(AgreedChange agreed) {
    return !tellsGenesis && agreed.phase() == Phase.READING && agreed.told().isEmpty();
  }

  /** Why it takes no notice of what another node says that a group has begun with. */
  public Optional<String> refusal(NodeName from, AgreedChange agreed, Deploy terms) {
    var why =
        agreed.change().quorum().committee().hasMemberOn(from)
            ? tooLarge(terms)
            : Optional.of("it has no member after the change");
    return why.map(
        reason ->
            "What node %s says that the group %s has begun with is not taken: %s."
                .formatted(from, agreed.contract(), reason));
  }

  /** It is held against the base ledger before anything is signed. */
  public static AgreedChange told(AgreedChange agreed, NodeName by, Deploy terms) {
    return agreed.withTold(Optional.of(new Told(by, terms)));
  }

  // What came of it

  /**
   * What a node that is in no group of the contract makes of what the base ledger shows of it.
   * Where that has the change already, the node has been in the group and has lost its records.
   *
   * @param group empty if there is no such contract
   */
  public AgreedChange read(AgreedChange agreed, Optional<PrivacyGroup> group) {
    if (group.isEmpty() && !tellsGenesis) {
      return agreed
          .withTold(Optional.empty())
          .withNote(
              agreed
                  .told()
                  .map(
                      told ->
                          "The base ledger has no contract %s of a group that began as node %s says: the members are asked again."
                              .formatted(agreed.contract(), told.by())));
    }
    var event =
        group.filter(found -> hasTaken(found, agreed.change())).isPresent()
            ? ChangingEvent.LET_IN
            : ChangingEvent.READ;
    var problem =
        group
            .map(found -> ofRead(found, agreed.change()))
            .orElse(Optional.of("The base ledger has no group of this contract."));
    return problem
        .map(why -> over(agreed, why).orElse(agreed))
        .orElseGet(() -> moved(agreed, event).orElse(agreed).withRead(group));
  }

  private Optional<String> ofRead(PrivacyGroup group, CommitteeChange change) {
    var domain = rules.domains().get(group.domain());
    if (domain == null) {
      return Optional.of("This node has no domain '%s'.".formatted(group.domain()));
    }
    return GroupRules.refused(group.domain(), domain, group.configuration())
        .or(() -> hasTaken(group, change) ? ofTaken(group) : ofNext(group, change));
  }

  private Optional<String> ofNext(PrivacyGroup group, CommitteeChange change) {
    return flaw(group, change)
        .or(() -> tooSoon(group, change))
        .or(() -> ofMembers(Optional.of(group.committee()), change));
  }

  /** Whatever has changed since: one of its members of now is here, with its key. */
  private Optional<String> ofTaken(PrivacyGroup group) {
    var here = group.committee().members().stream().filter(this::isHere).toList();
    if (here.isEmpty()) {
      return Optional.of(
          "The base ledger has the change, and with change %s no member of the group is on this node any more."
              .formatted(group.committees().number()));
    }
    return here.stream().anyMatch(this::mayAct)
        ? Optional.empty()
        : Optional.of(
            "The base ledger has the change, and this node does not hold the key that the group has of %s, or has revoked it: `sequitur keys list` shows the one of now."
                .formatted(here.getFirst().identity()));
  }

  private boolean mayAct(Member member) {
    return holds(member) && !rules.taken().test(member.identity());
  }

  /** Once what this node holds of the group is what the base ledger shows. */
  public static AgreedChange joined(AgreedChange agreed) {
    return moved(agreed, ChangingEvent.JOINED).orElse(agreed);
  }

  /**
   * The group that this node comes into with a change that a block has; empty if its operator has
   * not agreed to that one, or it does not follow from what was read. What was withdrawn counts,
   * too: others may have this node's signature, and then its key stands in the group.
   */
  public static Optional<PrivacyGroup> letIn(AgreedChange agreed, CommitteeChange change) {
    var counts = agreed.phase().isOpen() || agreed.phase() == Phase.WITHDRAWN;
    return agreed.isOf(change) && counts ? agreed.read() : Optional.empty();
  }

  /** With this node's own signatures. */
  public static AgreedChange signed(AgreedChange agreed, List<Signature> own) {
    var all = agreed.plus(own).withNote(Optional.empty());
    return moved(all, ChangingEvent.SIGNED).orElse(all);
  }

  /**
   * With those of another node's that are valid and of somebody who matters. Of each signer the
   * first is looked at and no other, whoever has put more of them there. To what is given to the
   * base ledger already none is added (AGR-4).
   *
   * @param isValid tells it of a signature over the change
   */
  public static AgreedChange told(
      AgreedChange agreed, Committee before, List<Signature> given, Predicate<Signature> isValid) {
    if (agreed.phase() == Phase.GIVING) {
      return agreed;
    }
    var wanted = new HashSet<Member>(before.members());
    wanted.addAll(agreed.change().newcomers(before));
    wanted.removeAll(agreed.signers());
    return agreed.plus(
        given.stream()
            .filter(each -> wanted.remove(new Member(each.party(), each.verifier())))
            .filter(isValid)
            .toList());
  }

  /** Whether who told this lacks somebody who is known here to have signed. */
  public static boolean knowsMore(AgreedChange here, List<Signature> told) {
    return !AgreedChange.signers(told).containsAll(here.signers());
  }

  /**
   * Who has not signed.
   *
   * @param newKeys without whose signatures the change is not taken
   * @param others of the committee before, of whom as many are needed as {@code needed} says
   */
  public record Unsigned(List<Identity> newKeys, List<Identity> others, int needed) {
    static Unsigned of(Quorum before, AgreedChange agreed) {
      var signers = agreed.signers();
      var committee = before.committee();
      int signed = committee.among(signers).size();
      return new Unsigned(
          identities(agreed.change().newcomers(committee), signers),
          identities(committee.members(), signers),
          Math.max(0, before.changeThreshold() - signed));
    }

    private static List<Identity> identities(List<Member> members, Set<Member> signers) {
      return members.stream()
          .filter(member -> !signers.contains(member))
          .map(Member::identity)
          .toList();
    }
  }

  /** Who has not signed a change that follows from this group. */
  public static Unsigned unsigned(PrivacyGroup group, AgreedChange agreed) {
    return Unsigned.of(group.committees().newest(), agreed);
  }
}
