package dev.sequitur.domain;

import static dev.sequitur.domain.GroupFixture.ALICE;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** What an endorser of a token does not believe of a sender. */
class ALyingTokenSenderTest extends LyingSenderContract {
  ALyingTokenSenderTest() {
    super(new GroupFixture(new TokenDomain()));
  }

  @Test
  void cannotSpendWhileMinting() {
    lie.intent("mint", ALICE, "{'to':'bob@node2','amount':'30'}");
    lie.specification =
        Bytes.utf8(
            "{\"function\":\"mint\",\"outputs\":[{\"amount\":\"30\",\"to\":\"bob@node2\"}]}");

    assertRefused();
  }

  @Override
  PrivateState coin(Identity owner, int amount) {
    var payment = new Payment(owner, new TokenAmount(BigInteger.valueOf(amount)));
    var given = new Given(group.group(), null, transaction);
    var data =
        Coin.data(CoinKind.TOKEN, payment)
            .put("intent", given.intentHash().toString())
            .put("salt", given.intentHash().toString());
    return StateContent.seal(group.group(), CoinKind.TOKEN.schema(), owner.toString(), data);
  }
}
