package dev.sequitur.schedule.recurring;

import static com.cronutils.model.field.CronFieldName.DAY_OF_MONTH;
import static com.cronutils.model.field.CronFieldName.DAY_OF_WEEK;
import static com.cronutils.model.field.CronFieldName.HOUR;
import static com.cronutils.model.field.CronFieldName.MINUTE;
import static com.cronutils.model.field.CronFieldName.MONTH;

import com.cronutils.model.Cron;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.And;
import com.cronutils.model.field.expression.Between;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.On;
import com.cronutils.model.field.value.FieldValue;
import com.cronutils.model.field.value.SpecialChar;
import com.cronutils.parser.CronParser;
import dev.sequitur.schedule.Written;
import java.time.LocalDate;
import java.time.Year;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.stream.IntStream;

/**
 * The minutes that a cron expression names, of a clock that nobody sets. What each field stands for
 * is worked out once, so that to ask for the next time costs no more than of a fixed frequency, and
 * times are counted without a look at each.
 *
 * <p>A minute is counted since 1970 began on that clock. Immutable; two are equal if their texts
 * are.
 */
public final class CronExpression implements Written {
  static final int MINUTES_OF_HOUR = 60;
  static final int HOURS_OF_DAY = 24;
  static final int MINUTES_OF_DAY = HOURS_OF_DAY * MINUTES_OF_HOUR;

  private static final int MOST_CHARACTERS = 200;
  private static final int MONTHS = 12;
  private static final int DAYS_OF_WEEK = 7;
  private static final int SHORTEST_MONTH = 28;
  private static final int LONGEST_MONTH = 31;

  /** Of the days that there are, the rarest comes back within eight years. */
  private static final int MONTHS_TO_COME = 100 * MONTHS;

  /** What each field takes. */
  private static final List<String> TAKEN =
      List.of(
          "minute: write 0 to 59, a range (0-15), a step (*/15), a list of these, or *",
          "hour: write 0 to 23, a range (8-17), a step (*/2), a list of these, or *",
          "day of month: write 1 to 31, L for the last, a range (1-7), a step (*/2), a list of"
              + " these, or *",
          "month: write 1 to 12 or JAN to DEC, a range (APR-JUN), a step (*/3), a list of these, or"
              + " *",
          "day of week: write 0 to 7 or SUN to SAT, a range (MON-FRI), a list of these, or *");

  /**
   * Those of Unix, and L for the last day of the month. A range may go on at the beginning of its
   * field, as {@code FRI-MON} and {@code 22-2} do.
   */
  static final CronDefinition FIELDS =
      CronDefinitionBuilder.defineCron()
          .withMinutes()
          .and()
          .withHours()
          .and()
          .withDayOfMonth()
          .supportsL()
          .and()
          .withMonth()
          .and()
          .withDayOfWeek()
          .withValidRange(0, DAYS_OF_WEEK)
          .withMondayDoWValue(1)
          .withIntMapping(DAYS_OF_WEEK, 0)
          .and()
          .instance();

  /** What Vixie's cron calls them; its {@code @reboot} is no time. */
  private static final SequencedMap<String, String> NAMED = named();

  private final String text;

  /** Bit by bit: the minutes of an hour, the hours of a day, the months from 1 on. */
  private final long minutes;

  private final long hours;
  private final long months;

  /** By the length of the month, from the shortest on: its days, each the bit of its number. */
  private final long[] daysOfMonth;

  /** Monday is the first bit; those of more than five weeks, one after the other. */
  private final long weekdays;

  private final boolean anyDayOfMonth;
  private final boolean anyWeekday;
  private final boolean followsRealTime;

