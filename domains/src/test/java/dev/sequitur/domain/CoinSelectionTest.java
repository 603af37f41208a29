package dev.sequitur.domain;

import static dev.sequitur.domain.GroupFixture.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.port.Domain.Assembly;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoinSelectionTest {
  private final GroupFixture group = new GroupFixture(new TokenDomain());

  @ParameterizedTest
  @CsvSource({"1, 1", "5, 1", "6, 2", "7, 2", "8, 3"})
  void takesTheOldestCoinsThatReach(int amount, int inputs) {
    mintAlice(5, 2, 100);

    assertThat(assembledInputs(amount)).isEqualTo(group.unspent().subList(0, inputs));
  }

  @Test
  void takesAsFewOfTheLargestIfSixteenOfTheOldestDoNotReach() {
    for (int i = 0; i < 20; i++) {
      mintAlice(1);
    }
    mintAlice(50, 40);

    var coins = group.unspent();
    assertThat(assembledInputs(80)).containsExactly(coins.get(20), coins.get(21));
  }

  @Test
  void saysHowToMergeIfTheBalanceLiesInTooManyCoins() {
    for (int i = 0; i < 17; i++) {
      mintAlice(1);
    }
    var all = group.transaction(ALICE, "burn", "{'amount':17}");

    assertThat(group.domain().validate(group.group(), all, group.states()))
        .hasValueSatisfying(found -> assertThat(found.reason()).contains("to yourself first"));
    assertThat(group.assemble(all)).isInstanceOf(Assembly.Failed.class);

    group.run(ALICE, "transfer", "{'to':'alice@node1','amount':16}");
    group.run(ALICE, "burn", "{'amount':17}");
    assertThat(group.unspent()).isEmpty();
  }

  @Test
  void passesOverCoinsThatNobodyWouldEndorse() {
    mintAlice(5, 7);
    var coins = group.unspent();
    var forged =
        new PrivateState(
            coins.get(1).id(),
            coins.get(0).contract(),
            coins.get(0).schema(),
            coins.get(0).lookup(),
            coins.get(0).data(),
            coins.get(0).distribution());
    var burn = group.transaction(ALICE, "burn", "{'amount':5}");

    var assembly =
        group
            .domain()
            .assemble(
                group.group(),
                burn,
                (schema, lookup) -> List.of(forged, coins.get(0)),
                GroupFixture.keys(ALICE));

    assertThat(((Assembly.Assembled) assembly).postAssembly().inputs())
        .containsExactly(coins.get(0));
  }

  private List<PrivateState> assembledInputs(int amount) {
    return group.assembled(group.transaction(ALICE, "burn", "{'amount':" + amount + "}")).inputs();
  }

  private void mintAlice(int... amounts) {
    for (int amount : amounts) {
      group.run(ALICE, "mint", "{'to':'alice@node1','amount':" + amount + "}");
    }
  }
}
