package dev.sequitur.node.rpc.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads {@code {eq|neq|like|lt|lte|gt|gte|in|null: [{field, value|values, not?}], or, limit,
 * sort}}. Each complaint says what may be written instead.
 */
public final class QueryReader<R> {
  /** Comparisons in one query, alternatives included. */
  static final int MAX_CONDITIONS = 100;

  private static final int MAX_VALUES = 1_000;
  private static final int MAX_SORT_KEYS = 5;
  private static final Pattern SORT = Pattern.compile("([A-Za-z]+)(?: +(ASC|DESC|asc|desc))?");
  private static final Set<String> NOT_OPERATORS = Set.of("or", "limit", "sort");

  private final Map<String, QueryField<R>> table;
  private final int maxLimit;
  private int conditions;

  private QueryReader(Map<String, QueryField<R>> table, int maxLimit) {
    this.table = table;
    this.maxLimit = maxLimit;
  }

  /**
   * @param table the fields that rows have, by name
   * @param maxLimit the largest {@code limit}
   * @throws RpcFailure if the query cannot be read
   */
  public static <R> Query<R> read(Fields query, Map<String, QueryField<R>> table, int maxLimit) {
    var reader = new QueryReader<R>(table, maxLimit);
    var limit = reader.limit(query);
    return new Query<>(reader.statement(query), limit, reader.sort(query));
  }

  private int limit(Fields query) {
    var limit = query.any("limit").orElse(null);
    if (limit == null || !limit.isIntegralNumber() || !limit.canConvertToInt()) {
      throw wrong("%s must be a whole number from 1 to %d.", query.pathOf("limit"), maxLimit);
    }
    if (limit.intValue() < 1 || limit.intValue() > maxLimit) {
      throw wrong("%s is %d; send 1 to %d.", query.pathOf("limit"), limit.intValue(), maxLimit);
    }
    return limit.intValue();
  }

  private Statement<R> statement(Fields statement) {
    var all = new ArrayList<Condition<R>>();
    for (var names = statement.object().fieldNames(); names.hasNext(); ) {
      var name = names.next();
      if (!NOT_OPERATORS.contains(name)) {
        var operator =
            Operator.of(name)
                .orElseThrow(
                    () ->
                        wrong(
                            "%s has an operator that does not exist. Use eq, neq, like, lt, lte, gt, gte, in, null or or.",
                            statement.path()));
        var path = statement.pathOf(name);
        int i = 0;
        for (var condition : statement.list(name, MAX_CONDITIONS)) {
          all.add(condition(new Fields(path + "[" + i++ + "]", condition), operator));
        }
      }
    }
    return new Statement<>(all, alternatives(statement));
  }

  private List<Statement<R>> alternatives(Fields statement) {
    var or = new ArrayList<Statement<R>>();
    int i = 0;
    for (var alternative : statement.list("or", MAX_CONDITIONS)) {
      or.add(statement(new Fields(statement.pathOf("or") + "[" + i++ + "]", alternative)));
    }
    return or;
  }

  private Condition<R> condition(Fields condition, Operator operator) {
    if (++conditions > MAX_CONDITIONS) {
      throw wrong(
          "The query has more than %d comparisons. Ask in several queries.", MAX_CONDITIONS);
    }
    var field = field(condition.pathOf("field"), condition.requiredText("field"));
    boolean not =
        condition
            .any("not")
            .map(value -> (Boolean) FieldKind.BOOLEAN.read(condition.pathOf("not"), value))
            .orElse(false);
    return new Condition<>(field, operator, values(condition, operator, field), not);
  }

  private List<Comparable<?>> values(Fields condition, Operator operator, QueryField<R> field) {
    return switch (operator) {
      case NULL -> List.of();
      case IN -> severalValues(condition, field.kind());
      case LIKE -> {
        if (field.kind() != FieldKind.TEXT && field.kind() != FieldKind.ID) {
          throw wrong(
              "%s compares with like, but '%s' is no text. Use eq or a range.",
              condition.path(), field.name());
        }
        yield List.of(oneValue(condition, field.kind()));
      }
      case EQ, NEQ, LT, LTE, GT, GTE -> List.of(oneValue(condition, field.kind()));
    };
  }

  private Comparable<?> oneValue(Fields condition, FieldKind kind) {
    JsonNode value =
        condition
            .any("value")
            .orElseThrow(
                () ->
                    wrong(
                        "%s is missing; to find what has no value use null.",
                        condition.pathOf("value")));
    return kind.read(condition.pathOf("value"), value);
  }

  private List<Comparable<?>> severalValues(Fields condition, FieldKind kind) {
    var values = new ArrayList<Comparable<?>>();
    for (var value : condition.list("values", MAX_VALUES)) {
      values.add(kind.read(condition.pathOf("values") + "[" + values.size() + "]", value));
    }
    if (values.isEmpty()) {
      throw wrong("%s is missing or empty; in needs at least one.", condition.pathOf("values"));
    }
    return values;
  }

  private List<Query.SortKey<R>> sort(Fields query) {
    var keys = new ArrayList<Query.SortKey<R>>();
    for (var element : query.list("sort", MAX_SORT_KEYS)) {
      var path = query.pathOf("sort") + "[" + keys.size() + "]";
      var matcher = SORT.matcher(Fields.text(path, element));
      if (!matcher.matches()) {
        throw wrong("%s must be a field and ASC or DESC, such as \"created DESC\".", path);
      }
      boolean descending = "DESC".equalsIgnoreCase(matcher.group(2));
      keys.add(new Query.SortKey<>(field(path, matcher.group(1)), descending));
    }
    return keys;
  }

  private QueryField<R> field(String path, String name) {
    var field = table.get(name);
    if (field == null) {
      throw wrong(
          "%s names a field that cannot be asked for. Use one of %s.",
          path, String.join(", ", table.keySet()));
    }
    return field;
  }

  private static RpcFailure wrong(String format, Object... arguments) {
    return new RpcFailure(ErrorCode.WRONG_QUERY, format.formatted(arguments));
  }
}
