package dev.sequitur.simulation;

import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import java.util.List;
import java.util.function.Predicate;

/** The persistence points (RCV-5), and the moments between them. */
enum CrashPoint {
  AT_1S(Fault.CRASH_1S, Moment.Accepting.class::isInstance),
  AT_2S(Fault.CRASH_2S, Moment.Accepted.class::isInstance),
  AT_3S(Fault.CRASH_3S, moment -> sends(moment, DelegationCommand.class)),
  AT_4S(Fault.CRASH_4S, moment -> sends(moment, AssembleResponse.class)),
  AT_5S(Fault.CRASH_5S, CrashPoint::grants),
  AT_6S(
      Fault.CRASH_6S,
      moment ->
          moment instanceof Moment.Indexing indexing && !indexing.block().receipts().isEmpty()),
  AT_1C(
      Fault.CRASH_1C,
      moment ->
          moment instanceof Moment.Committing committing && hasDispatches(committing.events())),
  AT_2C(
      Fault.CRASH_2C,
      moment -> moment instanceof Moment.Committed committed && hasDispatches(committed.events())),
  SCHEDULING(Fault.CRASH_SCHEDULING, CrashPoint::isOfQueue),
  WRITING(
      Fault.CRASH_WRITING,
      moment -> moment instanceof Moment.Committing || moment instanceof Moment.Committed),
  SENDING(Fault.CRASH_SENDING, Moment.Sent.class::isInstance);

  private final Fault fault;
  private final Predicate<Moment> at;

  CrashPoint(Fault fault, Predicate<Moment> at) {
    this.fault = fault;
    this.at = at;
  }

  Fault fault() {
    return fault;
  }

  boolean is(Moment moment) {
    return at.test(moment);
  }

  private static boolean isOfQueue(Moment moment) {
    return switch (moment) {
      case Moment.Committing committing -> committing.machine().equals(QueueShell.NAME);
      case Moment.Committed committed -> committed.machine().equals(QueueShell.NAME);
      case Moment.Accepting ignored -> false;
      case Moment.Accepted ignored -> false;
      case Moment.Sent ignored -> false;
      case Moment.Submitted ignored -> false;
      case Moment.Paid ignored -> false;
      case Moment.Indexing ignored -> false;
      case Moment.Founding ignored -> false;
    };
  }

  private static boolean sends(Moment moment, Class<? extends Message> kind) {
    return moment instanceof Moment.Sent sent && kind.isInstance(sent.envelope().payload());
  }

  private static boolean grants(Moment moment) {
    return moment instanceof Moment.Sent sent
        && sent.envelope().payload() instanceof DispatchConfirmationResponse leave
        && !leave.granted().isEmpty();
  }

  private static boolean hasDispatches(List<?> events) {
    return events.stream().anyMatch(SubmitterEvent.DispatchesAccepted.class::isInstance);
  }
}
