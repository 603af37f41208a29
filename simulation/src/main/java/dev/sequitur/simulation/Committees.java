package dev.sequitur.simulation;

import static dev.sequitur.simulation.Invariants.require;

import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.endorser.EndorsementProof;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.CommitteeStanding;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.PrivacyGroup.EndorsementPolicy;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What operators do: at the blocks that the setup names they bring a change of each group's
 * committee to the ledger, signed by as many as must (CMT-2). Some forget a signature, and nothing
 * may come of that. A member gets another key, and often one is removed, or one that was removed is
 * added again; its node goes on all the while.
 */
final class Committees {
  static final String CARRIED_OVER = "contents that only a former member had, by hand";

  private static final int FEW_BLOCKS = 3;
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** A committee with fewer loses nobody. */
  private static final int FEWEST = 2;

  private final Simulation simulation;
  private final SplittableRandom random;
  private final SplittableRandom thefts;

  /** Drawn apart: who comes and goes. */
  private final SplittableRandom comings;

  private final Set<Hash> agreed = new HashSet<>();
  private long sent;
  private int keys;

  Committees(Simulation simulation, long seed) {
    this.simulation = simulation;
    this.random = new SplittableRandom(seed * 97);
    this.thefts = new SplittableRandom(seed * 101);
    this.comings = new SplittableRandom(seed * 107);
  }

  /** Before a block is made. */
  void beforeBlock(long height) {
    if (simulation.setup().changes().contains(height)) {
      for (var group : simulation.firstGroups()) {
        bring(group, height);
      }
    }
  }

  /**
   * Contents that no member has, and a former one has: it was down while the members changed twice,
   * and nobody hears it any more. What builds upon them would wait for ever, so operators carry
   * them over. No rule does that yet.
   */
  void carryOver() {
    for (var group : simulation.groups()) {
      if (group.committees().number() > 0) {
        for (var state : simulation.invariants().unspent(group.contract())) {
          carryOver(group, state);
        }
      }
    }
    simulation.after(AGAIN, this::carryOver);
  }

  private void carryOver(PrivacyGroup group, StateId state) {
    var having = simulation.nodes().stream().filter(it -> it.disk().state(state).isPresent());
    var former = having.toList();
    if (former.isEmpty()
        || former.stream().anyMatch(it -> group.committee().hasMemberOn(it.name()))) {
      return;
    }
    var content = content(former.getFirst().disk(), group.contract(), state);
    content.state().distribution().stream()
        .map(party -> simulation.node(party.node()))
        .filter(it -> it.isUp() && group.committee().hasMemberOn(it.name()))
        .findFirst()
        .ifPresent(
            member -> {
              simulation.count(CARRIED_OVER);
              Restores.handIn(member, content);
            });
  }

  private static Restores.Content content(Disk of, ContractAddress contract, StateId state) {
    var producedBy =
        of.journals(contract).states().stream()
            .filter(StateStoreEvent.StatesStored.class::isInstance)
            .flatMap(event -> ((StateStoreEvent.StatesStored) event).items().stream())
            .filter(item -> item.state().equals(state))
            .map(StateStoreEvent.Item::producedBy)
            .findFirst()
            .orElseThrow();
    return new Restores.Content(contract, producedBy, of.state(state).orElseThrow());
  }

  private void bring(PrivacyGroup group, long height) {
    var standing = simulation.ledger().committees(group.contract());
    if (standing.former().filter(it -> height <= it.until().value()).isPresent()) {
      // What it has endorsed in this range would be taken no more.
      return;
    }
    var change =
        new CommitteeChange(
            standing.number() + 1,
            changed(outside(group, standing), standing.newest()),
            new BlockHeight(until(height)));
    var digest = change.digest(group.chainId(), group.contract());
    var signatures = signatures(standing, change, digest);
    if (random.nextInt(4) == 0) {
      // Nobody has agreed to this one.
      send(new ChangeCommittee(group.contract(), change, signatures.subList(1, signatures.size())));
    } else {
      agreed.add(digest);
      send(new ChangeCommittee(group.contract(), change, signatures));
    }
  }

  /**
   * The end of the range after the one in which it begins; where keys are stolen, soon or at once.
   */
  private long until(long height) {
    long range = simulation.setup().policy().rangeSize();
    if (simulation.setup().stolenKeys() && thefts.nextBoolean()) {
      return height + thefts.nextInt(FEW_BLOCKS);
    }
    return (height / range + 3) * range - 1;
  }

