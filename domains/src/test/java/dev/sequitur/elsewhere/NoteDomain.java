package dev.sequitur.elsewhere;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.domain.CanonicalJson;
import dev.sequitur.domain.CommitteeDomain;
import dev.sequitur.domain.Given;
import dev.sequitur.domain.GroupConfiguration;
import dev.sequitur.domain.JsonFields;
import dev.sequitur.domain.NewStates;
import dev.sequitur.domain.RuleViolation;
import dev.sequitur.domain.Salts;
import dev.sequitur.domain.StateContent;
import dev.sequitur.protocol.group.PrivacyGroup;
import java.util.List;

/**
 * A domain as another jar would have it: a note that each member may add, and nobody takes away.
 */
public final class NoteDomain extends CommitteeDomain<String> {
  private static final String TEXT = "text";
  private static final String SCHEMA = "note";

  public NoteDomain() {
    super("note", List.of("add"), List.of(GroupConfiguration.THRESHOLD));
  }

  @Override
  protected String intent(Given given, JsonNode inputs) {
    var text = new JsonFields(inputs, "The inputs of add", List.of(TEXT)).text(TEXT);
    RuleViolation.unless(!text.isBlank(), "The inputs of add need a 'text' that is not blank.");
    return text;
  }

  @Override
  protected JsonNode specification(Given given, String text) {
    return CanonicalJson.object().put(TEXT, text);
  }

  @Override
  protected void checkAffordable(Given given, String text, States states) {
    // A note takes nothing.
  }

  @Override
  protected boolean mayHelp(Objection objection, Wanted<String> wanted, Wanted<String> other) {
    return false;
  }

  @Override
  protected Movement move(Given given, String text, States states, Salts.Secret secret) {
    var outputs = new NewStates(given, secret, List.of());
    outputs.salted(SCHEMA, given.from().toString(), CanonicalJson.object().put(TEXT, text));
    return new Movement(List.of(), List.of(), outputs.made());
  }

  @Override
  protected void checkMovement(Given given, String text, Movement movement) {
    RuleViolation.unless(
        movement.inputs().isEmpty() && movement.reads().isEmpty() && movement.outputs().size() == 1,
        "A note takes nothing and makes one state.");
    var note = movement.outputs().get(0);
    var fields = StateContent.open(note, SCHEMA, List.of("intent", "salt", TEXT));
    fields.hash("salt");
    RuleViolation.unless(
        note.lookup().equals(given.from().toString())
            && fields.text(TEXT).equals(text)
            && fields.hash("intent").equals(given.intentHash()),
        "The note does not match the intent.");
  }

  @Override
  protected JsonNode answer(PrivacyGroup group, Query query, States states) {
    RuleViolation.unless(query.function().equals("count"), "The call of the note domain is count.");
    int count = 0;
    for (var note : states.available(SCHEMA, query.from().toString())) {
      count += StateContent.isUsable(group, note) ? 1 : 0;
    }
    return CanonicalJson.object().put("count", count);
  }

  @Override
  public List<StateSchema> schemas() {
    return List.of(new StateSchema(SCHEMA, List.of(new Label(TEXT, false))));
  }
}
