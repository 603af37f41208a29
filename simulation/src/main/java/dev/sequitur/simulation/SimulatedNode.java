package dev.sequitur.simulation;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.transaction.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** A node through all its lives: its disk, its keys, its place in the network and its faults. */
final class SimulatedNode {
  private final Simulation simulation;
  private final NodeName name;
  private final Disk disk = new Disk();
  private final Keys keys;
  private final List<Crash> crashes = new ArrayList<>();
  private final Set<TransactionId> accepting = new HashSet<>();
  private NodeLife running;
  private Duration lag = Duration.ZERO;
  private Duration clockSkew = Duration.ZERO;
  private long indexesAtMost = Long.MAX_VALUE;
  private boolean reachesLedger = true;
  private BooleanSupplier losesLocally = () -> false;
  private boolean saysThatItIsBehind;
  private boolean dropsNext;
  private int lives;

  /** With the block before each of which the state store was told, or is to be. */
  private final Map<Dropped, BlockHeight> dropped = new HashMap<>();

  private record Dropped(ContractAddress contract, BlockHeight height) {}

  /** Once, at the first such moment. */
  private record Crash(Predicate<Moment> at, Optional<Duration> restartAfter) {}

  SimulatedNode(Simulation simulation, NodeName name) {
    this.simulation = simulation;
    this.name = name;
    this.keys = new SimulatedKeys(name);
  }

  NodeName name() {
    return name;
  }

  Disk disk() {
    return disk;
  }

  Keys keys() {
    return keys;
  }

  Duration clockSkew() {
    return clockSkew;
  }

  /** Its clock goes wrong by as much; only while it does not run. */
  void skewClock(Duration by) {
    clockSkew = by;
  }

  /** Blocks come to it so much later than they are made. */
  void lag(Duration newLag) {
    lag = newLag;
  }

  /** Sees no block above this one. */
  void indexAtMost(long height) {
    indexesAtMost = height;
  }

  void indexAll() {
    indexesAtMost = Long.MAX_VALUE;
  }

  /** The newest block that its view of the ledger has. */
  long head() {
    var ledger = simulation.ledger();
    long newest = ledger.head();
    while (newest > 0 && simulation.now().isBefore(ledger.block(newest).timestamp().plus(lag))) {
      newest--;
    }
    long confirmations = simulation.setup().confirmations();
    return indexesAtMost < newest - confirmations ? indexesAtMost + confirmations : newest;
  }

  boolean reachesLedger() {
    return reachesLedger;
  }

  void cutFromLedger(boolean cut) {
    reachesLedger = !cut;
  }

  /**
   * It takes no delegation, with the one line of a liar: another height. All else it does as it
   * should.
   */
  void sayThatItIsBehind(boolean says) {
    saysThatItIsBehind = says;
  }

  /** What it sends instead of this. */
  Message says(Message message) {
    return saysThatItIsBehind && message instanceof DelegationAccepted accepted
        ? new DelegationRejected(
            accepted.delegationId(),
            accepted.delegateNode(),
            accepted.contract(),
            accepted.transactions(),
            new DelegationRejected.MismatchedBlockHeight(BlockHeight.ZERO, BlockHeight.ZERO))
        : message;
  }

  /**
   * What its actors tell each other is lost from now on where {@code lost} says so; it is asked for
   * each message.
   */
  void loseLocalMessages(BooleanSupplier lost) {
    losesLocally = lost;
  }

  boolean losesLocalMessage() {
    return losesLocally.getAsBoolean();
  }

  /** The state store of some group is not told of the next block that has states of it. */
  void dropNextBlock() {
    dropsNext = true;
  }

  /** Whether its state store is not told of it, however often the block is read. */
  boolean drops(ContractAddress contract, BlockNotice notice) {
    var key = new Dropped(contract, notice.height());
    if (dropsNext && notice.hasStates() && !dropped.containsKey(key)) {
      dropsNext = false;
      simulation.injected(Fault.TRANSITION_DROPPED);
      dropped.put(key, notice.height());
    }
    return dropped.containsKey(key);
  }

