package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.console.Values;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What becomes of a schedule that is late or fails, beyond what its family's text says. Each family
 * offers the late policies that it takes.
 */
abstract class PolicyOptions {
  @Mixin private RetryOptions retry;

  /** What becomes of a schedule that fails. */
  static final class RetryOptions {
    @Option(
        names = "--attempts",
        paramLabel = "N",
        converter = Attempts.class,
        description = "How often it is tried if it fails, with growing pauses (default: once).")
    private Long attempts;

    @Option(
        names = "--pause",
        paramLabel = "SPAN",
        converter = WrittenMoment.Span.class,
        description =
            "The pause after a failed attempt, such as 5m; several --pause hold one after the other,"
                + " and the last for all that follow (default: growing ones).")
    private List<String> pauses = List.of();

    /** As many as a schedule may have. */
    static final class Attempts implements ITypeConverter<Long> {
      private static final int MOST = 100;

      @Override
      public Long convert(String text) {
        return Values.wholeNumber(text, 1, MOST);
      }
    }

    /** Adds what was said to a command. */
    void addTo(ObjectNode command) {
      if (attempts != null || !pauses.isEmpty()) {
        var retry = command.putObject("retry");
        if (attempts != null) {
          retry.put("maxAttempts", attempts);
        }
        if (!pauses.isEmpty()) {
          var list = retry.putArray("pauses");
          pauses.forEach(list::add);
        }
      }
    }
  }

  /** As JSON-RPC has it; null if nothing was said. */
  abstract String late();

  /** Adds what was said to a command. */
  final void addTo(ObjectNode command) {
    NodeOptions.put(command, "late", late());
    retry.addTo(command);
  }

  /** Of a gas-priority transaction, which expires otherwise. */
  static final class OfTransaction extends PolicyOptions {
    @Option(
        names = "--late",
        paramLabel = "POLICY",
        converter = WrittenMoment.Late.class,
        description =
            "When its time has passed: skip, run-once, run-all, expire-and-refund, or how late it"
                + " may still run, such as 5m or 'run-once 5m' (default: it expires after some seconds).")
    private String late;

    @Override
    String late() {
      return late;
    }
  }

  /** Of a recurring task, whose fees are not given back. */
  static final class OfTask extends PolicyOptions {
    @Option(
        names = "--late",
        paramLabel = "POLICY",
        converter = WrittenMoment.LateOfTask.class,
        description =
            "When it is late: skip, run-once, run-all, or how late it may still run, such"
                + " as 5m or 'run-once 5m' (default: skip).")
    private String late;

    @Override
    String late() {
      return late;
    }
  }

  /** Of an execution of a plan, whose window says how late it may run. */
  static final class OfExecution extends PolicyOptions {
    @Option(
        names = "--late",
        paramLabel = "POLICY",
        converter = WrittenMoment.LateOfPlan.class,
        description =
            "When its window has passed: expire-and-refund gives back its value and the execution"
                + " by itself (default: when 'schedule refund' asks for it).")
    private String late;

    @Override
    String late() {
      return late;
    }
  }
}
