package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.text.Counted;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What a node answers, in lines for people. */
final class ScheduleText {
  private ScheduleText() {}

  /** A table of a page of schedules. */
  static String list(JsonNode page) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("ID", "OWNER", "STATE", "WHEN", "WHAT"));
    for (var schedule : page.get("schedules")) {
      rows.add(
          List.of(
              schedule.path("id").asText(),
              schedule.path("owner").asText(),
              schedule.path("state").asText(),
              when(schedule),
              labelled(schedule)));
    }
    var table = rows.size() == 1 ? "Nothing waits or runs." : table(rows);
    var next = page.path("next");
    return next.isNull() ? table : table + "\nMore: --after " + next.asText();
  }

  /** A table of multi-signature schedules that wait for a key. */
  static String pending(JsonNode page) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("ID", "CREATOR", "UNTIL", "NONCE", "MEMO", "WHAT"));
    for (var schedule : page.get("schedules")) {
      rows.add(
          List.of(
              schedule.path("scheduleID").asText(),
              schedule.path("creatorAccountID").asText(),
              schedule.path("expiry").asText(),
              schedule.path("nonce").asText(),
              memos(schedule),
              done(schedule.path("does"))));
    }
    var table = rows.size() == 1 ? "Nothing waits for this key." : table(rows);
    var next = page.path("next");
    return next.isNull() ? table : table + "\nMore: --after " + next.asText();
  }

  /** A table of a page of outcomes. */
  static String outcomes(JsonNode page) {
    var rows = new ArrayList<List<String>>();
    rows.add(
        List.of(
            "NUMBER",
            "AT",
            "OUTCOME",
            "OWNER",
            "WHAT",
            "ID",
            "OCCURRENCE",
            "CHARGED",
            "BACK",
            "RAN"));
    for (var outcome : page.get("outcomes")) {
      rows.add(
          List.of(
              outcome.path("number").asText(),
              outcome.path("at").asText(),
              outcome.path("outcome").asText(),
              outcome.path("owner").asText(),
              RunText.said(outcome),
              outcome.path("schedule").asText(),
              outcome.path("incarnation").asText() + "/" + outcome.path("occurrence").asText(),
              outcome.at("/cost/charged").asText(),
              outcome.at("/cost/refunded").asText(),
              ran(outcome)));
    }
    var table = rows.size() == 1 ? "Nothing has ended from there on." : table(rows);
    var older = page.path("forgotten").asBoolean() ? "Older ones are not kept any more.\n" : "";
    return older + table + "\nGo on with --from " + page.path("next").asText() + ".";
  }

  /** A line for each event, and where to go on. */
  static String events(JsonNode page) {
    var lines = eventLines(page);
    return (lines.isEmpty() ? "Nothing has happened from there on." : lines)
        + "\nGo on with --from "
        + page.path("next").asText()
        + ".";
  }

  /** A line for each event. */
  static String eventLines(JsonNode page) {
    var lines = new ArrayList<String>();
    page.path("events").forEach(event -> lines.add(event(event)));
    return String.join("\n", lines);
  }

  private static String event(JsonNode event) {
    var type = event.path("type").asText();
    if (type.equals("forgotten")) {
      return "up to " + event.path("upTo").asText() + ": not kept any more";
    }
    var said =
        switch (type) {
          case "ended" -> RunText.of(event);
          case "intervened" -> intervention(event);
          case "parked" -> event.path("owner").asText() + "'s waits: " + event.path("why").asText();
          case "shutdown" -> "nothing is left of " + event.path("family").asText();
          default -> type;
        };
    return "%s  %s  %s  %s"
        .formatted(
            event.path("number").asText(),
            event.path("at").asText(),
            event.path("schedule").asText("-"),
            said)
        .strip();
  }

  /** What somebody has done to a schedule by hand, and why. */
  static String intervention(JsonNode done) {
    var note = done.path("note").asText();
    return "%s by %s%s"
        .formatted(
            done.path("did").asText(),
            done.path("by").asText(),
            note.isEmpty() ? "" : " (" + note + ")");
  }

  /**
   * A table of what an account was paid and has paid, and what it has. What was only set aside, or
   * is not any more, has no sign: the account has it before and after.
   */
  static String statement(String account, JsonNode statement) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("NUMBER", "AT", "KIND", "AMOUNT", "WITH", "SCHEDULE", "WHAT"));
    for (var line : statement.get("lines")) {
      var kind = line.path("kind").asText();
      rows.add(
          List.of(
              line.path("number").asText(),
              line.path("at").asText(),
              kind,
              sign(kind) + line.path("amount").asText(),
              line.path("with").asText(),
              line.path("schedule").asText(),
              line.path("what").asText()));
    }
    var table = rows.size() == 1 ? "Nothing has moved its money from there on." : table(rows);
    var older =
        statement.path("forgotten").asBoolean() ? "Older lines are not kept any more.\n" : "";
    var before =
        statement.has("broughtForward")
            ? "Before these lines it had " + statement.path("broughtForward").asText() + ".\n"
            : "";
    return "%s%s%s\n%s can spend %s, and %s more is set aside. Go on with --from %s%s."
        .formatted(
            older,
            before,
            table,
            account,
            statement.path("available").asText(),
            statement.path("held").asText(),
            statement.path("next").asText(),
            statement.has("nextOthers")
                ? " --from-others "
                    + StreamSupport.stream(statement.path("nextOthers").spliterator(), false)
                        .map(JsonNode::asText)
                        .collect(Collectors.joining(","))
                : "");
  }

  private static String sign(String kind) {
    return switch (kind) {
      case "funded", "received" -> "+";
      case "set-aside", "given-back" -> "";
      default -> "-";
    };
  }

  /** A table of the plans, and who is paid. */
  static String plans(JsonNode offer) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("PLAN", "PRICE", "TOKEN", "WINDOW", "GAS", "SOLD"));
    for (var plan : offer.get("plans")) {
      rows.add(
          List.of(
              plan.path("plan").asText(),
              plan.path("price").asText(),
              token(plan),
              plan.path("window").asText() + " s",
              plan.path("gasLimit").asText(),
              plan.path("active").asBoolean() ? "yes" : "no"));
    }
    var table = rows.size() == 1 ? "No plan was added yet." : table(rows);
    return table + "\nPaid to " + offer.path("payee").asText() + ".";
  }

  /** The id that an execution will have, and what it is computed from. */
  static String hash(JsonNode hashed) {
    return "%s\n  to         %s\n  data       %s\n  execution  %s"
        .formatted(
            hashed.path("id").asText(),
            hashed.path("to").asText(),
            hashed.path("data").asText(),
            hashed.path("execution").asText());
  }

  /** In which a plan is paid. */
  static String token(JsonNode plan) {
    var token = plan.path("token").asText();
    return token.equals("0x0") ? "-" : token;
  }

  /** How much there is, and a table of the families. */
  static String overview(JsonNode overview) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("FAMILY", "SERVICE", "WAITING", "PROFILE"));
    for (var family : overview.path("families")) {
      rows.add(
          List.of(
              family.path("family").asText(),
              family.path("service").asText(),
              family.path("waiting").asText(),
              family.path("profile").asText("")));
    }
    return "%s there, %s of them executing; %s ever taken. The queue's clock: %s."
            .formatted(
                Counted.of(overview.path("schedules").asLong(), "schedule is", "schedules are"),
                overview.path("executing").asText(),
                Counted.of(overview.path("admissions").asLong(), "was", "were"),
                overview.path("clock").asText())
        + "\n"
        + table(rows)
        + partitions(overview.path("partitions"));
  }

  private static String partitions(JsonNode partitions) {
    if (partitions.isEmpty()) {
      return "";
    }
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("PARTITION", "SCHEDULES", "EXECUTING", "WAITING", "FIRST DUE"));
    for (var each : partitions) {
      rows.add(
          List.of(
              each.path("index").asText(),
              each.path("schedules").asText(),
              each.path("executing").asText(),
              each.path("waiting").asText(),
              each.hasNonNull("firstDue") ? each.path("firstDue").asText() : "-"));
    }
    return "\n" + table(rows);
  }

  /** A table of slots that are free. */
  static String slots(JsonNode free) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("FROM", "TAKEN", "PRICE"));
    for (var slot : free) {
      rows.add(
          List.of(
              slot.path("from").asText(),
              slot.path("taken").asText() + " of " + slot.path("capacity").asText(),
              slot.path("price").asText()));
    }
    return rows.size() == 1 ? "No slot within the horizon takes a task." : table(rows);
  }

  /** That of the body, which its signers sign, and that of the schedule. */
  private static String memos(JsonNode terms) {
    return Stream.of("memo", "scheduleMemo")
        .map(field -> terms.path(field).asText())
        .filter(memo -> !memo.isEmpty())
        .map(memo -> '"' + memo + '"')
        .collect(Collectors.joining(" "));
  }

  /** What a multi-signature schedule does. */
  static String done(JsonNode does) {
    if (does.has("transfers")) {
      var rows = new ArrayList<String>();
      does.get("transfers")
          .forEach(
              row -> rows.add(row.path("account").asText() + " " + row.path("amount").asText()));
      return String.join(", ", rows);
    } else if (does.has("transaction")) {
      return what(does.get("transaction"));
    } else if (does.has("changed")) {
      return "changes " + does.get("changed").asText() + " to " + does.path("change");
    }
    return does.has("account") ? "opens an account" : "";
  }

  /** The next time, and what comes after it. */
  static String when(JsonNode schedule) {
    return when(schedule, Optional.empty());
  }

  /**
   * The same.
   *
   * @param zone by whose clock the next time is shown, too
   */
  static String when(JsonNode schedule, Optional<ZoneId> zone) {
    var terms = schedule.path("terms");
    var parts = new ArrayList<String>();
    if (schedule.hasNonNull("next")) {
      parts.add(WrittenMoment.shown(Instant.parse(schedule.get("next").asText()), zone));
    } else if (terms.has("expiry")) {
      parts.add("until " + terms.get("expiry").asText());
    }
    if (terms.has("times")) {
      long more = terms.get("times").size() - schedule.path("occurrence").asLong() - 1;
      if (more > 0) {
        parts.add("and " + more + " more");
      }
    } else if (terms.has("cron")) {
      parts.add("by " + terms.get("cron").asText() + " " + terms.path("zone").asText());
    } else if (terms.has("frequency")) {
      parts.add("every " + WrittenMoment.spanText(terms.get("frequency").asText()));
    }
    return String.join(" ", parts);
  }

  /** What a schedule runs. */
  static String runs(JsonNode schedule) {
    var terms = schedule.path("terms");
    return terms.has("does") ? done(terms.path("does")) : what(schedule.path("target"));
  }

  /** The same, and its labels. */
  static String labelled(JsonNode schedule) {
    return schedule.has("labels") ? runs(schedule) + " [" + labels(schedule) + "]" : runs(schedule);
  }

  /** All that it has, in one line. */
  static String labels(JsonNode schedule) {
    var labels = new ArrayList<String>();
    schedule.path("labels").forEach(label -> labels.add(label.asText()));
    return String.join(", ", labels);
  }

  /** What a target does. */
  static String what(JsonNode target) {
    return switch (target.path("type").asText()) {
      case "transfer" ->
          "pays " + target.path("amount").asText() + " to " + target.path("to").asText();
      case "notify" -> "says \"" + target.path("message").asText() + "\"";
      case "private" ->
          "%s of %s from %s"
              .formatted(
                  target.path("function").asText(),
                  target.path("to").asText(),
                  target.path("from").asText());
      case "public" ->
          "%s of %s from %s"
              .formatted(
                  target.path("function").asText(target.has("to") ? "a call" : "the making"),
                  target.path("to").asText("a contract"),
                  target.path("from").asText());
      case "contract-call" -> "calls " + target.path("to").asText();
      case "repeat" ->
          what(target.path("action"))
              + " every "
              + WrittenMoment.spanText(target.path("every").asText());
      default -> target.path("type").asText();
    };
  }

  /** Why it has not run, and what happened to it. */
  static String explanation(JsonNode explanation) {
    var text = new StringBuilder(explanation.path("why").asText());
    if (explanation.has("transaction")) {
      text.append("\n  transaction ").append(explanation.get("transaction").asText());
    }
    for (var recorded : explanation.path("history")) {
      text.append(
          "\n  %s  %s of incarnation %d: %s"
              .formatted(
                  recorded.path("at").asText(),
                  occurrences(recorded),
                  recorded.path("incarnation").asLong(),
                  recorded.path("outcome").asText()));
      var note = recorded.path("note").asText();
      text.append(note.isEmpty() ? "" : " (" + note + ")");
      Stream.of(
              Stream.of(runs(recorded) + wanted(recorded)),
              attempts(recorded),
              Stream.of(cost(recorded.path("cost")), ran(recorded)))
          .flatMap(Function.identity())
          .filter(line -> !line.isEmpty())
          .forEach(line -> text.append("\n    ").append(line));
    }
    return text.toString();
  }

  private static String wanted(JsonNode recorded) {
    return recorded.has("asked") ? ", wanted at " + recorded.get("asked").asText() : "";
  }

  /** A line for each, with how late it was and why it failed. */
  private static Stream<String> attempts(JsonNode recorded) {
    var lines = new ArrayList<String>();
    for (var attempt : recorded.path("attempts")) {
      var late = attempt.has("lateMs") ? ", " + RunText.late(attempt) : "";
      var reason = attempt.has("reason") ? ": " + attempt.get("reason").asText() : "";
      lines.add(
          "attempt %d at %s%s%s"
              .formatted(lines.size() + 1, attempt.path("at").asText(), late, reason));
    }
    return lines.stream();
  }

  /** Of one that is for several, all of them. */
  private static String occurrences(JsonNode recorded) {
    long first = recorded.path("occurrence").asLong();
    long count = recorded.path("occurrences").asLong(1);
    return count == 1
        ? "occurrence " + first
        : "occurrences %d to %d".formatted(first, first + count - 1);
  }

  /** Nothing if nothing was paid or held. */
  static String cost(JsonNode cost) {
    var parts = new ArrayList<String>();
    if (cost.path("gasUnitPrice").asLong() > 0) {
      parts.add(
          "charged %s: %s gas at %s each"
              .formatted(
                  cost.path("charged").asText(),
                  cost.path("gasUsed").asText(),
                  cost.path("gasUnitPrice").asText()));
    } else if (cost.path("charged").asLong() > 0) {
      parts.add("charged " + cost.path("charged").asText());
    }
    if (cost.path("refunded").asLong() > 0) {
      parts.add(cost.path("refunded").asText() + " given back");
    }
    return String.join(", ", parts);
  }

  /** What an outcome leads to. */
  static String ran(JsonNode recorded) {
    if (recorded.has("transaction")) {
      return "transaction " + recorded.get("transaction").asText();
    }
    return recorded.has("rescheduledAs")
        ? "scheduled anew as " + recorded.get("rescheduledAs").asText()
        : "";
  }

  /** Columns as wide as their widest cell; the last one is not padded. */
  static String table(List<List<String>> rows) {
    int columns = rows.get(0).size();
    var widths = new int[columns];
    for (var row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream()
        .map(
            row -> {
              var line = new StringBuilder();
              for (int i = 0; i < columns - 1; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
              }
              return line.append(row.get(columns - 1)).toString().stripTrailing();
            })
        .collect(Collectors.joining("\n"));
  }
}
