package dev.sequitur.simulation;

import static dev.sequitur.simulation.Invariants.require;

import dev.sequitur.protocol.funding.FundingSettings;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.GasTransfer;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The money that keys pay for gas with, where it costs any: who gives it to the funding accounts,
 * and that these give it once for each want, no more than they should, and to everybody in the end.
 */
final class Fundings {
  /** What a node calls the key of its funding account. */
  static final String KEY = "funding";

  /** Counts transfers that are in final blocks. */
  static final String TOPPED_UP = "gas transfers";

  private static final BigInteger LOW = BigInteger.TEN.pow(9);
  private static final BigInteger FULL = LOW.multiply(BigInteger.valueOf(4));

  static final FundingSettings SETTINGS =
      new FundingSettings(true, LOW, FULL, LOW, Duration.ofSeconds(2));

  /** For some transfers. What they may cost at most stays on the account. */
  private static final BigInteger SOME = BigInteger.TEN.pow(10);

  private static final BigInteger PLENTY = BigInteger.TWO.pow(80);

  /** What a public transaction sends along is on its key: nobody tops that up (FND-6). */
  private static final BigInteger SENT_ALONG = BigInteger.valueOf(1_000);

  private static final int GIFTS = 4;
  private static final int MOVES = 3;

  private final Simulation simulation;
  private final Map<Decided, Bounds> decided = new HashMap<>();
  private SplittableRandom answers;
  private boolean calm;

  private record Decided(LedgerAddress from, long nonce, LedgerAddress to, BigInteger amount) {}

  /**
   * @param least a key that has as much gets nothing
   * @param most no key is given more than makes up this
   */
  private record Bounds(BigInteger least, BigInteger most) {
    private Bounds orMore(Bounds other) {
      return new Bounds(least.max(other.least), most.max(other.most));
    }
  }

  Fundings(Simulation simulation) {
    this.simulation = simulation;
  }

  static LedgerAddress account(SimulatedNode node) {
    return SimulatedKeys.SIGNATURES.address(node.keys().verifier(KEY));
  }

  private boolean areWatched() {
    return simulation.setup().funding().isPresent();
  }

  /** Each account can pay for a few transfers. */
  void begin() {
    answers = new SplittableRandom(simulation.setup().seed() * 79);
    if (areWatched()) {
      simulation.ledger().charge();
      for (var node : simulation.nodes()) {
        give(node, SOME.multiply(BigInteger.valueOf(4)));
        var publics = node.keys().verifier(Simulation.MEMBER);
        simulation.ledger().give(SimulatedKeys.SIGNATURES.address(publics), SENT_ALONG);
      }
    }
  }

  private void give(SimulatedNode node, BigInteger amount) {
    simulation.ledger().give(account(node), amount);
  }

  /** Money comes seldom; keepers move, and die as they pay. */
  void start(SplittableRandom random, Duration within) {
    for (var node : simulation.nodes()) {
      for (int i = 0; i < GIFTS; i++) {
        later(random, within, () -> give(node, SOME));
      }
      for (int i = 0; i < MOVES; i++) {
        later(random, within, () -> move(node));
      }
      var downtime = Duration.ofMillis(300 + random.nextInt(4_000));
      later(random, within, () -> crashAsItPays(node, downtime));
    }
  }

  private void later(SplittableRandom random, Duration within, Runnable what) {
    simulation.after(
        Duration.ofMillis(random.nextLong(within.toMillis())),
        () -> {
          if (!calm) {
            what.run();
          }
        });
  }

  private void move(SimulatedNode node) {
    if (node.isUp()) {
      simulation.injected(Fault.KEEPER_MOVED);
      node.running().moveKeeper();
    }
  }

  private void crashAsItPays(SimulatedNode node, Duration downtime) {
    node.crashAt(
        moment -> {
          boolean now = moment instanceof Moment.Paid;
          if (now) {
            simulation.injected(Fault.CRASH_PAYING);
          }
          return now;
        },
        downtime);
  }

  /** What the pool has said of a transfer comes late, or not at all, while things go wrong. */
  <T> CompletionStage<T> answer(NodeLife node, CompletionStage<T> said) {
    int dice = calm ? 0 : answers.nextInt(8);
    var answer = new CompletableFuture<T>();
    var wait = Duration.ofMillis(dice < 4 ? 0 : 500 + answers.nextInt(4_000));
    var unused =
        said.whenComplete(
            (outcome, failure) -> {
              if (failure == null && dice < 7) {
                node.later(wait, () -> answer.complete(outcome));
              } else {
                simulation.injected(Fault.PAID_UNANSWERED);
                var lost = new IllegalStateException("Nobody has answered.", failure);
                node.later(wait, () -> answer.completeExceptionally(lost));
              }
            });
    return answer;
  }

  /** From now on each account has plenty. */
  void calm() {
    calm = true;
    if (areWatched()) {
      simulation.nodes().forEach(node -> give(node, PLENTY));
    }
  }

  /**
   * A node is about to pay.
   *
   * @param use what it knows of the key
   */
  void onDecided(SimulatedNode node, GasTransfer transfer, KeyUse use) {
    var bounds =
        new Bounds(
            (use.once() ? use.needs() : LOW.max(use.needs())).add(use.sends()),
            (use.once() ? use.needs() : FULL.max(use.needs())).add(use.sends()));
    decided.merge(
        new Decided(account(node), transfer.nonce(), transfer.to(), transfer.amount()),
        bounds,
        Bounds::orMore);
  }

  /** Each transfer in a final block was decided for a want that was there still. */
  void onFinal(Block block) {
    for (var each : simulation.ledger().transfers(block.height().value())) {
      var bounds = decided.get(new Decided(each.from(), each.nonce(), each.to(), each.amount()));
      require(bounds != null, "Nobody has decided to pay " + each);
      require(
          each.before().compareTo(bounds.least()) < 0,
          "Money for a key that has enough: " + each + " beside " + bounds);
      require(
          each.before().add(each.amount()).compareTo(bounds.most()) <= 0,
          "More money than a key is to have: " + each + " beside " + bounds);
    }
  }

  /** Who has too little, though its account has plenty. */
  List<String> leftOvers() {
    var left = new ArrayList<String>();
    if (areWatched()) {
      for (var node : simulation.nodes()) {
        var state = node.running().keeper().orElseThrow().state();
        state
            .uses()
            .forEach(
                use -> {
                  var has = simulation.ledger().balance(use.key());
                  var least = use.once() ? use.needs() : LOW.max(use.needs());
                  if (use.waits() || has.compareTo(least) < 0) {
                    left.add(node.name() + " leaves a key with " + has + ": " + use);
                  }
                });
      }
    }
    return left;
  }
}
