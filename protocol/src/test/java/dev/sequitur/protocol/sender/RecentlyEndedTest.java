package dev.sequitur.protocol.sender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class RecentlyEndedTest {
  private static final int MANY = 10;

  /** Another member's intent may have the same id. */
  @Test
  void itKnowsWholeIntentsAndNotIds() {
    var own = Contract.transaction(Contract.A, 1).key();
    var other = Contract.transaction(Contract.C, 1).key();

    var remembered = RecentlyEnded.NONE.plusConfirmed(other, MANY);
    assertThat(remembered.knows(other)).isTrue();
    assertThat(remembered.knows(own)).isFalse();
    assertThat(remembered.own(own.transaction())).isEmpty();
  }

  @Test
  void ofOneIdTheOwnCountsWhateverAnotherMemberHasFulfilled() {
    var own = Contract.transaction(Contract.A, 1).key();
    var other = Contract.transaction(Contract.C, 1).key();

    var remembered =
        RecentlyEnded.NONE.plusOwn(own, TransactionState.REVERTED, MANY).plusConfirmed(other, MANY);

    assertThat(remembered.own(own.transaction())).contains(TransactionState.REVERTED);
    assertThat(remembered.isRevertedOwn(own)).isTrue();
    assertThat(remembered.isRevertedOwn(other)).isFalse();
  }

  @Property(tries = 200)
  void itNeverRemembersMoreThanItsLimitAndAlwaysTheNewest(
      @ForAll @Size(max = 200) List<@IntRange(max = 60) Integer> ended,
      @ForAll @IntRange(min = 1, max = 20) int limit) {
    var remembered = RecentlyEnded.NONE;
    for (int number : ended) {
      var intent = Contract.transaction(Contract.A, number).key();
      var id = intent.transaction();
      boolean known = remembered.contains(id);

      remembered = remembered.plusOwn(intent, TransactionState.CONFIRMED, limit);

      assertThat(remembered.endings()).hasSizeLessThanOrEqualTo(limit);
      assertThat(remembered.byAge()).hasSameSizeAs(remembered.endings());
      assertThat(remembered.contains(id)).as("known before: %s", known).isTrue();
    }
  }
}
