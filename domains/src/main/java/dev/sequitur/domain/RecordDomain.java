package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.sequitur.domain.RecordIntent.Delete;
import dev.sequitur.domain.RecordIntent.Increment;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Shape;
import dev.sequitur.json.Unreadable;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * {@code record}: one state per key that any member of the group may change, each change spending
 * the version before it.
 *
 * <ul>
 *   <li>{@code set {key, value}}: any JSON but {@code null}; creates or changes;
 *   <li>{@code increment {key, by}}: adds a whole number, negative ones too, to a record that holds
 *       one; creates it at {@code by};
 *   <li>{@code delete {key}}: leaves a version without value, so that versions go on counting;
 *   <li>call {@code get {key}} → {@code {key, value, version}}, or {@code null}.
 * </ul>
 *
 * A key has 1 to 200 characters, no control characters. States are found as schema {@code record}
 * by key; those of {@link RecordKeySpace} go with the first version.
 */
public final class RecordDomain extends CommitteeDomain<RecordIntent> {
  public static final String NAME = "record";

  static final String SET = "set";
  static final String INCREMENT = "increment";
  static final String DELETE = "delete";

  private static final int MAX_KEY_CHARACTERS = 200;
  private static final int MAX_VALUE_BYTES = 65_536;

  private static final Field<String> KEY =
      Field.of(
          "key",
          Format.of(
              "a string of 1 to " + MAX_KEY_CHARACTERS + " characters without control characters",
              "invoice/17",
              RecordDomain::key),
          "what the record is found by");
  private static final Field<JsonNode> VALUE =
      Field.of(
          "value",
          Format.of(
              "any JSON but null: delete removes a record",
              Shape.ANY,
              (path, node) -> value(path, node)),
          "of at most " + MAX_VALUE_BYTES + " bytes");
  private static final Field<BigInteger> BY =
      Field.of("by", DomainFormats.WHOLE_NUMBER, "may be negative");

  private static final List<PrivateFunction<RecordIntent>> FUNCTIONS =
      List.of(
          new PrivateFunction<>(
              SET,
              "Writes a value, whatever was there.",
              ObjectFormat.of("record.set", KEY, VALUE),
              (given, inputs) -> new RecordIntent.Set(inputs.get(KEY), inputs.get(VALUE))),
          new PrivateFunction<>(
              INCREMENT,
              "Adds to a whole number; no record counts as 0.",
              ObjectFormat.of("record.increment", KEY, BY),
              (given, inputs) -> new Increment(inputs.get(KEY), inputs.get(BY))),
          new PrivateFunction<>(
              DELETE,
              "Removes a value; its key can be set again.",
              ObjectFormat.of("record.delete", KEY),
              (given, inputs) -> new Delete(inputs.get(KEY))));

  private static final List<PrivateQuery> QUERIES =
      List.of(
          new PrivateQuery(
              "get",
              "The record under a key: `{key, version, value}`; null if there is none.",
              ObjectFormat.of("record.get", KEY),
              (asked, inputs) -> get(asked, inputs.get(KEY))));

  public RecordDomain() {
    super(NAME, List.of(GroupConfiguration.THRESHOLD, GroupConfiguration.CHANGE_THRESHOLD));
  }

  @Override
  protected List<PrivateFunction<RecordIntent>> privateFunctions() {
    return FUNCTIONS;
  }

  @Override
  protected List<PrivateQuery> privateQueries() {
    return QUERIES;
  }

  private static JsonNode value(String path, JsonNode value) {
    var canonical = CanonicalJson.write(value);
    if (canonical.size() > MAX_VALUE_BYTES) {
      throw Unreadable.wrongType(
          path + " must be of at most " + MAX_VALUE_BYTES + " bytes of JSON.");
    }
    return CanonicalJson.read(canonical, MAX_VALUE_BYTES, path);
  }

