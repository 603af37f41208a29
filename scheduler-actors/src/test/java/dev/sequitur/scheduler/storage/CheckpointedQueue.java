package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.store.CellStore;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.queue.CanonicalState;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A queue with its journal, and with the cells of the checkpoints that it takes when told to. */
final class CheckpointedQueue {
  private static final int REMEMBERED = 40;
  private static final QueueFormat FORMAT = new QueueFormat();

  private final MemoryCells layout = new MemoryCells(FORMAT);
  final ScheduleQueue rules;
  final List<QueueEvent> events = new ArrayList<>();

  /** What was handed over and is not answered. */
  final List<QueueEffect.HandOver> out = new ArrayList<>();

  private final TreeMap<Bytes, byte[]> cells = new TreeMap<>();
  private final List<byte[]> journal = new ArrayList<>();
  private QueueMemory memory = QueueMemory.EMPTY;
  private QueueMemory checkpoint = QueueMemory.EMPTY;
  long nowMs = 1_795_000_000_000L;
  private int commands;

  CheckpointedQueue(ScheduleQueue rules) {
    this.rules = rules;
  }

  QueueState state() {
    return memory.queue();
  }

  WallTime wall() {
    return WallTime.of(Instant.ofEpochMilli(nowMs));
  }

  Command command(AccountId signer, Operation operation) {
    return new Command("command" + commands++, signer, operation);
  }

  void tell(QueueInput input) {
    var decision = rules.decide(memory.queue(), input, wall());
    for (var effect : decision.effects()) {
      if (effect instanceof QueueEffect.HandOver handOver) {
        out.add(handOver);
      }
    }
    if (decision.events().isEmpty()) {
      return;
    }
    events.addAll(decision.events());
    var stored =
        decision.events().stream().map(event -> StoredEvent.of(decision.state(), event)).toList();
    var answers =
        decision.effects().stream()
            .filter(QueueEffect.Answer.class::isInstance)
            .map(answer -> new QueueRecord.Answered(((Command) input).command(), 7, answer))
            .toList();
    long dropped = Math.max(0, memory.commands().next() - REMEMBERED);
    var record = new QueueRecord(memory.number() + 1, stored, answers, dropped);
    journal.add(FORMAT.encode(record, QueueRecord.class));
    memory = memory.with(decision.state(), answers).dropping(dropped).numbered(record.number());
  }

  void checkpoint() {
    if (checkpoint.number() == memory.number()) {
      return;
    }
    CellStore.Change change = layout.change(checkpoint, memory);
    var removed = change.removed().stream().map(Bytes::of).collect(Collectors.toSet());
    removed.forEach(key -> assertThat(cells.remove(key)).isNotNull());
    for (var cell : change.cells()) {
      var key = Bytes.of(cell.key());
      assertThat(removed).as("what is written is not removed as well").doesNotContain(key);
      cells.put(key, cell.value());
    }
    checkpoint = memory;
  }

  /** What a recovery reads of the checkpoint. */
  int cells() {
    return cells.size();
  }

  /** How many records its checkpoint ends with. */
  long checkpointed() {
    return checkpoint.number();
  }

  /** Put together from the checkpoint and the records since; checked byte for byte. */
  QueueState loaded() {
    var loading = layout.loading();
    cells.forEach((key, value) -> loading.visit(key.toByteArray(), value));
    var loaded = loading.finish(checkpoint.number());
    for (var bytes : journal) {
      loaded = loaded.replay(rules, FORMAT.decode(bytes, QueueRecord.class));
    }
    assertThat(CanonicalState.digest(loaded.queue()))
        .isEqualTo(CanonicalState.digest(memory.queue()));
    assertThat(loaded.commands()).isEqualTo(memory.commands());
    return loaded.queue();
  }
}
