package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.ChainGroup.Transition;
import dev.sequitur.ethereum.GroupContract.Outcome;
import dev.sequitur.ledger.EmbeddedLedger;
import dev.sequitur.ledger.LedgerRuntime;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.ledger.LedgerStorage;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.fixture.SteadySeed;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.Call;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract on a chain and the embedded ledger are given the same batches, and each transition
 * has the same end on both. A chain does not tell what is spent from what was never made. What was
 * spent is not made again here: a chain has forgotten it, and no domain does it.
 */
class DifferentialTest {
  private static final int MEMBERS = 4;
  private static final int THRESHOLD = 3;
  private static final long GAS_LIMIT = 30_000_000;
  private static final int MOST_IN_BATCH = 40;
  private static final String SUBMITTER = "submitter";
  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();

  @TempDir private Path directory;
  private FileKeys keys;
  private Anvil chain;
  private ChainGroup group;
  private ScheduledExecutorService scheduler;
  private EmbeddedLedger ledger;
  private ContractAddress onLedger;
  private long nonce;

  private long seed;
  private SplittableRandom random;
  private final List<StateId> unspent = new ArrayList<>();
  private final List<StateId> spent = new ArrayList<>();
  private final List<IntentKey> intents = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    seed = SteadySeed.ofRun();
    random = new SplittableRandom(seed);
    keys = FileKeys.open(directory);
    chain = Anvil.start();
    group = ChainGroup.create(chain, ChainGroup.factory(chain), keys, MEMBERS, THRESHOLD, hash());
    scheduler = Executors.newSingleThreadScheduledExecutor();
    ledger =
        EmbeddedLedger.open(
            LedgerStorage.inMemory(),
            LedgerSettings.DEFAULT,
            new LedgerRuntime(SIGNATURES, InstantSource.system(), scheduler, Runnable::run));
    var genesis =
        new ContractGenesis(
            new GroupId(hash()), "group", new Committee(group.members()), THRESHOLD, Bytes.EMPTY);
    var deployed = mined(new LedgerTransaction.Deploy("test", genesis)).results().get(0);
    onLedger = ((LedgerReceipt.Deployed) deployed).contract();
  }

  @AfterEach
  void stop() {
    if (ledger != null) {
      ledger.close();
      scheduler.shutdownNow();
    }
    if (chain != null) {
      chain.close();
    }
  }

  /** Long enough for 100,000 of them on two cores. */
  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void transitionsEndOnBothLedgersAlike() {
    compare(Integer.getInteger("build.transitions", 2_000));
  }

  @Test
  @Tag("slow")
  void manyTransitionsEndOnBothLedgersAlike() {
    compare(20_000);
  }

  private void compare(int transitions) {
    var seen = new ArrayList<Outcome>();
    for (int done = 0; done < transitions; ) {
      var batch = batch(1 + random.nextInt(MOST_IN_BATCH));
      int signers = random.nextInt(10) == 0 ? THRESHOLD - 1 : MEMBERS - random.nextInt(2);
      int from = random.nextInt(4) == 0 ? random.nextInt(batch.size()) : 0;
      var calls = group.endorsed(batch, signers).subList(from, batch.size());
      var same = onLedger(batch, signers).subList(from, batch.size());
      var outcomes = group.fulfill(calls);
      assertThat(outcomes).as("seed %d, after %d", seed, done).isEqualTo(fulfill(same));
      remember(batch.subList(from, batch.size()), outcomes);
      seen.addAll(outcomes);
      done += outcomes.size();
    }
    // None of the ends is rare. CommitteeChangesOnChainTest has the one that is not among them.
    for (var outcome : EnumSet.complementOf(EnumSet.of(Outcome.COMMITTEE_CHANGED))) {
      assertThat(seen.stream().filter(outcome::equals).count())
          .as("%s, seed %d", outcome, seed)
          .isGreaterThan(transitions / 100);
    }
  }

  private List<PreparedTransaction> onLedger(List<Transition> batch, int signers) {
    return group.endorsed(batch, signers, Purpose.ENDORSEMENT, Anvil.CHAIN, onLedger).stream()
        .map(
            each ->
                new PreparedTransaction(
                    each.intent(),
                    onLedger,
                    each.inputs(),
                    each.reads(),
                    each.outputs(),
                    each.proof()))
        .toList();
  }

  private List<Outcome> fulfill(List<PreparedTransaction> transitions) {
    return mined(new LedgerTransaction.Invoke(transitions)).results().stream()
        .map(DifferentialTest::outcome)
        .toList();
  }

  private static Outcome outcome(LedgerReceipt.Result result) {
    return result instanceof LedgerReceipt.Reverted reverted
        ? switch (reverted.reason()) {
          case STATE_SPENT, STATE_UNKNOWN, STATE_UNAVAILABLE -> Outcome.STATE_UNAVAILABLE;
          case STATE_EXISTS -> Outcome.STATE_EXISTS;
          case INTENT_FULFILLED -> Outcome.INTENT_FULFILLED;
          case ENDORSEMENT_INVALID -> Outcome.ENDORSEMENT_INVALID;
          case COMMITTEE_CHANGED, CONTRACT_UNKNOWN, OUT_OF_GAS, CALL_REJECTED, INJECTED ->
              throw new IllegalStateException(reverted.message());
        }
        : Outcome.FULFILLED;
  }

  private LedgerReceipt mined(Call call) {
    var verifier = keys.verifier(SUBMITTER);
    var transaction =
        new LedgerTransaction(SIGNATURES.address(verifier), nonce++, Fees.flat(1), GAS_LIMIT, call);
    var signed =
        ledger.sign(transaction, new Signer(verifier, digest -> keys.sign(SUBMITTER, digest)));
    ledger.submit(List.of(signed)).toCompletableFuture().join();
    ledger.cutBlock();
    return ledger.receipt(signed.hash()).toCompletableFuture().join().orElseThrow();
  }

  /** Each with its own digest. */
  private List<Transition> batch(int size) {
    var batch = new ArrayList<Transition>();
    var digests = new HashSet<Hash>();
    var taken = new HashSet<StateId>();
    while (batch.size() < size) {
      var inputs = some(3, () -> random.nextInt(8) == 0 ? any(spent) : any(unspent));
      var reads = some(2, () -> random.nextInt(8) == 0 ? any(spent) : any(unspent));
      taken.addAll(inputs);
      var outputs = some(4, () -> random.nextInt(25) == 0 ? standing(taken) : new StateId(hash()));
      var again = random.nextInt(30) == 0 && !intents.isEmpty();
      var intent = again ? intents.get(random.nextInt(intents.size())) : intent();
      var transition = new Transition(intent, twice(inputs), reads, twice(outputs));
      if (digests.add(transition.digest())) {
        batch.add(transition);
        // What one makes the next may spend.
        unspent.addAll(outputs);
      }
    }
    return batch;
  }

  private interface Choice {
    StateId take();
  }

  private List<StateId> some(int most, Choice choice) {
    var chosen = new ArrayList<StateId>();
    IntStream.range(0, random.nextInt(most)).forEach(i -> chosen.add(choice.take()));
    return chosen;
  }

  private StateId any(List<StateId> states) {
    return states.isEmpty() ? new StateId(hash()) : states.get(random.nextInt(states.size()));
  }

  /** One that exists and that no transition of the batch spends, or a new one. */
  private StateId standing(HashSet<StateId> taken) {
    var one = any(unspent);
    return taken.contains(one) ? new StateId(hash()) : one;
  }

  private List<StateId> twice(List<StateId> states) {
    if (states.isEmpty() || random.nextInt(40) != 0) {
      return states;
    }
    var more = new ArrayList<>(states);
    more.add(states.get(random.nextInt(states.size())));
    return more;
  }

  /** Keeps the pools small, so that transitions meet. */
  private void remember(List<Transition> batch, List<Outcome> outcomes) {
    unspent.clear();
    for (int i = 0; i < outcomes.size(); i++) {
      intents.add(batch.get(i).intent());
      if (outcomes.get(i) == Outcome.FULFILLED) {
        held.addAll(batch.get(i).outputs());
        held.removeAll(batch.get(i).inputs());
        spent.addAll(batch.get(i).inputs());
      }
    }
    while (held.size() > 40) {
      held.remove(0);
    }
    while (spent.size() > 40) {
      spent.remove(0);
    }
    while (intents.size() > 40) {
      intents.remove(0);
    }
    unspent.addAll(held);
  }

  private IntentKey series;
  private final List<StateId> held = new ArrayList<>();

  /** Mostly of a series that is open, in any order, so that one of its places is used again. */
  private IntentKey intent() {
    if (series == null || random.nextInt(20) == 0) {
      var id = new TransactionId(new UUID(random.nextLong(), random.nextLong()));
      series = new IntentKey(id, new SenderCommitment(hash()));
    }
    int place = random.nextInt(TransactionId.SERIES);
    return new IntentKey(series.transaction().at(place), series.commitment());
  }

  private Hash hash() {
    return new Hash(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
  }
}
