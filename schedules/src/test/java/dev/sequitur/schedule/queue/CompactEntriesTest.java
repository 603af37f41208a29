package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS;
import static dev.sequitur.schedule.queue.AlicesProposals.MONEY;
import static dev.sequitur.schedule.queue.AlicesProposals.SETTINGS;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A queue may hold a million schedules: what is equal in them is one object. */
class CompactEntriesTest {
  private final QueueUnderTest queue =
      new QueueUnderTest(QueueSetup.of(OPERATOR, new GasPriority(SETTINGS)));

  @Test
  void schedulesOfOneOwnerShareItsNameAndTheUsualPolicies() {
    queue.fund(ALICE, MONEY);
    queue.insert(asFromOutside(1));
    queue.insert(asFromOutside(2));

    var schedules = queue.state.entries().schedules().values().iterator();
    var first = schedules.next();
    var second = schedules.next();
    assertThat(first.proposal().owner()).isSameAs(second.proposal().owner()).isEqualTo(ALICE);
    assertThat(first.proposal().late()).isSameAs(LatePolicy.AS_SPECIFIED);
    assertThat(first.proposal().retry()).isSameAs(RetryPolicy.NEVER);
    assertThat(first.due().id()).isSameAs(first.id().value());
    assertThat(queue.state.book().hold(first.hold()).orElseThrow().owner())
        .isSameAs(first.proposal().owner());
  }

  /** As something that was received has it: nothing in it is anybody else's object. */
  private static Proposal asFromOutside(int price) {
    return new Proposal(
        new AccountId(new StringBuilder("alice").toString()),
        new GasPriorityTerms(START_MS + 1_000, GAS, price),
        new Target.Notify(Bytes.utf8("hello")),
        new LatePolicy.AsSpecified(),
        new RetryPolicy(1, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1))));
  }
}
