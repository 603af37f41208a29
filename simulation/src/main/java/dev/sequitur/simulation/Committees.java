package dev.sequitur.simulation;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.CommitteeStanding;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.transaction.Signature;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What operators do: at the blocks that the setup names they bring a change of each group's
 * committee to the ledger, signed by as many as must (CMT-2). Some forget a signature, and nothing
 * may come of that.
 */
final class Committees {
  private static final int FEW_BLOCKS = 3;

  private final Simulation simulation;
  private final SplittableRandom random;
  private final SplittableRandom thefts;
  private final Set<Hash> agreed = new HashSet<>();
  private long sent;
  private int keys;

  Committees(Simulation simulation, long seed) {
    this.simulation = simulation;
    this.random = new SplittableRandom(seed * 97);
    this.thefts = new SplittableRandom(seed * 101);
  }

  /** Before a block is made. */
  void beforeBlock(long height) {
    if (simulation.setup().changes().contains(height)) {
      for (var group : simulation.firstGroups()) {
        bring(group, height);
      }
    }
  }

  private void bring(PrivacyGroup group, long height) {
    var standing = simulation.ledger().committees(group.contract());
    if (standing.former().filter(it -> height <= it.until().value()).isPresent()) {
      // What it has endorsed in this range would be taken no more.
      return;
    }
    var change =
        new CommitteeChange(
            standing.number() + 1, changed(standing.newest()), new BlockHeight(until(height)));
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

  /** One member gets another key, and just more than half must endorse, or all. */
  private Quorum changed(Quorum before) {
    var members = new ArrayList<>(before.committee().members());
    int turn = random.nextInt(members.size());
    members.set(turn, withFreshKey(members.get(turn).identity()));
    int all = members.size();
    return new Quorum(
        new Committee(members),
        random.nextBoolean() ? all : all / 2 + 1,
        Math.max(1, random.nextBoolean() ? all - 1 : all / 2));
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

  /** Of a final block. */
  void onFinal(LedgerReceipt.CommitteeChanged changed) {
    var group = simulation.group(changed.contract()).orElseThrow();
    if (!agreed.contains(changed.change().digest(group.chainId(), group.contract()))) {
      throw new AssertionError("A committee changed, to which too few have agreed.");
    }
    simulation.count("committees changed");
  }
}
