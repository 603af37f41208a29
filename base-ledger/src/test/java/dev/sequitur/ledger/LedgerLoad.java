package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static dev.sequitur.ledger.TestNetwork.SIMON;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.port.Signatures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;

/**
 * How many invocations a second a ledger on disk takes and puts into blocks, with four endorsements
 * each, when verifying costs nothing: {@code LedgerLoad DIRECTORY TRANSACTIONS [CHECKPOINT_EVERY]}.
 * With checkpoints it counts the tables at the end. Not a test.
 */
public final class LedgerLoad {
  private static final int BATCH = 500;
  private static final int BLOCK = 2_500;

  private LedgerLoad() {}

  public static void main(String[] arguments) {
    int total = Integer.parseInt(arguments[1]);
    var scheduler = Executors.newSingleThreadScheduledExecutor();
    var executor = Executors.newFixedThreadPool(2);
    var storage = LedgerStorage.levelDb(Path.of(arguments[0]));
    var runtime = new LedgerRuntime(new FreeSignatures(), new TestTime(), scheduler, executor);
    int checkpoints = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0;
    var settings = LedgerSettings.DEFAULT.withCheckpointEvery(checkpoints);
    long opening = System.nanoTime();
    try (var ledger = EmbeddedLedger.open(storage, settings, runtime)) {
      System.out.printf("opened in %.1f s%n", seconds(System.nanoTime() - opening));
      long first = TestNetwork.now(ledger.nonce(SALLY.address()));
      var deploy = new Deploy("token", TestNetwork.genesis(4, ALICE, BOB, CAROL, SIMON));
      TestNetwork.now(ledger.submit(List.of(SALLY.signed(first, deploy))));
      var contract = ContractRules.contractAddress(SALLY.address(), first);
      for (int done = 0; done < total; done += BLOCK) {
        round(ledger, contract, first + 1 + done, Math.min(BLOCK, total - done));
      }
      long start = System.nanoTime();
      var report = new LedgerAudit(Conservation.UNKNOWN).read(ledger, ledger.headHeight()).report();
      print("audit of " + report.transactions(), (int) report.transactions(), start);
      if (checkpoints > 0) {
        long counting = System.nanoTime();
        boolean sound = new StoredSums(storage).matchTables(() -> true);
        System.out.printf(
            "tables counted in %.1f s: %s%n", seconds(System.nanoTime() - counting), sound);
      }
      System.out.println(report.violations() + " " + report.reverts() + " " + heap());
    } finally {
      executor.shutdownNow();
      scheduler.shutdownNow();
    }
  }

  private static void round(
      EmbeddedLedger ledger, ContractAddress contract, long first, int count) {
    var batches = new ArrayList<List<SignedLedgerTransaction>>();
    for (int from = 0; from < count; from += BATCH) {
      batches.add(
          LongStream.range(first + from, first + Math.min(count, from + BATCH))
              .mapToObj(nonce -> SALLY.signed(nonce, transfer(contract, nonce)))
              .toList());
    }
    long start = System.nanoTime();
    batches.forEach(batch -> TestNetwork.now(ledger.submit(batch)));
    long submitted = System.nanoTime();
    var block = ledger.cutBlock().orElseThrow();
    System.out.printf(
        "submit %.0f/s, block of %d in %d ms, both %.0f/s, %s%n",
        count / seconds(submitted - start),
        block.receipts().size(),
        (System.nanoTime() - submitted) / 1_000_000,
        count / seconds(System.nanoTime() - start),
        heap());
  }

  private static Invoke transfer(ContractAddress contract, long nonce) {
    var intent = Intent.on(contract, contract.value() + nonce).makes("a" + nonce, "b" + nonce);
    // the first after the deployment has nothing to spend; each other spends what the last one made
    return (nonce < 3 ? intent : intent.spends("a" + (nonce - 1)))
        .endorsedBy(ALICE, BOB, CAROL, SIMON);
  }

  private static void print(String what, int count, long start) {
    System.out.printf("%s: %.0f/s%n", what, count / seconds(System.nanoTime() - start));
  }

  private static double seconds(long nanos) {
    return nanos / 1e9;
  }

  private static String heap() {
    var runtime = Runtime.getRuntime();
    return ((runtime.totalMemory() - runtime.freeMemory()) >> 20) + " MiB";
  }

  private static final class FreeSignatures implements Signatures {
    @Override
    public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
      return true;
    }

    @Override
    public LedgerAddress address(Verifier verifier) {
      return SALLY.address();
    }
  }
}
