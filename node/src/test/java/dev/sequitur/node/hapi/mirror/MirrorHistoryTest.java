package dev.sequitur.node.hapi.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.hapi.mirror.MirrorHistory.Page;
import dev.sequitur.node.rpc.SchedulerOnRules;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.RecordsFound;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.RecordsFound.Found;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.multisignature.TimeRange;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.SignatureCheck;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.TransactionRecord;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What schedules have run is told as its record told it, when that is forgotten. */
class MirrorHistoryTest {
  private static final EntityId ALICE = EntityId.FIRST;
  private static final EntityId BOB = ALICE.next();
  private static final ConsensusTime END = new ConsensusTime(Long.MAX_VALUE - 1);
  private static final PublicKey KEY =
      new PublicKey(PublicKey.Algorithm.ED25519, Bytes.hex("58" + "66".repeat(31)));
  private static final TransactionWriter WRITER =
      new TransactionWriter(Profile.CURRENT, new NodeAccount(0, 3));

  private final SchedulerOnRules scheduler = new SchedulerOnRules(MultiSignatureSettings.CURRENT);
  private final MirrorHistory history = new MirrorHistory(scheduler, QueueName.DEFAULT);
  private int commands;
  private long started;
  private List<TransactionRecord> recorded;

  @BeforeEach
  void run() {
    for (var each : List.of(ALICE, BOB)) {
      perform(
          SchedulerOnRules.OPERATOR,
          new MultiSignatureOperation.OpenAccount(new Account(KEY, false, "")));
      take(SchedulerOnRules.OPERATOR, new Operation.Fund(each.account(), new Amount(100)));
    }
    scheduler.pass(Duration.ofSeconds(2));
    started = now().nanos();
    for (long units : new long[] {1, 2, 1_000, 3}) {
      schedule(units);
    }
    recorded =
        records().records().stream()
            .map(Found::record)
            .filter(record -> record.scheduleRef().isPresent())
            .toList();
    assertThat(recorded).hasSize(4);
    scheduler.pass(Duration.ofSeconds(200));
    scheduler.pass(Duration.ofSeconds(1));
    assertThat(records().records()).as("forgotten").isEmpty();
  }

  private RecordsFound records() {
    return answer(
        scheduler.ask(
            QueueName.DEFAULT,
            new MultiSignatureQuery.RecordsIn(all(false, 100), Optional.empty())));
  }

  private ConsensusTime now() {
    return records().since();
  }

  /** Alice gives Bob so much, as soon as that is scheduled. */
  private void schedule(long units) {
    var rows = List.of(new AccountAmount(ALICE, -units), new AccountAmount(BOB, units));
    var body = WRITER.scheduled(0, 1_000, "rent " + units, new Action.CryptoTransfer(rows));
    var signatures = new VerifiedSignatures(body.hash(), List.of(SignatureCheck.by(KEY)));
    var by =
        new Submission(
            AccountTransactionId.submitted(new ConsensusTime(started - 1_000 + units), ALICE),
            new NodeAccount(0, 3),
            120,
            1_000,
            "",
            Bytes.of(new byte[48]),
            body.hash(),
            signatures);
    perform(
        ALICE.account(),
        new MultiSignatureOperation.ScheduleCreate(
            by,
            Creation.of(body, Optional.empty(), Optional.empty()),
            signatures,
            BodyLookup.NOTHING_ARCHIVED));
  }

  private void perform(AccountId signer, FamilyOperation operation) {
    take(signer, new Operation.Perform(operation));
  }

  private void take(AccountId signer, Operation operation) {
    var command = new Command("command-" + ++commands, signer, operation);
    var answered = answer(scheduler.submit(QueueName.DEFAULT, command));
    assertThat(answered.refusal()).isEmpty();
  }

  private static <T> T answer(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static TimeRange all(boolean descending, int limit) {
    return new TimeRange(ConsensusTime.ZERO, END, descending, limit);
  }

  private Page page(TimeRange range, Optional<EntityId> account) {
    return answer(history.page(range, account));
  }

  private static List<TransactionRecord> rows(Page page) {
    return page.found().stream().map(Found::record).toList();
  }

  @Test
  void whatWasRunIsToldAsItsRecordToldIt() {
    var told = rows(page(all(false, 100), Optional.empty()));

    assertThat(told).isEqualTo(recorded);
    assertThat(told)
        .extracting(record -> record.receipt().status())
        .containsExactly(
            ResponseCode.SUCCESS,
            ResponseCode.SUCCESS,
            ResponseCode.INSUFFICIENT_ACCOUNT_BALANCE,
            ResponseCode.SUCCESS);
  }

  @Test
  void pagesGoOnWhereTheLastOneEnded() {
    for (boolean descending : new boolean[] {false, true}) {
      var all = new ArrayList<TransactionRecord>();
      var range = all(descending, 3);
      var page = page(range, Optional.empty());
      all.addAll(rows(page));
      assertThat(all).hasSize(3);
      var last = page.last().orElseThrow();
      var rest =
          descending
              ? range.before(last)
              : new TimeRange(last.nextNano(), range.to(), false, range.limit());
      var next = page(rest, Optional.empty());
      all.addAll(rows(next));
      assertThat(next.last()).isEmpty();
      assertThat(descending ? all.reversed() : all).isEqualTo(recorded);
    }
  }

  @Test
  void ofAnAccountAreThoseThatMovedItsMoneyOrThatItPaid() {
    for (boolean descending : new boolean[] {false, true}) {
      var ofBob = rows(page(all(descending, 100), Optional.of(BOB)));
      assertThat(descending ? ofBob.reversed() : ofBob)
          .containsExactly(recorded.get(0), recorded.get(1), recorded.get(3));
      assertThat(page(all(descending, 100), Optional.of(ALICE)).found()).hasSize(4);
      assertThat(page(all(descending, 100), Optional.of(new EntityId(9))).found()).isEmpty();
    }
  }

  @Test
  void itIsFoundByTheIdOfWhatScheduledIt() {
    for (var record : recorded) {
      var found = answer(history.triggered(record.transactionId())).orElseThrow();
      assertThat(found.record()).isEqualTo(record);
    }
    var another =
        AccountTransactionId.submitted(new ConsensusTime(started + 5), ALICE).triggered(0);
    assertThat(answer(history.triggered(another))).isEmpty();
  }
}
