package dev.sequitur.domain;

import static dev.sequitur.domain.GroupFixture.ALICE;
import static dev.sequitur.domain.GroupFixture.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.elsewhere.NoteDomain;
import dev.sequitur.protocol.port.Domain;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stands in another package can extend what the shipped domains extend. */
class DomainOfAnotherJarTest extends DomainContract {
  @Override
  Domain domain() {
    return new NoteDomain();
  }

  @Override
  List<Line> history() {
    return List.of(
        new Line(ALICE, "add", "{'text':'secretnote'}"),
        new Line(BOB, "add", "{'text':'anothersecret'}"));
  }

  @Override
  List<String> secrets() {
    return List.of("secretnote", "anothersecret");
  }

  @Test
  void itsFunctionsAreToldAsThoseOfTheShippedDomains() {
    var functions = domain().functions();

    assertThat(functions)
        .extracting(Domain.DescribedFunction::name)
        .containsExactly("add", "count");
    assertThat(functions.get(0).schemas().toUtf8())
        .contains("\"note.add\"", "\"text\"", "\"required\":[\"text\"]");
  }

  @Test
  void aFieldThatAFunctionDoesNotKnowIsNamedWithWhatItTakes() {
    var group = new GroupFixture(domain());

    assertInvalid(
        group.transaction(ALICE, "add", "{'text':'one','size':1}"),
        "inputs.size is not known here");
  }

  @Test
  void itsCallsReadItsOwnStates() {
    var group = new GroupFixture(domain());
    group.run(ALICE, "add", "{'text':'one'}");
    group.run(ALICE, "add", "{'text':'two'}");

    assertThat(group.call(ALICE, "count", "{}")).isEqualTo("{'count':2}");
    assertThat(group.call(BOB, "count", "{}")).isEqualTo("{'count':0}");
  }
}
