package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.Crossing;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Description;
import dev.sequitur.schedule.family.Family.Revision;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Proposal;
import java.util.List;
import java.util.Optional;

/** What a queue answers to. */
public sealed interface QueueInput {
  /** The actor has recovered: what was started goes out again, unchanged. */
  record Recovered() implements QueueInput {}

  /** The block step. Without anything to do it stores nothing. */
  record CutBlock() implements QueueInput {}

  /** Whoever runs this attempt has it, durably. */
  record HandedOver(OccurrenceKey key, TransactionId transaction) implements QueueInput {}

  /** The final outcome of this attempt. */
  record Answered(OccurrenceKey key, Conclusion conclusion) implements QueueInput {}

  /**
   * The store of executed bodies has them, durably, up to this count (MSIG-3). No command: nobody
   * else knows.
   */
  record BodiesStored(long upTo) implements QueueInput {}

  /** The store of outcomes has them, durably, up to this number (SCH-22). No command either. */
  record OutcomesStored(long upTo) implements QueueInput {}

  /**
   * Somebody asks for something.
   *
   * @param command by which the answer is told apart from others
   * @param signer for whom it is asked, and believed unless a key moves that account (ACC-5)
   */
  record Command(String command, AccountId signer, Operation operation) implements QueueInput {
    /** The same, and the schedule that has to be there for it never is (CLR-4). */
    public Command aboutNone() {
      return new Command(command, signer, operation.aboutNone());
    }
  }

  /** What somebody can ask for. */
  sealed interface Operation {
    /** The schedules that have to be there for it, one for each of several operations. */
    default List<Optional<ScheduleId>> about() {
      return switch (this) {
        case Cancel(var schedule) -> List.of(Optional.of(schedule));
        case Intervene intervene -> List.of(Optional.of(intervene.schedule()));
        case Change change -> List.of(Optional.of(change.schedule()));
        case Perform(var operation) -> List.of(operation.about());
        case Batch(var operations, var ignored) ->
            operations.stream().map(FamilyOperation::about).toList();
        case Propose ignored -> List.of(Optional.empty());
        case Administered ignored -> List.of(Optional.empty());
        case OfPartition ignored -> List.of(Optional.empty());
      };
    }

    /** The same, of a batch all of it, and no schedule that has to be there for it ever is. */
    default Operation aboutNone() {
      return switch (this) {
        case Cancel(var schedule) -> new Cancel(ScheduleId.never(schedule.family()));
        case Intervene(var schedule, var kind, var note) ->
            new Intervene(ScheduleId.never(schedule.family()), kind, note);
        case Change change -> change.of(ScheduleId.never(change.schedule().family()));
        case Perform(var operation) -> new Perform(operation.aboutNone());
        case Batch(var operations, var reverts) ->
            new Batch(operations.stream().map(FamilyOperation::aboutNone).toList(), reverts);
        case Propose propose -> propose;
        case Administered administered -> administered;
        case OfPartition inner -> inner;
      };
    }

    /** Whether each partition of a queue does it for itself (SCH-28). */
    default boolean isOfWholeQueue() {
      return switch (this) {
        case Pause ignored -> true;
        case Resume ignored -> true;
        case Shutdown ignored -> true;
        case Perform(var operation) -> operation.isOfWholeQueue();
        case Fund ignored -> false;
        case Withdraw ignored -> false;
        case Propose ignored -> false;
        case Cancel ignored -> false;
        case Intervene ignored -> false;
        case Change ignored -> false;
        case Batch ignored -> false;
        case OfPartition ignored -> false;
      };
    }

    /** What the node asks of a partition, and no caller can (SCH-28, SCH-29). */
    sealed interface OfPartition extends Operation {}

    /** It is this one; said again, or after anything else, it changes nothing. */
    record Divide(Partition place) implements OfPartition {}

    /** A payment from another one; taken once, however often it comes. */
    record Take(Crossing crossing) implements OfPartition {}

