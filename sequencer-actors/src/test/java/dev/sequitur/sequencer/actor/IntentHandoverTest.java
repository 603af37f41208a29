package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.FishingOutcome;
import akka.actor.testkit.typed.javadsl.FishingOutcomes;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.sender.Handover;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.runtime.ActorFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A probe in place of the senders. */
class IntentHandoverTest {
  private static final Duration BEFORE_IT_IS_TOLD_AGAIN = Duration.ofSeconds(3);
  private static final Duration ARRIVAL = Duration.ofSeconds(60);
  private static final int MOST_OPEN = 10_000;

  @TempDir private static Path directory;
  private static ActorFixture actors;
  private static TestProbe<Object> senders;

  private final ScriptedPorts ports = new ScriptedPorts();
  private final PrivacyGroup group = ports.newGroup();
  private NodeServices services;
  private ActorRef<IntentHandover.Command> handover;

  @BeforeAll
  static void startSystem() {
    actors = new ActorFixture(directory);
    senders = actors.initProbes();
  }

  @AfterAll
  static void stopSystem() {
    actors.close();
  }

  @BeforeEach
  void start() {
    services = actors.services(ports.setup(0));
    handover = actors.testKit().spawn(IntentHandover.create(services));
  }

  /** What is still on its way to a sender must not be taken for the next test's. */
  @AfterEach
  void stop() {
    actors.testKit().stop(handover);
    services.entities().sender(group.contract()).tell(new SenderActor.Wake());
    senders.fishForMessage(
        ARRIVAL,
        message ->
            message instanceof SenderActor.Wake
                ? FishingOutcomes.complete()
                : FishingOutcomes.continueAndIgnore());
  }

  @Test
  void aSenderIsHandedItsIntentsInTheirOrder() {
    var intents = List.of(intent(), intent());

    hand(new Handover.Input.HandOver(group.contract(), intents));

    assertThat(handed().transactions()).containsExactlyElementsOf(intents);
  }

  @Test
  void aSenderIsToldAgainUntilItHasThem() {
    hand(new Handover.Input.HandOver(group.contract(), List.of(intent())));
    var first = handed();

    ports.advance(BEFORE_IT_IS_TOLD_AGAIN);

    assertThat(handedAgain()).isEqualTo(again(first));
    assertThat(handedAgain()).isEqualTo(again(first));
  }

  @Test
  void whatASenderHasItIsNotToldAgain() {
    hand(new Handover.Input.HandOver(group.contract(), List.of(intent())));
    var taken = handed();
    taken.replyTo().tell(new IntentHandover.Taken(taken.batch()));
    hand(new Handover.Input.HandOver(group.contract(), List.of(intent())));
    var open = handed();

    ports.advance(BEFORE_IT_IS_TOLD_AGAIN);

    assertThat(handedAgain()).as("the older comes first, if it comes").isEqualTo(again(open));
    assertThat(handedAgain()).isEqualTo(again(open));
  }

  @Test
  void whatWasHandedOverAMomentAgoIsNotToldAgainYet() {
    hand(new Handover.Input.HandOver(group.contract(), List.of(intent())));
    var old = handed();
    ports.advance(BEFORE_IT_IS_TOLD_AGAIN);
    hand(new Handover.Input.HandOver(group.contract(), List.of(intent())));
    var young = senders.fishForMessage(ARRIVAL, message -> isAgain(message, old));

    assertThat(young).last().isNotEqualTo(old);
    assertThat(handedAgain()).isEqualTo(again(old));
    assertThat(handedAgain()).isEqualTo(again(old));
  }

  private static FishingOutcome isAgain(Object message, SenderActor.IntentsHanded old) {
    return message.equals(again(old))
        ? FishingOutcomes.continueAndIgnore()
        : FishingOutcomes.complete();
  }

  @Test
  void beyondWhatIsKeptASenderReadsTheNodeStore() {
    var intents = List.of(intent());
    for (int i = 0; i < MOST_OPEN; i++) {
      hand(new Handover.Input.HandOver(group.contract(), intents));
    }
    senders.receiveSeveralMessages(MOST_OPEN);

    hand(new Handover.Input.HandOver(group.contract(), intents));

    senders.expectMessageClass(SenderActor.Reload.class);
  }

  @Test
  void whoMayHaveIntentsThatNobodyKnowsOfReadsTheNodeStore() {
    hand(new Handover.Input.InDoubt(Set.of(group.contract(), ports.newGroup().contract())));

    var one = senders.expectMessageClass(SenderActor.Reload.class);
    var other = senders.expectMessageClass(SenderActor.Reload.class);
    one.replyTo().tell(new IntentHandover.Taken(one.number()));

    ports.advance(Handover.AGAIN);
    actors.pass(Handover.AGAIN);
    assertThat(senders.expectMessageClass(SenderActor.Reload.class))
        .as("the one that has not answered")
        .isEqualTo(other);
  }

  private void hand(Handover.Input what) {
    handover.tell(new IntentHandover.Told(what));
  }

  private PrivateTransaction intent() {
    return ports.newIntent(group, SubmitMode.AUTO).privately().orElseThrow();
  }

  private static SenderActor.IntentsHanded again(SenderActor.IntentsHanded first) {
    return new SenderActor.IntentsHanded(
        first.transactions(), first.batch(), true, first.replyTo());
  }

  /** With the next look at what is open. */
  private static SenderActor.IntentsHanded handedAgain() {
    actors.pass(Handover.AGAIN);
    return handed();
  }

  private static SenderActor.IntentsHanded handed() {
    return senders.expectMessageClass(SenderActor.IntentsHanded.class);
  }
}
