package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.signing.EntityId;
import dev.sequitur.scheduler.QueueName;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a caller's object says to a queue, in the formats that all methods of the schedules share.
 * Each complaint names the field and what was expected.
 */
record CommandFields(Fields fields) {
  /** As multi-signature schedules are called in their specification. */
  private static final Pattern ENTITY = Pattern.compile("0\\.0\\.[0-9]{1,18}");

  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,40}");
  private static final int LONGEST_KEY = 128;

  private static final Duration LONGEST = Duration.ofDays(3_660);

  QueueName queue() {
    return fields.parsed("queue", QueueName::new).orElse(QueueName.DEFAULT);
  }

  /** For a method that has read its own fields and asks something before it submits its command. */
  void complete() {
    queue();
    idempotencyKey();
    firstSent();
    fields.refuseUnknown();
  }

  Optional<String> idempotencyKey() {
    return fields.parsed("idempotencyKey", CommandFields::key);
  }

  /** When the command was sent for the first time, as its caller says. */
  Optional<Instant> firstSent() {
    return fields.parsed("firstSent", CommandFields::parseInstant);
  }

  private static String key(String text) {
    if (text.length() > LONGEST_KEY) {
      throw new IllegalArgumentException(
          "An idempotency key of a command has 1 to " + LONGEST_KEY + " characters.");
    }
    return Formats.name(text);
  }

  AccountId account(String name) {
    return fields.requiredParsed(name, "the name of an account", CommandFields::parseAccount);
  }

  Optional<AccountId> optionalAccount(String name) {
    return fields.parsed(name, CommandFields::parseAccount);
  }

  /** Of a person: those of the book itself act for nobody. */
  static AccountId parseAccount(String text) {
    var account = parseName(text);
    if (account.token().isPresent()) {
      throw new IllegalArgumentException(
          "A name with # is what somebody has in a token, and nobody acts for it: name "
              + account.holder()
              + ".");
    } else if (account.isReserved()) {
      throw new IllegalArgumentException(
          "Names that start with @ are the queue's own: name another account.");
    }
    return account;
  }

  /** Also one of the book itself. */
  static AccountId parseName(String text) {
    return new AccountId(plain(text));
  }

  /** A name that can be written again just as it is. */
  static String plain(String text) {
    if (!text.equals(text.strip())) {
      throw new IllegalArgumentException("A name does not begin or end with a space.");
    }
    return Formats.name(text);
  }

  Amount amount(String name) {
    var amount = new Amount(number(name));
    if (amount.isZero()) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, fields.pathOf(name) + " is 0: send an amount above 0.");
    }
    return amount;
  }

  /** A whole number from 0 to 2^63 - 1: decimal digits in a string, or a number of JSON. */
  long number(String name) {
    return optionalNumber(name)
        .orElseThrow(
            () ->
                new RpcFailure(
                    ErrorCode.WRONG_TYPE,
                    fields.pathOf(name)
                        + " is missing: send a whole number, as decimal digits in a string."));
  }

  Optional<Long> optionalNumber(String name) {
    return fields.any(name).map(node -> number(fields.pathOf(name), node));
  }

  static long number(String path, JsonNode node) {
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
      throw Fields.wrongType(path, "a whole number, as decimal digits in a string", node);
    }
    throw new RpcFailure(
        ErrorCode.WRONG_TYPE,
        path + " must be a whole number from 0 to 9223372036854775807, as decimal digits.");
  }

  /** RFC 3339, or milliseconds since 1970. */
  long timeMillis(String name) {
    var node = fields.any(name).orElseThrow(() -> noTime(name, ", or milliseconds since 1970"));
    return isTime(node)
        ? millis(fields.pathOf(name), node.textValue())
        : number(fields.pathOf(name), node);
  }

  /** RFC 3339, or seconds since 1970. */
  long timeSeconds(String name) {
    var node = fields.any(name).orElseThrow(() -> noTime(name, ", or seconds since 1970"));
    return isTime(node)
        ? whole(fields.pathOf(name), node.textValue(), ChronoUnit.SECONDS).getEpochSecond()
        : number(fields.pathOf(name), node);
  }

  /** RFC 3339 alone, where no specification says what a number would count. */
  Instant time(String name) {
    var node = fields.any(name).orElseThrow(() -> noTime(name, ""));
    if (!node.isTextual()) {
      throw Fields.wrongType(fields.pathOf(name), "a time such as 2030-01-31T12:00:00Z", node);
    }
    return instant(fields.pathOf(name), node.textValue());
  }

  private RpcFailure noTime(String name, String otherwise) {
    return new RpcFailure(
        ErrorCode.WRONG_TYPE,
        fields.pathOf(name)
            + " is missing: send a time such as 2030-01-31T12:00:00Z"
            + otherwise
            + ".");
  }

  /** Whether it is written as a date and not as a number. */
  static boolean isTime(JsonNode node) {
    return node.isTextual() && !DIGITS.matcher(node.textValue()).matches();
  }

  /** Milliseconds since 1970 of a time that has no finer part. */
  static long millis(String path, String text) {
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

  static Instant instant(String path, String text) {
    var time = Fields.parse(path, text, CommandFields::parseInstant);
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

  Optional<Duration> duration(String name) {
    return fields.parsed(name, CommandFields::parseDuration);
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

  FamilyKind family() {
    return fields.requiredParsed("family", "one of " + families(), CommandFields::parseFamily);
  }

  Optional<FamilyKind> optionalFamily() {
    return fields.parsed("family", CommandFields::parseFamily);
  }

  static FamilyKind parseFamily(String text) {
    for (var kind : FamilyKind.values()) {
      if (name(kind).equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("The families are " + families() + ".");
  }

  /** As ids of schedules begin with it. */
  static String name(FamilyKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String families() {
    return Arrays.stream(FamilyKind.values())
        .map(CommandFields::name)
        .collect(Collectors.joining(", "));
  }

  ScheduleId schedule(String name) {
    return fields.requiredParsed(name, "the id of a schedule", CommandFields::parseSchedule);
  }

  /** For a method that is one family's: the same name with another's id is a mistake. */
  ScheduleId schedule(String name, FamilyKind family) {
    return fields.requiredParsed(
        name, "the id of a schedule", text -> of(family, parseSchedule(text)));
  }

  /**
   * @throws IllegalArgumentException if it is another family's
   */
  static ScheduleId of(FamilyKind family, ScheduleId id) {
    if (id.family() != family) {
      throw new IllegalArgumentException(
          "This is a schedule of the family "
              + name(id.family())
              + ", and the method is for those of "
              + name(family)
              + ": call that family's, or schedule_cancel.");
    }
    return id;
  }

  /**
   * @param path of the text, for a complaint
   */
  static ScheduleId parseSchedule(String path, String text) {
    return Fields.parse(path, text, CommandFields::parseSchedule);
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
    return text.startsWith(name(FamilyKind.MULTI_SIGNATURE) + ":")
        ? EntityId.of(parseSchedule(text))
        : EntityId.parse(text);
  }

  /** The one spelling that callers see: of a multi-signature schedule its specification's. */
  static String id(ScheduleId id) {
    return id.family() == FamilyKind.MULTI_SIGNATURE ? EntityId.of(id).toString() : id.toString();
  }
}
