package dev.sequitur.ethereum;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.ethereum.ChainGroup.Transition;
import dev.sequitur.ethereum.GroupContract.Outcome;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What a private transaction costs on a chain: gas for each in a batch, all members signing, two
 * outputs each. The table of {@code docs/performance.md}.
 */
final class GasTable {
  static final List<Integer> MEMBERS = List.of(1, 4, 16);
  static final List<Integer> INPUTS = List.of(1, 2, 8);
  static final List<Integer> BATCHES = List.of(1, 20, 40, 64);

  private static final int OUTPUTS = 2;

  /** As it is estimated, with nothing to spare. */
  private static final Gas ESTIMATE =
      new Gas(Fees.flat(0), Fees.flat(0), 10, 100, Duration.ofSeconds(1));

  private final Anvil chain;
  private final FileKeys keys;
  private final String factory;
  private final int series;
  private final SplittableRandom random = new SplittableRandom(1);
  private IntentKey newest;

  /** As nodes make intents unless they are told otherwise. */
  GasTable(Anvil chain, FileKeys keys) {
    this(chain, keys, LimitSettings.DEFAULT.intentSeries());
  }

  /**
   * @param series how many intents after each other share a slot
   */
  GasTable(Anvil chain, FileKeys keys, int series) {
    this.chain = chain;
    this.keys = keys;
    this.factory = ChainGroup.factory(chain);
    this.series = series;
  }

  /** {@code GasTable SERIES} for another length of the series of intents. */
  public static void main(String[] arguments) throws IOException {
    int series =
        arguments.length == 0
            ? LimitSettings.DEFAULT.intentSeries()
            : Integer.parseInt(arguments[0]);
    try (var chain = Anvil.start()) {
      var keys = FileKeys.open(Files.createTempDirectory("sequitur-gas-table"));
      var table = new GasTable(chain, keys, series);
      System.out.println(
          "| members, inputs | 1 in a batch | 20 | 40 | 64 |\n|---|---|---|---|---|");
      for (int members : MEMBERS) {
        for (int inputs : INPUTS) {
          var row = new StringBuilder("| %d, %d |".formatted(members, inputs));
          for (int batch : BATCHES) {
            row.append(" %,d |".formatted(table.gas(members, inputs, batch)));
          }
          System.out.println(row.toString().toLowerCase(Locale.ROOT));
        }
      }
    }
  }

  /** Of one transition of the batch. */
  long gas(int members, int inputs, int batch) {
    return use(members, inputs, batch).used() / batch;
  }

  /**
   * What a batch of payments was allowed, which is what the submitter estimates, and what it paid.
   */
  record Use(long limit, long used) {}

  Use use(int members, int inputs, int batch) {
    var group = ChainGroup.create(chain, factory, keys, members, members, hash());
    var unspent = new ArrayList<StateId>();
    var mints = new ArrayList<Transition>();
    for (int i = 0; i < batch; i++) {
      var made = Stream.generate(this::state).limit(inputs).toList();
      unspent.addAll(made);
      mints.add(new Transition(intent(), List.of(), List.of(), made));
    }
    for (int from = 0; from < batch; from += 16) {
      require(
          group.fulfill(group.endorsed(mints.subList(from, Math.min(batch, from + 16)), members)));
    }
    newest = null;
    var payments = new ArrayList<Transition>();
    for (int i = 0; i < batch; i++) {
      var spent = List.copyOf(unspent.subList(i * inputs, (i + 1) * inputs));
      var made = Stream.generate(this::state).limit(OUTPUTS).toList();
      payments.add(new Transition(intent(), spent, List.of(), made));
    }
    var calls = group.endorsed(payments, members);
    var limit = ESTIMATE.limit(new Invoke(calls));
    var receipt = group.send(calls, limit);
    require(ChainGroup.outcomes(receipt));
    return new Use(limit, Long.decode(receipt.get("gasUsed").textValue()));
  }

  private static void require(List<Outcome> outcomes) {
    if (!outcomes.equals(Collections.nCopies(outcomes.size(), Outcome.FULFILLED))) {
      throw new IllegalStateException(outcomes.toString());
    }
  }

  private IntentKey intent() {
    if (newest == null || newest.transaction().place() + 1 == series) {
      var id = new TransactionId(new UUID(random.nextLong(), random.nextLong()));
      newest = new IntentKey(id, new SenderCommitment(hash())).series();
    } else {
      var id = newest.transaction();
      newest = new IntentKey(id.at(id.place() + 1), newest.commitment());
    }
    return newest;
  }

  private StateId state() {
    return new StateId(hash());
  }

  private Hash hash() {
    return new Hash(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
  }
}
