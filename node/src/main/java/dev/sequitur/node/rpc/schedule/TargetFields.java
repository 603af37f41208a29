package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Choice;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Refused;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.IntentDraft;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Target;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;

/** What a schedule is to run, and how it deals with lateness and failure. */
record TargetFields(PrivateCalls privateCalls) {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final int MOST_ATTEMPTS = 100;
  private static final String ONCE_WITHIN = "run-once ";

  private static final Field<AccountId> TO = Field.of("to", CommandFields.ACCOUNT, "who is paid");
  static final Field<Amount> AMOUNT = Field.of("amount", CommandFields.AMOUNT, "");
  static final Field<Bytes> MESSAGE =
      Field.of("message", CommandFields.MESSAGE, "what the queue's listeners are told");
  private static final Field<Duration> EVERY =
      Field.of("every", CommandFields.DURATION, "between the repetitions");
  private static final Field<Long> MORE =
      Field.of("more", CommandFields.NUMBER, "repetitions after the first");
  static final ObjectFormat TRANSFER = ObjectFormat.of("TransferRequest", TO, AMOUNT);
  static final ObjectFormat NOTIFY = ObjectFormat.of("NotifyRequest", MESSAGE);

  private static final Field<Choice<TargetKind>> ACTION =
      Field.of(
          "action",
          Choice.by("type", EnumSet.of(TargetKind.TRANSFER, TargetKind.NOTIFY)),
          "which schedules itself anew from inside its execution");

  static final ObjectFormat REPEAT = ObjectFormat.of("RepeatRequest", EVERY, MORE, ACTION);

  static final Format<Choice<TargetKind>> ANY = Choice.by("type", EnumSet.allOf(TargetKind.class));
  static final Field<Choice<TargetKind>> TARGET = Field.of("target", ANY, "what it runs");

  private static final Field<Long> AMOUNT_OF_EXECUTION =
      Field.of("amount", CommandFields.NUMBER, "may be 0");
  private static final ObjectFormat TRANSFER_OF_EXECUTION =
      ObjectFormat.of("PlanTransferRequest", TO, AMOUNT_OF_EXECUTION);

  /** A plan's execution may send nothing (PLN-11). */
  static final Format<Choice<TargetKind>> ANY_OF_EXECUTION =
      Choice.by(
          "type",
          EnumSet.allOf(TargetKind.class),
          kind -> kind == TargetKind.TRANSFER ? TRANSFER_OF_EXECUTION : kind.fields());

  static final Field<Choice<TargetKind>> TARGET_OF_EXECUTION =
      Field.of("target", ANY_OF_EXECUTION, "what it runs");
  static final Field<Sent> TRANSACTION =
      Field.of(
          "transaction",
          IntentDraft.SCHEDULED,
          "as ptx_sendTransaction takes it; `from` must be a member of the group whose key this"
              + " node holds");

  static final Field<Choice<TargetKind>> PUBLIC_TRANSACTION =
      Field.of(
          "transaction",
          Choice.by("type", EnumSet.of(TargetKind.PUBLIC)),
          "as ptx_sendTransaction takes a public one; `from` must be an identity of this node");

  private static final Field<Long> MAX_ATTEMPTS =
      Field.optional(
          "maxAttempts", CommandFields.NUMBER, "1 to 100; may be left out beside `pauses`");
  private static final Field<Duration> FIRST =
      Field.optional(
          "first", CommandFields.DURATION, "pause, which doubles each time (default: PT1S)");
  private static final Field<Duration> MOST =
      Field.optional("most", CommandFields.DURATION, "the longest pause (default: PT1M)");
  private static final Field<List<Duration>> PAUSES =
      Field.optional(
          "pauses",
          CommandFields.DURATION.list(MOST_ATTEMPTS - 1),
          "one after the other; the last holds for all that follow");
  private static final Format<RetryPolicy> RETRIES =
      ObjectFormat.of("RetryRequest", MAX_ATTEMPTS, FIRST, MOST, PAUSES)
          .as(TargetFields::retry, SigningShapes.RETRY);
  static final Field<RetryPolicy> RETRY =
      Field.or("retry", RETRIES, RetryPolicy.NEVER, "what failed is tried again");

  private static final Format<LatePolicy> POLICY =
      Format.of(
          "a word, a duration such as PT5M, or run-once with one",
          Words.LATE,
          TargetFields::readLate);

  /** Beyond the specifications. */
  static final Field<LatePolicy> LATE =
      late(
          "`as-specified`, `skip`, `run-once`, `run-all`, `expire-and-refund`, or a duration such"
              + " as `PT5M`, within which it still runs (`run-once PT5M`: only the newest)");

  static final Field<LatePolicy> LATE_OF_TASK =
      late(
          "`as-specified`, `skip`, `run-once`, `run-all`, or a duration such as `PT5M`, within"
              + " which it still runs (`run-once PT5M`: only the newest)");
  static final Field<LatePolicy> LATE_OF_EXECUTION =
      late(
          "`as-specified` (an overdue one waits for its requestor) or `expire-and-refund` (it is"
              + " refunded unasked)");

