package dev.sequitur.node.rpc.query;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.Query.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads {@code {eq|neq|like|lt|lte|gt|gte|in|nin|null: [{field, value|values, not?,
 * caseInsensitive?}], or, limit, sort}}, and the long names of the {@link Operator operators}. Each
 * complaint says what may be written instead.
 */
public final class QueryReader<R> {
  /** Comparisons in one query, alternatives included. */
  static final int MAX_CONDITIONS = 100;

  private static final Set<Operator> WITHOUT_CASE =
      EnumSet.of(Operator.EQ, Operator.NEQ, Operator.LIKE);

  private static final int MAX_VALUES = 1_000;
  private static final int MAX_SORT_KEYS = 5;
  private static final Pattern SORT =
      Pattern.compile("(-)?([A-Za-z][A-Za-z.]*)(?: +(ASC|DESC|asc|desc))?");

  private static final Field<String> FIELD = Field.of("field", Formats.TEXT, "of the rows");
  private static final Field<JsonNode> VALUE = Field.optional("value", Formats.ANY, "");
  private static final Field<List<JsonNode>> VALUES =
      Field.or("values", Formats.ANY.list(MAX_VALUES), List.of(), "of `in` and `nin`");
  private static final Field<Boolean> NOT =
      Field.or("not", Formats.BOOLEAN, false, "turns it round");
  private static final Field<Boolean> CASE_INSENSITIVE =
      Field.or(
          "caseInsensitive",
          Formats.BOOLEAN,
          false,
          "of `eq`, `neq` and `like`: capitals are as small letters");
  private static final ObjectFormat CONDITION =
      ObjectFormat.of("QueryCondition", FIELD, VALUE, VALUES, NOT, CASE_INSENSITIVE).open();
  private static final Format<List<Sent>> SEVERAL = CONDITION.list(MAX_CONDITIONS);

  /** By each name, in the order of the operators. */
  private static final Map<Field<List<Sent>>, Operator> CONDITIONS = conditions();

  private static final Field<List<Sent>> OR =
      Field.or(
          "or",
          Format.later("an object", QueryReader::statementFormat).list(MAX_CONDITIONS),
          List.of(),
          "one of them must hold too");
  private static final ObjectFormat STATEMENT =
      ObjectFormat.of("QueryStatement", OR).with(List.copyOf(CONDITIONS.keySet())).open();

  private static final Field<Integer> LIMIT =
      Field.of(
          "limit",
          Format.of("a whole number from 1 on", Shape.NUMBER, QueryReader::readLimit),
          "at most so many");
  private static final Field<List<String>> SORTED =
      Field.or(
          "sort",
          Formats.TEXT.list(MAX_SORT_KEYS),
          List.of(),
          "such as `created DESC` or `-created`, at most five");

  private final Map<String, QueryField<R>> table;
  private final int maxLimit;
  private final List<Field<?>> beside;
  private int conditions;

  private QueryReader(Map<String, QueryField<R>> table, int maxLimit, List<Field<?>> beside) {
    this.table = table;
    this.maxLimit = maxLimit;
    this.beside = beside;
  }

  /**
   * @param table the fields that rows have, by name
   * @param maxLimit the largest {@code limit}
   * @param beside fields that are no part of the query, as those of {@link #field}; whoever asks
   *     reads them
   * @throws RpcFailure if the query cannot be read
   */
  public static <R> Query<R> read(
      Sent query, Map<String, QueryField<R>> table, int maxLimit, Field<?>... beside) {
    var reader = new QueryReader<R>(table, maxLimit, List.of(beside));
    var limit = reader.limit(query);
    return new Query<>(reader.statement(query), limit, reader.sort(query));
  }

  /**
   * The parameter of a method that finds such rows.
   *
   * @param name of the object, for the reference
   * @param beside fields that are no part of the query
   */
  public static Field<Sent> field(String name, Map<String, ?> table, Field<?>... beside) {
    return Field.of(
        "query",
        STATEMENT.named(name).with(LIMIT, SORTED).with(beside),
        "of the fields `" + String.join("`, `", table.keySet()) + "`");
  }

  /**
   * The same where some of the fields depend on another parameter.
   *
   * @param others what these are, for the reference
   */
  public static Field<Sent> field(String name, List<String> fields, String others) {
    return Field.of(
        "query",
        STATEMENT.named(name).with(LIMIT, SORTED),
        "of the fields `" + String.join("`, `", fields) + "` and " + others);
  }

  private static Map<Field<List<Sent>>, Operator> conditions() {
    var conditions = new LinkedHashMap<Field<List<Sent>>, Operator>();
    for (var operator : Operator.values()) {
      var format = operator == Operator.NULL ? oneOrSeveral() : SEVERAL;
      for (var label : operator.labels()) {
        var doc = label.equals(operator.label()) ? "" : "as `" + operator.label() + "`";
        conditions.put(Field.or(label, format, List.of(), doc), operator);
      }
    }
    return conditions;
  }

