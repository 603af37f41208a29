package dev.sequitur.schedule.chainexecution;

import dev.sequitur.protocol.text.Counted;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.chainexecution.Reading.End;
import dev.sequitur.schedule.chainexecution.Reading.Seen;
import dev.sequitur.schedule.family.Schedule;
import java.util.Optional;

/** Why an execution has no outcome yet, a sentence for people (PRV-12). */
record WhyWaiting(ChainExecutionState state, ExecutionGas gas) {
  String of(Schedule schedule) {
    var terms = ChainExecutions.terms(schedule.proposal());
    var id = schedule.id();
    var seen = state.ends().get(id);
    var plan = state.plan(terms);
    if (seen != null) {
      return ended(seen);
    } else if (plan.isEmpty()) {
      return "Its plan " + terms.plan() + " could not be read yet.";
    }
    return plan.get()
        .never(terms.timestamp())
        .or(() -> over(id, terms, plan.get()))
        .or(() -> sent(id))
        .orElseGet(() -> waits(id, terms, plan.get()));
  }

  private String ended(Seen seen) {
    long depth = state.read().map(Reading.Point::number).orElse(seen.block()) - seen.block();
    var what =
        switch (seen.end()) {
          case End.Executed executed ->
              executed.failure().isEmpty() ? "was executed" : "was executed, and its call failed,";
          case End.Cancelled() -> "was cancelled by its requestor";
          case End.Refunded() -> "was overdue, and its requestor took the refund";
        };
    return "It %s in block %d. That counts once it is final: %s upon it so far."
        .formatted(
            what, seen.block(), Counted.of(Math.max(0, depth), "block stands", "blocks stand"));
  }

  /** The newest block that was read has its time. */
  private Optional<String> over(ScheduleId id, ChainExecutionTerms terms, ChainPlan plan) {
    long newest = state.read().map(Reading.Point::time).orElse(0L);
    if (!plan.isOver(terms.timestamp(), newest)) {
      return Optional.empty();
    }
    var failure = state.failure(id);
    return Optional.of(
        "It is overdue: its window ended at "
            + ChainPlan.time(plan.last(terms.timestamp()))
            + ", and no block of it has executed it. Its requestor can ask the contract for the"
            + " refund; nothing else is left."
            + (failure.why().isEmpty() ? "" : " It could not be executed: " + failure.why())
            + (state.trouble().isEmpty() ? "" : " " + state.trouble()));
  }

  private Optional<String> sent(ScheduleId id) {
    return state
        .dispatch(id)
        .filter(ProviderDispatch::isWaiting)
        .map(
            sent ->
                "It was sent when block %d was the newest, as transaction %s with nonce %d, and no block has it yet."
                        .formatted(sent.sentAt(), sent.newest().hash(), sent.nonce())
                    + (state.trouble().isEmpty() ? "" : " " + state.trouble()));
  }

  private String waits(ScheduleId id, ChainExecutionTerms terms, ChainPlan plan) {
    long newest = state.read().map(Reading.Point::time).orElse(0L);
    var failure = state.failure(id);
    var due =
        "from %s on, at the latest at %s"
            .formatted(
                ChainPlan.time(terms.timestamp()), ChainPlan.time(plan.last(terms.timestamp())));
    if (state.paused()) {
      return "The contract is paused, and executes nothing until its service provider ends that;"
          + " it is to be executed "
          + due
          + ".";
    } else if (!state.trouble().isEmpty()) {
      return state.trouble() + " It is to be executed " + due + ".";
    } else if (failure.isLast()) {
      return failure.count() == 0
          ? "It cannot be sent: " + failure.why()
          : "It was sent %s in vain, and is not sent again: %s"
              .formatted(Counted.of(failure.count(), "time"), failure.why());
    } else if (failure.count() > 0) {
      return "It was sent %s in vain: %s It is tried again in a block after %s, until %s."
          .formatted(
              Counted.of(failure.count(), "time"),
              failure.why(),
              ChainPlan.time(failure.notBefore()),
              ChainPlan.time(plan.last(terms.timestamp())));
    } else if (newest < terms.timestamp()) {
      return "It is not due yet: it is executed "
          + due
          + ". The chain's newest block is of "
          + ChainPlan.time(newest)
          + ".";
    }
    return "Its time has come: it is sent with the next round, or when there is room, since others"
        + " go first whose windows end sooner. It needs "
        + gas.limit(plan.gasLimit(), terms.dataSize())
        + " gas.";
  }
}