  private static String key(String text) {
    if (text.isEmpty()
        || text.length() > MAX_KEY_CHARACTERS
        || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "A key has 1 to " + MAX_KEY_CHARACTERS + " characters, no control characters.");
    }
    return text;
  }

  @Override
  protected JsonNode specification(Given given, RecordIntent intent) {
    var specification = CanonicalJson.object().put(KEY.name(), intent.key());
    return switch (intent) {
      case RecordIntent.Set set ->
          specification.put("function", SET).set(VALUE.name(), set.value());
      case Increment increment ->
          specification.put("function", INCREMENT).put(BY.name(), increment.by());
      case Delete ignored -> specification.put("function", DELETE);
    };
  }

  @Override
  protected void checkAffordable(Given given, RecordIntent intent, States states) {
    intent.apply(current(given.group(), intent.key(), states).flatMap(now -> now.entry().value()));
  }

  @Override
  protected boolean mayHelp(
      Objection objection, Wanted<RecordIntent> wanted, Wanted<RecordIntent> other) {
    return other.intent().key().equals(wanted.intent().key());
  }

  /** The last version of a record, and its state. */
  private record Current(PrivateState state, RecordEntry entry) {}

  private static Optional<Current> current(PrivacyGroup group, String key, States states) {
    for (var state : states.available(RecordEntry.SCHEMA, key)) {
      if (StateContent.isUsable(group, state)) {
        try {
          return Optional.of(new Current(state, RecordEntry.of(state)));
        } catch (RuleViolation e) {
          continue; // no endorser takes it
        }
      }
    }
    return Optional.empty();
  }

  @Override
  protected Movement move(Given given, RecordIntent intent, States states, Salts.Secret secret) {
    var current = current(given.group(), intent.key(), states);
    if (current.isEmpty() && states.isTaken(RecordEntry.SCHEMA, intent.key())) {
      throw RuleViolation.taken(
          "Another transaction that is under way changes this record, and may be its caller's to"
              + " submit: wait until it has ended.");
    }
    var value = intent.apply(current.flatMap(now -> now.entry().value()));
    if (current.isPresent()) {
      var inputs = List.of(current.get().state());
      var outputs = new NewStates(given, secret, inputs);
      long version = current.get().entry().version() + 1;
      outputs.salted(
          RecordEntry.SCHEMA, intent.key(), RecordEntry.data(intent.key(), version, value));
      return new Movement(inputs, List.of(), outputs.made());
    }
    var outputs = new NewStates(given, secret, List.of());
    outputs.salted(RecordEntry.SCHEMA, intent.key(), RecordEntry.data(intent.key(), 1, value));
    var known = RecordKeySpace.find(given.group(), states);
    var keySpace = known.isPresent() ? known.get() : RecordKeySpace.make(outputs);
    outputs.add(keySpace.slot(given.group(), intent.key()));
    return new Movement(
        List.of(), known.map(RecordKeySpace::state).stream().toList(), outputs.made());
  }

  @Override
  protected void checkMovement(Given given, RecordIntent intent, Movement movement) {
    RuleViolation.unless(
        movement.inputs().size() <= 1 && !movement.outputs().isEmpty(),
        "A record transaction spends at most one version and makes one.");
    var before = movement.inputs().stream().map(RecordEntry::of).findFirst();
    var after = RecordEntry.of(movement.outputs().get(0));
    RuleViolation.unless(
        before.map(entry -> entry.key().equals(intent.key())).orElse(true)
            && after.key().equals(intent.key())
            && after.version() == before.map(RecordEntry::version).orElse(0L) + 1
            && after.value().equals(intent.apply(before.flatMap(RecordEntry::value)))
            && after.intent().equals(given.intentHash()),
        "The record that is made does not match the intent.");
    if (before.isPresent()) {
      RuleViolation.unless(
          movement.reads().isEmpty() && movement.outputs().size() == 1,
          "A change of a record reads nothing and makes one version.");
    } else {
      checkFirstVersion(given, intent, movement);
    }
  }

  /** With a key space: record and slot. Without one: record, key space, its slot, and the slot. */
  private static void checkFirstVersion(Given given, RecordIntent intent, Movement movement) {
    var group = given.group();
    var outputs = movement.outputs();
    boolean known = movement.reads().size() == 1 && outputs.size() == 2;
    RuleViolation.unless(
        known || (movement.reads().isEmpty() && outputs.size() == 4),
        "The first version of a record comes with its slot.");
    var keySpace = RecordKeySpace.of(known ? movement.reads().get(0) : outputs.get(1));
    RuleViolation.unless(
        known
            || (keySpace.intent().equals(given.intentHash())
                && outputs.get(2).equals(RecordKeySpace.rootSlot(group))),
        "The first key space of a group comes with its slot.");
    RuleViolation.unless(
        outputs.get(outputs.size() - 1).equals(keySpace.slot(group, intent.key())),
        "The first version of a record comes with the slot of its key.");
  }

  private static JsonNode get(PrivateQuery.Asked asked, String key) {
    var entry = current(asked.group(), key, asked.states()).map(Current::entry);
    if (entry.flatMap(RecordEntry::value).isEmpty()) {
      return NullNode.getInstance();
    }
    return RecordEntry.data(key, entry.get().version(), entry.get().value());
  }

  @Override
  public List<StateSchema> schemas() {
    return List.of(RecordEntry.DESCRIBED);
  }
}
