package dev.sequitur.domain;

import static dev.sequitur.domain.GroupFixture.ALICE;
import static dev.sequitur.domain.GroupFixture.BOB;
import static dev.sequitur.domain.GroupFixture.CAROL;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Domain.Assembly;
import dev.sequitur.protocol.port.Domain.Endorsement;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordDomainTest extends DomainContract {
  private GroupFixture group;

  @Override
  Domain domain() {
    return new RecordDomain();
  }

  @Override
  List<Line> history() {
    return List.of(
        new Line(ALICE, "set", "{'key':'secretkey','value':{'b':[1,2.50],'a':'secretvalue'}}"),
        new Line(BOB, "set", "{'key':'secretkey','value':'other'}"),
        new Line(CAROL, "increment", "{'key':'secretcounter','by':41}"),
        new Line(BOB, "increment", "{'key':'secretcounter','by':'-7'}"),
        new Line(ALICE, "delete", "{'key':'secretkey'}"),
        new Line(ALICE, "set", "{'key':'secretkey','value':true}"));
  }

  @Override
  List<String> secrets() {
    return List.of("secretkey", "secretcounter", "secretvalue", "other", "41", "34");
  }

  @BeforeEach
  void newGroup() {
    group = new GroupFixture(domain());
  }

  @Test
  void keepsWhatAnyMemberSetLast() {
    group.run(ALICE, "set", "{'key':'k','value':{'z':1,'a':[true,null,'x']}}");
    group.run(BOB, "set", "{'key':'k','value':12.50}");

    assertThat(get("k")).isEqualTo("{'key':'k','value':12.5,'version':2}");
  }

  @Test
  void countsVersionsOnAfterADeletion() {
    group.run(ALICE, "set", "{'key':'k','value':1}");
    group.run(BOB, "delete", "{'key':'k'}");
    assertThat(get("k")).isEqualTo("null");

    group.run(CAROL, "set", "{'key':'k','value':2}");

    assertThat(get("k")).isEqualTo("{'key':'k','value':2,'version':3}");
  }

  @Test
  void waitsForWhoeverHasTakenTheRecordAndMakesNoFirstVersion() {
    group.run(ALICE, "set", "{'key':'k','value':1}");
    for (String key : List.of("k", "another")) {
      var increment = group.transaction(BOB, "increment", "{'key':'" + key + "','by':1}");

      var assembly =
          domain().assemble(group.group(), increment, taken("k"), GroupFixture.keys(BOB));

      assertThat(assembly instanceof Assembly.Taken).isEqualTo(key.equals("k"));
      assertThat(assembly instanceof Assembly.Assembled).isNotEqualTo(key.equals("k"));
    }
  }

  /** The record of that key is what another transaction spends. */
  private Domain.States taken(String key) {
    return new Domain.States() {
      @Override
      public Iterable<PrivateState> available(String schema, String lookup) {
        return isTaken(schema, lookup) ? List.of() : group.states().available(schema, lookup);
      }

      @Override
      public boolean isTaken(String schema, String lookup) {
        return schema.equals(RecordEntry.SCHEMA) && lookup.equals(key);
      }
    };
  }

  @Test
  void answersNullForAKeyThatWasNeverSet() {
    assertThat(get("nothing")).isEqualTo("null");
  }

  @ParameterizedTest
  @CsvSource({"5, 2, 7", "5, -7, -2", "5, 0, 5"})
  void addsToWholeNumbers(int set, int by, int sum) {
    group.run(ALICE, "set", "{'key':'k','value':" + set + "}");
    group.run(BOB, "increment", "{'key':'k','by':" + by + "}");

    assertThat(get("k")).isEqualTo("{'key':'k','value':" + sum + ",'version':2}");
  }

  @Test
  void countsFromZeroIfThereIsNoRecordOrADeletedOne() {
    group.run(ALICE, "increment", "{'key':'k','by':3}");
    group.run(ALICE, "delete", "{'key':'k'}");
    group.run(ALICE, "increment", "{'key':'k','by':4}");

    assertThat(get("k")).isEqualTo("{'key':'k','value':4,'version':3}");
  }

  @Test
  void countsFarBeyondSixtyFourBits() {
    group.run(ALICE, "increment", "{'key':'k','by':'123456789012345678901234567890'}");
    group.run(ALICE, "increment", "{'key':'k','by':'123456789012345678901234567890'}");

    assertThat(get("k")).contains("246913578024691357802469135780");
  }

  @Test
  void losesNoIncrementOfManyMembers() {
    for (int i = 0; i < 30; i++) {
      group.run(group.members().get(i % 3), "increment", "{'key':'hot','by':1}");
    }

    assertThat(get("hot")).isEqualTo("{'key':'hot','value':30,'version':30}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'text'", "1.5", "{'a':1}", "[1]", "true"})
  void refusesToIncrementWhatIsNoWholeNumberUntilItIsOne(String value) {
    group.run(ALICE, "set", "{'key':'k','value':" + value + "}");
    var increment = group.transaction(BOB, "increment", "{'key':'k','by':1}");

    assertThat(group.domain().validate(group.group(), increment, group.states()))
        .hasValueSatisfying(found -> assertThat(found.reason()).contains("whole number"));
    assertThat(group.assemble(increment)).isInstanceOf(Assembly.Failed.class);

    group.run(ALICE, "set", "{'key':'k','value':1}");
    assertThat(group.assemble(increment)).isInstanceOf(Assembly.Assembled.class);
  }

  @Test
  void refusesToDeleteWhatIsNotThere() {
    var delete = group.transaction(BOB, "delete", "{'key':'k'}");

    assertThat(group.domain().validate(group.group(), delete, group.states()))
        .hasValueSatisfying(found -> assertThat(found.reason()).contains("no record"));
    assertThat(group.assemble(delete)).isInstanceOf(Assembly.Failed.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "'x'", "null", "1e3", "true"})
  void refusesAnIncrementThatIsNoWholeNumber(String by) {
    assertInvalid(
        group().transaction(ALICE, "increment", "{'key':'k','by':" + by + "}"), "inputs.by");
  }

  @ParameterizedTest
  @ValueSource(strings = {"''", "7", "null", "'a\\u0000b'", "'a\\nb'"})
  void refusesAKeyThatIsNone(String key) {
    assertInvalid(group().transaction(ALICE, "set", "{'key':" + key + ",'value':1}"), "inputs.key");
  }

  @Test
  void refusesAKeyThatIsTooLongAndAValueThatIsNull() {
    var key = "x".repeat(201);

    assertInvalid(group().transaction(ALICE, "set", "{'key':'" + key + "','value':1}"), "1 to 200");
    assertInvalid(group().transaction(ALICE, "set", "{'key':'k','value':null}"), "delete removes");
  }

  @Test
  void refusesAValueThatIsSmallAsWrittenButLargeAsKept() {
    var numbers = "1e99,".repeat(10_000);
    var inputs = "{'key':'k','value':[" + numbers + "1]}";

    assertInvalid(group().transaction(ALICE, "set", inputs), "65536");
  }

  @Test
  void keepsAValueOfTheLargestSize() {
    var value = "x".repeat(65_000);

    group.run(ALICE, "set", "{'key':'k','value':'" + value + "'}");
    group.run(BOB, "set", "{'key':'k','value':'" + value + "'}");

    assertThat(get("k")).contains(value);
  }

  @Test
  void twoFirstVersionsOfOneKeyCannotBothBeConfirmed() {
    group.run(ALICE, "set", "{'key':'any','value':1}");
    var alice = group.assembled(group.transaction(ALICE, "increment", "{'key':'k','by':1}"));
    var bob = group.assembled(group.transaction(BOB, "increment", "{'key':'k','by':1}"));

    assertThat(alice.outputs().get(0).id()).isNotEqualTo(bob.outputs().get(0).id());
    assertThat(alice.outputs()).last().isEqualTo(bob.outputs().get(bob.outputs().size() - 1));
  }

  @Test
  void twoKeySpacesOfOneGroupCannotBothBeConfirmed() {
    var alice = group.assembled(group.transaction(ALICE, "set", "{'key':'a','value':1}"));
    var bob = group.assembled(group.transaction(BOB, "set", "{'key':'b','value':1}"));

    assertThat(alice.outputIds()).containsAnyElementsOf(bob.outputIds());
  }

  @Test
  void theIdOfASlotCannotBeGuessedFromTheKey() {
    var one = group.run(ALICE, "set", "{'key':'k','value':1}");
    var other = new GroupFixture(domain()).run(BOB, "set", "{'key':'k','value':1}");

    assertThat(one.outputIds().get(3)).isNotEqualTo(other.outputIds().get(3));
  }

  @Test
  void transactionsUponTheSameStatesConflictOnlyIfTheyHaveTheSameKey() {
    group.run(ALICE, "set", "{'key':'a','value':1}");
    group.run(ALICE, "set", "{'key':'b','value':1}");
    var a = group.assembled(group.transaction(ALICE, "increment", "{'key':'a','by':1}"));
    var b = group.assembled(group.transaction(ALICE, "increment", "{'key':'b','by':1}"));
    var c = group.assembled(group.transaction(ALICE, "increment", "{'key':'c','by':1}"));
    var d = group.assembled(group.transaction(ALICE, "increment", "{'key':'d','by':1}"));

    var spent = new HashSet<StateId>();
    var made = new HashSet<StateId>();
    for (var assembly : List.of(a, b, c, d)) {
      assertThat(assembly.inputIds()).allMatch(spent::add);
      assertThat(assembly.outputIds()).allMatch(made::add);
    }
    assertThat(c.readIds()).isEqualTo(d.readIds()).doesNotContainAnyElementsOf(spent);
  }

  @Test
  void makesAnotherStateWhenItIsAssembledAnewUponAnotherVersion() {
    group.run(ALICE, "set", "{'key':'k','value':1}");
    var set = group.transaction(BOB, "set", "{'key':'k','value':5}");
    var before = group.assembled(set);
    group.run(ALICE, "set", "{'key':'k','value':1}");

    assertThat(group.assembled(set).outputIds()).doesNotContainAnyElementsOf(before.outputIds());
  }

  @Test
  void holdsWhatAMapWouldHoldAfterAnyHistory() {
    for (long seed = 1; seed <= 20; seed++) {
      var random = new Random(seed);
      var records = new GroupFixture(domain());
      var model = new HashMap<String, Integer>();
      for (int step = 0; step < 40; step++) {
        var key = "k" + random.nextInt(4);
        int number = random.nextInt(100) - 50;
        var from = records.members().get(random.nextInt(3));
        int choice = random.nextInt(3);
        if (choice == 0) {
          records.run(from, "set", "{'key':'%s','value':%d}".formatted(key, number));
          model.put(key, number);
        } else if (choice == 1) {
          records.run(from, "increment", "{'key':'%s','by':%d}".formatted(key, number));
          model.merge(key, number, Integer::sum);
        } else if (model.remove(key) != null) {
          records.run(from, "delete", "{'key':'%s'}".formatted(key));
        }
        var found = records.call(from, "get", "{'key':'" + key + "'}");
        assertThat(found)
            .as("seed %d step %d", seed, step)
            .contains(model.containsKey(key) ? "'value':" + model.get(key) + "," : "null");
      }
    }
  }

  @Nested
  class ALyingSender {
    private PrivateTransaction increment;
    private Tampering lie;

    @BeforeEach
    void incrementFive() {
      group.run(ALICE, "set", "{'key':'k','value':5}");
      increment = group.transaction(ALICE, "increment", "{'key':'k','by':2}");
      lie = new Tampering(group.request(BOB, increment, group.assembled(increment)));
    }

    @ParameterizedTest
    @CsvSource({"k, 2, 8", "k, 1, 7", "k, 3, 7", "other, 2, 7"})
    void cannotMakeAnotherVersionThanTheIntentSays(String key, long version, int value) {
      lie.outputs = List.of(entry(key, version, value));

      assertRefused();
    }

    @Test
    void isBelievedWhenItTellsTheTruth() {
      lie.outputs = List.of(entry("k", 2, 7));

      assertThat(group.endorse(lie.signedBySender().request()))
          .isInstanceOf(Endorsement.Endorsed.class);
    }

    @Test
    void cannotSpendAnotherRecord() {
      group.run(ALICE, "set", "{'key':'other','value':5}");
      lie.inputs =
          group.unspent().stream()
              .filter(state -> state.lookup().equals("other"))
              .limit(1)
              .toList();

      assertRefused();
    }

    @Test
    void cannotMakeAFirstVersionWithoutTheSlotOfItsKey() {
      var set = group.transaction(ALICE, "set", "{'key':'new','value':5}");
      lie = new Tampering(group.request(BOB, set, group.assembled(set)));
      var slotOfAnother = group.assembled(group.transaction(ALICE, "set", "{'key':'x','value':5}"));
      lie.outputs = List.of(lie.outputs.get(0), slotOfAnother.outputs().get(1));

      assertRefused();
    }

    @Test
    void cannotMakeAKeySpaceWithoutItsSlot() {
      var fresh = new GroupFixture(domain());
      var set = fresh.transaction(ALICE, "set", "{'key':'new','value':5}");
      lie = new Tampering(fresh.request(BOB, set, fresh.assembled(set)));
      var other = fresh.assembled(fresh.transaction(ALICE, "set", "{'key':'x','value':5}"));
      lie.outputs.set(2, other.outputs().get(3));

      assertRefused();
    }

    private PrivateState entry(String key, long version, int value) {
      var given = new Given(group.group(), null, increment);
      JsonNode number = CanonicalJson.read(Bytes.utf8("" + value), 10, "The number");
      var data =
          RecordEntry.data(key, version, Optional.of(number))
              .put("intent", given.intentHash().toString())
              .put("salt", given.intentHash().toString());
      return StateContent.seal(group.group(), RecordEntry.SCHEMA, key, data);
    }

    private void assertRefused() {
      assertThat(group.endorse(lie.signedBySender().request()))
          .isInstanceOf(Endorsement.Refused.class);
    }
  }

  private String get(String key) {
    return group.call(CAROL, "get", "{'key':'" + key + "'}");
  }
}
