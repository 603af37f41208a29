package dev.sequitur.protocol.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.distribution.ComparisonProgress.Status;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a person reads while a group is compared, and in the end. */
class ComparisonProgressTest {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "11".repeat(20));

  private static ComparisonProgress ended(Status status) {
    return progress(status, Optional.empty(), 0);
  }

  private static String sentence(Status status, Optional<BlockHeight> since, long spent) {
    return progress(status, since, spent).sentence();
  }

  private static ComparisonProgress progress(
      Status status, Optional<BlockHeight> since, long spent) {
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
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void contentsThatHaveNotComeAreToldWithHowTheyAreGot() {
    var node2 = new Lacking.Asked(new NodeName("node2"), Optional.empty());
    var two = new Lacking(2, new BlockHeight(5), List.of(node2));
    for (var status : List.of(Status.SAME, Status.DIFFERENT, Status.REBUILT)) {
      assertThat(ended(status).lackingContents(Optional.of(two)).sentence())
          .contains("The contents of 2 states that block 5 and later ones made have not come")
          .contains("node2 was not asked yet")
          .contains("They come without more ado once a member that has them answers")
          .doesNotContain("Contents that are not here");
    }
    var alone = new Lacking(1, new BlockHeight(5), List.of());
    assertThat(ended(Status.SAME).lackingContents(Optional.of(alone)).sentence())
        .contains("The content of a state that block 5 made")
        .endsWith("No other node can have them. Restore a backup of this node that has them.");
    assertThat(ended(Status.SAME).sentence()).endsWith("blocks 1 to 8 show.");
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
