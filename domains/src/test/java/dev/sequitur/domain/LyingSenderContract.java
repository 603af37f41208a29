package dev.sequitur.domain;

import static dev.sequitur.domain.GroupFixture.ALICE;
import static dev.sequitur.domain.GroupFixture.BOB;
import static dev.sequitur.domain.GroupFixture.CAROL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Domain.Endorsement;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an endorser of any domain of coins does not believe of a sender. */
abstract class LyingSenderContract {
  final GroupFixture group;
  PrivateTransaction transaction;
  Tampering lie;

  LyingSenderContract(GroupFixture group) {
    this.group = group;
  }

  /** As the transaction that is looked at would make it. */
  abstract PrivateState coin(Identity owner, int amount);

  final void begin(Identity from, String function, String inputs) {
    transaction = group.transaction(from, function, inputs);
    lie = new Tampering(group.request(BOB, transaction, group.assembled(transaction)));
  }

  final void assertRefused() {
    assertThat(group.endorse(lie.signedBySender().request()))
        .isInstanceOf(Endorsement.Refused.class);
  }

  final void assertBelieved() {
    assertThat(group.endorse(lie.signedBySender().request()))
        .isInstanceOf(Endorsement.Endorsed.class);
  }

  @BeforeEach
  void transferThirtyOfHundred() {
    group.run(ALICE, "mint", "{'to':'alice@node1','amount':100}");
    begin(ALICE, "transfer", "{'to':'bob@node2','amount':'30'}");
  }

  @Test
  void isBelievedWhenItTellsTheTruth() {
    assertBelieved();
    lie.outputs = List.of(coin(BOB, 30), coin(ALICE, 70));
    assertBelieved();
  }

  @ParameterizedTest
  @CsvSource({"31, 70", "30, 71", "30, 69", "29, 71", "70, 30"})
  void cannotMakeOtherCoinsThanTheIntentSays(int paid, int change) {
    lie.outputs = List.of(coin(BOB, paid), coin(ALICE, change));

    assertRefused();
  }

  @Test
  void cannotPaySomebodyElse() {
    lie.outputs = List.of(coin(CAROL, 30), coin(ALICE, 70));

    assertRefused();
  }

  @Test
  void cannotKeepChangeFromAnother() {
    lie.outputs = List.of(coin(BOB, 30), coin(CAROL, 70));

    assertRefused();
  }

  @Test
  void cannotSpendTheCoinOfAnother() {
    group.run(BOB, "mint", "{'to':'bob@node2','amount':'100'}");
    lie.inputs = group.unspent().subList(1, 2);

    assertRefused();
  }
}
