package dev.sequitur.laboratory.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import dev.sequitur.laboratory.report.Finding;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Records after sets, increments and deletes, in the order in which the ledger has them. */
final class RecordReplay implements Replay {
  private static final String SCHEMA = "record";
  private static final String KEY = "key";
  private static final String VALUE = "value";

  private final String group;
  private final Map<String, JsonNode> values = new HashMap<>();
  private final Map<String, Long> versions = new HashMap<>();
  private long increments;

  RecordReplay(String group) {
    this.group = group;
  }

  @Override
  public void apply(PrivateTransaction transaction) {
    var inputs = Replay.json(transaction.inputs());
    var key = inputs.path(KEY).asText();
    versions.merge(key, 1L, Long::sum);
    switch (transaction.function()) {
      case "set" -> values.put(key, inputs.path(VALUE));
      case "increment" -> {
        increments++;
        values.merge(key, number(inputs.path("by")), RecordReplay::sum);
      }
      case "delete" -> values.remove(key);
      default ->
          throw new DemoFailure("The double-check knows no function " + transaction.function());
    }
  }

  private static JsonNode number(JsonNode by) {
    return BigIntegerNode.valueOf(new BigInteger(by.asText()));
  }

  private static JsonNode sum(JsonNode left, JsonNode right) {
    return BigIntegerNode.valueOf(left.bigIntegerValue().add(right.bigIntegerValue()));
  }

  @Override
  public Finding compare(List<PrivateState> standing) {
    int records = 0;
    int wrong = 0;
    for (var state : standing) {
      if (state.schema().equals(SCHEMA)) {
        var data = Replay.json(state.data());
        var key = data.path(KEY).asText();
        records++;
        if (data.path("version").asLong() != versions.getOrDefault(key, 0L)
            || !same(data.path(VALUE), values.get(key))) {
          wrong++;
        }
      }
    }
    boolean holds = wrong == 0 && records == versions.size();
    return Finding.of(
        holds,
        "%s: %,d records after %,d increments and %,d other changes%s",
        group,
        records,
        increments,
        versions.values().stream().mapToLong(Long::longValue).sum() - increments,
        holds
            ? ", each as its changes make it"
            : ", but " + wrong + " are not as their changes make them");
  }

  private static boolean same(JsonNode held, JsonNode expected) {
    return expected == null
        ? held.isMissingNode()
        : held.equals(
            (left, right) ->
                left.isNumber() && right.isNumber()
                    ? left.decimalValue().compareTo(right.decimalValue())
                    : left.equals(right) ? 0 : 1,
            expected);
  }
}
