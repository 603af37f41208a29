package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.family.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/** Two states that differ in anything have two digests, so that equal ones prove a replay. */
class CanonicalStateTest {
  private static final QueueState PLAIN = QueueState.initial();

  @Test
  void equalStatesHaveEqualDigests() {
    assertThat(CanonicalState.digest(serving(FamilyKind.RECURRING, Service.PAUSED)))
        .isEqualTo(CanonicalState.digest(serving(FamilyKind.RECURRING, Service.PAUSED)));
  }

  @Test
  void eachPartCounts() {
    var states =
        List.of(
            PLAIN,
            PLAIN.withAdmissions(1),
            PLAIN.withAdmissions(2),
            serving(FamilyKind.RECURRING, Service.PAUSED),
            serving(FamilyKind.GAS_PRIORITY, Service.PAUSED),
            serving(FamilyKind.RECURRING, Service.SHUTTING_DOWN),
            removing(1),
            removing(2),
            running(started()),
            running(submittedAs(1)),
            running(submittedAs(2)));

    var digests = new ArrayList<Hash>();
    states.forEach(state -> digests.add(CanonicalState.digest(state)));

    assertThat(digests).doesNotContainNull().doesNotHaveDuplicates();
  }

  private static QueueState serving(FamilyKind family, Service service) {
    return PLAIN.withServices(TreePMap.singleton(family, service));
  }

  private static QueueState removing(long number) {
    var removals = TreePSet.singleton(schedule(number).id());
    return PLAIN.withEntries(PLAIN.entries().withRemovals(removals));
  }

  private static QueueState running(Entries entries) {
    return PLAIN.withEntries(entries);
  }

  private static Entries submittedAs(long transaction) {
    var id = new TransactionId(new UUID(0, transaction));
    return started().submit(new QueueEvent.Submitted(schedule(1).firstAttempt(), id));
  }

  private static Entries started() {
    var schedule = schedule(1);
    var event = new QueueEvent.Started(schedule.firstAttempt(), schedule.proposal().target(), 7);
    return PLAIN.entries().admit(schedule).start(event, PLAIN.clock().last());
  }

  private static Schedule schedule(long number) {
    var id = new ScheduleId(FamilyKind.GAS_PRIORITY, new Hash(0, 0, 0, number));
    return new Schedule(id, number, call(200), 0, DueKey.of(10, number));
  }
}
