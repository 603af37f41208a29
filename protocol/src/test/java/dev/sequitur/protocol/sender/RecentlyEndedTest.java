package dev.sequitur.protocol.sender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.TransactionId;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

final class RecentlyEndedTest {
  @Property(tries = 200)
  void itNeverRemembersMoreThanItsLimitAndAlwaysTheNewest(
      @ForAll @Size(max = 200) List<@IntRange(max = 60) Integer> ended,
      @ForAll @IntRange(min = 1, max = 20) int limit) {
    var remembered = RecentlyEnded.NONE;
    for (int number : ended) {
      var id = new TransactionId(new UUID(0, number));
      boolean known = remembered.contains(id);

      remembered = remembered.plus(id, TransactionState.CONFIRMED, limit);

      assertThat(remembered.states()).hasSizeLessThanOrEqualTo(limit);
      assertThat(remembered.byAge()).hasSameSizeAs(remembered.states());
      assertThat(remembered.contains(id)).as("known before: %s", known).isTrue();
    }
  }
}
