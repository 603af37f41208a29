package dev.sequitur.domain;

import static dev.sequitur.domain.GroupFixture.ALICE;
import static dev.sequitur.domain.GroupFixture.BOB;
import static dev.sequitur.domain.GroupFixture.CAROL;
import static dev.sequitur.domain.GroupFixture.SIGNATURES;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Domain.Assembly;
import dev.sequitur.protocol.port.Domain.Changes;
import dev.sequitur.protocol.transaction.PostAssembly;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NotoDomainTest extends DomainContract {
  private static final String NOTARY =
      "'notary':'alice@node1','restrictMint':true,'name':'Gold','symbol':'AU','decimals':2";

  private GroupFixture group;

  @Override
  Domain domain() {
    return new NotoDomain(SIGNATURES);
  }

  @Override
  List<Line> history() {
    var lines = new ArrayList<Line>();
    lines.add(new Line(ALICE, "mint", "{'to':'alice@node1','amount':'7777'}"));
    lines.add(new Line(BOB, "mint", "{'to':'alice@node1','amount':20,'data':'0xfeed'}"));
    lines.add(new Line(ALICE, "transfer", "{'to':'bob@node2','amount':'7780','data':'0xab'}"));
    lines.add(new Line(BOB, "burn", "{'amount':'7'}"));
    addLock(lines, new Line(BOB, "createLock", "{'amount':100,'data':'0x'}"), 40);
    addLock(lines, new Line(BOB, "lock", "{'amount':50}"), 0);
    lines.add(
        new Line(
            BOB,
            "createTransferLock",
            "{'from':'bob@node2','recipients':[{'to':'carol@node3','amount':10},"
                + "{'to':'alice@node1','amount':3}],'unlockData':'0x0b','data':'0x0a'}"));
    lines.add(ofLast(lines, BOB, "cancelLock", ""));
    lines.add(
        new Line(ALICE, "createMintLock", "{'recipients':[{'to':'carol@node3','amount':'9'}]}"));
    lines.add(ofLast(lines, ALICE, "spendLock", ",'spendArgs':'0x','data':'0x'"));
    lines.add(new Line(BOB, "createBurnLock", "{'from':'bob@node2','amount':11}"));
    lines.add(ofLast(lines, BOB, "spendLock", ",'data':'0xdd'"));
    lines.add(new Line(BOB, "lock", "{'amount':0}"));
    lines.add(
        ofLast(lines, BOB, "prepareMintUnlock", ",'recipients':[{'to':'alice@node1','amount':2}]"));
    lines.add(of(lines, lines.size() - 2, BOB, "cancelLock", ",'data':'0xcc'"));
    lines.add(new Line(BOB, "lock", "{'amount':30}"));
    lines.add(ofLast(lines, BOB, "prepareBurnUnlock", ",'from':'bob@node2','amount':12"));
    lines.add(of(lines, lines.size() - 2, BOB, "spendLock", ""));
    return lines;
  }

  /** A lock that is prepared, delegated and spent, or one that is unlocked. */
  private static void addLock(List<Line> lines, Line lock, int prepared) {
    int at = lines.size();
    lines.add(lock);
    if (prepared == 0) {
      lines.add(
          ofLast(
              lines,
              BOB,
              "unlock",
              ",'from':'bob@node2','recipients':[{'to':'carol@node3','amount':20}]"));
      return;
    }
    lines.add(
        ofLast(
            lines,
            BOB,
            "prepareUnlock",
            ",'from':'bob@node2','recipients':[{'to':'carol@node3','amount':40}]"));
    lines.add(of(lines, at, BOB, "delegateLock", ",'delegate':'" + address(ALICE) + "'"));
    lines.add(of(lines, at, ALICE, "spendLock", ""));
  }

  private static Line ofLast(List<Line> lines, Identity from, String function, String inputs) {
    return of(lines, lines.size() - 1, from, function, inputs);
  }

  /** One about the lock that an earlier line makes: a history's ids are the same each time. */
  private static Line of(
      List<Line> lines, int lock, Identity from, String function, String inputs) {
    var again = new GroupFixture(new NotoDomain(SIGNATURES));
    var id = "";
    for (var line : lines.subList(0, lock + 1)) {
      var transaction = again.transaction(line.from(), line.function(), line.inputs());
      id = Lock.idOf(new Given(again.group(), null, transaction)).toString();
    }
    return new Line(from, function, "{'lockId':'" + id + "'" + inputs + "}");
  }

  private static String address(Identity member) {
    return SIGNATURES.address(GroupFixture.keys(member).verifier(member.name())).value();
  }

  @Override
  List<String> secrets() {
    return List.of("7777", "7780", "alice", "bob", "carol", "feed", address(ALICE));
  }

  @BeforeEach
  void newGroup() {
    group = configured(NOTARY);
  }

  private GroupFixture configured(String fields) {
    return new GroupFixture(domain(), "{" + fields.replace('\'', '"') + "}");
  }

  private void mint(Identity to, int amount) {
    group.run(ALICE, "mint", "{'to':'" + to + "','amount':" + amount + "}");
  }

  private String balance(Identity account) {
    return group.call(account, "balanceOf", "{'account':'" + account + "'}");
  }

  private static String has(int amount, int coins) {
    return "{'overflow':false,'totalBalance':'%d','totalStates':'%d'}".formatted(amount, coins);
  }

  @Test
  void mintsTransfersAndBurns() {
    mint(ALICE, 100);
    group.run(ALICE, "transfer", "{'to':'bob@node2','amount':'30','data':'0x'}");
    group.run(BOB, "burn", "{'amount':'0xa','data':''}");

    assertThat(balance(ALICE)).isEqualTo(has(70, 1));
    assertThat(balance(BOB)).isEqualTo(has(20, 1));
    assertThat(balance(CAROL)).isEqualTo(has(0, 0));
  }

  @Test
  void aMemberWithoutANodeIsOfTheSendersNode() {
    group.run(ALICE, "mint", "{'to':'alice','amount':5}");

    assertThat(group.call(ALICE, "balanceOf", "{'account':'alice'}")).isEqualTo(has(5, 1));
  }

  @Test
  void saysHowTheTokenIsWritten() {
    assertThat(group.call(BOB, "name", "{}")).isEqualTo("'Gold'");
    assertThat(group.call(BOB, "symbol", "{}")).isEqualTo("'AU'");
    assertThat(group.call(BOB, "decimals", "{}")).isEqualTo("2");
    assertThat(configured("").call(BOB, "decimals", "{}")).isEqualTo("4");
  }

  @Test
  void onlyTheNotaryMints() {
    var mint = group.transaction(BOB, "mint", "{'to':'bob@node2','amount':1}");

    assertRefused(mint.function(), BOB, "{'to':'bob@node2','amount':1}", "alice@node1");
    assertRefused(
        "createMintLock", BOB, "{'recipients':[{'to':'bob@node2','amount':1}]}", "notary");
    group = configured("'notary':'alice@node1','restrictMint':false");
    group.run(BOB, "mint", "{'to':'bob@node2','amount':1}");
  }

  @Test
  void aGroupMayForbidBurningAndLocks() {
    group = configured("'allowBurn':false,'allowLock':false");
    mint(ALICE, 5);

    assertRefused("burn", ALICE, "{'amount':1}", "forbids burning");
    assertRefused("createBurnLock", ALICE, "{'from':'alice','amount':1}", "forbids burning");
    assertRefused("lock", ALICE, "{'amount':1}", "forbids locks");
    var paid = "'recipients':[{'to':'bob@node2','amount':1}]";
    assertRefused("createLock", ALICE, "{'amount':1}", "forbids locks");
    assertRefused("createTransferLock", ALICE, "{'from':'alice'," + paid + "}", "forbids locks");
    assertRefused("createMintLock", ALICE, "{" + paid + "}", "forbids locks");
    var lock = "{'lockId':'0x" + "0a".repeat(32) + "','from':'alice','amount':1}";
    assertRefused("prepareBurnUnlock", ALICE, lock, "forbids burning");
  }

  @Test
  void whoIsNoMemberGetsNothing() {
    mint(ALICE, 5);

    assertRefused("transfer", ALICE, "{'to':'eve@node1','amount':1}", "member of the group");
    assertRefused("mint", ALICE, "{'to':'eve@node1','amount':1}", "member of the group");
  }

  @Test
  void nobodyActsForAnother() {
    assertRefused(
        "transferFrom", BOB, "{'from':'alice@node1','to':'bob','amount':1}", "has no transferFrom");
    assertRefused("burnFrom", BOB, "{'from':'alice@node1','amount':1}", "has no burnFrom");
    assertRefused("createBurnLock", BOB, "{'from':'alice@node1','amount':1}", "nobody acts");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'to':'bob@node2','amount':0}",
        "{'to':'bob@node2','amount':'-0x1'}",
        "{'to':'bob@node2','amount':'0x'}",
        "{'to':'bob@node2','amount':1.5}",
        "{'to':'bob@node2','amount':1,'data':'0xabc'}",
        "{'to':'bob@node2','amount':1,'data':'0xzz'}",
        "{'to':'bob@node2','amount':1,'data':'ab'}",
        "{'to':'bob@node2','amount':1,'data':7}"
      })
  void amountsAndDataAreReadStrictly(String inputs) {
    assertRefused("mint", ALICE, inputs, "inputs.");
  }

  @Test
  void anAmountOfAllDigitsIsTaken() {
    group.run(ALICE, "mint", "{'to':'bob@node2','amount':'0x" + "f".repeat(64) + "'}");
    assertRefused(
        "mint", ALICE, "{'to':'bob@node2','amount':'0x1" + "0".repeat(64) + "'}", "amount");
  }

  @Test
  void aLockHoldsNoMoreThanOneCoinCanGiveBack() {
    var most = "{'to':'bob@node2','amount':'0x" + "f".repeat(64) + "'}";

    assertRefused(
        "createTransferLock",
        ALICE,
        "{'from':'alice','recipients':[" + most + "," + most + "]}",
        "A lock holds at most");
  }

  @Test
  void theNotaryAloneEndorsesIfTheGroupSaysSo() {
    group = configured("'notary':'alice@node1','endorsement':'notary','endorsementThreshold':1");

    var plan =
        group
            .assembled(group.transaction(ALICE, "mint", "{'to':'bob@node2','amount':1}"))
            .attestationPlan();

    assertThat(plan)
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.parties()).containsExactly(ALICE);
              assertThat(one.threshold()).isEqualTo(1);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'notaryMode':'hooks' | private EVM",
        "'notaryMode':'other' | must be 'basic'",
        "'restrictMint':true | needs 'notary'",
        "'restrictMint':1 | true or false",
        "'endorsement':'notary','notary':'a@n' | 'endorsementThreshold' 1",
        "'endorsement':'notary','endorsementThreshold':1 | needs that notary",
        "'endorsement':'all' | must be 'notary' or 'committee'",
        "'decimals':256 | between 0 and 255",
        "'name':7 | as a string"
      },
      quoteCharacter = '"')
  void configurationsThatMakeNoSenseAreRefused(String fields, String words) {
    var json = "{" + fields.replace('\'', '"') + "}";

    assertThat(domain().checkConfiguration(Bytes.utf8(json)))
        .hasValueSatisfying(sentence -> assertThat(sentence).contains(words).endsWith("."));
  }

  @Test
  void aGroupWhoseNotaryIsNoMemberDoesNothing() {
    group = configured("'notary':'eve@node9'");

    assertRefused("burn", ALICE, "{'amount':1}", "no member");
  }

  @Test
  void whoIsNoMemberIsPaidByATokenThatWasMadeWithHimAlone() {
    assertRefused("mint", ALICE, "{'to':'eve@node9','amount':1}", "eve@node9 is no member");
    assertRefused("mint", ALICE, "{'to':'eve@node9','amount':1}", "named in options.members when");
  }

  private void assertRefused(String function, Identity from, String inputs, String words) {
    var transaction = group.transaction(from, function, inputs);

    assertThat(group.domain().validate(group.group(), transaction, group.states()))
        .hasValueSatisfying(found -> assertThat(found.reason()).contains(words).endsWith("."));
    assertThat(group.assemble(transaction)).isNotInstanceOf(Assembly.Assembled.class);
  }

  /** What the domain says of a transaction that has just run. */
  private JsonNode receipt(PostAssembly assembly) {
    return receipt(assembly, Optional.of(ALICE));
  }

  private JsonNode receipt(PostAssembly assembly, Optional<Identity> sender) {
    var changes = new Changes(assembly.inputs(), assembly.reads(), assembly.outputs());
    var receipt = group.domain().receipt(group.group(), sender, changes).orElseThrow();
    return CanonicalJson.read(receipt, 100_000, "The receipt");
  }

  /** Whom a node names as the sender that has the states alone. */
  private String senderOf(PostAssembly assembly) {
    return receipt(assembly, Optional.empty()).path("sender").asText();
  }

  private static String line(JsonNode json) {
    return json.toString().replace('"', '\'');
  }

  /** A member that has lost its key gets another one, and keeps what it has. */
  @Nested
  class AnotherKey {
    private String before;

    @BeforeEach
    void bobHasMoneyFromBeforeItsKeyChanged() {
      mint(BOB, 100);
      before = address(BOB);
    }

    private String now() {
      return SIGNATURES
          .address(group.group().committee().member(BOB).orElseThrow().verifier())
          .value();
    }

    @Test
    void coinsOfTheOlderKeyAreCountedAndSpent() {
      group.replaceKey(BOB);
      mint(BOB, 7);
      assertThat(balance(BOB)).isEqualTo(has(107, 2));

      var spent = group.run(BOB, "transfer", "{'to':'carol@node3','amount':104}");

      assertThat(balance(BOB)).isEqualTo(has(3, 1));
      assertThat(spent.outputs().getLast().lookup()).as("the change").isEqualTo(now());
      assertThat(receipt(spent, Optional.of(BOB)).path("transfers"))
          .singleElement()
          .satisfies(
              it -> {
                assertThat(it.path("from").asText()).isEqualTo(now());
                assertThat(it.path("amount").asText()).isEqualTo("104");
              });
    }

    @Test
    void afterSeveralKeysToo() {
      group.replaceKey(CAROL);
      group.replaceKey(BOB);
      mint(BOB, 20);
      group.replaceKey(BOB);

      group.run(BOB, "burn", "{'amount':120}");

      assertThat(balance(BOB)).isEqualTo(has(0, 0));
    }

    @Test
    void nothingIsMadeForAnOlderKey() {
      group.replaceKey(BOB);
      var transaction = group.transaction(ALICE, "mint", "{'to':'bob@node2','amount':1}");
      var made = group.assembled(transaction);
      var coin = made.outputs().getFirst();
      var text = coin.data().toUtf8().replace(now(), before);
      var lie =
          StateContent.seal(
              group.group(),
              coin.schema(),
              before,
              (ObjectNode) CanonicalJson.read(Bytes.utf8(text), 10_000, "The coin"));
      var lying =
          new PostAssembly(
              made.inputs(),
              made.reads(),
              List.of(lie),
              made.info(),
              made.specification(),
              made.attestationPlan(),
              made.proof());

      assertThat(group.endorse(group.request(ALICE, transaction, made)))
          .isInstanceOf(Domain.Endorsement.Endorsed.class);
      assertThat(group.endorse(group.request(ALICE, transaction, lying)))
          .isInstanceOf(Domain.Endorsement.Refused.class);
    }

    @Test
    void aLockFromBeforeIsPreparedDelegatedAndSpent() {
      var made = group.run(BOB, "createLock", "{'amount':60,'data':'0x'}");
      var id = receipt(made).at("/lockInfo/lockId").asText();
      group.replaceKey(BOB);
      group.run(
          BOB,
          "prepareUnlock",
          "{'lockId':'" + id + "','from':'bob','recipients':[{'to':'carol@node3','amount':25}]}");
      group.replaceKey(CAROL);
      group.run(BOB, "delegateLock", "{'lockId':'" + id + "','delegate':'" + address(ALICE) + "'}");

      group.run(ALICE, "spendLock", "{'lockId':'" + id + "'}");

      assertThat(balance(CAROL)).isEqualTo(has(25, 1));
      assertThat(balance(BOB)).isEqualTo(has(75, 2));
    }
  }

  /** Locks, and who may do what with them. */
  @Nested
  class Locks {
    private String id;

    @BeforeEach
    void lockSixtyOfHundred() {
      mint(BOB, 100);
      id = lock(60);
    }

    private String lock(int amount) {
      var made = group.run(BOB, "createLock", "{'amount':" + amount + ",'data':'0x'}");
      return receipt(made).at("/lockInfo/lockId").asText();
    }

    private PostAssembly run(Identity from, String function, String inputs) {
      return group.run(from, function, "{'lockId':'" + id + "'" + inputs + "}");
    }

    private void assertRefusedOf(Identity from, String function, String inputs, String words) {
      assertRefused(function, from, "{'lockId':'" + id + "'" + inputs + "}", words);
    }

    private void prepare() {
      run(BOB, "prepareUnlock", ",'from':'bob','recipients':[{'to':'carol@node3','amount':25}]");
    }

    private void delegate(Identity to) {
      run(
          BOB,
          "delegateLock",
          ",'delegate':'" + address(to).toUpperCase().replace("0X", "0x") + "'");
    }

    @Test
    void whatIsLockedIsNotSpent() {
      assertThat(balance(BOB)).isEqualTo(has(40, 1));
      assertRefused("burn", BOB, "{'amount':41}", "balance");
    }

    @Test
    void theOwnerUnlocksAndGetsTheRest() {
      run(BOB, "unlock", ",'from':'bob@node2','recipients':[{'to':'carol@node3','amount':50}]");

      assertThat(balance(CAROL)).isEqualTo(has(50, 1));
      assertThat(balance(BOB)).isEqualTo(has(50, 2));
      assertRefusedOf(BOB, "cancelLock", "", "no such lock");
    }

    @Test
    void nobodyElseUnlocksPreparesDelegatesOrEndsIt() {
      prepare();
      var all = ",'recipients':[{'to':'alice@node1','amount':1}]";

      assertRefusedOf(ALICE, "unlock", ",'from':'alice'" + all, "Only the lock's owner");
      assertRefusedOf(ALICE, "unlock", ",'from':'bob@node2'" + all, "nobody acts for another");
      assertRefusedOf(ALICE, "prepareUnlock", ",'from':'alice'" + all, "Only the lock's owner");
      assertRefusedOf(
          ALICE, "delegateLock", ",'delegate':'" + address(ALICE) + "'", "Only the lock's spender");
      assertRefusedOf(ALICE, "spendLock", "", "Only the lock's spender");
      assertRefusedOf(ALICE, "cancelLock", "", "Only the lock's spender");
    }

    @Test
    void theDelegateSpendsItAsItWasPrepared() {
      prepare();
      delegate(CAROL);
      assertRefusedOf(BOB, "spendLock", "", "spender");
      assertRefusedOf(BOB, "cancelLock", "", "spender");
      assertRefusedOf(
          BOB, "unlock", ",'from':'bob','recipients':[{'to':'bob','amount':1}]", "delegated");
      run(CAROL, "spendLock", ",'spendArgs':'0x','data':'0x'");

      assertThat(balance(CAROL)).isEqualTo(has(25, 1));
      assertThat(balance(BOB)).isEqualTo(has(75, 2));
    }

    @Test
    void theDelegateMayGiveItBackOrHandItOn() {
      prepare();
      delegate(CAROL);
      run(CAROL, "delegateLock", ",'delegate':'" + address(ALICE) + "'");
      assertRefusedOf(CAROL, "cancelLock", "", "spender");
      run(ALICE, "cancelLock", ",'cancelArgs':'0x'");

      assertThat(balance(BOB)).isEqualTo(has(100, 2));
    }

    @Test
    void aDelegateOfWhatIsNotPreparedGivesItBackOnly() {
      delegate(CAROL);

      assertRefusedOf(CAROL, "spendLock", "", "not prepared");
      assertRefusedOf(
          CAROL, "unlock", ",'from':'carol','recipients':[{'to':'carol','amount':1}]", "owner");
      run(CAROL, "cancelLock", "");
      assertThat(balance(BOB)).isEqualTo(has(100, 2));
    }

    @Test
    void aDelegateIsTheAddressOfAMember() {
      assertRefusedOf(
          BOB, "delegateLock", ",'delegate':'0x" + "00".repeat(20) + "'", "address of a member");
      assertRefusedOf(BOB, "delegateLock", ",'delegate':'carol@node3'", "address of a member");
    }

    @Test
    void noMoreComesOutThanLiesInIt() {
      var tooMuch = ",'from':'bob','recipients':[{'to':'carol@node3','amount':61}]";

      assertRefusedOf(BOB, "unlock", tooMuch, "at most what lies in the lock");
      assertRefusedOf(BOB, "prepareUnlock", tooMuch, "at most what lies in the lock");
      assertRefusedOf(
          BOB, "prepareBurnUnlock", ",'from':'bob','amount':61", "at most what lies in the lock");
    }

    @Test
    void mintingOutOfALockNeedsALockOfNothing() {
      group = configured("'restrictMint':false");
      mint(BOB, 100);
      id = lock(60);
      var minted = ",'recipients':[{'to':'carol@node3','amount':5}]";
      assertRefusedOf(BOB, "prepareMintUnlock", minted, "lock of nothing");

      id = lock(0);
      run(BOB, "prepareMintUnlock", minted);
      run(BOB, "spendLock", "");
      assertThat(balance(CAROL)).isEqualTo(has(5, 1));
    }

    /** ATT-10: whatever makes coins out of nothing asks the same question. */
    @Test
    void onlyTheNotarySaysThatALockMints() {
      group = configured(NOTARY);
      id = lock(0);
      var mints = ",'recipients':[{'to':'bob@node2','amount':1}]";

      assertRefusedOf(BOB, "prepareMintUnlock", mints, "Only the group's notary may mint");
    }

    @Test
    void burningOutOfALockTakesItOutOfTheWorld() {
      run(BOB, "prepareBurnUnlock", ",'from':'bob','amount':20");
      run(BOB, "spendLock", "");

      assertThat(balance(BOB)).isEqualTo(has(80, 2));
    }

    @Test
    void whatIsSaidLastOfALockHolds() {
      prepare();
      run(BOB, "prepareUnlock", ",'from':'bob','recipients':[{'to':'alice@node1','amount':60}]");
      run(BOB, "spendLock", "");

      assertThat(balance(ALICE)).isEqualTo(has(60, 1));
      assertThat(balance(CAROL)).isEqualTo(has(0, 0));
    }

    @Test
    void anotherIntentHelpsThatMakesOrChangesTheLock() {
      var other = group.transaction(BOB, "lock", "{'amount':1}");
      var made = Lock.idOf(new Given(group.group(), null, other)).toString();
      var early = group.transaction(BOB, "cancelLock", "{'lockId':'" + made + "'}");
      var objection = group.domain().validate(group.group(), early, group.states()).orElseThrow();

      assertThat(objection.mayPass()).isTrue();
      assertThat(group.domain().mayHelp(group.group(), early, objection, other)).isTrue();
      assertThat(group.domain().mayHelp(group.group(), other, objection, early)).isTrue();
      var elsewhere = group.transaction(BOB, "cancelLock", "{'lockId':'" + id + "'}");
      assertThat(group.domain().mayHelp(group.group(), early, objection, elsewhere)).isFalse();
    }

    /** Nobody endorses for who was removed: what lies in the lock would be lost. */
    @Test
    void theOwnerGetsBackWhatWasToGoToAMemberThatWasRemoved() {
      prepare();
      group.leaveBut(ALICE, BOB);

      assertRefusedOf(BOB, "spendLock", "", "carol@node3 is no member");
      assertRefusedOf(
          BOB, "delegateLock", ",'delegate':'" + address(ALICE) + "'", "carol@node3 is no member");
      run(BOB, "cancelLock", "");

      assertThat(balance(BOB)).isEqualTo(has(100, 2));
    }

    @Test
    void theOwnerPreparesAnewWhatWasToGoToAMemberThatWasRemoved() {
      prepare();
      group.leaveBut(ALICE, BOB);
      run(BOB, "prepareUnlock", ",'from':'bob','recipients':[{'to':'alice@node1','amount':25}]");
      delegate(ALICE);
      run(ALICE, "spendLock", "");

      assertThat(balance(ALICE)).isEqualTo(has(25, 1));
      assertThat(balance(BOB)).isEqualTo(has(75, 2));
    }

    @Test
    void aLockThatIsDelegatedToAMemberThatWasRemovedIsItsOwnersAgain() {
      run(BOB, "prepareUnlock", ",'from':'bob','recipients':[{'to':'alice@node1','amount':25}]");
      delegate(CAROL);
      group.leaveBut(ALICE, BOB);

      assertRefusedOf(ALICE, "spendLock", "", "spender");
      run(BOB, "spendLock", "");

      assertThat(balance(ALICE)).isEqualTo(has(25, 1));
      assertThat(balance(BOB)).isEqualTo(has(75, 2));
    }

    /** A coin of a member that was removed can be made by nobody; one that was stays its own. */
    @Test
    void aDelegateGivesNothingBackToAnOwnerThatWasRemoved() {
      run(BOB, "prepareUnlock", ",'from':'bob','recipients':[{'to':'carol@node3','amount':25}]");
      delegate(ALICE);
      group.leaveBut(ALICE, CAROL);

      assertRefusedOf(ALICE, "cancelLock", "", "bob@node2 is no member");
      assertRefusedOf(ALICE, "spendLock", "", "bob@node2 is no member");
      assertRefusedOf(
          ALICE, "delegateLock", ",'delegate':'" + address(CAROL) + "'", "bob@node2 is no member");
    }

    @Test
    void aLockOfAnOwnerThatWasRemovedPaysOthersAllThatLiesInIt() {
      run(BOB, "prepareUnlock", ",'from':'bob','recipients':[{'to':'carol@node3','amount':60}]");
      delegate(ALICE);
      group.leaveBut(ALICE, CAROL);

      run(ALICE, "spendLock", "");

      assertThat(balance(CAROL)).isEqualTo(has(60, 1));
    }

    @Test
    void receiptsTellOfALockOfAMemberThatWasRemoved() {
      var made =
          run(BOB, "prepareUnlock", ",'from':'bob','recipients':[{'to':'carol@node3','amount':5}]");
      var delegated = run(BOB, "delegateLock", ",'delegate':'" + address(CAROL) + "'");
      var before = receipt(made).toString();
      group.leaveBut(ALICE, BOB);

      assertThat(receipt(made).toString()).isEqualTo(before);
      assertThat(receipt(delegated).at("/lockInfo/delegate").asText()).isEqualTo(address(CAROL));
    }

    @Test
    void receiptsTellOfLocks() {
      prepare();
      delegate(CAROL);
      var spent = receipt(run(CAROL, "spendLock", ""));

      assertThat(spent.at("/states/lockedInputs")).hasSize(1);
      assertThat(spent.at("/states/outputs")).hasSize(2);
      assertThat(spent.has("lockInfo")).isFalse();
      assertThat(line(spent.at("/transfers")))
          .isEqualTo(
              "[{'amount':'25','from':'%s','to':'%s'}]".formatted(address(BOB), address(CAROL)));
    }

    @Test
    void otherNodesKnowWhoHasChangedALock() {
      assertThat(senderOf(group.run(BOB, "createLock", "{'amount':9,'data':'0x'}")))
          .isEqualTo(address(BOB));
      assertThat(
              senderOf(
                  run(
                      BOB,
                      "prepareUnlock",
                      ",'from':'bob','recipients':[{'to':'carol@node3','amount':5}]")))
          .isEqualTo(address(BOB));
      assertThat(senderOf(run(BOB, "delegateLock", ",'delegate':'" + address(CAROL) + "'")))
          .isEqualTo(address(BOB));
      assertThat(senderOf(run(CAROL, "spendLock", ""))).isEqualTo(address(CAROL));
      id = lock(7);
      assertThat(
              senderOf(
                  run(
                      BOB,
                      "unlock",
                      ",'from':'bob','recipients':[{'to':'carol@node3','amount':7}]")))
          .isEqualTo(address(BOB));
      id = lock(5);
      assertThat(senderOf(run(BOB, "cancelLock", ""))).isEqualTo(address(BOB));
    }

    @Test
    void otherNodesKnowWhoHasMadeALockOfNothing() {
      assertThat(
              senderOf(
                  group.run(
                      ALICE,
                      "createMintLock",
                      "{'recipients':[{'to':'carol@node3','amount':5}],"
                          + "'unlockData':'0x','data':'0x'}")))
          .isEqualTo(address(ALICE));
    }

    @Test
    void aReceiptSaysWhatALockIsPreparedForAndWhoMayEndIt() {
      var made =
          group.run(
              BOB,
              "createTransferLock",
              "{'from':'bob','recipients':[{'to':'carol@node3','amount':5}],"
                  + "'unlockData':'0xBEEF','data':'0xfeed'}");
      var receipt = receipt(made);
      id = receipt.at("/lockInfo/lockId").asText();
      var delegated = receipt(run(BOB, "delegateLock", ",'delegate':'" + address(CAROL) + "'"));

      assertThat(receipt.at("/lockInfo/unlockFunction").asText()).isEqualTo("spendLock");
      assertThat(receipt.at("/lockInfo/cancelFunction").asText()).isEqualTo("cancelLock");
      assertThat(line(receipt.at("/lockInfo/unlockParams")))
          .isEqualTo("{'data':'0xbeef','lockId':'" + id + "','spendArgs':'0x'}");
      assertThat(receipt.at("/lockInfo/unlockCall").asText())
          .isEqualTo(call("bfc538bb", id, word(2) + "beef" + "00".repeat(30)));
      assertThat(receipt.at("/lockInfo/cancelCall").asText())
          .startsWith("0xb6ca9cbe" + id.substring(2));
      assertThat(receipt.at("/states/lockedOutputs")).hasSize(1);
      assertThat(receipt.at("/states/updatedLockInfo")).hasSize(1);
      assertThat(receipt.has("transfers")).isFalse();
      assertThat(receipt.at("/data").asText()).isEqualTo("0xfeed");
      assertThat(receipt.at("/sender").asText()).isEqualTo(address(BOB));
      assertThat(receipt.at("/lockInfo").has("delegate")).isFalse();
      assertThat(delegated.at("/lockInfo/delegate").asText()).isEqualTo(address(CAROL));
      var spent = receipt(run(CAROL, "spendLock", ""));
      assertThat(spent.at("/data").asText()).isEqualTo("0xbeef");
    }
  }

  private static String word(int number) {
    return "%064x".formatted(number);
  }

  /** As {@code ethers} encodes it: no arguments, and data. */
  private static String call(String selector, String lock, String data) {
    return "0x" + selector + lock.substring(2) + word(96) + word(128) + word(0) + data;
  }

  @Test
  void thePublicCallsThatEndALockAreReadAgain() {
    var lock = "0x" + "ab".repeat(32);

    assertThat(
            domain().calledBy(Bytes.hex(call("bfc538bb", lock, word(1) + "7f" + "00".repeat(31)))))
        .contains(
            new Domain.PrivateCall(
                "spendLock", Bytes.utf8("{\"data\":\"0x7f\",\"lockId\":\"" + lock + "\"}")));
    assertThat(domain().calledBy(Bytes.hex(call("b6ca9cbe", lock, word(0)))))
        .contains(
            new Domain.PrivateCall(
                "cancelLock", Bytes.utf8("{\"data\":\"0x\",\"lockId\":\"" + lock + "\"}")));
    for (var other :
        List.of(
            "0x", "0xbfc538bb", call("00c538bb", lock, word(0)), call("bfc538bb", lock, word(1)))) {
      assertThat(domain().calledBy(Bytes.hex(other))).as(other).isEmpty();
    }
  }

  @Test
  void receiptsTellWhoHasPaidWhom() {
    var minted = receipt(group.run(ALICE, "mint", "{'to':'alice','amount':9,'data':'0x01'}"));
    var paid = receipt(group.run(ALICE, "transfer", "{'to':'bob@node2','amount':4}"));
    var burnt = receipt(group.run(ALICE, "burn", "{'amount':2}"));

    assertThat(line(minted.at("/transfers")))
        .isEqualTo("[{'amount':'9','to':'" + address(ALICE) + "'}]");
    assertThat(minted.at("/data").asText()).isEqualTo("0x01");
    assertThat(paid.at("/data").asText()).as("nothing was sent along").isEqualTo("0x");
    assertThat(List.of(minted, paid, burnt))
        .allSatisfy(each -> assertThat(each.at("/sender").asText()).isEqualTo(address(ALICE)));
    assertThat(line(paid.at("/transfers")))
        .isEqualTo(
            "[{'amount':'4','from':'%s','to':'%s'}]".formatted(address(ALICE), address(BOB)));
    assertThat(line(burnt.at("/transfers")))
        .isEqualTo("[{'amount':'2','from':'" + address(ALICE) + "'}]");
    assertThat(paid.at("/states/inputs/0/data/owner").asText()).isEqualTo(address(ALICE));
    assertThat(paid.at("/states/outputs/0/schema").asText())
        .isEqualTo(Domain.StateSchema.id("noto", "NotoCoin").toString());
  }

  @Test
  void otherNodesKnowWhoHasSent() {
    assertThat(senderOf(group.run(ALICE, "mint", "{'to':'bob@node2','amount':9}")))
        .isEqualTo(address(ALICE));
    assertThat(senderOf(group.run(BOB, "transfer", "{'to':'carol@node3','amount':4}")))
        .isEqualTo(address(BOB));
    assertThat(senderOf(group.run(BOB, "burn", "{'amount':2}"))).isEqualTo(address(BOB));
  }

  @Test
  void otherNodesKnowWhoHasMintedWhereAllMay() {
    group = configured("'notary':'alice@node1','restrictMint':false");

    assertThat(senderOf(group.run(BOB, "mint", "{'to':'carol@node3','amount':9}")))
        .isEqualTo(address(BOB));
  }

  @Test
  void aReceiptOfStatesThatNobodyWouldEndorseIsNone() {
    var wrong =
        StateContent.seal(group.group(), Lock.SCHEMA, "x", CanonicalJson.object().put("x", 1));

    assertThat(
            group
                .domain()
                .receipt(
                    group.group(),
                    Optional.empty(),
                    new Changes(List.of(), List.of(), List.of(wrong))))
        .isEmpty();
  }
}
