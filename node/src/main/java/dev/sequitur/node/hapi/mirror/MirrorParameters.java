package dev.sequitur.node.hapi.mirror;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.multisignature.EntityRange;
import dev.sequitur.schedule.multisignature.TimeRange;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What stands behind the question mark of a request, by the names of a mirror node. */
final class MirrorParameters {
  private static final int DEFAULT_LIMIT = 25;

  /** How often one is repeated at most: twice makes a range. */
  private static final int MOST_REPEATED = 2;

  private static final Pattern ENTITY = Pattern.compile("(?:0\\.){0,2}([0-9]{1,10})");
  private static final Pattern COMPARED =
      Pattern.compile("(?:(eq|gte?|lte?):)?((?:0\\.){0,2}[0-9]{1,10})");
  private static final Pattern LIMIT = Pattern.compile("[0-9]{1,9}");
  private static final Pattern AMOUNT = Pattern.compile("(?:(eq|ne|gte?|lte?):)?([0-9]{1,18})");
  private static final Pattern KEY = Pattern.compile("(?:[0-9a-f]{2}){32,33}");
  private static final Pattern TIME =
      Pattern.compile("(?:(eq|gte?|lte?):)?([0-9]{1,10})(?:\\.([0-9]{1,9}))?");
  private static final ConsensusTime LAST = new ConsensusTime(Long.MAX_VALUE - 1);
  private static final Pattern NONCE = Pattern.compile("[0-9]{1,10}");

  private final Map<String, List<String>> values;

  private MirrorParameters(Map<String, List<String>> values) {
    this.values = values;
  }

  /** A name and its value, as they were sent. */
  record Sent(String name, String value) {}

  /**
   * @param known names that the request may have
   * @throws MirrorFailure if there is another one, or one too often
   */
  static MirrorParameters of(List<Sent> sent, Set<String> known) {
    var values = new TreeMap<String, List<String>>();
    for (var each : sent) {
      if (!known.contains(each.name())) {
        throw MirrorFailure.unknown(each.name());
      }
      var all = values.computeIfAbsent(each.name(), name -> new ArrayList<>());
      all.add(each.value());
      if (all.size() > MOST_REPEATED) {
        throw MirrorFailure.invalid(each.name());
      }
    }
    return new MirrorParameters(values);
  }

  /** The only value. */
  private Optional<String> find(String name) {
    var all = values.getOrDefault(name, List.of());
    if (all.size() > 1) {
      throw MirrorFailure.invalid(name);
    }
    return all.stream().findFirst();
  }

  /** More than there can be on a page are as many as there can be. */
  int limit() {
    var limit = find("limit").orElse(Integer.toString(DEFAULT_LIMIT));
    int number = LIMIT.matcher(limit).matches() ? Integer.parseInt(limit) : 0;
    if (number < 1) {
      throw MirrorFailure.invalid("limit");
    }
    return Math.min(number, EntityRange.MOST);
  }

  boolean isDescending(boolean otherwise) {
    return find("order")
        .map(order -> order.toLowerCase(Locale.ROOT))
        .map(
            order ->
                switch (order) {
                  case "asc" -> false;
                  case "desc" -> true;
                  default -> throw MirrorFailure.invalid("order");
                })
        .orElse(otherwise);
  }

  boolean flag(String name, boolean otherwise) {
    return find(name)
        .map(
            value ->
                switch (value.toLowerCase(Locale.ROOT)) {
                  case "true" -> true;
                  case "false" -> false;
                  default -> throw MirrorFailure.invalid(name);
                })
        .orElse(otherwise);
  }

  Optional<Boolean> findFlag(String name) {
    return find(name).isEmpty() ? Optional.empty() : Optional.of(flag(name, false));
  }

  /** Unsigned, as it is stored. */
  Optional<Integer> nonce() {
    return find("nonce")
        .map(
            value -> {
              long number = NONCE.matcher(value).matches() ? Long.parseLong(value) : -1;
              if (number < 0 || number > 0xffff_ffffL) {
                throw MirrorFailure.invalid("nonce");
              }
              return (int) number;
            });
  }

  /** Numbers between those that the parameter is compared with; of two both hold. */
  EntityRange range(String name, boolean descending) {
    long from = 0;
    long to = Long.MAX_VALUE;
    for (var value : values.getOrDefault(name, List.of())) {
      var compared = COMPARED.matcher(value);
      if (!compared.matches()) {
        throw MirrorFailure.invalid(name);
      }
      long number = entity(compared.group(2)).orElseThrow().number();
      switch (compared.group(1) == null ? "eq" : compared.group(1)) {
        case "gt" -> from = Math.max(from, number + 1);
        case "gte" -> from = Math.max(from, number);
        case "lt" -> to = Math.min(to, number - 1);
        case "lte" -> to = Math.min(to, number);
        default -> {
          from = Math.max(from, number);
          to = Math.min(to, number);
        }
      }
    }
    // Below nothing there is nothing: an empty range.
    return to < 0
        ? new EntityRange(new EntityId(1), new EntityId(0), descending, limit())
        : new EntityRange(new EntityId(from), new EntityId(to), descending, limit());
  }

