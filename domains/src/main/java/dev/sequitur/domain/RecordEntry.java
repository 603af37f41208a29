package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * One version of a shared record: schema {@code record}, lookup the key, data {@code {"intent":
 * "0x…", "key": "…", "salt": "0x…", "value": any, "version": 3}}.
 *
 * @param version from 1; each change spends the version before it
 * @param value empty if this version says that the record was deleted
 * @param intent of the transaction that made it
 */
record RecordEntry(String key, long version, Optional<JsonNode> value, Hash intent) {
  static final String SCHEMA = "record";

  private static final String KEY = "key";
  private static final String VALUE = "value";
  private static final String VERSION = "version";
  private static final List<String> FIELDS = List.of("intent", KEY, "salt", VALUE, VERSION);

  /** As those see it who look for records. */
  static final Domain.StateSchema DESCRIBED =
      new Domain.StateSchema(
          SCHEMA, List.of(new Domain.Label(KEY, false), new Domain.Label(VERSION, true)));

  /** The data of a version, but for salt and intent. */
  static ObjectNode data(String key, long version, Optional<JsonNode> value) {
    var data = CanonicalJson.object().put(KEY, key).put(VERSION, version);
    value.ifPresent(present -> data.set(VALUE, present));
    return data;
  }

  /**
   * @throws RuleViolation if the state is no version of a record in canonical form
   */
  static RecordEntry of(PrivateState state) {
    var fields = StateContent.open(state, SCHEMA, FIELDS);
    var key = fields.text(KEY);
    var version = fields.wholeNumber(VERSION);
    RuleViolation.unless(
        key.equals(state.lookup())
            && fields.required(VERSION).isIntegralNumber()
            && version.signum() > 0
            && version.compareTo(BigInteger.valueOf(Long.MAX_VALUE)) < 0,
        "A record is not written as records are.");
    fields.hash("salt");
    var value =
        fields.has(VALUE) ? Optional.of(fields.required(VALUE)) : Optional.<JsonNode>empty();
    return new RecordEntry(key, version.longValueExact(), value, fields.hash("intent"));
  }
}
