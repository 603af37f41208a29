package dev.sequitur.domain;

import static dev.sequitur.domain.GroupFixture.ALICE;
import static dev.sequitur.domain.GroupFixture.STRANGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Domain.Assembly;
import dev.sequitur.protocol.port.Domain.Endorsement;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What every domain whose committee endorses must do. The test of a domain extends this and names a
 * history that visits each of its functions.
 */
abstract class DomainContract {
  /** One intent of a history. */
  record Line(Identity from, String function, String inputs) {}

  /** One intent with its assembly upon the lines before it. */
  private record Done(PrivateTransaction transaction, PostAssembly assembly) {}

  private GroupFixture group;
  private List<Done> history;

  abstract Domain domain();

  /** Each line can be assembled upon those before it; inputs may use single quotes. */
  abstract List<Line> history();

  /** Words of the history that stand for private data. */
  abstract List<String> secrets();

  @BeforeEach
  void assembleHistory() {
    group = new GroupFixture(domain());
    history = new ArrayList<>();
    for (var line : history()) {
      var transaction = group.transaction(line.from(), line.function(), line.inputs());
      var assembly = group.assembled(transaction);
      history.add(new Done(transaction, assembly));
      group.confirm(assembly);
    }
  }

  @TestFactory
  Stream<DynamicTest> everyMemberEndorsesWhatWasAssembled() {
    return history.stream()
        .flatMap(
            done ->
                group.members().stream()
                    .map(
                        member ->
                            DynamicTest.dynamicTest(
                                done.transaction().function() + " by " + member,
                                () -> assertEndorsed(done, member))));
  }

  private void assertEndorsed(Done done, Identity member) {
    var request = group.request(member, done.transaction(), done.assembly());

    var endorsement = group.endorse(request);

    assertThat(endorsement).isInstanceOf(Endorsement.Endorsed.class);
  }

  @TestFactory
  Stream<DynamicTest> noMemberEndorsesAnAssemblyWithAnyFieldFalsified() {
    return history.stream()
        .flatMap(
            done ->
                Tampering.all(group.request(ALICE, done.transaction(), done.assembly()))
                    .entrySet()
                    .stream()
                    .map(
                        falsified ->
                            DynamicTest.dynamicTest(
                                done.transaction().function() + ": " + falsified.getKey(),
                                () -> assertRefused(falsified.getKey(), falsified.getValue()))));
  }

  private void assertRefused(String name, EndorsementRequest request) {
    var endorsement = group.endorse(request);

    assertThat(endorsement).as(name).isInstanceOf(Endorsement.Refused.class);
    assertThat(((Endorsement.Refused) endorsement).reason())
        .endsWith(".")
        .doesNotContain(secrets());
  }

  @Test
  void theSameTransactionUponTheSameStatesIsAssembledTheSame() {
    var again = new GroupFixture(domain());
    for (var done : history) {
      var assembly = again.assembled(done.transaction());
      assertThat(assembly).isEqualTo(done.assembly());
      again.confirm(assembly);
    }
  }

  @Test
  void noTwoStatesOfAHistoryHaveTheSameId() {
    var ids = new HashSet<>();

    for (var done : history) {
      assertThat(done.assembly().outputIds()).allMatch(ids::add);
    }
  }

  @Test
  void allStatesGoToTheWholeCommitteeAndNobodyElse() {
    assertThat(history)
        .flatMap(done -> done.assembly().outputs())
        .extracting(PrivateState::distribution)
        .allMatch(group.members()::equals);
  }

  /** Whoever stores it otherwise would spend it in vain, and the true one would come too late. */
  @Test
  void aStateIsGenuineJustAsItWasMade() {
    var domain = domain();
    for (var done : history) {
      for (var made : done.assembly().outputs()) {
        var fewer = made.distribution().subList(1, made.distribution().size());

        assertThat(domain.isGenuine(group.group(), made)).isTrue();
        assertThat(domain.isGenuine(group.group(), with(made, Bytes.utf8("{}")))).isFalse();
        assertThat(domain.isGenuine(group.group(), with(made, fewer))).isFalse();
      }
    }
  }

  /** Its list has the members of then, and its id says nothing of them. */
  @Test
  void aStateStaysGenuineWhenTheCommitteeChanges() {
    var changed = group.left(ALICE, GroupFixture.BOB);
    for (var done : history) {
      for (var made : done.assembly().outputs()) {
        var others = List.of(GroupFixture.BOB, GroupFixture.CAROL);

        assertThat(domain().isGenuine(changed, made)).isTrue();
        assertThat(domain().isGenuine(changed, with(made, others))).isFalse();
      }
    }
  }

  private static PrivateState with(PrivateState made, Bytes data) {
    return new PrivateState(
        made.id(), made.contract(), made.schema(), made.lookup(), data, made.distribution());
  }

  private static PrivateState with(PrivateState made, List<Identity> distribution) {
    return new PrivateState(
        made.id(), made.contract(), made.schema(), made.lookup(), made.data(), distribution);
  }

  @Test
  void everybodyIsAskedToEndorseUnlessTheGroupWantsFewer() {
    var fewer = new GroupFixture(domain(), "{\"endorsementThreshold\": 2}");
    var line = history().get(0);
    var transaction = fewer.transaction(line.from(), line.function(), line.inputs());

    var plan = fewer.assembled(transaction).attestationPlan();

    assertThat(history.get(0).assembly().attestationPlan())
        .singleElement()
        .satisfies(
            all -> {
              assertThat(all.parties()).isEqualTo(group.members());
              assertThat(all.threshold()).isEqualTo(3);
            });
    assertThat(plan).singleElement().satisfies(two -> assertThat(two.threshold()).isEqualTo(2));
    fewer.run(line.from(), line.function(), line.inputs());
  }

