package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.sender.Handover.Effect;
import dev.sequitur.protocol.sender.Handover.Input;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Durable intents are handed to their sender again and again until it says that it has them. */
class HandoverTest {
  private static final ContractAddress OTHER = new ContractAddress("0x" + "cd".repeat(20));
  private static final Identity ALICE = Identity.parse("alice@a");
  private static final Identity BOB = Identity.parse("bob@a");
  private static final Input.HandOver ONE = batch(ADDRESS, 1);
  private static final Input.HandOver TWO = batch(OTHER, 2);

  private final Host<Input, Handover.State, Void, Effect> host =
      new Host<>(Handover.machine(), Handover.machine().initial());
  private Instant now = Instant.EPOCH;

  private static Input.HandOver batch(ContractAddress contract, long number) {
    return new Input.HandOver(contract, List.of(Contract.transaction(A, number)));
  }

  private List<Effect> tell(Input input) {
    return host.fold(List.of(input), now).effects();
  }

  private List<Effect> tickAfter(long millis) {
    now = now.plusMillis(millis);
    return tell(new Input.Tick());
  }

  @Test
  void eachBatchIsHandedOverAtOnceUnderANumberOfItsOwn() {
    assertThat(tell(ONE)).containsExactly(new Effect.Hand(1, ONE, false));
    assertThat(tell(TWO)).containsExactly(new Effect.Hand(2, TWO, false));
  }

  @Test
  void whatNobodyTookIsHandedOverAgainAfterTwoSecondsForAsLongAsItTakes() {
    tell(ONE);
    assertThat(tickAfter(1_999)).isEmpty();
    assertThat(tickAfter(1)).containsExactly(new Effect.Hand(1, ONE, true));
    assertThat(tickAfter(2_000)).containsExactly(new Effect.Hand(1, ONE, true));
    assertThat(tickAfter(2_000)).containsExactly(new Effect.Hand(1, ONE, true));
  }

  @Test
  void whatIsYoungerIsNotHandedOverAgainYet() {
    tell(ONE);
    now = now.plusMillis(1_000);
    tell(TWO);

    assertThat(tickAfter(1_000)).containsExactly(new Effect.Hand(1, ONE, true));
    assertThat(tickAfter(1_000))
        .containsExactly(new Effect.Hand(1, ONE, true), new Effect.Hand(2, TWO, true));
  }

  @Test
  void whatWasTakenIsNotHandedOverAgainAndItsNumberIsNotUsedAgain() {
    tell(ONE);
    tell(TWO);
    assertThat(tell(new Input.Taken(2))).isEmpty();
    assertThat(tell(new Input.Taken(2))).isEmpty();

    assertThat(tickAfter(2_000)).containsExactly(new Effect.Hand(1, ONE, true));
    assertThat(tell(TWO)).containsExactly(new Effect.Hand(3, TWO, false));
  }

  /** What may be there is read (HND-2). */
  @Test
  void whatIsInDoubtIsReadByItsSenders() {
    assertThat(tell(new Input.InDoubt(Set.of(ADDRESS, OTHER))))
        .hasSize(2)
        .extracting(effect -> ((Effect.Reload) effect).contract())
        .containsExactlyInAnyOrder(ADDRESS, OTHER);
  }

  /** A message to an entity may be lost, and nobody else would ever hand over what is there. */
  @Test
  void whoIsToReadTheNodeStoreIsToldAgainUntilItHasHeard() {
    tell(new Input.InDoubt(Set.of(ADDRESS)));
    assertThat(tickAfter(1_999)).isEmpty();
    assertThat(tickAfter(1)).containsExactly(new Effect.Reload(1, ADDRESS));
    assertThat(tickAfter(2_000)).containsExactly(new Effect.Reload(1, ADDRESS));

    tell(new Input.Taken(1));
    assertThat(tickAfter(2_000)).isEmpty();
    assertThat(host.state().isIdle()).isTrue();
  }

  /** It may have read before the newer one was stored (HND-2). */
  @Test
  void whoHasHeardOfAnOlderOneIsToldOfTheNewerOneStill() {
    tell(new Input.InDoubt(Set.of(ADDRESS)));
    tell(new Input.PublicsAccepted(Set.of(ALICE)));
    assertThat(tell(new Input.InDoubt(Set.of(ADDRESS))))
        .containsExactly(new Effect.Reload(3, ADDRESS));
    assertThat(tell(new Input.PublicsAccepted(Set.of(ALICE))))
        .containsExactly(new Effect.TellPublics(4, ALICE));
    assertThat(tickAfter(2_000))
        .as("the newer ones include the older ones")
        .containsExactly(new Effect.Reload(3, ADDRESS), new Effect.TellPublics(4, ALICE));

    tell(new Input.Taken(1));
    tell(new Input.Taken(2));

    assertThat(tickAfter(2_000))
        .containsExactly(new Effect.Reload(3, ADDRESS), new Effect.TellPublics(4, ALICE));
    tell(new Input.Taken(3));
    tell(new Input.Taken(4));
    assertThat(host.state().isIdle()).isTrue();
  }

  /** Nothing is kept without a bound (HND-3). */
  @Test
  void ofMoreThanTenThousandThatNobodyTookTheSendersReadTheRest() {
    host.fold(Collections.nCopies(10_000, ONE), now);

    assertThat(tell(TWO)).containsExactly(new Effect.Reload(10_001, OTHER));
    tell(new Input.Taken(10_001));
    tell(new Input.Taken(1));
    assertThat(tell(TWO)).containsExactly(new Effect.Hand(10_002, TWO, false));
  }

  @Test
  void whoHasPublicTransactionsIsToldAgainUntilItsSubmitterAnswers() {
    assertThat(tell(new Input.PublicsAccepted(Set.of(ALICE))))
        .containsExactly(new Effect.TellPublics(1, ALICE));
    assertThat(tickAfter(1_999)).isEmpty();
    tell(new Input.PublicsAccepted(Set.of(BOB)));
    assertThat(tickAfter(1)).containsExactly(new Effect.TellPublics(1, ALICE));
    assertThat(tell(new Input.Taken(1))).isEmpty();

    assertThat(tickAfter(2_000)).containsExactly(new Effect.TellPublics(2, BOB));
    assertThat(tell(new Input.Taken(2))).isEmpty();
    assertThat(tickAfter(2_000)).isEmpty();
  }

  /** Nothing is kept without a bound (HND-3). */
  @Test
  void ofMoreThanTenThousandThatNobodyAnsweredTheRestIsToldOnce() {
    var many =
        IntStream.range(0, 10_000)
            .mapToObj(i -> Identity.parse("p" + i + "@a"))
            .collect(Collectors.toSet());
    tell(new Input.PublicsAccepted(many));

    assertThat(tell(new Input.PublicsAccepted(Set.of(ALICE))))
        .containsExactly(new Effect.TellPublics(0, ALICE));

    assertThat(tickAfter(2_000))
        .hasSize(10_000)
        .noneMatch(
            effect -> effect instanceof Effect.TellPublics told && told.sender().equals(ALICE));
    assertThat(tell(new Input.Taken(0))).isEmpty();
  }
}
