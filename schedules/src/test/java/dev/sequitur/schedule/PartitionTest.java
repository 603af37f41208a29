package dev.sequitur.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionTest {
  /** Whoever changes where accounts are has lost what they have. */
  @ParameterizedTest
  @CsvSource({"alice,16,1", "bob,16,15", "operator,16,2", "alice,3,0", "0.0.1001,256,190"})
  void whereAnAccountIsStaysSoForLife(String account, int count, int home) {
    assertThat(Partition.home(new AccountId(account), count)).isEqualTo(home);
  }

  @Test
  void whatAnAccountHasInTokensIsWhereItIs() {
    var alice = new AccountId("alice");
    assertThat(Partition.home(alice.in(new TokenId("RIF")), 256))
        .isEqualTo(Partition.home(alice, 256));
  }

  @Test
  void accountsAreSpreadEvenly() {
    var counts = new int[16];
    IntStream.range(0, 16_000)
        .mapToObj(number -> new AccountId("owner-" + number))
        .forEach(account -> counts[Partition.home(account, 16)]++);
    assertThat(counts)
        .satisfies(
            each -> {
              for (int count : each) {
                assertThat(count).isBetween(850, 1_150);
              }
            });
  }

  @Test
  void thereIsNoPartitionOfAQueueOfOne() {
    assertThatThrownBy(() -> new Partition(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Partition(3, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Partition(0, Partition.MOST + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
