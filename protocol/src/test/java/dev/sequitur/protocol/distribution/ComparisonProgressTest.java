package dev.sequitur.protocol.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.distribution.ComparisonProgress.Status;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a person reads while a group is compared, and in the end. */
class ComparisonProgressTest {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "11".repeat(20));

  private static String sentence(Status status, Optional<BlockHeight> since, long spent) {
    return new ComparisonProgress(
            CONTRACT,
            status,
            status == Status.REBUILT,
            new BlockHeight(1),
            new BlockHeight(8),
            since,
            0,
            spent,
            0,
            0,
            Optional.empty())
        .sentence();
  }

  @Test
  void whereNothingDiffersThatIsASentence() {
    assertThat(sentence(Status.RUNNING, Optional.empty(), 0))
        .isEqualTo("Compared up to block 8 so far. No difference was found.");
    assertThat(sentence(Status.REBUILT, Optional.empty(), 0)).contains(" No difference was found.");
  }

  @Test
  void aDifferenceIsToldWithItsBlockAndHowMuchItIs() {
    assertThat(sentence(Status.DIFFERENT, Optional.of(new BlockHeight(7)), 2))
        .startsWith(
            "Compared up to block 8. Since block 7 it differs; states held though spent on the"
                + " ledger: 2.");
    assertThat(sentence(Status.DIFFERENT, Optional.of(new BlockHeight(7)), 0))
        .startsWith("Compared up to block 8. Since block 7 it differs. ")
        .doesNotContain("No difference");
  }
}
