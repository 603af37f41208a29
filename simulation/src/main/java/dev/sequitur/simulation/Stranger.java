package dev.sequitur.simulation;

import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Is no member of any group and sees what everybody sends to the base ledger. It sends copies of
 * that, perhaps before the true ones are in a block, and forgeries: the proof of one transition for
 * another, another place in the batch, a leaf at the place of an inner node, the signature of one
 * member as that of many. None of these may be taken ({@link Invariants#onForged}).
 */
final class Stranger {
  /** Transitions. */
  private static final int REMEMBERED = 60;

  /** In one of its transactions. */
  private static final int MOST_TOGETHER = 4;

  /** Of its transactions for a block. */
  private static final int MOST_WAITING = 4;

  private static final SimulatedKeys KEYS = new SimulatedKeys(new NodeName("stranger"));

  /**
   * The simulated ledger takes transactions by signer: it has looked for a key that comes first.
   */
  private static final String NAME =
      IntStream.iterate(0, i -> i + 1)
          .mapToObj(i -> "key" + i)
          .filter(name -> address(name).value().startsWith("0x000"))
          .findFirst()
          .orElseThrow();

  static final LedgerAddress ADDRESS = address(NAME);

  private final Simulation simulation;
  private final RandomGenerator random;
  private final List<PreparedTransaction> seen = new ArrayList<>();
  private final Set<PreparedTransaction> genuine = new HashSet<>();
  private boolean calm;

  Stranger(Simulation simulation, RandomGenerator random) {
    this.simulation = simulation;
    this.random = random;
  }

  private static LedgerAddress address(String name) {
    return SimulatedKeys.SIGNATURES.address(KEYS.verifier(name));
  }

  void start() {
    simulation.ledger().watch(this::remember);
    act();
  }

  /** It sends nothing more. */
  void calm() {
    calm = true;
  }

  private void remember(SignedLedgerTransaction sent) {
    if (!sent.transaction().signer().equals(ADDRESS)
        && sent.transaction().call() instanceof Invoke(var transitions)) {
      for (var transition : transitions) {
        if (seen.size() == REMEMBERED) {
          seen.remove(random.nextInt(REMEMBERED));
        }
        seen.add(transition);
        genuine.add(transition);
      }
    }
  }

  private void act() {
    if (calm) {
      return;
    }
    var open =
        seen.stream().filter(each -> !simulation.ledger().isFulfilled(each.intent())).toList();
    if (!seen.isEmpty() && simulation.ledger().waiting(ADDRESS) < MOST_WAITING) {
      send(open.isEmpty() || random.nextInt(4) == 0 ? seen : open);
    }
    simulation.after(Duration.ofMillis(20 + random.nextInt(400)), this::act);
  }

  private void send(List<PreparedTransaction> from) {
    var transitions =
        IntStream.rangeClosed(0, random.nextInt(MOST_TOGETHER))
            .mapToObj(i -> random.nextInt(3) == 0 ? any(from) : forged(any(from), any(seen)))
            .toList();
    var transaction =
        new LedgerTransaction(
            ADDRESS,
            simulation.ledger().nonce(ADDRESS) + simulation.ledger().waiting(ADDRESS),
            Fees.flat(1),
            0,
            new Invoke(transitions));
    var signed = CanonicalSigning.sign(transaction, KEYS.signer(NAME));
    for (int i = 0; i < transitions.size(); i++) {
      if (!genuine.contains(transitions.get(i))) {
        simulation.invariants().onForged(signed.hash(), i);
      }
    }
    simulation.injected(Fault.STRANGER_SENDS);
    simulation.ledger().submit(signed);
  }

  private PreparedTransaction any(List<PreparedTransaction> of) {
    return of.get(random.nextInt(of.size()));
  }

  private PreparedTransaction forged(PreparedTransaction one, PreparedTransaction other) {
    var ways = ways(one, other);
    return ways.get(random.nextInt(ways.size()));
  }

  /** What is made of one and of parts of the other; some may be the one as it was. */
  static List<PreparedTransaction> ways(PreparedTransaction one, PreparedTransaction other) {
    var signatures = one.proof().signatures();
    var copies =
        signatures.isEmpty()
            ? signatures
            : Collections.nCopies(signatures.size(), signatures.get(0));
    return Stream.of(
            Optional.of(claimed(one, other.intent(), one.contract(), one.inputs(), one.outputs())),
            Optional.of(claimed(one, one.intent(), other.contract(), one.inputs(), one.outputs())),
            Optional.of(claimed(one, one.intent(), one.contract(), other.inputs(), one.outputs())),
            Optional.of(claimed(one, one.intent(), one.contract(), one.inputs(), other.outputs())),
            Optional.of(proved(one, other.proof().path(), signatures)),
            Optional.of(proved(one, one.proof().path(), other.proof().signatures())),
            Optional.of(proved(one, one.proof().path(), copies)),
            Optional.of(proved(one, MerklePath.ALONE, signatures)),
            neighbour(one.proof().path()).map(path -> proved(one, path, signatures)),
            raised(one.proof().path()).map(path -> proved(one, path, signatures)),
            oneMore(one.proof().path()).map(path -> proved(one, path, signatures)))
        .flatMap(Optional::stream)
        .toList();
  }

  /** With the proof of one. */
  private static PreparedTransaction claimed(
      PreparedTransaction one,
      IntentKey intent,
      ContractAddress contract,
      List<StateId> inputs,
      List<StateId> outputs) {
    return new PreparedTransaction(intent, contract, inputs, one.reads(), outputs, one.proof());
  }

  private static PreparedTransaction proved(
      PreparedTransaction one, MerklePath path, List<Signature> signatures) {
    return new PreparedTransaction(
        one.intent(),
        one.contract(),
        one.inputs(),
        one.reads(),
        one.outputs(),
        new Proof(path, signatures));
  }

  /** The place beside it with its own siblings, if a tree of that size has such a path. */
  private static Optional<MerklePath> neighbour(MerklePath path) {
    return path(path.index() ^ 1, path.size(), path.siblings());
  }

  /** The leaf stands for the inner node above it, in the tree of those nodes. */
  private static Optional<MerklePath> raised(MerklePath path) {
    var siblings = path.siblings();
    return siblings.isEmpty()
        ? Optional.empty()
        : path(path.index() / 2, (path.size() + 1) / 2, siblings.subList(1, siblings.size()));
  }

  /** The same root, said to be of more leaves. */
  private static Optional<MerklePath> oneMore(MerklePath path) {
    return path(path.index(), path.size() + 1, path.siblings());
  }

  private static Optional<MerklePath> path(int index, int size, List<Hash> siblings) {
    try {
      return Optional.of(new MerklePath(index, size, siblings));
    } catch (IllegalArgumentException noSuchPlace) {
      return Optional.empty();
    }
  }
}
