package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.multisignature.MultiSignatureState;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.signing.Bodies;
import dev.sequitur.scheduler.storage.StateLostException;
import org.junit.jupiter.api.Test;
import org.pcollections.TreePMap;

/** What was executed must not be executed again, though the store of that has lost some of it. */
class StoredBodiesTest {
  @Test
  void aStoreThatHasAllIsGivenNothing() {
    var bodies = new StoredBodies(4);
    note(bodies, executed(6).archive(4));

    assertThat(bodies.missing(state(executed(6).archive(4)))).isEmpty();
    assertThat(StoredBodies.upTo(state(executed(6).archive(4)))).isEqualTo(4);
  }

  @Test
  void whatItHasLostIsTakenFromTheRecordsThatARecoveryRepeats() {
    var bodies = new StoredBodies(2);
    for (int number = 0; number <= 6; number++) {
      note(bodies, executed(number));
    }

    assertThat(bodies.missing(state(executed(6).archive(4)))).containsExactly(body(3), body(4));
  }

  /** The ones that the queue does not take for stored are written anyhow. */
  @Test
  void noMoreIsTakenFromThemThanTheQueueTakesForStored() {
    var bodies = new StoredBodies(0);
    note(bodies, executed(6));

    assertThat(bodies.missing(state(executed(6).archive(1)))).containsExactly(body(1));
    assertThat(bodies.missing(state(executed(6)))).isEmpty();
  }

  @Test
  void ifNotAllOfThemAreThereTheQueueDoesNotStart() {
    var bodies = new StoredBodies(1);
    // The checkpoint has forgotten the first three: a store had them.
    note(bodies, executed(4).archive(3).archive(4));
    note(bodies, executed(4).archive(3).archive(4).execute(body(5)));

    assertThatExceptionOfType(StateLostException.class)
        .isThrownBy(() -> bodies.missing(state(executed(5).archive(5))))
        .withMessageContaining("executed and stored 5 bodies")
        .withMessageContaining("lost those after 1,");
  }

  @Test
  void aQueueWithoutTheFamilyHasNone() {
    var bodies = new StoredBodies(0);
    bodies.note(QueueState.initial());

    assertThat(bodies.missing(QueueState.initial())).isEmpty();
    assertThat(StoredBodies.upTo(QueueState.initial())).isZero();
  }

  private static Bodies executed(int number) {
    var bodies = Bodies.EMPTY;
    for (int i = 1; i <= number; i++) {
      bodies = bodies.execute(body(i));
    }
    return bodies;
  }

  private static Hash body(int number) {
    return Hash.sha256(Bytes.utf8("body " + number).toByteArray());
  }

  private static void note(StoredBodies bodies, Bodies of) {
    bodies.note(state(of));
  }

  private static QueueState state(Bodies bodies) {
    var initial = (MultiSignatureState) new MultiSignature(MultiSignatureSettings.MVP).initial();
    return QueueState.initial()
        .withFamilies(TreePMap.singleton(FamilyKind.MULTI_SIGNATURE, initial.withBodies(bodies)));
  }
}
