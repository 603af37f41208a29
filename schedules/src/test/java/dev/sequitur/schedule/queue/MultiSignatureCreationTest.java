package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.MONEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.body;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.creation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** ScheduleCreate: what is the same schedule, and what cannot be scheduled. */
class MultiSignatureCreationTest {
  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.MVP);

  @Test
  void itRunsAtOnceIfAllHaveSignedAtItsCreation() {
    queue.create(queue.gift(1), ALICE_KEY, BOB_KEY, CAROL_KEY);

    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.SUCCESS, ResponseCode.SUCCESS);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 10);
  }

  /** Identical, in {@code mvp} (MSIG-5). */
  @Test
  void anIdenticalCreationMergesItsSignaturesAndMayRunIt() {
    var schedule = queue.create(queue.gift(1), ALICE_KEY);

    var bobs = creation(queue.by(queue.bob, BOB_KEY), queue.creationOf(1), BOB_KEY);
    assertThat(queue.status(bobs)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.receipt().schedule()).contains(schedule);
    assertThat(queue.queue.state.entries().schedules()).hasSize(1);

    var carols = creation(queue.by(queue.carol, CAROL_KEY), queue.creationOf(1), CAROL_KEY);
    assertThat(queue.status(carols)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.exported()).hasSize(2);
    assertThat(queue.exported().get(1).transactionId().account()).isEqualTo(queue.alice);
  }

  @Test
  void anotherPayerAdminKeyOrMemoMakesAnotherSchedule() {
    var first = queue.create(queue.gift(1));
    var body = queue.gift(1);

    assertThat(queue.create(Creation.of(body, Optional.of(ALICE_KEY), Optional.empty())))
        .isNotEqualTo(first);
    assertThat(queue.create(Creation.of(body, Optional.empty(), Optional.of(queue.bob))))
        .isNotEqualTo(first);
    assertThat(
            queue.create(
                new Creation(
                    body, Optional.empty(), Optional.empty(), "x", Optional.empty(), false)))
        .isNotEqualTo(first);
    assertThat(queue.create(body)).isEqualTo(first);
  }

  @Test
  void anotherNonceMakesAnotherSchedule() {
    assertThat(queue.create(queue.gift(1))).isNotEqualTo(queue.create(queue.gift(2)));
  }

  @Test
  void theCreatorPaysByDefaultAndNeedNotSign() {
    queue.create(queue.transfer(1, queue.bob, queue.dave, 5), BOB_KEY);

    var fees = MultiSignatureSettings.MVP.fees();
    long paid = fees.create().plus(fees.perSignature()).plus(fees.cryptoTransfer()).units();
    assertThat(queue.balance(queue.alice)).isEqualTo(MONEY - paid);
    assertThat(queue.queue.balance(AccountId.FEES)).isEqualTo(paid);
    assertThat(queue.exported().get(0).fee()).isEqualTo(paid - fees.cryptoTransfer().units());
    assertThat(queue.exported().get(1).fee()).isEqualTo(fees.cryptoTransfer().units());
  }

  @Test
  void withoutAKeyBoundToItsFromAPrivateTransactionIsNotScheduled() {
    var from = new Identity("nobody", new NodeName("node1"));
    var creation =
        Creation.of(
            body(1, Action.PrivateTransaction.once(SignaturesUnderTest.call(from))),
            Optional.empty(),
            Optional.empty());

    assertThat(queue.status(creation(queue.byAlice(), creation)))
        .isEqualTo(ResponseCode.UNRESOLVABLE_REQUIRED_SIGNERS);
  }
}
