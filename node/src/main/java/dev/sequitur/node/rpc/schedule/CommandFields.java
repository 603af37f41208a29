package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Description;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.scheduler.QueueName;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The fields that callers of several methods of the schedules send, and what they are read by. */
final class CommandFields {
  private static final int LONGEST_KEY = 128;
  private static final int DEFAULT_PAGE = 100;
  private static final Duration LONGEST = Duration.ofDays(3_660);
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,40}");

  /** As multi-signature schedules are called in their specification. */
  private static final Pattern ENTITY = Pattern.compile("0\\.0\\.[0-9]{1,18}");

  private static final String TIME = "a time such as 2030-01-31T12:00:00Z";

  // Formats.

  /** Of a person: those of the book itself act for nobody. */
  static final Format<AccountId> ACCOUNT =
      Format.of("the name of an account", "alice", CommandFields::parseAccount);

  /** Also what somebody has in a token. */
  static final Format<AccountId> PERSONS_ACCOUNT =
      Format.of("the name of an account", "alice", CommandFields::parsePersonsAccount);

  /** Also one of the book itself. */
  static final Format<AccountId> ANY_ACCOUNT =
      Format.of("the name of an account", "alice", text -> new AccountId(plain(text)));

  /** From 0 to 2^63 - 1: decimal digits in a string, or a number of JSON. */
  static final Format<Long> NUMBER =
      Format.of(
          "a whole number, as decimal digits in a string",
          either(Words.DIGITS),
          CommandFields::number);

  static final Format<Amount> AMOUNT =
      Format.of(
          "an amount above 0, as decimal digits in a string",
          either(Words.DIGITS),
          CommandFields::amount);

  /** RFC 3339, or milliseconds since 1970. */
  static final Format<Long> MILLIS =
      Format.of(
          TIME + ", or milliseconds since 1970",
          either(Words.MILLIS),
          (path, node) -> isTime(node) ? millis(path, node.textValue()) : number(path, node));

  /** RFC 3339, or seconds since 1970. */
  static final Format<Long> SECONDS =
      Format.of(
          TIME + ", or seconds since 1970",
          either(Words.SECONDS),
          (path, node) ->
              isTime(node)
                  ? whole(path, node.textValue(), ChronoUnit.SECONDS).getEpochSecond()
                  : number(path, node));

  /** RFC 3339 alone, where no specification says what a number would count. */
  static final Format<Instant> INSTANT =
      Format.of(
          TIME,
          Formats.TIME,
          (path, node) -> {
            if (!node.isTextual()) {
              throw Format.wrongType(path, TIME, node);
            }
            return instant(path, node.textValue());
          });

  static final Format<Duration> DURATION =
      Format.of("a duration such as PT1H", "PT1H", CommandFields::parseDuration);

  static final Format<FamilyKind> KIND =
      Format.ofText(
          "one of " + families(),
          Shape.words("one of " + families(), "recurring").of(FamilyKind::word),
          CommandFields::parseFamily);

  static final Format<ScheduleId> SCHEDULE =
      Format.ofText("the id of a schedule", Words.SCHEDULE_ID, CommandFields::parseSchedule);

  /** Text; or bytes, as 0x and hexadecimal digits. */
  static final Format<Bytes> MESSAGE =
      Format.of(Words.MESSAGE.type(), Words.MESSAGE, CommandFields::message);

  // Fields.

  static final Field<QueueName> QUEUE =
      Field.or(
              "queue",
              Format.of("the name of a queue", "default", QueueName::new),
              QueueName.DEFAULT,
              "the queue")
          .mentions(Field.Mention.QUEUE);
  static final Field<String> IDEMPOTENCY_KEY =
      Field.optional(
          "idempotencyKey",
          Format.of("a string of 1 to 128 characters", "a-key", CommandFields::key),
          "of this method and its caller, or of the account that acts where nobody is asked who calls: a"
              + " repeat under it is not done again but answered as the first was, for a"
              + " day; another command under it is refused");
  static final Field<Instant> FIRST_SENT =
      Field.optional(
          "firstSent",
          Format.ofText(TIME, Formats.TIME, CommandFields::parseInstant),
          "when the command was first sent: longer ago than the queue remembers keys, it is"
              + " refused (default: the time in a key that is a UUID of version 7)");

  /** What each command takes. */
  static final List<Field<?>> COMMON = List.of(QUEUE, IDEMPOTENCY_KEY, FIRST_SENT);

  static final Field<FamilyKind> FAMILY =
      Field.of("family", KIND, "").mentions(Field.Mention.FAMILY);
  static final Field<AccountId> OWNER =
      Field.of("owner", ACCOUNT, "who pays the fee of each time, and may cancel")
          .mentions(Field.Mention.ACCOUNT);

  /** What an owner says of a schedule, for people. */
  static final Field<String> DESCRIPTION =
      Field.or(
          "description",
          Format.of(
              "text of at most " + Description.LONGEST_TEXT + " characters",
              "the rent of the flat",
              Description::checkText),
          "",
          "what it is for, for whoever reads it");

  static final Field<List<String>> LABELS =
      Field.or(
          "labels",
          Format.of(
                  "text of 1 to " + Description.LONGEST_LABEL + " characters",
                  "rent",
                  Description::checkLabel)
              .list(Description.MOST_LABELS),
          List.of(),
          "by which it is found with others");

  /** Of a filter. */
  static final Field<FamilyKind> OF_FAMILY = Field.optional("family", KIND, "only of this");

  /** Of a filter. */
  static final Field<AccountId> OF_OWNER = Field.optional("owner", ACCOUNT, "only of this");

  /** Of a filter. */
  static final Field<String> LABEL =
      Field.optional(
          "label",
          Format.of("a label", "rent", Description::checkLabel),
          "only of schedules that have this label");

  /** Of a change: what is left out stays. */
  static final Field<String> OTHER_DESCRIPTION =
      Field.optional("description", DESCRIPTION.format(), "what it is for, for whoever reads it");

  static final Field<List<String>> OTHER_LABELS =
      Field.optional("labels", LABELS.format(), "all that it is to have; an empty array for none");

  private CommandFields() {}

  static Description description(Sent sent) {
    return new Description(sent.get(DESCRIPTION), sent.get(LABELS));
  }

  /** A string or a number of JSON. */
  static <T> Shape<T> either(Shape<T> written) {
    return Shape.of(
        written.type(),
        () -> {
          var schema = written.schema(Map.of());
          schema.putArray("type").add("string").add("integer");
          return schema;
        },
        written::write);
  }

  /** How many a page has at most. */
  static Field<Integer> limit(int most) {
    return Field.or(
        "limit",
        Format.of(
            NUMBER.type(),
            either(Shape.NUMBER),
            (path, node) -> {
              long limit = number(path, node);
              if (limit < 1 || limit > most) {
                throw new RpcFailure(
                    ErrorCode.WRONG_TYPE, "%s must be from 1 to %d.".formatted(path, most));
              }
              return (int) limit;
            }),
        DEFAULT_PAGE,
        "1 to " + most);
  }

  /** For what is one family's: the same name with another's id is a mistake. */
  static Format<ScheduleId> schedule(FamilyKind family) {
    return Format.ofText(
        SCHEDULE.type(), Words.SCHEDULE_ID, text -> of(family, parseSchedule(text)));
  }

  private static String key(String text) {
    if (text.length() > LONGEST_KEY) {
      throw new IllegalArgumentException(
          "An idempotency key of a command has 1 to " + LONGEST_KEY + " characters.");
    }
    return Formats.name(text);
  }

  private static AccountId parseAccount(String text) {
    var account = parsePersonsAccount(text);
    if (account.token().isPresent()) {
      throw new IllegalArgumentException(
          "A name with # is what somebody has in a token, and nobody acts for it: name "
              + account.holder()
              + ".");
    }
    return account;
  }

  private static AccountId parsePersonsAccount(String text) {
    var account = new AccountId(plain(text));
    if (account.holder().isReserved()) {
      throw new IllegalArgumentException(
          "Names that start with @ are the queue's own: name another account.");
    }
    return account;
  }

  /** A name that can be written again just as it is. */
  static String plain(String text) {
    if (!text.equals(text.strip())) {
      throw new IllegalArgumentException("A name does not begin or end with a space.");
    }
    return Formats.name(text);
  }

  private static Amount amount(String path, JsonNode node) {
    var amount = new Amount(number(path, node));
    if (amount.isZero()) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, path + " is 0: send an amount above 0.");
    }
    return amount;
  }

  private static long number(String path, JsonNode node) {
    if (node.isIntegralNumber() && node.canConvertToLong() && node.longValue() >= 0) {
      return node.longValue();
    }
    if (node.isTextual() && DIGITS.matcher(node.textValue()).matches()) {
      var value = new BigInteger(node.textValue());
      if (value.bitLength() < Long.SIZE) {
        return value.longValue();
      }
    }
    if (!node.isTextual() && !node.isNumber()) {
      throw Format.wrongType(path, "a whole number, as decimal digits in a string", node);
    }
    throw new RpcFailure(
        ErrorCode.WRONG_TYPE,
        path + " must be a whole number from 0 to 9223372036854775807, as decimal digits.");
  }

  private static Bytes message(String path, JsonNode node) {
    var text = Formats.TEXT.read(path, node);
    if (!text.startsWith("0x")) {
      return Bytes.utf8(text);
    }
    try {
      return Bytes.hex(text);
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, path + " starts with 0x, but hexadecimal digits do not follow.");
    }
  }

  /** Whether it is written as a date and not as a number. */
  private static boolean isTime(JsonNode node) {
    return node.isTextual() && !DIGITS.matcher(node.textValue()).matches();
  }

  /** RFC 3339 or Unix seconds, as milliseconds. */
  static long secondsAsMillis(String path, JsonNode node) {
    return isTime(node)
        ? millis(path, node.textValue())
        : Duration.ofSeconds(beforeEnd(path, number(path, node))).toMillis();
  }

  /** Milliseconds since 1970 of a time that has no finer part. */
  private static long millis(String path, String text) {
    return whole(path, text, ChronoUnit.MILLIS).toEpochMilli();
  }

  /** A part that is finer than what is counted would be lost without a word. */
  private static Instant whole(String path, String text, ChronoUnit unit) {
    var time = instant(path, text);
    if (!time.equals(time.truncatedTo(unit))) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          "%s is counted in %s: send a time without a finer part, such as %s."
              .formatted(
                  path,
                  unit == ChronoUnit.MILLIS ? "milliseconds" : "seconds",
                  time.truncatedTo(unit)));
    }
    return time;
  }

  private static Instant instant(String path, String text) {
    var time = Format.parse(path, text, CommandFields::parseInstant);
    beforeEnd(path, time.getEpochSecond());
    return time;
  }

  /**
   * A number for a time that no family's rules look at.
   *
   * @return the same, if a queue's clock reaches it
   */
  static long beforeEnd(String path, long seconds) {
    if (seconds >= ConsensusTime.END.getEpochSecond()) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, path + " is too far away. " + ConsensusTime.ENDS);
    }
    return seconds;
  }

  private static Instant parseInstant(String text) {
    try {
      var time = Instant.parse(text);
      if (!time.isBefore(Instant.EPOCH)) {
        return time;
      }
    } catch (DateTimeException e) {
      // Falls through: the sentence is the same.
    }
    throw new IllegalArgumentException(
        "A time looks like 2030-01-31T12:00:00Z, and is not before 1970.");
  }

  static Duration parseDuration(String text) {
    try {
      var duration = Duration.parse(text);
      if (!duration.isNegative() && !duration.isZero() && duration.compareTo(LONGEST) <= 0) {
        return duration;
      }
    } catch (DateTimeException e) {
      // Falls through: the sentence is the same.
    }
    throw new IllegalArgumentException(
        "A duration looks like PT1H30M or PT0.5S, is not 0, and is ten years at most.");
  }

  private static FamilyKind parseFamily(String text) {
    for (var kind : FamilyKind.values()) {
      if (kind.word().equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("The families are " + families() + ".");
  }

  private static String families() {
    return Arrays.stream(FamilyKind.values())
        .map(FamilyKind::word)
        .collect(Collectors.joining(", "));
  }

  /**
   * @throws IllegalArgumentException if it is another family's
   */
  static ScheduleId of(FamilyKind family, ScheduleId id) {
    if (id.family() != family) {
      throw new IllegalArgumentException(
          "This is a schedule of the family "
              + id.family().word()
              + ", and the method is for those of "
              + family.word()
              + ": call that family's, or schedule_cancel.");
    }
    return id;
  }

  /** As {@link #id} writes it, or as the rules do, which have one spelling for all families. */
  static ScheduleId parseSchedule(String text) {
    int colon = text.indexOf(':');
    if (ENTITY.matcher(text).matches()) {
      return EntityId.parse(text).schedule();
    } else if (colon < 0) {
      throw new IllegalArgumentException(
          "An id of a schedule is its family, a colon, 0x and 64 hexadecimal digits, as a creation"
              + " answers it, or 0.0.1003 of a multi-signature one.");
    }
    var family = parseFamily(text.substring(0, colon));
    var rest = text.substring(colon + 1);
    return family == FamilyKind.MULTI_SIGNATURE && ENTITY.matcher(rest).matches()
        ? EntityId.parse(rest).schedule()
        : new ScheduleId(family, Formats.hash(rest));
  }

  /** The number of a multi-signature schedule, in any of its spellings. */
  static EntityId parseEntity(String text) {
    return text.startsWith(FamilyKind.MULTI_SIGNATURE.word() + ":")
        ? EntityId.of(parseSchedule(text))
        : EntityId.parse(text);
  }

  /** The one spelling that callers see: of a multi-signature schedule its specification's. */
  static String id(ScheduleId id) {
    return id.family() == FamilyKind.MULTI_SIGNATURE ? EntityId.of(id).toString() : id.toString();
  }
}
