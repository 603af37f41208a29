package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.schedule.signing.SignatureCheck;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import dev.sequitur.scheduler.QueueOverview.FamilyOverview;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleState;
import dev.sequitur.scheduler.ScheduleView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a queue shows of a multi-signature schedule that expires while nothing else happens. */
class QueueReadingTest {
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final long EXPIRY = MultiSignatureSettings.MVP.expiry().txExpiryTimeSecs();
  private static final PublicKey KEY =
      new PublicKey(PublicKey.Algorithm.ED25519, Bytes.of(new byte[32]));
  private static final EntityId ALICE = EntityId.FIRST;

  private final ScheduleQueue rules =
      new ScheduleQueue(QueueSetup.of(OPERATOR, new MultiSignature(MultiSignatureSettings.MVP)));
  private QueueState state = QueueState.initial();

  @Test
  void untilItExpiresItWaits() {
    create();

    var before = at(START.plusSeconds(EXPIRY - 1));

    assertThat(listed(before)).singleElement().extracting(ScheduleView::ended).isEqualTo(false);
    assertThat(found(before)).extracting(ScheduleView::ended).isEqualTo(false);
    assertThat(waiting(before)).isOne();
  }

  @Test
  void whatHasExpiredIsNotShownAsWaitingThoughNoBlockHasComeToIt() {
    create();

    var after = at(START.plusSeconds(EXPIRY));

    assertThat(listed(after)).singleElement().extracting(ScheduleView::ended).isEqualTo(true);
    assertThat(found(after)).extracting(ScheduleView::ended).isEqualTo(true);
    assertThat(waiting(after)).isZero();
  }

  @Test
  void noMoreIsLookedAtThanMayBeAndThePageSaysWhereToGoOn() {
    create();
    create(2);
    assertThat(state.entries().schedules()).hasSize(2);
    var waiting = inState(ScheduleState.WAITING);

    var first = page(waiting.looking(1));
    assertThat(first.looked()).isEqualTo(1);
    var last = page(waiting.looking(1).after(first.next().orElseThrow()));

    assertThat(last.looked()).isEqualTo(1);
    assertThat(last.next()).isEmpty();
  }

  @Test
  void nothingElseIsLookedAtForAStateOfFew() {
    create();
    create(2);
    for (var state : ScheduleState.values()) {
      var page = page(inState(state));
      int wanted = state == ScheduleState.WAITING ? 2 : 0;
      assertThat(page.schedules()).hasSize(wanted);
      assertThat(page.looked()).isEqualTo(wanted);
    }
  }

  @Test
  void whatHasExpiredIsFoundAsSettled() {
    create();
    create(2);
    var query = new QueueQuestion.Page(inState(ScheduleState.SETTLED));
    var page = ((QueueReply.Paged) at(START.plusSeconds(EXPIRY)).answer(query)).page();
    assertThat(page.schedules()).hasSize(2).allMatch(ScheduleView::ended);
  }

  private static ScheduleQuery inState(ScheduleState state) {
    return new ScheduleQuery(
        Optional.empty(), Optional.empty(), Optional.of(state), Optional.empty(), 10);
  }

  @Test
  void nothingOfOthersIsLookedAtForAnOwner() {
    create();
    create(2);

    for (var owner : List.of(OPERATOR, ALICE.account())) {
      var page =
          page(
              new ScheduleQuery(
                  Optional.empty(), Optional.of(owner), Optional.empty(), Optional.empty(), 10));
      int wanted = owner.equals(OPERATOR) ? 0 : 2;
      assertThat(page.schedules()).hasSize(wanted);
      assertThat(page.looked()).isEqualTo(wanted);
      assertThat(page.next()).isEmpty();
    }
  }

  private SchedulePage page(ScheduleQuery query) {
    return ((QueueReply.Paged) at(START).answer(new QueueQuestion.Page(query))).page();
  }

  private QueueReading at(Instant time) {
    return new QueueReading(rules, state, WallTime.of(time));
  }

  private static List<ScheduleView> listed(QueueReading reading) {
    var answer = reading.answer(new QueueQuestion.Page(ScheduleQuery.first(10)));
    return ((QueueReply.Paged) answer).page().schedules();
  }

  private static ScheduleView found(QueueReading reading) {
    var answer = reading.answer(new QueueQuestion.Find(ALICE.next().next().schedule()));
    return ((QueueReply.Found) answer).schedule().view().orElseThrow();
  }

  private static int waiting(QueueReading reading) {
    var answer = reading.answer(new QueueQuestion.Overview());
    return ((QueueReply.Overviewed) answer)
        .overview().families().stream().mapToInt(FamilyOverview::waiting).sum();
  }

  /** What Alice alone has to sign, and has not. */
  private void create() {
    var account = new Account(KEY, false, "");
    tell(OPERATOR, new Operation.Perform(new MultiSignatureOperation.OpenAccount(account)));
    tell(OPERATOR, new Operation.Fund(ALICE.account(), new Amount(1_000)));
    tell(OPERATOR, new Operation.Perform(new MultiSignatureOperation.OpenAccount(account)));
    create(1);
    assertThat(state.entries().schedules()).hasSize(1);
  }

  private void create(int number) {
    var bytes = Bytes.utf8("gift %s to herself".formatted(number));
    var hash = Hash.sha256(bytes.toByteArray());
    var rows = List.of(new AccountAmount(ALICE, -1), new AccountAmount(ALICE.next(), 1));
    var body = new ScheduledTransaction(bytes, hash, 0, 100, "", new Action.CryptoTransfer(rows));
    var by =
        new Submission(
            AccountTransactionId.submitted(ConsensusTime.of(START.minusSeconds(number)), ALICE),
            new NodeAccount(0, 3),
            120,
            1_000,
            "",
            Bytes.EMPTY,
            hash,
            new VerifiedSignatures(hash, List.of(SignatureCheck.by(KEY))));
    tell(
        ALICE.account(),
        new Operation.Perform(
            new MultiSignatureOperation.ScheduleCreate(
                by,
                Creation.of(body, Optional.empty(), Optional.empty()),
                new VerifiedSignatures(hash, List.of()),
                BodyLookup.NOTHING_ARCHIVED)));
  }

  private void tell(AccountId signer, Operation operation) {
    QueueInput command = new Command("command", signer, operation);
    state = rules.decide(state, command, WallTime.of(START)).state();
  }
}
