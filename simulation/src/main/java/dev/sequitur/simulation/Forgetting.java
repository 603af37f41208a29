package dev.sequitur.simulation;

import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.room.Room;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.room.Room.Row;
import dev.sequitur.protocol.room.Room.Situation;
import dev.sequitur.protocol.room.RoomPolicy;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Nodes that forget what has ended a few seconds ago, in the middle of everything (ROM-1), each by
 * its own clock. What is forgotten stays on the disk for those who check what was promised; nobody
 * else finds it.
 */
final class Forgetting {
  /** Longer than blocks come late, shorter than nodes are away. */
  private static final Duration KEEP = Duration.ofSeconds(6);

  private static final Room ROOM = new Room(RoomPolicy.of(KEEP, Duration.ofDays(1)));

  private final Simulation simulation;
  private final RandomGenerator random;

  private Forgetting(Simulation simulation, RandomGenerator random) {
    this.simulation = simulation;
    this.random = random;
  }

  /** From now on, now and then. */
  static void begin(Simulation simulation, RandomGenerator random) {
    new Forgetting(simulation, random).later();
  }

  private void later() {
    simulation.after(
        Duration.ofMillis(300 + random.nextInt(2_000)),
        () -> {
          simulation.nodes().stream().filter(SimulatedNode::isUp).forEach(this::forget);
          later();
        });
  }

  private void forget(SimulatedNode node) {
    var disk = node.disk();
    var now = node.running().now();
    boolean readAgain = disk.readSoFar.flatMap(ReadSoFar::reindex).isPresent();
    forgetTransactions(disk, new Situation(now, Long.MAX_VALUE, readAgain));
    if (!readAgain) {
      forgetContents(disk, now);
    }
  }

  private void forgetTransactions(Disk disk, Situation now) {
    var ended =
        disk.receipts.values().stream()
            .filter(receipt -> !disk.forgotten.contains(receipt.transaction()))
            .toList();
    var rows = ended.stream().map(receipt -> new Row(1, receipt.indexed(), false)).toList();
    int gone = ROOM.cut(Kept.CONTENTS, rows, now).rows();
    ended.subList(0, gone).stream().map(Receipt::transaction).forEach(disk.forgotten::add);
    if (gone > 0) {
      simulation.injected(Fault.FORGOTTEN);
    }
    if (simulation.tampering().forgetsWhatIsOpen()) {
      disk.intents.values().stream()
          .filter(intent -> isOld(intent.created(), now.now()))
          .map(intent -> intent.transaction().id())
          .filter(id -> !disk.receipts.containsKey(id))
          .forEach(disk.forgotten::add);
    }
  }

  /** What anybody has spent in blocks that the node has read and that are old enough. */
  private void forgetContents(Disk disk, Instant now) {
    while (disk.forgottenUpTo < disk.indexedTo.height().value()) {
      var block = simulation.ledger().block(disk.forgottenUpTo + 1);
      if (!isOld(block.timestamp(), now)) {
        return;
      }
      spent(block).forEach(disk.forgottenContents::add);
      disk.forgottenUpTo++;
    }
  }

  private Stream<StateId> spent(Block block) {
    return block.receipts().stream()
        .flatMap(receipt -> receipt.results().stream())
        .filter(LedgerReceipt.Fulfilled.class::isInstance)
        .map(LedgerReceipt.Fulfilled.class::cast)
        .flatMap(done -> simulation.tampering().forgotten(done).stream());
  }

  private static boolean isOld(Instant when, Instant now) {
    return !when.plus(KEEP).isAfter(now);
  }
}
