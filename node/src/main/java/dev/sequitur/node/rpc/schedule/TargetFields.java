package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.LatePolicy;
import dev.sequitur.protocol.schedule.RetryPolicy;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.Proposal;
import dev.sequitur.protocol.schedule.family.Terms;
import java.time.Duration;

/** Reads what a schedule is to run, and how it deals with lateness and failure. */
final class TargetFields {
  static final String TARGET_DOC =
      " `target` is `{\"type\":\"transfer\",\"to\",\"amount\"}`,"
          + " `{\"type\":\"notify\",\"message\"}`, a private transaction as ptx_sendTransaction"
          + " takes it (`{\"type\":\"private\",\"from\",\"to\",\"function\",\"data\"}`; `from` must"
          + " be a member of the group whose key this node holds), or"
          + " `{\"type\":\"repeat\",\"action\",\"every\",\"more\"}`: a transfer or notification"
          + " that schedules itself anew from inside its execution.";
  private static final String RETRY_DOC =
      "or a duration such as `PT5M`, within which it still runs; `retry` is"
          + " `{\"maxAttempts\",\"first\",\"most\"}` with durations between which the pause doubles.";
  static final String POLICY_DOC =
      " Beyond the specification: `late` is `as-specified` (default), `skip`, `run-once`,"
          + " `run-all`, `expire-and-refund`, "
          + RETRY_DOC;

  /** Of a task, whose fees are not given back. */
  static final String TASK_POLICY_DOC = POLICY_DOC.replace(" `expire-and-refund`,", "");

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final int MOST_ATTEMPTS = 100;

  private final PrivateCalls privateCalls;

  TargetFields(PrivateCalls privateCalls) {
    this.privateCalls = privateCalls;
  }

  Proposal proposal(CommandFields command, AccountId owner, Terms terms, Target target) {
    return new Proposal(owner, terms, target, late(command.fields()), retry(command.fields()));
  }

  Target target(Fields fields, String name) {
    var target =
        fields
            .fields(name)
            .orElseThrow(
                () ->
                    new RpcFailure(
                        ErrorCode.WRONG_TYPE,
                        fields.pathOf(name)
                            + " is missing: send an object with a type of transfer, notify, private"
                            + " or repeat."));
    return switch (target.requiredText("type")) {
      case "private" -> privateCalls.read(target);
      case "repeat" -> repeat(target);
      default -> action(target, "transfer, notify, private or repeat");
    };
  }

  /** Nothing but a private transaction. */
  Target.PrivateCall privateCall(Fields fields, String name) {
    return privateCalls.read(
        fields
            .fields(name)
            .orElseThrow(
                () ->
                    new RpcFailure(
                        ErrorCode.WRONG_TYPE,
                        fields.pathOf(name)
                            + " is missing: send the object of ptx_sendTransaction.")));
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
    } catch (RpcFailure e) {
      // Not the parser's own words: they would speak of the body.
      throw new RpcFailure(ErrorCode.WRONG_TYPE, path + " has inputs that are no JSON.");
    }
    privateCalls.read(new Fields(path, object));
  }

  /**
   * @param types that may stand there, for a complaint
   */
  private static Target.InQueue action(Fields target, String types) {
    return switch (target.requiredText("type")) {
      case "transfer" ->
          new Target.Transfer(
              new CommandFields(target).account("to"), new CommandFields(target).amount("amount"));
      case "notify" -> new Target.Notify(message(target, "message"));
      default ->
          throw new RpcFailure(
              ErrorCode.WRONG_TYPE, target.pathOf("type") + " must be " + types + ".");
    };
  }

  private static Target repeat(Fields target) {
    var action =
        target
            .fields("action")
            .orElseThrow(
                () ->
                    new RpcFailure(
                        ErrorCode.WRONG_TYPE,
                        target.pathOf("action") + " is missing: send a transfer or notify."));
    var command = new CommandFields(target);
    var every =
        command
            .duration("every")
            .orElseThrow(
                () ->
                    new RpcFailure(
                        ErrorCode.WRONG_TYPE,
                        target.pathOf("every") + " is missing: send a duration such as PT1H."));
    long more = Math.min(command.number("more"), Integer.MAX_VALUE);
    return new Target.Repeat(
        action(action, "transfer or notify"), Math.max(1, every.toMillis()), (int) more);
  }

  /** Text; or bytes, as 0x and hexadecimal digits. */
  static Bytes message(Fields fields, String name) {
    var text = fields.requiredText(name);
    if (!text.startsWith("0x")) {
      return Bytes.utf8(text);
    }
    try {
      return Bytes.hex(text);
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          fields.pathOf(name) + " starts with 0x, but hexadecimal digits do not follow.");
    }
  }

  static LatePolicy late(Fields fields) {
    return fields.parsed("late", TargetFields::parseLate).orElse(LatePolicy.AS_SPECIFIED);
  }

  private static LatePolicy parseLate(String text) {
    return switch (text) {
      case "as-specified" -> LatePolicy.AS_SPECIFIED;
      case "skip" -> new LatePolicy.Skip();
      case "run-once" -> new LatePolicy.RunOnce();
      case "run-all" -> new LatePolicy.RunAll();
      case "expire-and-refund" -> new LatePolicy.ExpireAndRefund();
      default -> {
        if (!text.startsWith("P")) {
          throw new IllegalArgumentException(
              "Send as-specified, skip, run-once, run-all, expire-and-refund, or a duration such as"
                  + " PT5M.");
        }
        yield new LatePolicy.RunWithin(CommandFields.parseDuration(text));
      }
    };
  }

  /** Of the field {@code retry}; without it, what failed is not tried again. */
  static RetryPolicy retry(Fields fields) {
    return fields
        .fields("retry")
        .map(CommandFields::new)
        .map(TargetFields::readRetry)
        .orElse(RetryPolicy.NEVER);
  }

  private static RetryPolicy readRetry(CommandFields retry) {
    long attempts = retry.number("maxAttempts");
    var first = retry.duration("first").orElse(FIRST_PAUSE);
    var most =
        retry.duration("most").orElse(LONGEST_PAUSE.compareTo(first) < 0 ? first : LONGEST_PAUSE);
    if (attempts < 1 || attempts > MOST_ATTEMPTS || most.compareTo(first) < 0) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          retry.fields().path()
              + " must have 1 to 100 maxAttempts, and a longest pause (most) not below the first.");
    }
    return new RetryPolicy((int) attempts, new Backoff(first, most));
  }
}