  /** Times between those that the parameter is compared with; of two both hold. */
  TimeRange times(String name, boolean descending) {
    long from = 0;
    long to = LAST.nanos();
    for (var value : values.getOrDefault(name, List.of())) {
      var compared = TIME.matcher(value);
      if (!compared.matches()) {
        throw MirrorFailure.invalid(name);
      }
      long time = nanos(compared.group(2), compared.group(3));
      switch (compared.group(1) == null ? "eq" : compared.group(1)) {
        case "gt" -> from = Math.max(from, time + 1);
        case "gte" -> from = Math.max(from, time);
        case "lt" -> to = Math.min(to, time - 1);
        case "lte" -> to = Math.min(to, time);
        default -> {
          from = Math.max(from, time);
          to = Math.min(to, time);
        }
      }
    }
    // Before the first moment there is nothing: an empty range.
    return to < 0
        ? new TimeRange(new ConsensusTime(1), ConsensusTime.ZERO, descending, limit())
        : new TimeRange(new ConsensusTime(from), new ConsensusTime(to), descending, limit());
  }

  /** What is behind the end of all time is its end. */
  private static long nanos(String seconds, String fraction) {
    long whole = Long.parseLong(seconds);
    if (whole >= ConsensusTime.END.getEpochSecond()) {
      return LAST.nanos();
    }
    var digits = fraction == null ? "" : fraction;
    return ConsensusTime.ofSeconds(whole).nanos()
        + Long.parseLong(digits + "0".repeat(9 - digits.length()));
  }

  /** Whether a code is one that is asked for, which each is if none is. */
  Predicate<ResponseCode> result(String name) {
    var value = find(name).map(text -> text.toLowerCase(Locale.ROOT));
    if (value.isEmpty()) {
      return any -> true;
    }
    return switch (value.get()) {
      case "success" -> code -> code == ResponseCode.SUCCESS;
      case "fail" -> code -> code != ResponseCode.SUCCESS && code != ResponseCode.OK;
      default -> throw MirrorFailure.invalid(name);
    };
  }

  /**
   * Whether an amount is one that is asked for, which every one is that is compared with nothing.
   */
  LongPredicate compared(String name) {
    var value = find(name);
    if (value.isEmpty()) {
      return any -> true;
    }
    var compared = AMOUNT.matcher(value.get());
    if (!compared.matches()) {
      throw MirrorFailure.invalid(name);
    }
    long number = Long.parseLong(compared.group(2));
    return switch (compared.group(1) == null ? "eq" : compared.group(1)) {
      case "gt" -> amount -> amount > number;
      case "gte" -> amount -> amount >= number;
      case "lt" -> amount -> amount < number;
      case "lte" -> amount -> amount <= number;
      case "ne" -> amount -> amount != number;
      default -> amount -> amount == number;
    };
  }

  /** Whether a key is the one that is asked for, if one is. */
  Predicate<AccountKey> publicKey(String name) {
    var value = find(name).map(text -> text.toLowerCase(Locale.ROOT));
    if (value.isEmpty()) {
      return any -> true;
    } else if (!KEY.matcher(value.get()).matches()) {
      throw MirrorFailure.invalid(name);
    }
    var asked = Bytes.hex(value.get());
    return key -> key instanceof PublicKey single && single.value().equals(asked);
  }

  /** The one that the parameter names. */
  Optional<EntityId> entityOf(String name) {
    return find(name)
        .map(
            value ->
                entity(value.startsWith("eq:") ? value.substring(3) : value)
                    .orElseThrow(() -> MirrorFailure.invalid(name)));
  }

  /** {@code 0.0.7}, {@code 0.7} or {@code 7}. */
  static Optional<EntityId> entity(String text) {
    var matcher = ENTITY.matcher(text);
    return matcher.matches()
        ? Optional.of(new EntityId(Long.parseLong(matcher.group(1))))
        : Optional.empty();
  }

  /**
   * The way to the page behind an id, with all else that was asked for.
   *
   * @param paged the parameter that it is paged by
   */
  String next(String path, String paged, String last, boolean descending) {
    var all = new ArrayList<String>();
    values.forEach(
        (name, sent) ->
            sent.stream()
                .filter(value -> !name.equals(paged) || isOtherBound(value, descending))
                .forEach(value -> all.add(name + "=" + value)));
    all.add(paged + "=" + (descending ? "lt:" : "gt:") + last);
    return path + "?" + String.join("&", all);
  }

  /** The end that the pages go to stays. */
  private static boolean isOtherBound(String value, boolean descending) {
    return value.startsWith(descending ? "gt" : "lt");
  }
}
