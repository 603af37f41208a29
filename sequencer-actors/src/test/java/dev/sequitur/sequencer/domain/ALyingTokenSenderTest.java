package dev.sequitur.sequencer.domain;

import static dev.sequitur.sequencer.domain.GroupFixture.ALICE;
import static dev.sequitur.sequencer.domain.GroupFixture.BOB;
import static dev.sequitur.sequencer.domain.GroupFixture.CAROL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Domain.Endorsement;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an endorser of a token does not believe of a sender. */
class ALyingTokenSenderTest {
  private final GroupFixture group = new GroupFixture(new TokenDomain());
  private PrivateTransaction transfer;
  private Tampering lie;

  @BeforeEach
  void transferThirtyOfHundred() {
    group.run(ALICE, "mint", "{'to':'alice@node1','amount':100}");
    transfer = group.transaction(ALICE, "transfer", "{'to':'bob@node2','amount':'30'}");
    lie = new Tampering(group.request(BOB, transfer, group.assembled(transfer)));
  }

  @Test
  void isBelievedWhenItTellsTheTruth() {
    assertThat(group.endorse(lie.signedBySender().request()))
        .isInstanceOf(Endorsement.Endorsed.class);
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

  @Test
  void cannotSpendWhileMinting() {
    lie.intent("mint", ALICE, "{'to':'bob@node2','amount':'30'}");
    lie.specification =
        Bytes.utf8(
            "{\"function\":\"mint\",\"outputs\":[{\"amount\":\"30\",\"to\":\"bob@node2\"}]}");

    assertRefused();
  }

  private PrivateState coin(Identity owner, int amount) {
    var payment = new Payment(owner, new Amount(BigInteger.valueOf(amount)));
    var given = new Given(group.group(), null, transfer);
    var data =
        Coin.data(CoinKind.TOKEN, payment)
            .put("intent", given.intentHash().toString())
            .put("salt", given.intentHash().toString());
    return StateContent.seal(group.group(), CoinKind.TOKEN.schema(), owner.toString(), data);
  }

  private void assertRefused() {
    assertThat(group.endorse(lie.signedBySender().request()))
        .isInstanceOf(Endorsement.Refused.class);
  }
}