  @Test
  void aSenderWhoseNodeHasLostItsKeyIsParked() {
    var transaction = history.get(0).transaction();

    var assembly =
        group
            .domain()
            .assemble(group.group(), transaction, group.states(), GroupFixture.keys(STRANGER));

    assertThat(assembly).isInstanceOf(Assembly.Parked.class);
  }

  @Test
  void aSenderWhoseKeyIsRevokedIsParked() {
    var transaction = history.get(0).transaction();
    var keys = GroupFixture.keys(transaction.from());

    var assembly =
        group.domain().assemble(group.group(), transaction, group.states(), new Revoked(keys));

    assertThat(assembly)
        .isInstanceOfSatisfying(
            Assembly.Parked.class, parked -> assertThat(parked.reason()).contains("is revoked"));
  }

  /** The keys of a node that signs with none of them. */
  private record Revoked(Keys keys) implements Keys {
    @Override
    public Verifier verifier(String name) {
      return keys.verifier(name);
    }

    @Override
    public Standing standing(String name, Verifier key) {
      return keys.standing(name, key) == Standing.HELD ? Standing.REVOKED : Standing.UNKNOWN;
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      throw new RevokedKeyException(name);
    }
  }

  @Test
  void aTransactionOfAStrangerIsRefusedAndNeverAssembled() {
    var line = history().get(0);

    assertInvalid(group.transaction(STRANGER, line.function(), line.inputs()), "member");
  }

  @Test
  void anUnknownFunctionIsRefusedByNamingTheKnownOnes() {
    var known = history().stream().map(Line::function).distinct().toList();

    assertInvalid(group.transaction(ALICE, "steal", "{}"), known.toArray(String[]::new));
  }

  @TestFactory
  Stream<DynamicTest> inputsThatAreNotWhatTheyShouldBeAreRefusedWithASentence() {
    var bad =
        List.of(
            "",
            " ",
            "{",
            "[]",
            "7",
            "null",
            "{}",
            "{} {}",
            "{'to':'a','to':'b'}",
            "{'surprise':1}",
            "{'key':'k','value':" + "[".repeat(100) + "]".repeat(100) + "}",
            "{'key':'k','value':1e1000000000}",
            "{'key':'k','value':'\\ud800'}",
            "\u0000",
            "{'key':'" + "x".repeat(70_000) + "'}");
    return history().stream()
        .flatMap(
            line ->
                bad.stream()
                    .map(
                        inputs ->
                            DynamicTest.dynamicTest(
                                line.function()
                                    + " "
                                    + inputs.substring(0, Math.min(30, inputs.length())),
                                () ->
                                    assertInvalid(
                                        group.transaction(ALICE, line.function(), inputs)))));
  }

  @Test
  void inputsThatAreNotUtf8AreRefused() {
    var latin1 = new byte[] {'{', '"', (byte) 0xe9, '"', ':', '1', '}'};
    var line = history().get(0);
    var template = group.transaction(ALICE, line.function(), "{}");

    assertInvalid(template.withInputs(Bytes.of(latin1)), "UTF-8");
  }

  /** Refused when it is submitted, and just the same when it is assembled all the same. */
  final void assertInvalid(PrivateTransaction transaction, String... words) {
    var sentence =
        group
            .domain()
            .validate(group.group(), transaction, group.states())
            .map(Domain.Objection::reason);

    assertThat(sentence).hasValueSatisfying(text -> assertThat(text).endsWith("."));
    assertThat(words).allSatisfy(word -> assertThat(sentence.get()).contains(word));
    assertThat(group.assemble(transaction)).isEqualTo(new Assembly.Reverted(sentence.get()));
  }

  @TestFactory
  Stream<DynamicTest> configurationsThatCannotBeUsedAreRefusedWithASentence() {
    return Stream.of(
            "[]",
            "{",
            "7",
            "{\"surprise\": 1}",
            "{\"endorsementThreshold\": 0}",
            "{\"endorsementThreshold\": -1}",
            "{\"endorsementThreshold\": 1.5}",
            "{\"endorsementThreshold\": \"all\"}",
            "{\"endorsementThreshold\": 100000000000000}")
        .map(
            configuration ->
                DynamicTest.dynamicTest(
                    configuration,
                    () ->
                        assertThat(group.domain().checkConfiguration(Bytes.utf8(configuration)))
                            .hasValueSatisfying(text -> assertThat(text).endsWith("."))));
  }

  @Test
  void aConfigurationMayBeEmptyOrNameAThreshold() {
    assertThat(group.domain().checkConfiguration(Bytes.EMPTY)).isEmpty();
    assertThat(group.domain().checkConfiguration(Bytes.utf8("{}"))).isEmpty();
    assertThat(group.domain().checkConfiguration(Bytes.utf8("{\"endorsementThreshold\":2}")))
        .isEmpty();
  }

  @Test
  void aThresholdAboveTheCommitteeIsRefusedWhenTheGroupIsUsed() {
    var tooMany = new GroupFixture(domain(), "{\"endorsementThreshold\": 4}");
    var line = history().get(0);
    var transaction = tooMany.transaction(line.from(), line.function(), line.inputs());

    assertThat(tooMany.assemble(transaction)).isInstanceOf(Assembly.Reverted.class);
  }

  @Test
  void aCallByAStrangerOrToNoFunctionIsRefused() {
    assertThatThrownBy(() -> group.call(STRANGER, "get", "{'key':'k'}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("members");
    assertThatThrownBy(() -> group.call(ALICE, "steal", "{}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("The call");
  }

  final GroupFixture group() {
    return group;
  }
}