  /** Of a change: what is left out stays. */
  static final Field<Choice<TargetKind>> OTHER_TARGET =
      Field.optional("target", ANY, "what it runs from now on");

  static final Field<LatePolicy> OTHER_LATE = Field.optional("late", POLICY, "as at its creation");
  static final Field<RetryPolicy> OTHER_RETRY =
      Field.optional("retry", RETRIES, "as at its creation");

  private static Field<LatePolicy> late(String doc) {
    return Field.or("late", POLICY, LatePolicy.AS_SPECIFIED, doc);
  }

  Target target(Choice<TargetKind> choice) {
    var sent = choice.sent();
    return switch (choice.kind()) {
      case TRANSFER -> new Target.Transfer(sent.get(TO), sent.get(AMOUNT));
      case NOTIFY -> new Target.Notify(sent.get(MESSAGE));
      case PRIVATE -> privateCalls.read(sent);
      case PUBLIC -> privateCalls.readPublic(sent);
      case REPEAT -> repeat(sent);
    };
  }

  /** Of {@link #ANY_OF_EXECUTION}. */
  Target targetOfExecution(Choice<TargetKind> choice) {
    var sent = choice.sent();
    return choice.kind() == TargetKind.TRANSFER
        ? new Target.Transfer(sent.get(TO), new Amount(sent.get(AMOUNT_OF_EXECUTION)))
        : target(choice);
  }

  private Target repeat(Sent sent) {
    if (target(sent.get(ACTION)) instanceof Target.InQueue action) {
      int more = (int) Math.min(sent.get(MORE), Integer.MAX_VALUE);
      return new Target.Repeat(action, Math.max(1, sent.get(EVERY).toMillis()), more);
    }
    throw new IllegalStateException("Only what runs in the queue is read as an action.");
  }

  /** Nothing but a private transaction. */
  Target.PrivateCall privateCall(Sent transaction) {
    return privateCalls.read(transaction);
  }

  /**
   * Checks a private transaction that did not come as an object, as if it had.
   *
   * @param path of what it came as, for a complaint
   */
  void check(String path, Target.PrivateCall call) {
    JsonNode object;
    try {
      object = TargetShapes.PRIVATE.write(call);
    } catch (Refused e) {
      // Not the parser's own words: they would speak of the body.
      throw new RpcFailure(ErrorCode.WRONG_TYPE, path + " has inputs that are no JSON.");
    }
    privateCalls.read(IntentDraft.SCHEDULED.read(path, object));
  }

  private static LatePolicy readLate(String path, JsonNode node) {
    return Format.parse(path, Formats.TEXT.read(path, node), TargetFields::parseLate);
  }

  private static LatePolicy parseLate(String text) {
    return switch (text) {
      case "as-specified" -> LatePolicy.AS_SPECIFIED;
      case "skip" -> new LatePolicy.Skip();
      case "run-once" -> new LatePolicy.RunOnce();
      case "run-all" -> new LatePolicy.RunAll();
      case "expire-and-refund" -> new LatePolicy.ExpireAndRefund();
      default -> {
        if (text.startsWith(ONCE_WITHIN)) {
          yield new LatePolicy.RunOnceWithin(
              CommandFields.parseDuration(text.substring(ONCE_WITHIN.length())));
        } else if (!text.startsWith("P")) {
          throw new IllegalArgumentException(
              "Send as-specified, skip, run-once, run-all, expire-and-refund, a duration such as PT5M,"
                  + " or run-once PT5M.");
        }
        yield new LatePolicy.RunWithin(CommandFields.parseDuration(text));
      }
    };
  }

  private static RetryPolicy retry(Sent sent) {
    if (sent.has(PAUSES)) {
      sent.refuseBeside(PAUSES, FIRST, MOST);
      return retryAfter(sent, sent.get(PAUSES));
    }
    long attempts =
        sent.find(MAX_ATTEMPTS)
            .orElseThrow(() -> sent.wrong(MAX_ATTEMPTS, " is missing: send it, or pauses."));
    var first = sent.find(FIRST).orElse(FIRST_PAUSE);
    var most = sent.find(MOST).orElse(LONGEST_PAUSE.compareTo(first) < 0 ? first : LONGEST_PAUSE);
    if (attempts < 1 || attempts > MOST_ATTEMPTS || most.compareTo(first) < 0) {
      throw sent.wrong(
          " must have 1 to 100 maxAttempts, and a longest pause (most) not below the first.");
    }
    return new RetryPolicy((int) attempts, new Backoff(first, most));
  }

  /** So often that each pause comes once, unless it is said. */
  private static RetryPolicy retryAfter(Sent sent, List<Duration> pauses) {
    long attempts = sent.find(MAX_ATTEMPTS).orElse(pauses.size() + 1L);
    try {
      return RetryPolicy.after((int) Math.min(attempts, MOST_ATTEMPTS + 1), pauses);
    } catch (IllegalArgumentException e) {
      throw sent.wrong(": " + e.getMessage());
    }
  }
}
