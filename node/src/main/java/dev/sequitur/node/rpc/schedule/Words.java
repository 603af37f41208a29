package dev.sequitur.node.rpc.schedule;

import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.scheduler.ScheduleState;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** How what the schedules' answers consist of is written. Amounts are decimal digits in strings. */
final class Words {
  private Words() {}

  static final Shape<Object> DIGITS = Shape.words("decimal digits in a string", "100");
  static final Shape<FamilyKind> FAMILY = among(FamilyKind.class);
  static final Shape<ScheduleState> STATE = among(ScheduleState.class);
  static final Shape<Object> ACCOUNT = Shape.words("the name of an account", "alice");
  static final Shape<Bytes> MESSAGE =
      Shape.words("text, or 0x and hexadecimal digits", "hello").of(Words::message);
  static final Shape<ScheduleId> SCHEDULE_ID =
      Shape.words("the id of a schedule", "0.0.1003").of(CommandFields::id);
  static final Shape<Long> MILLIS = Formats.TIME.of(Instant::ofEpochMilli);
  static final Shape<Long> SECONDS = Formats.TIME.of(Instant::ofEpochSecond);
  static final Shape<ConsensusTime> CONSENSUS = Formats.TIME.of(ConsensusTime::toInstant);
  static final Shape<Duration> DURATION = Shape.words("a duration", "PT1H").of(Duration::toString);

  static final Shape<LatePolicy> LATE =
      Shape.words("a word, or a duration", "as-specified").of(Words::late);

  /** A constant of an enumeration, in lower case. */
  static <E extends Enum<E>> Shape<E> among(Class<E> constants) {
    return Shape.among(constants, Words::word);
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** UTF-8 text if it is that; otherwise 0x and hexadecimal digits. */
  private static String message(Bytes message) {
    var text = message.toUtf8();
    boolean readable = Bytes.utf8(text).equals(message) && !text.startsWith("0x");
    return readable ? text : message.toHex();
  }

  private static String late(LatePolicy policy) {
    return switch (policy) {
      case LatePolicy.RunWithin(var window) -> window.toString();
      case LatePolicy.RunOnceWithin(var window) -> "run-once " + window;
      case LatePolicy.Skip() -> "skip";
      case LatePolicy.RunOnce() -> "run-once";
      case LatePolicy.RunAll() -> "run-all";
      case LatePolicy.ExpireAndRefund() -> "expire-and-refund";
      case LatePolicy.AsSpecified() -> "as-specified";
    };
  }

  /** A consensus time twice: for people, and exactly. */
  static ObjectShape<ConsensusTime> time(String name) {
    return ObjectShape.<ConsensusTime>named("ConsensusTime")
        .with(name, Formats.TIME, ConsensusTime::toInstant)
        .with(name + "Ns", DIGITS, ConsensusTime::nanos, "the same in nanoseconds since 1970");
  }
}
