package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Crossing;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.HandedOver;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.FamilyNotice;
import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Subject;
import java.util.List;
import java.util.Optional;

/** What a queue asks its actor to do, once its events are stored. */
public sealed interface QueueEffect {
  /**
   * Answers a command: taken, with the schedule it made if it made one, or refused.
   *
   * @param result what the family says of it, also with a refusal
   */
  record Answer(
      String command,
      Optional<ScheduleId> schedule,
      Optional<Refusal> refusal,
      Optional<FamilyResult> result)
      implements QueueEffect {
    public static Answer refused(String command, Refusal refusal) {
      return new Answer(command, Optional.empty(), Optional.of(refusal), Optional.empty());
    }
  }

  /**
   * Answers a batch.
   *
   * @param kept whether it was carried out, apart from what was refused; otherwise nothing was
   * @param each in the order of the batch; with a batch that was undone, up to the first refusal
   */
  record BatchAnswer(String command, boolean kept, List<Answer> each) implements QueueEffect {
    public BatchAnswer {
      each = List.copyOf(each);
    }
  }

  /**
   * Have this run, under its key, once however often this is said; answered by HandedOver and
   * Answered.
   *
   * @param crossing as what a transfer to another partition goes there
   */
  record HandOver(OccurrenceKey key, Target request, Optional<Crossing> crossing)
      implements QueueEffect {
    public HandOver(OccurrenceKey key, Target request) {
      this(key, request, Optional.empty());
    }

    /** What is carried out; empty if that is for nobody outside the queue. */
    public Optional<HandedOver> what() {
      return crossing
          .<HandedOver>map(carried -> carried)
          .or(() -> request instanceof Target.Call call ? Optional.of(call) : Optional.empty());
    }
  }

  /**
   * Tell the queue's listeners, those who may see what it is about.
   *
   * @param about empty if it is about no schedule
   */
  record Publish(Notice notice, Optional<Subject> about) implements QueueEffect {}

  /** What listeners can be told. */
  sealed interface Notice {
    /**
     * Whether it has a number of its own, by which it is found later. An outcome has one, and says
     * what the others tell: as what the sequencer ran it, why it failed, what it had to say.
     */
    default boolean isKept() {
      return switch (this) {
        case Parked ignored -> true;
        case Intervened ignored -> true;
        case ShutdownComplete ignored -> true;
        case OfFamily ignored -> true;
        case Ended ignored -> false;
        case Submitted ignored -> false;
        case TransactionFailed ignored -> false;
        case Notified ignored -> false;
        case RescheduleRefused ignored -> false;
      };
    }

    /** Of what is of a family and of no single schedule, which that is. */
    default Optional<FamilyKind> wholeFamily() {
      return switch (this) {
        case ShutdownComplete(var ended) -> Optional.of(ended);
        case OfFamily(var told) -> Optional.of(told.family());
        case Parked ignored -> Optional.empty();
        case Intervened ignored -> Optional.empty();
        case Ended ignored -> Optional.empty();
        case Submitted ignored -> Optional.empty();
        case TransactionFailed ignored -> Optional.empty();
        case Notified ignored -> Optional.empty();
        case RescheduleRefused ignored -> Optional.empty();
      };
    }

    /** An occurrence has its outcome. */
    record Ended(History.Recorded recorded) implements Notice {}

    /** The sequencer has an attempt, durably, as this private transaction. */
    record Submitted(OccurrenceKey key, AccountId owner, TransactionId transaction)
        implements Notice {}

    /**
     * The text's TransactionFailedEvent.
     *
     * @param key the text's ScheduleMapKey, where its family has one
     */
    record TransactionFailed(
        ScheduleId schedule, DueKey key, AccountId sender, CancelledTxnCode code)
        implements Notice {}

    /** The text's ShutdownEvent: nothing of the family is left. */
    record ShutdownComplete(FamilyKind family) implements Notice {}

    /** It waits until somebody acts on it; {@code why} is a sentence for its owner. */
    record Parked(ScheduleId schedule, AccountId owner, String why) implements Notice {}

    /** Its owner did something to it. */
    record Intervened(ScheduleId schedule, AccountId owner, Intervention intervention)
        implements Notice {}

    /** What a schedule had to say. */
    record Notified(ScheduleId schedule, Bytes message) implements Notice {}

    /** What a family has to say. */
    record OfFamily(FamilyNotice notice) implements Notice {}

    /** What was to be scheduled from inside an execution could not be. */
    record RescheduleRefused(ScheduleId by, Refusal refusal) implements Notice {}
  }

  /** As the specification names them. */
  enum CancelledTxnCode {
    /** The family was shut down. */
    SHUTDOWN,
    /** It could not be run for too long. */
    EXPIRED,
    /** It was run and failed. */
    FAILED
  }
}