  /**
   * @throws IllegalArgumentException with a sentence, if it is none
   */
  public CronExpression(String text) {
    var parsed = parse(text);
    this.text = text;
    minutes = new Field(0, MINUTES_OF_HOUR - 1).values(parsed, MINUTE);
    hours = new Field(0, HOURS_OF_DAY - 1).values(parsed, HOUR);
    months = new Field(1, MONTHS).values(parsed, MONTH);
    daysOfMonth =
        IntStream.rangeClosed(SHORTEST_MONTH, LONGEST_MONTH)
            .mapToLong(length -> daysOfMonth(parsed, length))
            .toArray();
    weekdays = weekdays(new Field(0, DAYS_OF_WEEK, DAYS_OF_WEEK, 0).values(parsed, DAY_OF_WEEK));
    anyDayOfMonth = isAny(parsed, DAY_OF_MONTH);
    anyWeekday = isAny(parsed, DAY_OF_WEEK);
    followsRealTime =
        hours == below(HOURS_OF_DAY) || hasStep(parsed.retrieve(HOUR).getExpression());
    if ((!anyWeekday && isStepOfOne(parsed, DAY_OF_MONTH, 2))
        || (!anyDayOfMonth && isStepOfOne(parsed, DAY_OF_WEEK, 4))) {
      throw new IllegalArgumentException(
          "Some read */1 beside another day as every day, and others as *: write * if the other field"
              + " alone names the days.");
    }
  }

  private static boolean isAny(Cron parsed, CronFieldName field) {
    return parsed.retrieve(field).getExpression() instanceof Always;
  }

  private boolean isStepOfOne(Cron parsed, CronFieldName field, int place) {
    return isAny(parsed, field) && !field(place).equals("*");
  }

  private static SequencedMap<String, String> named() {
    var named = new LinkedHashMap<String, String>();
    named.put("@yearly", "0 0 1 1 *");
    named.put("@annually", "0 0 1 1 *");
    named.put("@monthly", "0 0 1 * *");
    named.put("@weekly", "0 0 * * 0");
    named.put("@daily", "0 0 * * *");
    named.put("@midnight", "0 0 * * *");
    named.put("@hourly", "0 * * * *");
    return Collections.unmodifiableSequencedMap(named);
  }

  /** The five of them, also of one that has a name. */
  private static String fields(String text) {
    var trimmed = text.trim();
    return NAMED.getOrDefault(trimmed, trimmed);
  }

  /** By its place from 0 on. */
  String field(int place) {
    return fields(text).split("\\s+")[place];
  }

  private static boolean hasStep(FieldExpression expression) {
    return switch (expression) {
      case Every ignored -> true;
      case And some -> some.getExpressions().stream().anyMatch(CronExpression::hasStep);
      default -> false;
    };
  }

