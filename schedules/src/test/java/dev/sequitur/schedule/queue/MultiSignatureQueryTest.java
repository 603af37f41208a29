package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.body;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.creation;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.multisignature.EntityRange;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a queue answers whoever asks about its schedules, records and accounts. */
class MultiSignatureQueryTest {
  private static final EntityId NOBODY = new EntityId(999_999);

  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.MVP);

  @Test
  void aScheduleIsShownWithWhoHasSignedIt() {
    var schedule = queue.create(queue.gift(1), ALICE_KEY);

    var found = ask(new MultiSignatureQuery.ScheduleGetInfo(schedule));

    assertThat(found.status()).isEqualTo(ResponseCode.OK);
    assertThat(found.info().orElseThrow().terms().id()).isEqualTo(schedule);
    assertThat(found.info().orElseThrow().signers()).containsExactly(ALICE_KEY);
    assertThat(ask(new MultiSignatureQuery.ScheduleGetInfo(NOBODY)).info()).isEmpty();
  }

  @Test
  void aTransactionHasItsRecordsAndNoOther() {
    var by = queue.byAlice();
    queue.status(creation(by, queue.creationOf(1)));
    queue.create(queue.gift(2));

    assertThat(ask(new MultiSignatureQuery.GetRecords(by.id())).records())
        .singleElement()
        .satisfies(record -> assertThat(record.transactionId()).isEqualTo(by.id()));
    assertThat(ask(new MultiSignatureQuery.GetRecords(by.id().triggered(7))).records()).isEmpty();
  }

  @Test
  void anAccountIsShownWithItsKey() {
    var found = ask(new MultiSignatureQuery.GetAccount(queue.alice)).account();

    assertThat(found.orElseThrow().key()).isEqualTo(ALICE_KEY);
    assertThat(ask(new MultiSignatureQuery.GetAccount(NOBODY)).account()).isEmpty();
  }

  @Test
  void accountsAreShownByTheirNumbersInBothOrders() {
    assertThat(accounts(new EntityRange(queue.alice, queue.carol, false, 2)))
        .containsExactly(queue.alice, queue.bob);
    assertThat(accounts(new EntityRange(queue.alice, queue.carol, true, 2)))
        .containsExactly(queue.carol, queue.bob);
    assertThat(accounts(new EntityRange(queue.carol, queue.alice, false, 2))).isEmpty();
    assertThat(
            ask(new MultiSignatureQuery.AccountsIn(EntityRange.of(queue.dave)))
                .accounts()
                .getFirst()
                .balance()
                .units())
        .isEqualTo(SignaturesUnderTest.MONEY);
  }

  private List<EntityId> accounts(EntityRange range) {
    return ask(new MultiSignatureQuery.AccountsIn(range)).accounts().stream()
        .map(MultiSignatureAnswer.Holder::id)
        .toList();
  }

  @Test
  void schedulesAreShownByTheirNumbersInBothOrdersOfOneCreatorOrOfAll() {
    var first = queue.create(queue.gift(1));
    var second = queue.create(queue.gift(2));
    var all = new EntityRange(new EntityId(0), new EntityId(Long.MAX_VALUE), false, 100);
    var newest = new EntityRange(new EntityId(0), new EntityId(Long.MAX_VALUE), true, 1);

    var page = ask(new MultiSignatureQuery.SchedulesIn(all, Optional.empty()));
    assertThat(ids(page)).containsExactly(first, second);
    assertThat(page.last()).isEmpty();

    var one = ask(new MultiSignatureQuery.SchedulesIn(newest, Optional.empty()));
    assertThat(ids(one)).containsExactly(second);
    assertThat(one.last()).contains(second);

    var creator = page.schedules().getFirst().terms().creator();
    assertThat(ids(ask(new MultiSignatureQuery.SchedulesIn(all, Optional.of(creator)))))
        .containsExactly(first, second);
    assertThat(ids(ask(new MultiSignatureQuery.SchedulesIn(all, Optional.of(NOBODY))))).isEmpty();
  }

  @Test
  void aPageOfSchedulesLooksAtSoManyNumbersAndSaysWhereItEnded() {
    for (int account = 0; account < 1_000; account++) {
      queue.open(ALICE_KEY);
    }
    var schedule = queue.create(queue.gift(1));
    var all = new EntityRange(new EntityId(0), new EntityId(Long.MAX_VALUE), false, 100);

    var page = ask(new MultiSignatureQuery.SchedulesIn(all, Optional.empty()));
    assertThat(page.schedules()).isEmpty();
    assertThat(page.last()).contains(new EntityId(EntityId.FIRST.number() + 999));
    var rest = new EntityRange(page.last().orElseThrow().next(), all.to(), false, 100);
    assertThat(ids(ask(new MultiSignatureQuery.SchedulesIn(rest, Optional.empty()))))
        .containsExactly(schedule);
  }

  private static List<EntityId> ids(MultiSignatureAnswer.InfosFound page) {
    return page.schedules().stream().map(info -> info.terms().id()).toList();
  }

  @Test
  void fiveKeysThatAreStillToSignAreNamedAndTheOthersCounted() {
    assertThat(stillToSign(schedule(5)))
        .isEqualTo(" of 5 keys that can sign for it have signed. Still to sign: " + named() + ".");
    assertThat(stillToSign(schedule(7)))
        .isEqualTo(
            " of 7 keys that can sign for it have signed. Still to sign: "
                + named()
                + " and 2 more.");
  }

  private static String named() {
    var named = new ArrayList<String>();
    for (int seed = 50; seed < 55; seed++) {
      named.add("ed25519:" + ("" + seed / 16 + Character.forDigit(seed % 16, 16)).repeat(32));
    }
    return String.join(", ", named);
  }

  @Test
  void aKeyIsNamedWithHowItSigns() {
    var point = Bytes.hex("02" + "ab".repeat(32));
    var signer = new PublicKey(PublicKey.Algorithm.ECDSA_SECP256K1, point);

    assertThat(stillToSign(schedule(List.of(signer)))).contains("secp256k1:02abab");
  }

  private EntityId schedule(int givers) {
    var keys = new ArrayList<AccountKey>();
    for (int giver = 0; giver < givers; giver++) {
      keys.add(key(50 + giver));
    }
    return schedule(keys);
  }

  /** The owner of each key gives one to Dave. */
  private EntityId schedule(List<? extends AccountKey> keys) {
    var rows = new ArrayList<AccountAmount>();
    keys.forEach(key -> rows.add(row(queue.open(key), -1)));
    rows.add(row(queue.dave, keys.size()));
    return queue.create(body(keys.size(), new Action.CryptoTransfer(rows)));
  }

  private String stillToSign(EntityId schedule) {
    var rules = queue.queue;
    var sentence = rules.queue.explain(rules.state, schedule.schedule(), rules.wall()).sentence();
    assertThat(sentence).startsWith("It waits for signatures: 0 of ");
    return sentence.substring("It waits for signatures: 0".length());
  }

  private <R extends MultiSignatureAnswer> R ask(MultiSignatureQuery<R> query) {
    return queue.queue.queue.ask(queue.queue.state, query, queue.queue.wall());
  }
}