  /** What has no value is asked for by one object in some clients, by an array in others. */
  private static Format<List<Sent>> oneOrSeveral() {
    return Format.of(
        SEVERAL.type(),
        SEVERAL,
        (path, node) ->
            node.isObject() ? List.of(CONDITION.read(path, node)) : SEVERAL.read(path, node));
  }

  private static ObjectFormat statementFormat() {
    return STATEMENT;
  }

  private static Integer readLimit(String path, JsonNode limit) {
    if (!limit.isIntegralNumber() || !limit.canConvertToInt()) {
      throw wrong("%s must be a whole number from 1 on.", path);
    }
    return limit.intValue();
  }

  private int limit(Sent query) {
    int limit = query.get(LIMIT);
    if (limit < 1 || limit > maxLimit) {
      throw wrong("%s is %d; send 1 to %d.", query.path(LIMIT), limit, maxLimit);
    }
    return limit;
  }

  private Statement<R> statement(Sent statement) {
    var known = new HashSet<>(Set.of(OR.name(), LIMIT.name(), SORTED.name()));
    beside.forEach(field -> known.add(field.name()));
    var all = new ArrayList<Condition<R>>();
    CONDITIONS.forEach(
        (field, operator) -> {
          known.add(field.name());
          statement.get(field).forEach(condition -> all.add(condition(condition, operator)));
        });
    for (var names = statement.object().fieldNames(); names.hasNext(); ) {
      if (!known.contains(names.next())) {
        throw wrong(
            "%s has an operator that does not exist. Use %s or or.",
            statement.path(),
            Stream.of(Operator.values()).map(Operator::label).collect(joining(", ")));
      }
    }
    return new Statement<>(all, statement.get(OR).stream().map(this::statement).toList());
  }

  private Condition<R> condition(Sent condition, Operator operator) {
    if (++conditions > MAX_CONDITIONS) {
      throw wrong(
          "The query has more than %d comparisons. Ask in several queries.", MAX_CONDITIONS);
    }
    var field = field(condition.path(FIELD), condition.get(FIELD));
    boolean ignoresCase = condition.get(CASE_INSENSITIVE);
    if (ignoresCase) {
      refuseWithoutCase(condition, operator, field);
    }
    return new Condition<>(
        field, operator, values(condition, operator, field), condition.get(NOT), ignoresCase);
  }

  private static void refuseWithoutCase(Sent condition, Operator operator, QueryField<?> field) {
    if (!WITHOUT_CASE.contains(operator)) {
      throw wrong(
          "%s is of eq, neq and like only, not of %s.",
          condition.path(CASE_INSENSITIVE), operator.label());
    }
    if (!field.kind().isText()) {
      throw wrong("%s: '%s' is no text.", condition.path(CASE_INSENSITIVE), field.name());
    }
  }

  private List<Comparable<?>> values(Sent condition, Operator operator, QueryField<R> field) {
    return switch (operator) {
      case NULL -> List.of();
      case IN, NIN -> severalValues(condition, operator, field.kind());
      case LIKE -> {
        if (!field.kind().isText()) {
          throw wrong(
              "%s compares with like, but '%s' is no text. Use eq or a range.",
              condition.path(), field.name());
        }
        yield List.of(oneValue(condition, field.kind()));
      }
      case EQ, NEQ, LT, LTE, GT, GTE -> List.of(oneValue(condition, field.kind()));
    };
  }

  private Comparable<?> oneValue(Sent condition, FieldKind kind) {
    var value =
        condition
            .find(VALUE)
            .orElseThrow(
                () ->
                    wrong(
                        "%s is missing; to find what has no value use null.",
                        condition.path(VALUE)));
    return kind.format().read(condition.path(VALUE), value);
  }

  private List<Comparable<?>> severalValues(Sent condition, Operator operator, FieldKind kind) {
    var values = new ArrayList<Comparable<?>>();
    for (var value : condition.get(VALUES)) {
      values.add(kind.format().read(condition.path(VALUES) + "[" + values.size() + "]", value));
    }
    if (values.isEmpty()) {
      throw wrong(
          "%s is missing or empty; %s needs at least one.",
          condition.path(VALUES), operator.label());
    }
    return values;
  }

  private List<Query.SortKey<R>> sort(Sent query) {
    var keys = new ArrayList<Query.SortKey<R>>();
    for (var text : query.get(SORTED)) {
      var path = query.path(SORTED) + "[" + keys.size() + "]";
      var matcher = SORT.matcher(text);
      if (!matcher.matches()) {
        throw wrong("%s must be a field and ASC or DESC, such as \"created DESC\".", path);
      }
      boolean descending = matcher.group(1) != null || "DESC".equalsIgnoreCase(matcher.group(3));
      keys.add(new Query.SortKey<>(field(path, matcher.group(2)), descending));
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