    /** What the queue itself can do, whatever its families are. */
    sealed interface OfQueue extends Operation {
      /** By which it is throttled; it is stored. */
      default String name() {
        return switch (this) {
          case Fund ignored -> "Fund";
          case Withdraw ignored -> "Withdraw";
          case Propose ignored -> "Propose";
          case Cancel ignored -> "Cancel";
          case Intervene ignored -> "Intervene";
          case Change ignored -> "Change";
          case Pause ignored -> "Pause";
          case Resume ignored -> "Resume";
          case Shutdown ignored -> "Shutdown";
        };
      }
    }

    /** The administrator's. */
    sealed interface Administered extends OfQueue {}

    /** Money comes into the queue; the administrator has it outside. */
    record Fund(AccountId account, Amount amount) implements Administered {}

    /** Money leaves the queue; the administrator pays it out outside. */
    record Withdraw(AccountId account, Amount amount) implements Administered {}

    /** The specifications' insert, create, schedule. */
    record Propose(Proposal proposal) implements OfQueue {}

    /** One of a family's own operations. */
    record Perform(FamilyOperation operation) implements Operation {}

    /**
     * Several of them in one step, each after the one before; answered by one answer for each. None
     * at all is taken, and changes nothing (PLN-11).
     *
     * @param revertIfFails whether one that is refused undoes all of them
     */
    record Batch(List<FamilyOperation> operations, boolean revertIfFails) implements Operation {
      /** So that one command cannot stop the queue for long. */
      public static final int MOST_OPERATIONS = 1_000;

      public Batch {
        operations = List.copyOf(operations);
        if (operations.size() > MOST_OPERATIONS) {
          throw new IllegalArgumentException(
              "Name at most " + MOST_OPERATIONS + " operations, not " + operations.size() + ".");
        }
      }
    }

    /** Before it is started, by its owner, or by whom else its family names. */
    record Cancel(ScheduleId schedule) implements OfQueue {}

    /**
     * Pauses one schedule, resumes it, runs it now or skips its next time; its owner's (SCH-26).
     *
     * @param schedule a repetition by any of its ids, as {@link Cancel} takes them
     * @param note why, for whoever reads its history
     */
    record Intervene(ScheduleId schedule, Intervention.Kind kind, String note) implements OfQueue {
      public Intervene {
        Intervention.check(note);
        if (kind == Intervention.Kind.CHANGE || kind == Intervention.Kind.BACK_FILL) {
          throw new IllegalArgumentException("A change or a back-fill says of what.");
        }
      }
    }

    /**
     * Changes one schedule, which keeps its id and what was paid; its owner's (SCH-27). What is
     * empty stays.
     *
     * @param schedule as {@link Intervene} takes it
     * @param note why, for whoever reads its history
     * @param text of its {@link Description}
     * @param labels of its {@link Description}: all that it is to have
     */
    record Change(
        ScheduleId schedule,
        Optional<Revision> revision,
        Optional<Target> target,
        Optional<LatePolicy> late,
        Optional<RetryPolicy> retry,
        String note,
        Optional<String> text,
        Optional<List<String>> labels)
        implements OfQueue {
      public Change {
        Intervention.check(note);
        // What is no description is none of a change either.
        new Description(text.orElse(""), labels.orElse(List.of()));
      }

      /** Whose description stays. */
      public Change(
          ScheduleId schedule,
          Optional<Revision> revision,
          Optional<Target> target,
          Optional<LatePolicy> late,
          Optional<RetryPolicy> retry,
          String note) {
        this(schedule, revision, target, late, retry, note, Optional.empty(), Optional.empty());
      }

      /** The same of another schedule. */
      Change of(ScheduleId other) {
        return new Change(other, revision, target, late, retry, note, text, labels);
      }
    }

    record Pause(FamilyKind family) implements Administered {}

    /** After a pause, or a shutdown that awaits what is out at most. */
    record Resume(FamilyKind family) implements Administered {}

    /** Ends all that waits, in batches. */
    record Shutdown(FamilyKind family) implements Administered {}
  }
}
