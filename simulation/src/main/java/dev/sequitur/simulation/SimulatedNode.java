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
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.transaction.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A node through all its lives: its disk, its keys, its place in the network and its faults. */
final class SimulatedNode {
  private final Simulation simulation;
  private final NodeName name;
  private Disk disk = new Disk();
  private final SimulatedKeys keys;
  private final List<Crash> crashes = new ArrayList<>();
  private final SimulatedJvms jvms;

  /** By the JVM whose callers wait. */
  private final Map<TransactionId, NodeLife> accepting = new HashMap<>();

  private Duration lag = Duration.ZERO;
  private Duration clockSkew = Duration.ZERO;
  private Duration furthestSkew = Duration.ZERO;
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

  /**
   * @param count of its JVMs
   */
  SimulatedNode(Simulation simulation, NodeName name, int count) {
    this.simulation = simulation;
    this.name = name;
    this.keys = new SimulatedKeys(name);
    this.jvms = new SimulatedJvms(simulation, this, count);
  }

  NodeName name() {
    return name;
  }

  Disk disk() {
    return disk;
  }

  SimulatedKeys keys() {
    return keys;
  }

  Duration clockSkew() {
    return clockSkew;
  }

  /** Its clock goes wrong by as much; only while it does not run. */
  void skewClock(Duration by) {
    clockSkew = by;
    furthestSkew = furthestSkew.compareTo(by) < 0 ? by : furthestSkew;
  }

  /** It goes as fast as it ever went: no time comes again. */
  void setClockRight() {
    clockSkew = furthestSkew;
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
    return jvms.isUp();
  }

  SimulatedJvms jvms() {
    return jvms;
  }

  /**
   * The oldest of its JVMs.
   *
   * @throws IllegalStateException if it is down
   */
  NodeLife running() {
    if (!isUp()) {
      throw new IllegalStateException(name + " is down.");
    }
    return jvms.members().getFirst();
  }

  void start() {
    if (!isUp()) {
      simulation.trace().add(simulation.now(), name, "starts", "");
      simulation.conduct().onStarted(name);
      simulation.coordinating().onStarted(name);
      jvms.start();
    }
  }

  /** One of its JVMs begins. */
  void begins() {
    lives++;
  }

  /**
   * What an operator asks for at its next start: that it reads the ledger again from where that has
   * parted from what it has read (CNF-10); only while it does not run.
   */
  void reindex() {
    if (isUp()) {
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
    if (isUp()) {
      simulation.trace().add(simulation.now(), name, "crashes", "");
      Recovery.check(running());
      accepting.clear();
      jvms.crash();
    }
  }

  /**
   * Its records are an older copy from now on, until it starts again.
   *
   * @param copy stays as it is, so that it can be put back once more
   */
  void setBack(Disk copy, Duration downtime) {
    crash();
    disk = copy.copy();
    simulation.trace().add(simulation.now(), name, "is set back", disk.indexedTo);
    simulation.after(downtime, this::start);
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

  /**
   * @param jvm the one that dies, if there are others; else the whole node does
   */
  boolean crashesAt(Moment moment, NodeLife jvm) {
    for (var crash : crashes) {
      if (crash.at().test(moment)) {
        crashes.remove(crash);
        if (jvms.hasOthers(jvm)) {
          jvms.die(jvm, crash.restartAfter());
          return true;
        }
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
    if (isUp()) {
      var jvm = jvms.any(envelope.messageId());
      jvm.alive(() -> jvm.receive(envelope));
    }
  }

  /** What a caller does; it is accepted when it is durable. */
  void submit(Transaction transaction) {
    var jvm = jvms.any(transaction.id());
    accepting.put(transaction.id(), jvm);
    jvm.submit(transaction);
  }

  void accepted(TransactionId transaction) {
    accepting.remove(transaction);
  }

  /** A JVM is gone, and with it whoever waited for it. */
  void lost(NodeLife jvm) {
    accepting.values().removeIf(each -> each == jvm);
  }

  /** Callers that it has not answered, in words; those of before a crash get no answer. */
  Stream<String> unanswered() {
    return accepting.keySet().stream().map(id -> name + " has not answered whoever gave it " + id);
  }
}