  /**
   * @param after the block with states that came before it
   */
  void dropped(ContractAddress contract, BlockHeight height, BlockHeight after) {
    dropped.put(new Dropped(contract, height), after);
  }

  /** The newest block up to this one that its state store was told of. */
  BlockHeight toldBefore(ContractAddress contract, BlockHeight after) {
    var told = after;
    var before = dropped.get(new Dropped(contract, told));
    // Where rules are broken on purpose, what came before may not be told yet.
    while (before != null && before.compareTo(told) < 0) {
      told = before;
      before = dropped.get(new Dropped(contract, told));
    }
    return told;
  }

  boolean hasDropped() {
    return !dropped.isEmpty();
  }

  /** How often it was started. */
  int lives() {
    return lives;
  }

  boolean isUp() {
    return running != null;
  }

  boolean isRunning(NodeLife life) {
    return running == life;
  }

  /**
   * @throws IllegalStateException if it is down
   */
  NodeLife running() {
    if (running == null) {
      throw new IllegalStateException(name + " is down.");
    }
    return running;
  }

  void start() {
    if (running == null) {
      simulation.trace().add(simulation.now(), name, "starts", "");
      simulation.conduct().onStarted(name);
      simulation.coordinating().onStarted(name);
      lives++;
      running = new NodeLife(simulation, this);
      running.alive(running::start);
    }
  }

  /**
   * What an operator asks for at its next start: that it reads the ledger again from where that has
   * parted from what it has read (CNF-10); only while it does not run.
   */
  void reindex() {
    if (running != null) {
      throw new IllegalStateException(name + " runs.");
    }
    var ledger = simulation.ledger();
    var read = disk.readSoFar.orElseThrow();
    var from =
        read.blocks().reversed().stream()
            .filter(block -> block.height().value() <= ledger.head())
            .filter(
                block ->
                    block.height().value() == 0
                        || ledger.block(block.height().value()).hash().equals(block.hash()))
            .findFirst()
            .orElse(new IndexedTo(BlockHeight.ZERO, new Hash(0, 0, 0, 0)));
    if (!from.equals(read.to())) {
      disk.readSoFar = Optional.of(read.readAgain(from, disk.receipts.size()));
      disk.indexedTo = from;
    }
  }

  void crash() {
    if (running != null) {
      simulation.trace().add(simulation.now(), name, "crashes", "");
      Recovery.check(running);
      accepting.clear();
      running = null;
    }
  }

  void crashFor(Duration downtime) {
    crash();
    simulation.after(downtime, this::start);
  }

  /** Crashes once, at the first moment that {@code at} wants, and stays down. */
  void crashAt(Predicate<Moment> at) {
    crashes.add(new Crash(at, Optional.empty()));
  }

  /** The same, and starts again after {@code downtime}. */
  void crashAt(Predicate<Moment> at, Duration downtime) {
    crashes.add(new Crash(at, Optional.of(downtime)));
  }

  void crashNoMore() {
    crashes.clear();
  }

  boolean crashesAt(Moment moment) {
    for (var crash : crashes) {
      if (crash.at().test(moment)) {
        crashes.remove(crash);
        simulation
            .trace()
            .add(simulation.now(), name, "dies at", moment.getClass().getSimpleName());
        crash();
        crash.restartAfter().ifPresent(wait -> simulation.after(wait, this::start));
        return true;
      }
    }
    return false;
  }

  void deliver(Envelope envelope) {
    if (running != null) {
      simulation.invariants().onDelivered(envelope);
    }
    deliverForged(envelope);
  }

  /** What it holds may be anything. */
  void deliverForged(Envelope envelope) {
    if (running != null) {
      var life = running;
      life.alive(() -> life.receive(envelope));
    }
  }

  /** What a caller does; it is accepted when it is durable. */
  void submit(Transaction transaction) {
    accepting.add(transaction.id());
    running().submit(transaction);
  }

  void accepted(TransactionId transaction) {
    accepting.remove(transaction);
  }

  /** Whether it has answered every caller; those of before a crash got no answer. */
  boolean hasAnswered() {
    return accepting.isEmpty();
  }
}