  private static Cron parse(String text) {
    if (text.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException("A cron expression has at most 200 characters.");
    }
    try {
      return read(fields(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "This is no cron expression of minute, hour, day of month, month and day of week: "
              + flaw(text),
          e);
    }
  }

  private static Cron read(String text) {
    return new CronParser(FIELDS).parse(text).validate();
  }

  /** In our words: those of the library are about its classes. */
  private static String flaw(String text) {
    if (text.trim().startsWith("@")) {
      return "write five fields, or one of " + String.join(", ", NAMED.keySet()) + ".";
    }
    var fields = text.isBlank() ? new String[0] : text.trim().split("\\s+");
    if (fields.length != TAKEN.size()) {
      return "write five fields, and not " + fields.length + ".";
    }
    for (int place = 0; place < fields.length; place++) {
      var alone = new ArrayList<>(Collections.nCopies(fields.length, "*"));
      alone.set(place, fields[place]);
      if (!isRead(String.join(" ", alone))) {
        return "'" + fields[place] + "' is no " + TAKEN.get(place) + ".";
      }
    }
    return "write each field as numbers, ranges (1-5), steps (*/15), lists of these, or *.";
  }

  private static boolean isRead(String text) {
    try {
      read(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * What the values of a field lie between.
   *
   * @param last up to 59
   * @param values how many differ: both 0 and 7 are Sunday
   * @param lastDay what {@code L} stands for, where the field has it
   */
  private record Field(int first, int last, int values, int lastDay) {
    Field(int first, int last) {
      this(first, last, last - first + 1, last);
    }

    long values(Cron parsed, CronFieldName name) {
      return values(parsed.retrieve(name).getExpression());
    }

    /** Each the bit of its number. */
    long values(FieldExpression expression) {
      return switch (expression) {
        case Always ignored -> range(first, last, 1);
        case And some ->
            some.getExpressions().stream()
                .mapToLong(this::values)
                .reduce(0, (few, more) -> few | more);
        case Between range -> range(number(range.getFrom()), number(range.getTo()), 1);
        case Every every -> values(every.getExpression(), every.getPeriod().getValue());
        case On one -> value(one);
        default -> throw new IllegalStateException("No field has " + expression + ".");
      };
    }

    private long values(FieldExpression expression, int step) {
      return switch (expression) {
        case Between range -> range(number(range.getFrom()), number(range.getTo()), step);
        case On start -> range(start.getTime().getValue(), last, step);
        default -> range(first, last, step);
      };
    }

    /** {@code L-2} is two days before the last one. */
    private long value(On one) {
      if (one.getSpecialChar().getValue() == SpecialChar.L) {
        int day = lastDay - Math.max(0, one.getNth().getValue());
        return day < first ? 0 : 1L << day;
      }
      return range(one.getTime().getValue(), one.getTime().getValue(), 1);
    }

    private static int number(FieldValue<?> value) {
      return (Integer) value.getValue();
    }

    /** One that ends before it starts goes on at the beginning of the field. */
    private long range(int from, int to, int step) {
      int length = from <= to ? to - from : Math.floorMod(to - from, values);
      long bits = 0;
      for (int i = 0; i <= length; i += step) {
        bits |= 1L << (first + Math.floorMod(from - first + i, values));
      }
      return bits;
    }
  }

  private static long daysOfMonth(Cron parsed, int length) {
    return new Field(1, LONGEST_MONTH, LONGEST_MONTH, length).values(parsed, DAY_OF_MONTH)
        & below(length + 1);
  }

  /** Of a month that begins with a Monday, and so on behind it. */
  private static long weekdays(long fromSunday) {
    long week = fromSunday >>> 1 | (fromSunday & 1) << (DAYS_OF_WEEK - 1);
    long weeks = 0;
    for (int i = 0; i < Long.SIZE / DAYS_OF_WEEK; i++) {
      weeks |= week << (i * DAYS_OF_WEEK);
    }
    return weeks;
  }

  @Override
  public String text() {
    return text;
  }

  /**
   * Whether it names hours as they come, by a wildcard, a step or all of them, and not certain ones
   * of the day: an hour that the clock shows twice is two of them.
   */
  boolean followsRealTime() {
    return followsRealTime;
  }

  /** Those of an hour, ascending. */
  List<Integer> minutes() {
    return IntStream.range(0, MINUTES_OF_HOUR).filter(each -> has(minutes, each)).boxed().toList();
  }

  /** Those of a day, ascending. */
  List<Integer> hours() {
    return IntStream.range(0, HOURS_OF_DAY).filter(each -> has(hours, each)).boxed().toList();
  }

  /** The first after {@code minute}, exclusive; empty if none is to come. */
  OptionalLong after(long minute) {
    long from = minute + 1;
    long day = Math.floorDiv(from, MINUTES_OF_DAY);
    if (has(daysOf(LocalDate.ofEpochDay(day)), LocalDate.ofEpochDay(day).getDayOfMonth())) {
      int ofDay = fromMinuteOfDay(Math.floorMod(from, MINUTES_OF_DAY));
      if (ofDay < MINUTES_OF_DAY) {
        return OptionalLong.of(day * MINUTES_OF_DAY + ofDay);
      }
    }
    return dayAfter(day).stream()
        .map(next -> next * MINUTES_OF_DAY + fromMinuteOfDay(0))
        .findFirst();
  }

  /** The first of a day that is not before {@code minute}; the end of the day if there is none. */
  private int fromMinuteOfDay(int minute) {
    int hour = minute / MINUTES_OF_HOUR;
    long rest = minutes >>> (minute % MINUTES_OF_HOUR);
    if (has(hours, hour) && rest != 0) {
      return minute + Long.numberOfTrailingZeros(rest);
    }
    long later = hours >>> (hour + 1);
    return later == 0
        ? MINUTES_OF_DAY
        : (hour + 1 + Long.numberOfTrailingZeros(later)) * MINUTES_OF_HOUR
            + Long.numberOfTrailingZeros(minutes);
  }

  private OptionalLong dayAfter(long day) {
    var first = LocalDate.ofEpochDay(day + 1);
    long days = daysOf(first) & ~below(first.getDayOfMonth());
    var month = first.withDayOfMonth(1);
    for (int i = 0; i < MONTHS_TO_COME; i++) {
      if (days != 0) {
        return OptionalLong.of(month.toEpochDay() + Long.numberOfTrailingZeros(days) - 1);
      }
      month = month.plusMonths(1);
      days = daysOf(month);
    }
    return OptionalLong.empty();
  }

  /** How many there are after {@code minute}, exclusive, and up to {@code until}, inclusive. */
  long count(long minute, long until) {
    if (until <= minute) {
      return 0;
    }
    long first = Math.floorDiv(minute + 1, MINUTES_OF_DAY);
    long last = Math.floorDiv(until + 1, MINUTES_OF_DAY);
    long wholeDays = countDays(LocalDate.ofEpochDay(first), LocalDate.ofEpochDay(last));
    return wholeDays * countBefore(MINUTES_OF_DAY)
        - countOfDay(first, Math.floorMod(minute + 1, MINUTES_OF_DAY))
        + countOfDay(last, Math.floorMod(until + 1, MINUTES_OF_DAY));
  }

  /** From one day, inclusive, to another, exclusive. */
  private long countDays(LocalDate from, LocalDate end) {
    long count = -Long.bitCount(daysOf(from) & below(from.getDayOfMonth()));
    for (var month = from.withDayOfMonth(1);
        month.isBefore(end.withDayOfMonth(1));
        month = month.plusMonths(1)) {
      count += Long.bitCount(daysOf(month));
    }
    return count + Long.bitCount(daysOf(end) & below(end.getDayOfMonth()));
  }

  private long countOfDay(long day, int end) {
    var date = LocalDate.ofEpochDay(day);
    return has(daysOf(date), date.getDayOfMonth()) ? countBefore(end) : 0;
  }

  /** Of a day that is one of its days, before one of its minutes. */
  private long countBefore(int minuteOfDay) {
    int hour = minuteOfDay / MINUTES_OF_HOUR;
    long whole = (long) Long.bitCount(hours & below(hour)) * Long.bitCount(minutes);
    return has(hours, hour)
        ? whole + Long.bitCount(minutes & below(minuteOfDay % MINUTES_OF_HOUR))
        : whole;
  }

  /** Those of the month in which a day lies: if both days are restricted, either will do. */
  private long daysOf(LocalDate day) {
    if (!has(months, day.getMonthValue())) {
      return 0;
    }
    int length = day.getMonth().length(Year.isLeap(day.getYear()));
    long byDate = daysOfMonth[length - SHORTEST_MONTH];
    if (anyWeekday) {
      return byDate;
    }
    int firstWeekday =
        Math.floorMod(day.getDayOfWeek().ordinal() - day.getDayOfMonth() + 1, DAYS_OF_WEEK);
    long byWeekday = ((weekdays >>> firstWeekday) << 1) & below(length + 1);
    return anyDayOfMonth ? byWeekday : byDate | byWeekday;
  }

  /** All bits of lower places. */
  private static long below(int place) {
    return (1L << place) - 1;
  }

  private static boolean has(long bits, int place) {
    return ((bits >>> place) & 1) != 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CronExpression that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
