package dev.sequitur.domain;

import static dev.sequitur.domain.GroupFixture.ALICE;
import static dev.sequitur.domain.GroupFixture.BOB;
import static dev.sequitur.domain.GroupFixture.CAROL;
import static dev.sequitur.domain.GroupFixture.SIGNATURES;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What an endorser of {@code noto} does not believe of a sender. */
class ALyingNotoSenderTest extends LyingSenderContract {
  private final Accounts accounts = Accounts.of(group.group().committees(), SIGNATURES);

  ALyingNotoSenderTest() {
    super(new GroupFixture(new NotoDomain(SIGNATURES)));
  }

  private Given given() {
    return new Given(group.group(), null, transaction);
  }

  @Override
  PrivateState coin(Identity owner, int amount) {
    return sealed(
        Accounts.COIN,
        accounts.address(owner),
        Coin.data(accounts.coins(), new Payment(owner, amount(amount))));
  }

  private static TokenAmount amount(int amount) {
    return new TokenAmount(BigInteger.valueOf(amount));
  }

  private PrivateState sealed(WrittenState state) {
    return sealed(state.schema(), state.lookup(), state.data().deepCopy());
  }

  private PrivateState sealed(String schema, String lookup, ObjectNode data) {
    var hash = given().intentHash().toString();
    return StateContent.seal(
        group.group(), schema, lookup, data.put("intent", hash).put("salt", hash));
  }

  @Test
  void cannotAddDataThatTheIntentDoesNotHave() {
    var told = NotoReceipt.data(accounts.address(ALICE), "0xab");
    lie.outputs = List.of(coin(BOB, 30), coin(ALICE, 70), sealed(told));

    assertRefused();
  }

  /** Of locks. */
  @Nested
  class OfLocks {
    private Lock lock;

    @BeforeEach
    void lockSixtyOfHundred() {
      group.run(BOB, "mint", "{'to':'bob@node2','amount':100}");
      begin(BOB, "createLock", "{'amount':60}");
      lock = new Lock(Lock.idOf(given()), BOB, BOB, BigInteger.valueOf(60), Optional.empty());
    }

    private void made(int change, Lock made, Lock coinOf) {
      lie.outputs =
          List.of(
              coin(BOB, change),
              sealed(coinOf.writtenCoin(accounts).orElseThrow()),
              sealed(made.written(accounts)));
    }

    private Lock of(int amount) {
      return new Lock(lock.id(), BOB, BOB, BigInteger.valueOf(amount), Optional.empty());
    }

    @Test
    void isBelievedWhenItTellsTheTruth() {
      made(40, lock, lock);

      assertBelieved();
    }

    @Test
    void cannotLockMoreThanItSpends() {
      made(40, of(61), of(61));
      assertRefused();
      made(41, lock, lock);
      assertRefused();
      made(40, of(61), lock);
      assertRefused();
      made(40, lock, of(61));
      assertRefused();
    }

    @Test
    void cannotMakeALockOfAnotherOrOfAnotherId() {
      var other = new Lock(lock.id(), CAROL, CAROL, lock.amount(), Optional.empty());
      made(40, other, other);
      assertRefused();
      var elsewhere =
          new Lock(Hash.sha256(new byte[] {7}), BOB, BOB, lock.amount(), Optional.empty());
      made(40, elsewhere, elsewhere);
      assertRefused();
    }

    @Test
    void cannotPrepareALockThatTheIntentDoesNotPrepare() {
      var outcome = LockOutcome.mint(List.of(new Payment(BOB, amount(1000))), "0x");
      made(40, lock.prepared(outcome), lock);

      assertRefused();
    }

    @Test
    void cannotChangeOwnerOrOutcomeByDelegating() {
      group.run(BOB, "createLock", "{'amount':1}");
      lock = held();
      begin(
          BOB,
          "delegateLock",
          "{'lockId':'" + lock.id() + "','delegate':'" + accounts.address(CAROL) + "'}");
      lie.outputs = List.of(sealed(lock.delegatedTo(CAROL).written(accounts)));
      assertBelieved();

      lie.outputs = List.of(sealed(lock.delegatedTo(ALICE).written(accounts)));
      assertRefused();
      var stolen = new Lock(lock.id(), CAROL, CAROL, lock.amount(), Optional.empty());
      lie.outputs = List.of(sealed(stolen.written(accounts)));
      assertRefused();
      var grown = new Lock(lock.id(), BOB, CAROL, BigInteger.TEN, Optional.empty());
      lie.outputs = List.of(sealed(grown.written(accounts)));
      assertRefused();
    }

    @Test
    void cannotEndALockOtherwiseThanItWasPrepared() {
      var made =
          group.run(
              BOB,
              "createTransferLock",
              "{'from':'bob','recipients':[{'to':'carol@node3','amount':30}]}");
      lock = Lock.of(accounts, made.outputs().getLast());
      begin(BOB, "spendLock", "{'lockId':'" + lock.id() + "'}");
      lie.outputs = List.of(coin(CAROL, 30));
      assertBelieved();

      lie.outputs = List.of(coin(BOB, 30));
      assertRefused();
      lie.outputs = List.of(coin(CAROL, 29), coin(BOB, 1));
      assertRefused();
      lie.outputs = List.of(coin(CAROL, 31));
      assertRefused();
    }

    @Test
    void cannotEndALockWithoutWhatLiesInItOrWithTheContentsOfAnother() {
      group.run(BOB, "createLock", "{'amount':1}");
      lock = held();
      begin(BOB, "cancelLock", "{'lockId':'" + lock.id() + "'}");
      var whole = lie.inputs;
      lie.inputs = List.of(whole.getFirst());
      assertRefused();
      var other = group.run(BOB, "createLock", "{'amount':1}").outputs();
      lie.inputs = List.of(whole.getFirst(), other.get(other.size() - 2));
      assertRefused();
      lie.inputs = List.of(other.getLast(), other.get(other.size() - 2));
      assertRefused();
      lie.inputs = whole;
      assertBelieved();
    }

    private Lock held() {
      return Lock.of(accounts, group.unspent().getLast());
    }
  }
}
