package dev.sequitur.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.FreshIntent;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FreshIntentsTest {
  private static final ContractAddress CONTRACT = contract(1);
  private static final Identity FROM = Identity.parse("a@node1");

  private static ContractAddress contract(int number) {
    return new ContractAddress("0x" + String.valueOf(number).repeat(40));
  }

  private static List<FreshIntent> take(FreshIntents fresh, int count) {
    return Stream.generate(() -> fresh.next(CONTRACT, FROM)).limit(count).toList();
  }

  @Test
  void soManyAfterEachOtherAreASeriesAndTheNextBeginsAnother() {
    var taken = take(new FreshIntents(3), 7);

    assertThat(taken).extracting(one -> one.id().place()).containsExactly(0, 1, 2, 0, 1, 2, 0);
    assertThat(taken).extracting(FreshIntent::id).doesNotHaveDuplicates();
    assertThat(taken.stream().map(one -> one.id().series()).distinct()).hasSize(3);
    assertThat(taken.stream().map(FreshIntent::salt).distinct()).hasSize(3);
    assertThat(taken.subList(3, 6)).extracting(FreshIntent::salt).containsOnly(taken.get(3).salt());
  }

  @Test
  void aSeriesOfOneTellsNothing() {
    var taken = take(new FreshIntents(1), 3);

    assertThat(taken).extracting(one -> one.id().series()).doesNotHaveDuplicates();
    assertThat(taken).extracting(FreshIntent::salt).doesNotHaveDuplicates();
  }

  /** Nobody may see that two senders are on one node, or that one is in two groups. */
  @Test
  void eachSenderOfEachContractHasASeriesOfItsOwn() {
    var fresh = new FreshIntents(256);

    var taken =
        List.of(
            fresh.next(CONTRACT, FROM),
            fresh.next(contract(2), FROM),
            fresh.next(CONTRACT, Identity.parse("b@node1")));

    assertThat(taken).extracting(one -> one.id().series()).doesNotHaveDuplicates();
    assertThat(taken).extracting(FreshIntent::salt).doesNotHaveDuplicates();
    assertThat(fresh.next(CONTRACT, FROM))
        .isEqualTo(new FreshIntent(taken.get(0).id().at(1), taken.get(0).salt()));
  }

  /** A place that was given before the restart is not given again. */
  @Test
  void afterARestartNoSeriesIsContinued() {
    var before = take(new FreshIntents(256), 1).get(0);
    var after = take(new FreshIntents(256), 1).get(0);

    assertThat(after.id().series()).isNotEqualTo(before.id().series());
  }

  @Test
  void aSeriesIsFullAtItsLastPlace() {
    var taken = take(new FreshIntents(TransactionId.SERIES), 257);

    assertThat(taken.get(255).id().place()).isEqualTo(255);
    assertThat(taken.get(256).id().series()).isNotEqualTo(taken.get(255).id().series());
    assertThatThrownBy(() -> new FreshIntents(257)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FreshIntents(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
