package dev.sequitur.sequencer.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.ContractAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node has done about committees waits for who writes it down (AGR-8). */
class CommitteeNewsTest {
  private final CommitteeNews news = new CommitteeNews();
  private final List<Integer> taken = new ArrayList<>();

  private void tell(int number) {
    news.tell(
        new CommitteeNews.News(
            new ContractAddress("0x" + "01".repeat(20)),
            number,
            CommitteeNews.What.SIGNED,
            List.of(),
            Optional.empty(),
            Optional.empty()));
  }

  @Test
  void whatCameBeforeIsToldInItsOrderAndWhatComesAtOnce() {
    tell(1);
    tell(2);

    news.take(it -> taken.add(it.number()));
    tell(3);

    assertThat(taken).containsExactly(1, 2, 3);
  }

  @Test
  void soManyWaitAndTheOldestGo() {
    for (int i = 1; i <= CommitteeNews.MOST_WAITING + 1; i++) {
      tell(i);
    }

    news.take(it -> taken.add(it.number()));

    assertThat(taken).hasSize(CommitteeNews.MOST_WAITING).startsWith(2);
  }
}
