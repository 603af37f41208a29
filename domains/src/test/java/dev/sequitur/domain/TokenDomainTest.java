package dev.sequitur.domain;

import static dev.sequitur.domain.GroupFixture.ALICE;
import static dev.sequitur.domain.GroupFixture.BOB;
import static dev.sequitur.domain.GroupFixture.CAROL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Domain.Assembly;
import dev.sequitur.protocol.port.Domain.Endorsement;
import dev.sequitur.protocol.transaction.PostAssembly;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenDomainTest extends DomainContract {
  private GroupFixture group;

  @Override
  Domain domain() {
    return new TokenDomain();
  }

  @Override
  List<Line> history() {
    return List.of(
        new Line(ALICE, "mint", "{'to':'alice@node1','amount':'7777'}"),
        new Line(BOB, "mint", "{'to':'alice@node1','amount':20}"),
        new Line(ALICE, "transfer", "{'to':'bob@node2','amount':'7780'}"),
        new Line(
            BOB,
            "transfer",
            "{'outputs':[{'to':'carol@node3','amount':5},{'to':'bob@node2','amount':'6'}]}"),
        new Line(BOB, "burn", "{'amount':'7'}"));
  }

  @Override
  List<String> secrets() {
    return List.of("7777", "7780", "7769", "alice", "bob", "carol");
  }

  @BeforeEach
  void newGroup() {
    group = new GroupFixture(domain());
  }

  @Test
  void movesCoinsAndGivesChange() {
    group.run(ALICE, "mint", "{'to':'alice@node1','amount':'100'}");
    group.run(ALICE, "transfer", "{'to':'bob@node2','amount':'30'}");
    group.run(BOB, "burn", "{'amount':10}");

    assertThat(balance(ALICE)).isEqualTo("{'balance':'70','coins':1}");
    assertThat(balance(BOB)).isEqualTo("{'balance':'20','coins':1}");
    assertThat(group.call(BOB, "balanceOf", "{'owner':'carol@node3'}"))
        .isEqualTo("{'balance':'0','coins':0}");
  }

  @Test
  void listsCoinsOldestFirst() {
    var first = group.run(ALICE, "mint", "{'to':'bob@node2','amount':'1'}").outputIds().get(0);
    var second = group.run(ALICE, "mint", "{'to':'bob@node2','amount':'2'}").outputIds().get(0);

    assertThat(group.call(BOB, "coins", "{}"))
        .isEqualTo(
            "{'coins':[{'amount':'1','id':'%s'},{'amount':'2','id':'%s'}],'more':0}"
                .formatted(first, second));
  }

  @Test
  void makesNoChangeOfZero() {
    group.run(ALICE, "mint", "{'to':'alice@node1','amount':'100'}");

    var burn = group.run(ALICE, "burn", "{'amount':'100'}");

    assertThat(burn.outputs()).isEmpty();
    assertThat(group.unspent()).isEmpty();
  }

  @Test
  void handlesTheLargestAmount() {
    var most = BigInteger.TWO.pow(256).subtract(BigInteger.ONE);
    group.run(ALICE, "mint", "{'to':'alice@node1','amount':'%s'}".formatted(most));
    group.run(ALICE, "mint", "{'to':'alice@node1','amount':%s}".formatted(most));

    group.run(
        ALICE,
        "transfer",
        "{'outputs':[{'to':'bob@node2','amount':'%s'},{'to':'bob@node2','amount':'1'}]}"
            .formatted(most));

    assertThat(balance(ALICE))
        .contains(most.subtract(BigInteger.ONE).toString())
        .contains("'coins':1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "'0'",
        "'-5'",
        "'05'",
        "'-0'",
        "1.5",
        "'1.5'",
        "1e3",
        "'one'",
        "''",
        "null",
        "true",
        "[1]",
        "{}",
        "'115792089237316195423570985008687907853269984665640564039457584007913129639936'",
        "115792089237316195423570985008687907853269984665640564039457584007913129639936"
      })
  void refusesAnAmountThatIsNone(String amount) {
    assertInvalid(
        group().transaction(ALICE, "mint", "{'to':'bob@node2','amount':" + amount + "}"),
        "inputs.amount");
    assertInvalid(group().transaction(ALICE, "burn", "{'amount':" + amount + "}"), "inputs.amount");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'mallory@node4'", "'bob'", "'bob@node1'", "7", "null", "''"})
  void refusesAnOwnerOutsideTheGroup(String owner) {
    assertInvalid(
        group().transaction(ALICE, "transfer", "{'to':" + owner + ",'amount':1}"), "inputs.to");
  }

  @Test
  void namesTheMembersToWhomOneMayPay() {
    assertInvalid(
        group().transaction(ALICE, "transfer", "{'to':'mallory@node4','amount':1}"),
        "alice@node1, bob@node2, carol@node3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'outputs':[]}",
        "{'outputs':{}}",
        "{'outputs':[1]}",
        "{'outputs':[{'to':'bob@node2'}]}",
        "{'outputs':[{'to':'bob@node2','amount':1,'more':1}]}",
        "{'outputs':[{'to':'bob@node2','amount':1}],'to':'bob@node2','amount':1}"
      })
  void refusesOutputsThatAreNoPayments(String inputs) {
    assertInvalid(group().transaction(ALICE, "transfer", inputs));
  }

  @Test
  void refusesMorePaymentsThanOneTransactionCarries() {
    var payments = "{'to':'bob@node2','amount':1},".repeat(17);
    var inputs = "{'outputs':[" + payments.substring(0, payments.length() - 1) + "]}";

    assertInvalid(group().transaction(ALICE, "transfer", inputs), "1 to 16");
  }

  @Test
  void refusesMoreThanTheBalanceButMayAssembleItLater() {
    group.run(ALICE, "mint", "{'to':'alice@node1','amount':'10'}");
    var transfer = group.transaction(ALICE, "transfer", "{'to':'bob@node2','amount':'11'}");

    assertThat(group.domain().validate(group.group(), transfer, group.states()))
        .hasValueSatisfying(
            found -> assertThat(found.reason()).contains("balance").doesNotContain("10"));
    assertThat(group.assemble(transfer)).isInstanceOf(Assembly.Insufficient.class);

    group.run(BOB, "mint", "{'to':'alice@node1','amount':'1'}");
    assertThat(group.assemble(transfer)).isInstanceOf(Assembly.Assembled.class);
  }

  @Test
  void objectsToABalanceThatDoesNotReachAsToWhatMayPass() {
    var transfer = group.transaction(ALICE, "transfer", "{'to':'bob@node2','amount':'11'}");
    var wrong = group.transaction(ALICE, "transfer", "{'to':'bob@node2','amount':'x'}");

    assertThat(group.domain().validate(group.group(), transfer, group.states()))
        .hasValueSatisfying(found -> assertThat(found.mayPass()).isTrue());
    assertThat(group.domain().validate(group.group(), wrong, group.states()))
        .hasValueSatisfying(found -> assertThat(found.mayPass()).isFalse());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "bob@node2;   mint;     {'to':'alice@node1','amount':1}; true",
        "alice@node1; mint;     {'to':'alice@node1','amount':1}; true",
        "bob@node2;   transfer; {'to':'alice@node1','amount':1}; true",
        "bob@node2;   transfer; {'to':'carol@node3','amount':9}; false",
        "alice@node1; transfer; {'to':'alice@node1','amount':9}; false",
        "alice@node1; transfer; {'to':'bob@node2','amount':1};   false",
        "bob@node2;   mint;     {'to':'bob@node2','amount':9};   false",
        "bob@node2;   transfer; {'to':'nobody'};                 false"
      })
  void aBalanceThatDoesNotReachIsHelpedByWhatIsPaidToItsOwner(
      String from, String function, String inputs, boolean helps) {
    var transfer = group.transaction(ALICE, "transfer", "{'to':'bob@node2','amount':'11'}");
    var objection = group.domain().validate(group.group(), transfer, group.states()).orElseThrow();
    var other = group.transaction(Identity.parse(from), function, inputs);

    assertThat(group.domain().mayHelp(group.group(), transfer, objection, other)).isEqualTo(helps);
  }

  @Test
  void aBalanceInTooManyCoinsIsHelpedByWhatItsOwnerSpends() {
    for (int i = 0; i <= CoinSelection.MAX_COINS; i++) {
      group.run(ALICE, "mint", "{'to':'alice@node1','amount':'1'}");
    }
    var transfer = group.transaction(ALICE, "transfer", "{'to':'bob@node2','amount':'17'}");
    var objection = group.domain().validate(group.group(), transfer, group.states()).orElseThrow();
    var merge = group.transaction(ALICE, "transfer", "{'to':'alice@node1','amount':'16'}");
    var another = group.transaction(BOB, "transfer", "{'to':'carol@node3','amount':'1'}");

    assertThat(group.domain().mayHelp(group.group(), transfer, objection, merge)).isTrue();
    assertThat(group.domain().mayHelp(group.group(), transfer, objection, another)).isFalse();
  }

  @Nested
  class WithANotary {
    private final GroupFixture notarized =
        new GroupFixture(domain(), "{\"notary\":\"carol@node3\"}");

    @Test
    void onlyTheNotaryMints() {
      var mint = notarized.transaction(ALICE, "mint", "{'to':'alice@node1','amount':1}");

      assertThat(notarized.assemble(mint))
          .isEqualTo(
              new Assembly.Reverted("Only the group's notary may mint: send it from carol@node3."));
      notarized.run(CAROL, "mint", "{'to':'alice@node1','amount':1}");
      notarized.run(ALICE, "transfer", "{'to':'bob@node2','amount':1}");
    }

    @Test
    void nobodyEndorsesWhatAnotherMinted() {
      var mint = group.transaction(ALICE, "mint", "{'to':'alice@node1','amount':1}");
      var request = notarized.request(BOB, mint, group.assembled(mint));

      assertThat(notarized.endorse(request)).isInstanceOf(Endorsement.Refused.class);
    }

    @Test
    void aNotaryIsAnIdentity() {
      assertThat(group.domain().checkConfiguration(Bytes.utf8("{\"notary\":\"carol\"}")))
          .hasValueSatisfying(text -> assertThat(text).contains("name@node"));
    }
  }

  @Test
  void makesOtherStatesWhenItIsAssembledAnewUponOtherInputs() {
    mintAlice(10);
    var transfer = group.transaction(ALICE, "transfer", "{'to':'bob@node2','amount':'10'}");
    var before = group.assembled(transfer);
    group.run(ALICE, "transfer", "{'to':'alice@node1','amount':'10'}");

    var after = group.assembled(transfer);

    assertThat(after.inputIds()).doesNotContainAnyElementsOf(before.inputIds());
    assertThat(after.outputIds()).doesNotContainAnyElementsOf(before.outputIds());
  }

  @Test
  void transactionsUponTheSameStatesConflictOnlyIfTheyHaveTheSameOwner() {
    mintAlice(10);
    group.run(BOB, "mint", "{'to':'bob@node2','amount':'10'}");
    var alice = assembledBurn(ALICE);
    var bob = assembledBurn(BOB);

    assertThat(alice.inputIds()).doesNotContainAnyElementsOf(bob.inputIds());
    assertThat(assembledBurn(ALICE).inputIds()).isEqualTo(alice.inputIds());
  }

  @Test
  void oneOwnersTransactionsOneAfterAnotherDoNotDependOnEachOtherWhileThereAreOlderCoins() {
    mintAlice(10, 10, 10);
    var made = new HashSet<StateId>();

    for (int i = 0; i < 3; i++) {
      var assembly = assembledBurn(ALICE);
      assertThat(made).doesNotContainAnyElementsOf(assembly.inputIds());
      group.confirm(assembly);
      made.addAll(assembly.outputIds());
    }
  }

  private PostAssembly assembledBurn(Identity owner) {
    return group.assembled(group.transaction(owner, "burn", "{'amount':1}"));
  }

  @Test
  void keepsTheSumThroughAnyHistory() {
    for (long seed = 1; seed <= 20; seed++) {
      keepsTheSum(new Random(seed), new GroupFixture(domain()), "seed " + seed);
    }
  }

  private static void keepsTheSum(Random random, GroupFixture group, String seed) {
    var expected = BigInteger.ZERO;
    for (int step = 0; step < 60; step++) {
      var from = group.members().get(random.nextInt(3));
      var to = group.members().get(random.nextInt(3));
      int amount = 1 + random.nextInt(40);
      var payment = "'to':'%s','amount':%d".formatted(to, amount);
      var transaction =
          switch (random.nextInt(4)) {
            case 0 -> group.transaction(from, "mint", "{" + payment + "}");
            case 1 -> group.transaction(from, "burn", "{'amount':" + amount + "}");
            case 2 ->
                group.transaction(
                    from, "transfer", "{'outputs':[{" + payment + "},{" + payment + "}]}");
            default -> group.transaction(from, "transfer", "{" + payment + "}");
          };
      if (group.assemble(transaction) instanceof Assembly.Assembled assembled) {
        var endorsement = group.endorse(group.request(to, transaction, assembled.postAssembly()));
        assertThat(endorsement).as(seed).isInstanceOf(Endorsement.Endorsed.class);
        group.confirm(assembled.postAssembly());
        expected =
            switch (transaction.function()) {
              case "mint" -> expected.add(BigInteger.valueOf(amount));
              case "burn" -> expected.subtract(BigInteger.valueOf(amount));
              default -> expected;
            };
      }
      assertThat(sum(group)).as(seed + " step " + step).isEqualTo(expected);
    }
  }

  private static BigInteger sum(GroupFixture group) {
    return group.unspent().stream()
        .map(state -> Coin.of(CoinKind.TOKEN, state).amount().value())
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private void mintAlice(int... amounts) {
    for (int amount : amounts) {
      group.run(ALICE, "mint", "{'to':'alice@node1','amount':" + amount + "}");
    }
  }

  private String balance(Identity owner) {
    return group.call(owner, "balanceOf", "{}");
  }
}
