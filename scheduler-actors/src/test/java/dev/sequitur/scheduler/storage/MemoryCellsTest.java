package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.cluster.store.CellStore;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.Conclusion;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.WallTime;
import dev.sequitur.protocol.schedule.family.GasPriority;
import dev.sequitur.protocol.schedule.family.GasPrioritySettings;
import dev.sequitur.protocol.schedule.family.GasPriorityTerms;
import dev.sequitur.protocol.schedule.family.Proposal;
import dev.sequitur.protocol.schedule.family.Recurring;
import dev.sequitur.protocol.schedule.family.RecurringSettings;
import dev.sequitur.protocol.schedule.family.RecurringTerms;
import dev.sequitur.protocol.schedule.queue.CanonicalState;
import dev.sequitur.protocol.schedule.queue.QueueEffect;
import dev.sequitur.protocol.schedule.queue.QueueInput;
import dev.sequitur.protocol.schedule.queue.QueueInput.Command;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.queue.QueueSetup;
import dev.sequitur.protocol.schedule.queue.ScheduleQueue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue that takes checkpoints now and then, and one that is put together from them. */
class MemoryCellsTest {
  private static final int STEPS = 400;
  private static final int REMEMBERED = 40;
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final QueueFormat FORMAT = new QueueFormat();
  private static final MemoryCells LAYOUT = new MemoryCells(FORMAT);

  private final ScheduleQueue rules =
      new ScheduleQueue(
          QueueSetup.of(
              OPERATOR,
              new GasPriority(new GasPrioritySettings(100, 3, 20, 3, 1, 1_000)),
              new Recurring(RecurringSettings.DEFAULT)));
  private final TreeMap<Bytes, byte[]> cells = new TreeMap<>();
  private final List<byte[]> journal = new ArrayList<>();
  private final List<QueueEffect.HandOver> out = new ArrayList<>();
  private QueueMemory memory = QueueMemory.EMPTY;
  private QueueMemory checkpoint = QueueMemory.EMPTY;
  private long nowMs = 1_795_000_000_000L;
  private int commands;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aQueueFromItsCheckpointAndTheRecordsSinceIsTheSameByteForByte(long seed) {
    var random = new Random(seed);
    for (int account = 0; account < 3; account++) {
      tell(command(OPERATOR, new Operation.Fund(account(account), new Amount(1_000_000))));
    }
    for (int step = 0; step < STEPS; step++) {
      nowMs += random.nextInt(200);
      tell(input(random));
      if (random.nextInt(25) == 0) {
        checkpoint();
      }
      if (random.nextInt(40) == 0) {
        assertThat(canonical(recovered())).isEqualTo(canonical(memory));
      }
    }
    assertThat(canonical(recovered())).isEqualTo(canonical(memory));
    assertThat(recovered().commands()).isEqualTo(memory.commands());
    assertThat(checkpoint.number()).as("checkpoints were taken").isPositive();
  }

  private static Bytes canonical(QueueMemory of) {
    return CanonicalState.encode(of.queue());
  }

  private QueueInput input(Random random) {
    int choice = random.nextInt(10);
    if (choice < 5) {
      return new QueueInput.CutBlock();
    } else if (choice == 5 && !out.isEmpty()) {
      var key = out.remove(random.nextInt(out.size())).key();
      return random.nextBoolean()
          ? new QueueInput.Answered(key, new Conclusion.Succeeded(5))
          : new QueueInput.HandedOver(key, Samples.PRIVATE_TRANSACTION);
    } else if (choice == 6) {
      var owner = account(random.nextInt(3));
      var times = List.of(3_600_000L * (nowMs / 3_600_000 + 1 + random.nextInt(3)));
      var terms = new RecurringTerms(Bytes.utf8("task" + random.nextInt(9)), times);
      var target = new Target.Transfer(account(random.nextInt(3)), new Amount(3));
      return command(owner, new Operation.Propose(Proposal.of(owner, terms, target)));
    } else if (choice == 7 && !memory.queue().entries().schedules().isEmpty()) {
      return command(
          OPERATOR,
          new Operation.Cancel(
              memory.queue().entries().schedules().entrySet().iterator().next().getKey()));
    }
    var owner = account(random.nextInt(3));
    var terms = new GasPriorityTerms(nowMs + 100 + random.nextInt(900), 100, 1 + random.nextInt(9));
    var target = random.nextBoolean() ? Samples.call().target() : new Target.Notify(Bytes.EMPTY);
    return command(owner, new Operation.Propose(Proposal.of(owner, terms, target)));
  }

  private static AccountId account(int number) {
    return new AccountId("account" + number);
  }

  private Command command(AccountId signer, Operation operation) {
    return new Command("command" + commands++, signer, operation);
  }

  private void tell(QueueInput input) {
    var decision = rules.decide(memory.queue(), input, WallTime.of(Instant.ofEpochMilli(nowMs)));
    for (var effect : decision.effects()) {
      if (effect instanceof QueueEffect.HandOver handOver) {
        out.add(handOver);
      }
    }
    if (decision.events().isEmpty()) {
      return;
    }
    var events =
        decision.events().stream().map(event -> StoredEvent.of(decision.state(), event)).toList();
    var answers =
        decision.effects().stream()
            .filter(QueueEffect.Answer.class::isInstance)
            .map(answer -> new QueueRecord.Answered(((Command) input).command(), 7, answer))
            .toList();
    long dropped = Math.max(0, memory.commands().next() - REMEMBERED);
    var record = new QueueRecord(memory.number() + 1, events, answers, dropped);
    journal.add(FORMAT.encode(record, QueueRecord.class));
    memory = memory.with(decision.state(), answers).dropping(dropped).numbered(record.number());
  }

  private void checkpoint() {
    if (checkpoint.number() == memory.number()) {
      return;
    }
    CellStore.Change change = LAYOUT.change(checkpoint, memory);
    change.removed().forEach(key -> assertThat(cells.remove(Bytes.of(key))).isNotNull());
    change.cells().forEach(cell -> cells.put(Bytes.of(cell.key()), cell.value()));
    checkpoint = memory;
  }

  private QueueMemory recovered() {
    var loading = LAYOUT.loading();
    cells.forEach((key, value) -> loading.visit(key.toByteArray(), value));
    var recovered = loading.finish(checkpoint.number());
    for (var bytes : journal) {
      recovered = recovered.replay(rules, FORMAT.decode(bytes, QueueRecord.class));
    }
    return recovered;
  }
}
