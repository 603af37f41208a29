package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.schedule.Target;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a schedule runs. */
final class TargetShapes {
  private TargetShapes() {}

  /** By which alternatives are told apart, as callers send them. */
  private static final Shape<Target> TYPE =
      Shape.words("a word", "transfer").of(target -> TargetKind.of(target).orElseThrow().word());

  private static final ObjectShape<Target.Transfer> TRANSFER =
      ObjectShape.<Target.Transfer>named("TransferTarget")
          .with("type", TYPE, target -> target)
          .with("to", Words.ACCOUNT, Target.Transfer::to)
          .with("amount", Words.DIGITS, Target.Transfer::amount);

  private static final ObjectShape<Target.Notify> NOTIFY =
      ObjectShape.<Target.Notify>named("NotifyTarget")
          .with("type", TYPE, target -> target)
          .with("message", Words.MESSAGE, Target.Notify::message);

  private static final Shape<Target.InQueue> ACTION =
      Shape.oneOf(List.of(TRANSFER, NOTIFY), action -> target(action));

  private static final ObjectShape<Target.Repeat> REPEAT =
      ObjectShape.<Target.Repeat>named("RepeatTarget")
          .with("type", TYPE, target -> target)
          .with("every", Words.DURATION, repeat -> Duration.ofMillis(repeat.everyMillis()))
          .with("more", Shape.NUMBER, Target.Repeat::more, "repetitions that are left")
          .with("action", ACTION, Target.Repeat::action);

  static final ObjectShape<Target.PrivateCall> PRIVATE =
      ObjectShape.<Target.PrivateCall>named("PrivateTarget")
          .with("type", TYPE, target -> target)
          .with("domain", Formats.NAME, Target.PrivateCall::domain)
          .with("from", Formats.IDENTITY, Target.PrivateCall::from)
          .with("to", Formats.ADDRESS, Target.PrivateCall::contract)
          .with("function", Formats.NAME, Target.PrivateCall::function)
          .with("data", Shape.ANY, call -> JsonText.parse(call.inputs().toByteArray()));

  private static final ObjectShape<Target.PublicCall> PUBLIC =
      ObjectShape.<Target.PublicCall>named("PublicTarget")
          .with("type", TYPE, target -> target)
          .with("from", Formats.IDENTITY, Target.PublicCall::from)
          .maybe("to", Formats.ADDRESS, Target.PublicCall::to, "none if it makes a contract")
          .maybe("function", Formats.NAME, call -> call.source().function())
          .with("data", Formats.HEX, Target.PublicCall::data, "as it goes to the chain")
          .with("value", Formats.TEXT, call -> call.value().toString(), "in decimal digits")
          .maybe(
              "gas",
              Shape.NUMBER,
              call -> Optional.of(call.gas()).filter(gas -> gas > 0),
              "if its caller has said how much it may use");

  static final Shape<Target> TARGET =
      Shape.oneOf(List.of(TRANSFER, NOTIFY, REPEAT, PRIVATE, PUBLIC), TargetShapes::target);

  private static JsonNode target(Target target) {
    return switch (target) {
      case Target.Transfer transfer -> TRANSFER.write(transfer);
      case Target.Notify notify -> NOTIFY.write(notify);
      case Target.Repeat repeat -> REPEAT.write(repeat);
      case Target.PrivateCall call -> PRIVATE.write(call);
      case Target.PublicCall call -> PUBLIC.write(call);
      case Target.ByFamily() ->
          throw new IllegalStateException("Only its family knows what this runs.");
    };
  }
}