  /** Who was removed, with the key that it had last. */
  private List<Member> outside(PrivacyGroup first, CommitteeStanding standing) {
    Map<Identity, Member> outside = new LinkedHashMap<>();
    var known = simulation.group(first.contract()).orElseThrow().committees();
    known.all().stream()
        .flatMap(quorum -> quorum.committee().members().stream())
        .forEach(member -> outside.put(member.identity(), member));
    standing.newest().committee().identities().forEach(outside::remove);
    return List.copyOf(outside.values());
  }

  /** One member gets another key, and just more than half must endorse, or all. */
  private Quorum changed(List<Member> outside, Quorum before) {
    var members = new ArrayList<>(before.committee().members());
    if (simulation.setup().removals()) {
      comeOrGo(outside, members);
    }
    int turn = random.nextInt(members.size());
    members.set(turn, withFreshKey(members.get(turn).identity()));
    int all = members.size();
    return new Quorum(
        new Committee(members),
        random.nextBoolean() ? all : all / 2 + 1,
        Math.max(1, random.nextBoolean() ? all - 1 : all / 2));
  }

  /** Who comes back has the key that it had last, unless it is the one that gets another. */
  private void comeOrGo(List<Member> outside, List<Member> members) {
    if (!outside.isEmpty() && comings.nextBoolean()) {
      members.add(outside.get(comings.nextInt(outside.size())));
    } else if (members.size() > FEWEST && comings.nextInt(3) > 0) {
      members.remove(comings.nextInt(members.size()));
    }
  }

  private Member withFreshKey(Identity identity) {
    var theirs = simulation.node(identity.node()).keys();
    return new Member(identity, theirs.give(identity.name(), ++keys));
  }

  /** Just as many as must, and all that are new. */
  private List<Signature> signatures(
      CommitteeStanding standing, CommitteeChange change, Hash digest) {
    var before = standing.newest();
    var signers =
        new ArrayList<>(before.committee().members().subList(0, before.changeThreshold()));
    signers.addAll(change.newcomers(before.committee()));
    return signers.stream().map(signer -> signed(signer, digest)).toList();
  }

  private Signature signed(Member signer, Hash digest) {
    var identity = signer.identity();
    var theirs = simulation.node(identity.node()).keys();
    return new Signature(
        identity, signer.verifier(), theirs.sign(identity.name(), signer.verifier(), digest));
  }

  /** Each by a key of its own, so that none waits for another. */
  private void send(ChangeCommittee call) {
    var signer = simulation.nodes().iterator().next().keys().signer("operator " + ++sent);
    var address = SimulatedKeys.SIGNATURES.address(signer.verifier());
    simulation
        .ledger()
        .submit(
            CanonicalSigning.sign(
                new LedgerTransaction(address, 0, Fees.flat(1), 0, call), signer));
  }

  /** What a final block fulfils, enough members of a committee that counts in it have endorsed. */
  void onFinal(Block block) {
    for (var receipt : block.receipts()) {
      for (int i = 0; i < receipt.results().size(); i++) {
        if (receipt.results().get(i) instanceof LedgerReceipt.Fulfilled done
            && simulation.ledger().transaction(receipt).call() instanceof Invoke invoke) {
          requireEndorsed(done, invoke.transitions().get(i), block.height());
        }
      }
    }
  }

  /** CMT-4 */
  private void requireEndorsed(
      LedgerReceipt.Fulfilled done, PreparedTransaction prepared, BlockHeight height) {
    var group = simulation.group(done.contract()).orElseThrow();
    var committees = group.committees().asOf(height);
    require(
        committees.number() == 0
            || committees
                .standing()
                .counting(height)
                .map(it -> new EndorsementPolicy(group.chainId(), group.contract(), it))
                .map(policy -> new EndorsementProof(policy, prepared))
                .anyMatch(proof -> proof.flaw(SimulatedKeys.SIGNATURES).isEmpty()),
        done.transaction() + " is fulfilled, and no committee that counts has endorsed it");
  }

  /** In a final block. */
  void onChanged(LedgerReceipt.CommitteeChanged changed) {
    var group = simulation.group(changed.contract()).orElseThrow();
    require(
        agreed.contains(changed.change().digest(group.chainId(), group.contract())),
        "A committee changed, to which too few have agreed.");
    simulation.count("committees changed");
    var committees = group.committees();
    int number = committees.number();
    var before = new HashSet<>(committees.all().get(number - 1).committee().identities());
    var after = new HashSet<>(committees.newest().committee().identities());
    after.stream()
        .filter(member -> !before.contains(member))
        .forEach(member -> simulation.injected(Fault.MEMBER_RETURNED));
    before.stream()
        .filter(member -> !after.contains(member))
        .forEach(member -> simulation.injected(Fault.MEMBER_REMOVED));
  }
}
