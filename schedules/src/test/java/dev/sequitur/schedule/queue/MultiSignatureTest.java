package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.DAVE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.MONEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.creation;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The specification, in its own order: profile {@code mvp}. */
class MultiSignatureTest {
  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.MVP);

  @Test
  void theExampleOfTheTextWithItsTwoRecords() {
    // 1. Alice creates a scheduled transfer that needs three signatures, with her own.
    var create = creation(queue.byAlice(), queue.creationOf(7), ALICE_KEY);
    assertThat(queue.status(create)).isEqualTo(ResponseCode.SUCCESS);
    var schedule = queue.receipt().schedule().orElseThrow();
    assertThat(queue.exported())
        .singleElement()
        .satisfies(
            created -> {
              assertThat(created.transactionId()).isEqualTo(create.by().id());
              assertThat(created.receipt().schedule()).contains(schedule);
              assertThat(created.scheduleRef()).isEmpty();
            });

    // 2. Bob signs.
    assertThat(queue.sign(schedule, BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.exported())
        .singleElement()
        .satisfies(signed -> assertThat(signed.receipt().schedule()).isEmpty());
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY);

    // 3. Carol signs last: the schedule runs in the same step.
    assertThat(queue.sign(schedule, CAROL_KEY)).isEqualTo(ResponseCode.SUCCESS);
    var records = queue.exported();
    assertThat(records).hasSize(2);
    var signed = records.get(0);
    var triggered = records.get(1);
    assertThat(triggered.consensusTimestamp().nanos())
        .isEqualTo(signed.consensusTimestamp().nanos() + 1);
    assertThat(signed.scheduleRef()).isEmpty();
    assertThat(triggered.scheduleRef()).contains(schedule);
    assertThat(triggered.receipt().status()).isEqualTo(ResponseCode.SUCCESS);
    assertThat(triggered.transactionId()).isEqualTo(create.by().id().triggered(7));
    assertThat(triggered.transactionId().validStart()).isEqualTo(create.by().id().validStart());
    assertThat(triggered.transactionId().account()).isEqualTo(queue.alice);
    assertThat(triggered.transactionId()).hasToString(create.by().id() + "?scheduled/7");
    assertThat(triggered.transfers())
        .containsExactly(
            row(queue.alice, -10), row(queue.bob, -10), row(queue.carol, -10), row(queue.dave, 30));
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 10);
    assertThat(queue.balance(queue.carol)).isEqualTo(MONEY - 10);
    assertThat(queue.queue.outcome(schedule.schedule()))
        .get()
        .extracting(History.Recorded::outcome)
        .isEqualTo(Outcome.RUN);
  }

  @Test
  void theAdminKeyDeletesIt() {
    var creation = Creation.of(queue.gift(1), Optional.of(key(71)), Optional.empty());
    var schedule = queue.create(creation, ALICE_KEY);

    assertThat(queue.delete(schedule, DAVE_KEY)).isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(queue.delete(schedule, DAVE_KEY, key(71))).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.queue.outcome(schedule.schedule()))
        .get()
        .extracting(History.Recorded::outcome)
        .isEqualTo(Outcome.CANCELLED);
    assertThat(queue.sign(schedule, BOB_KEY)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(queue.delete(schedule, DAVE_KEY, key(71)))
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(queue.create(creation)).isNotEqualTo(schedule);
  }

  /** Nobody is named as an admin without being asked. */
  @Test
  void theAdminKeySignsTheCreation() {
    var creation = Creation.of(queue.gift(1), Optional.of(key(71)), Optional.empty());

    assertThat(queue.status(creation(queue.byAlice(), creation, ALICE_KEY)))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(queue.status(creation(queue.byAlice(), creation, ALICE_KEY, key(71))))
        .as("over the scheduled body")
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    var both = queue.by(queue.alice, ALICE_KEY, key(71));
    assertThat(queue.status(creation(both, creation, ALICE_KEY))).isEqualTo(ResponseCode.SUCCESS);
  }

  @Test
  void withoutAnAdminKeyNobodyDeletesIt() {
    var schedule = queue.create(queue.gift(1));

    assertThat(queue.delete(schedule, DAVE_KEY)).isEqualTo(ResponseCode.SCHEDULE_IS_IMMUTABLE);
    var cancel = new QueueInput.Operation.Cancel(schedule.schedule());
    assertThat(queue.queue.refused(queue.alice.account(), cancel).name()).isEqualTo("NOT_ALLOWED");
  }

  @Test
  void getInfoAnswersWithAllFieldsUntilItRuns() {
    var creation = Creation.of(queue.gift(1), Optional.of(key(71)), Optional.of(queue.carol));
    var schedule = queue.create(creation, BOB_KEY, ALICE_KEY);

    var info = queue.queries().getInfo(schedule).info().orElseThrow();
    assertThat(info.terms().creator()).isEqualTo(queue.alice);
    assertThat(info.terms().payer()).isEqualTo(queue.carol);
    assertThat(info.terms().creation()).isEqualTo(creation);
    assertThat(info.signers()).containsExactly(ALICE_KEY, BOB_KEY);
    assertThat(info.terms().expirySecond()).isEqualTo(queue.queue.nowMs / 1000 + 1_800);

    queue.sign(schedule, CAROL_KEY);
    assertThat(queue.queries().getInfo(schedule).status()).isEqualTo(ResponseCode.SCHEDULE_DELETED);
    assertThat(queue.queries().getInfo(queue.alice).status())
        .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
  }
}
