package dev.sequitur.elsewhere;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.domain.CanonicalJson;
import dev.sequitur.domain.CommitteeDomain;
import dev.sequitur.domain.Given;
import dev.sequitur.domain.GroupConfiguration;
import dev.sequitur.domain.NewStates;
import dev.sequitur.domain.PrivateFunction;
import dev.sequitur.domain.PrivateQuery;
import dev.sequitur.domain.RuleViolation;
import dev.sequitur.domain.Salts;
import dev.sequitur.domain.StateContent;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import java.util.List;

/**
 * A domain as another jar would have it: a note that each member may add, and nobody takes away.
 */
public final class NoteDomain extends CommitteeDomain<String> {
  private static final String TEXT = "text";
  private static final String SCHEMA = "note";
  private static final Field<String> TEXT_FIELD = Field.of(TEXT, Formats.TEXT, "what it says");

  private static final List<PrivateFunction<String>> FUNCTIONS =
      List.of(
          new PrivateFunction<>(
              "add", "Adds a note.", ObjectFormat.of("note.add", TEXT_FIELD), NoteDomain::text));

  private static final List<PrivateQuery> QUERIES =
      List.of(
          new PrivateQuery(
              "count",
              "How many notes who asks has added.",
              ObjectFormat.of("note.count"),
              (asked, inputs) -> count(asked)));

  public NoteDomain() {
    super("note", List.of(GroupConfiguration.THRESHOLD));
  }

  @Override
  protected List<PrivateFunction<String>> privateFunctions() {
    return FUNCTIONS;
  }

  @Override
  protected List<PrivateQuery> privateQueries() {
    return QUERIES;
  }

  private static String text(Given given, Sent inputs) {
    var text = inputs.get(TEXT_FIELD);
    if (text.isBlank()) {
      throw inputs.wrong(TEXT_FIELD, " must not be blank.");
    }
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

  private static JsonNode count(PrivateQuery.Asked asked) {
    int count = 0;
    for (var note : asked.states().available(SCHEMA, asked.from().toString())) {
      count += StateContent.isUsable(asked.group(), note) ? 1 : 0;
    }
    return CanonicalJson.object().put("count", count);
  }

  @Override
  public List<StateSchema> schemas() {
    return List.of(new StateSchema(SCHEMA, List.of(new Label(TEXT, false))));
  }
}
