package dev.sequitur.schedule.multisignature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.pcollections.TreePSet;

/** However much has piled up while a queue had nothing to do, one event forgets a little of it. */
class MultiSignatureForgettingTest {
  private static final int MANY = 2_500;
  private static final long EXPIRY = 500;
  private static final EntityId ALICE = new EntityId(1001);
  private static final ConsensusTime LATER = ConsensusTime.ofSeconds(1_000);
  private static final MultiSignatureEvent FORGOTTEN =
      new MultiSignatureEvent.Forgotten(LATER, LATER.seconds());

  private final MultiSignature family = new MultiSignature(MultiSignatureSettings.CURRENT);

  @Test
  void recordsGoInSteps() {
    FamilyState state = MultiSignatureState.INITIAL;
    for (int i = 0; i < MANY; i++) {
      state = family.evolve(state, new MultiSignatureEvent.Recorded(record(i)));
    }

    for (int left : new int[] {1_500, 500, 0, 0}) {
      state = family.evolve(state, FORGOTTEN);
      assertThat(((MultiSignatureState) state).records().size()).isEqualTo(left);
    }
  }

  /** All of one second, as many as an operator may let expire in it. */
  @Test
  void schedulesThatHaveEndedGoInSteps() {
    var closed = MultiSignatureState.Closed.EMPTY;
    for (int i = 0; i < MANY; i++) {
      closed = closed.plus(ended(i));
    }
    FamilyState state = MultiSignatureState.INITIAL.withClosed(closed);

    for (int left : new int[] {1_500, 500, 0, 0}) {
      state = family.evolve(state, FORGOTTEN);
      assertThat(((MultiSignatureState) state).closed().schedules()).hasSize(left);
      assertThat(((MultiSignatureState) state).closed().byExpiry()).hasSize(left);
    }
  }

  @Test
  void aScheduleThatHasEndedGoesInTheSecondInWhichItWouldHaveExpired() {
    FamilyState state =
        MultiSignatureState.INITIAL.withClosed(MultiSignatureState.Closed.EMPTY.plus(ended(1)));

    state = family.evolve(state, new MultiSignatureEvent.Forgotten(ConsensusTime.ZERO, EXPIRY - 1));
    assertThat(((MultiSignatureState) state).closed().schedules()).hasSize(1);
    state = family.evolve(state, new MultiSignatureEvent.Forgotten(ConsensusTime.ZERO, EXPIRY));
    assertThat(((MultiSignatureState) state).closed()).isEqualTo(MultiSignatureState.Closed.EMPTY);
  }

  /** Otherwise it would be made once more as long as the later one can be asked for. */
  @Test
  void ofTwoThatAreTheSameTheLaterOneIsFoundThoughTheEarlierOneGoes() {
    var earlier = ended(1);
    var later = ended(2, EXPIRY + 1);
    var identity = earlier.terms().creation().identity();
    assertThat(later.terms().creation().identity()).isEqualTo(identity);
    var both = MultiSignatureState.Closed.EMPTY.plus(earlier).plus(later);

    assertThat(both.forget(EXPIRY, MANY).byIdentity())
        .containsExactly(Map.entry(identity, later.terms().id()));
    assertThat(both.forget(EXPIRY + 1, MANY)).isEqualTo(MultiSignatureState.Closed.EMPTY);
  }

  private static TransactionRecord record(long number) {
    return new TransactionRecord(
        TransactionReceipt.of(ResponseCode.SUCCESS),
        Bytes.EMPTY,
        new Hash(0, 0, 0, 0),
        new ConsensusTime(number),
        AccountTransactionId.submitted(new ConsensusTime(number), ALICE),
        "",
        1,
        ALICE,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static ClosedSchedule ended(long number) {
    return ended(number, EXPIRY);
  }

  private static ClosedSchedule ended(long number, long expirySecond) {
    var body =
        new ScheduledTransaction(
            Bytes.EMPTY, Hash.sha256(new byte[0]), 0, 1, "", new Action.Unschedulable("test"));
    var terms =
        new MultiSignatureTerms(
            new EntityId(2_000 + number),
            AccountTransactionId.submitted(ConsensusTime.ZERO, ALICE),
            Creation.of(body, Optional.empty(), Optional.empty()),
            expirySecond,
            ConsensusTime.ZERO);
    return new ClosedSchedule(terms, TreePSet.empty(), true, ConsensusTime.ZERO);
  }
}
