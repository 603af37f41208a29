package dev.sequitur.schedule.family;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Cost;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.Verdict;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * What one specification adds to the shared engine (SCH-2). A family decides; it never posts to
 * accounts, never touches an index, never stores anything by itself. Each method is a pure function
 * of what it is given.
 *
 * <p>What not all families have is a capability: an interface in here that a family implements. The
 * engine asks for capabilities and never for names.
 */
public interface Family {
  /**
   * What the engine gives to a family in the place of its own.
   *
   * @throws IllegalStateException if it is another family's
   */
  static <T> T own(Class<T> type, Object given) {
    if (!type.isInstance(given)) {
      throw new IllegalStateException("Not this family's: " + given);
    }
    return type.cast(given);
  }

  FamilyKind kind();

  /** What the family knows of the queue before anything happened. */
  FamilyState initial();

  /** The checks of the specification, in its order; the first that fails is the answer. */
  Admission admit(QueueView view, Proposal proposal, AccountId signer);

  /** What a creation is answered, beside the id of what was taken. */
  default Optional<FamilyResult> answer(QueueView view, Schedule admitted) {
    return Optional.empty();
  }

  /**
   * Why a plain cancel is not for this signer, or not for this family. Only who scheduled it may
   * cancel it, unless the specification names others; the administrator, who would get rid of what
   * others have scheduled, shuts the family down.
   */
  default Optional<Refusal> refusesCancel(QueueView view, Schedule schedule, AccountId signer) {
    return signer.equals(schedule.proposal().owner())
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                Refusal.Code.NOT_ALLOWED,
                "Only who scheduled it can cancel it. The administrator ends all that waits of its"
                    + " family, with its money back, by a shutdown (schedule_shutdown)."));
  }

  /** Which part of the due order this block looks at, and how much of it. */
  Agenda agenda(QueueView view);

  /** What is to happen to one that {@link #agenda} has come to. */
  Verdict onDue(QueueView view, Schedule schedule);

  /**
   * What each of those selected for a block pays for a unit of gas; fixed for all its attempts
   * (SCH-14).
   *
   * @return one for each, in their order
   */
  List<Long> price(QueueView view, List<Schedule> selected);

  /** How much gas it may use; a run that needs more fails and is charged so much. */
  long gasLimit(QueueView view, Schedule schedule);

  /** What is run for it: what was proposed, or that with what the family adds to it. */
  default Target request(QueueView view, Schedule schedule) {
    return schedule.proposal().target();
  }

  /** What the occurrence costs, and what comes after it. Asked once for each occurrence. */
  Settlement settle(QueueView view, Schedule schedule, OccurrenceEnding ending);

  /**
   * What an occurrence with this outcome cost its owner. Of what is stored alone, and of no
   * settings: a replay asks again.
   *
   * @param state as it is when the occurrence is settled, after the acts of its settlement
   * @param captured from the schedule's own hold
   */
  default Amount charged(FamilyState state, Schedule schedule, Outcome outcome, Amount captured) {
    return captured;
  }

  /** Who pays what is charged, and to whom, if not its owner pays the queue for it. */
  default Optional<Cost.Parties> parties(FamilyState state, Schedule schedule) {
    return Optional.empty();
  }

  /**
   * What the schedule's hold must be as long as the present occurrence is not settled.
   *
   * @param held what it is, for a family whose terms do not say it
   */
  Amount owed(Schedule schedule, Amount held);

  /**
   * Why a schedule cannot be served under these settings: its due key counts in a unit, a slot or a
   * tick, that was set differently when it was made, and means another time now. Asked once for
   * each when a queue starts; a sentence for the operator.
   *
   * @param last of the queue's clock; no key was made later
   */
  default Optional<String> refusesKey(Schedule schedule, ConsensusTime last) {
    return Optional.empty();
  }

  /** What the family's named holds must be, all together. */
  default Amount owed(FamilyState state) {
    return Amount.ZERO;
  }

  /**
   * Whether what is overdue and runs all the same comes after what is ready, with what that leaves
   * of the block (REC-5); otherwise it comes first.
   */
  default boolean servesOverdueLast() {
    return false;
  }

  /** What the block did to the family itself, when its schedules have been served. */
  Optional<FamilyEvent> onBlockEnd(QueueView view, Optional<Schedule> firstLeft);

  FamilyState evolve(FamilyState state, FamilyEvent event);

  /**
   * An outcome, without its money.
   *
   * @param next when the next occurrence is due; empty if none follows
   * @param occurrences how many ended with it
   */
  record Ended(Outcome outcome, ConsensusTime at, Optional<DueKey> next, long occurrences) {
    public boolean last() {
      return next.isEmpty();
    }
  }

  /**
   * When the first of its due order becomes due, so that a block can be cut just then, and none
   * before: nanoseconds since 1970; {@code Long.MAX_VALUE} if time alone does not make it so.
   */
  long dueNanos(DueKey first);

  /**
   * When the present occurrence of a schedule is wanted to run; empty if it waits for its owner, or
   * for no time.
   */
  default Optional<ConsensusTime> askedFor(Schedule schedule) {
    return schedule.due().isParked()
        ? Optional.empty()
        : Optional.of(new ConsensusTime(dueNanos(schedule.due())));
  }

  /**
   * The times at which it runs, from its present occurrence on, as things stand now: taken as they
   * are asked for, since a series may have no last one.
   */
  default Iterator<ConsensusTime> coming(QueueView view, Schedule schedule) {
    return askedFor(schedule).stream().iterator();
  }

  /** When one that waits ends though it has not run; empty if the rules name no such moment. */
  default Optional<ConsensusTime> expires(QueueView view, Schedule schedule) {
    return Optional.empty();
  }

  /**
   * Why one that waits will not be run unless others go, and what its owner can do: a sentence;
   * empty if it will.
   */
  default Optional<String> whyUnreached(QueueView view, Schedule schedule) {
    return Optional.empty();
  }

  /** How full the family is at a time to come, and what a place costs (SCH-24). */
  Forecast forecast(QueueView view, ConsensusTime at);

  /** Why nothing of it is run now: a sentence for the owner of one that waits. */
  default String whyNotServed(QueueView view, Schedule schedule) {
    return "Its family is not served now: it is " + view.service().words() + ".";
  }

  /**
   * Why one whose time has come has not run.
   *
   * @param passedOver the reason if a block may have passed it over
   */
  default String whyNotServed(QueueView view, Schedule schedule, String passedOver) {
    return dueNanos(schedule.due()) > view.last().nanos()
        ? "Its time has just come: no block has been cut since."
        : passedOver;
  }

  /** Why one that is due has not run: a sentence for its owner. */
  String whyWaiting(QueueView view, Schedule schedule);

  /** It has operations of its own, beyond scheduling and cancelling. */
  interface Operated extends Family {
    /** Refused, or what the queue is to do. */
    Performance perform(QueueView view, FamilyOperation operation, AccountId signer);

    /** How it says that an operation has to wait, since there are too many of them. */
    default Performance.Refused busy(Refusal refusal) {
      return new Performance.Refused(refusal, Optional.empty());
    }
  }

  /**
   * It verifies who has signed, so the engine does not keep it from what a key moves (ACC-5). Its
   * schedules take their numbers from the queue's key ring, as accounts do.
   */
  interface Signed extends Family {}

  /**
   * Each operation and each run of a block needs a consensus time of its own, a nanosecond after
   * the last.
   */
  interface Stamped extends Family {}

  /** What is overdue is dealt with before each command too, and not only in blocks (MSIG-15). */
  interface Expiring extends Family {
    /**
     * Whether the time of one that waits is over: nothing but its end is left to it, though no
     * block has come to it yet.
     */
    boolean hasExpired(QueueView view, Schedule schedule);
  }

  /** It has a part in each attempt, or does all of it (see {@link Target.ByFamily}). */
  interface Running extends Family {
    /** What happens when an attempt has been started. Asked once for each attempt. */
    Run run(QueueView view, Schedule schedule, OccurrenceKey attempt);
  }

  /**
   * It answers some questions only so often: those that say what one too many is answered ({@link
   * FamilyQuery#busy}).
   */
  interface Limiting extends Family {
    /** Of each JVM: a question changes nothing, so no queue decides it. */
    long questionsPerSecond();
  }

  /** A transfer's money is part of the hold: its settlement pays it, not the run. */
  interface HoldingValue extends Family {}

  /**
   * It may hold what one of its schedules pays (GAS-17): the run takes it from the schedule's hold
   * and not from the owner's account.
   */
  interface SettingAside extends Family {
    /** Whether what this one pays is part of its hold. */
    boolean setsAside(Schedule schedule);
  }

  /** What it runs may schedule itself anew, each time under another id. */
  interface Repeating extends Following {
    /** The name of the repetition that a run of it goes on; empty if it is none, or its first. */
    Optional<ScheduleId> first(Proposal proposal);

    /** As which a repetition of this name waits or runs now; empty if it has ended. */
    Optional<ScheduleId> present(FamilyState state, ScheduleId first);
  }

  /**
   * The owner of one of its schedules may pause and resume it, run it now and skip its next time
   * (SCH-26).
   */
  interface Steered extends Family {
    /**
     * Whether something follows the present occurrence: another one, or a schedule in its place.
     */
    boolean goesOn(QueueView view, Schedule schedule);

    /** Where one that is parked, for whatever cause, goes on; it is not started. */
    Performance resume(QueueView view, Schedule schedule);

    /**
     * What one that waits, or is paused, is after a change.
     *
     * @param to with what is changed of it but its terms
     */
    Amendment amend(QueueView view, Schedule schedule, Proposal to, Optional<Revision> revision);

    /** Has the present occurrence of one that waits, or is paused, started in this step. */
    Performance runNow(QueueView view, Schedule schedule);
  }

  /**
   * What is to be changed of a schedule's terms, in its family's words; what it leaves out stays.
   */
  interface Revision {
    FamilyKind family();
  }

  /** An occurrence may become due while the one before it runs. */
  interface Overlapping extends Family {
    /**
     * What is to become of the times that came meanwhile.
     *
     * @param next the schedule with its next occurrence, which waits
     * @param began when the one before it was started first
     */
    List<Act> afterRun(QueueView view, Schedule next, ConsensusTime began);
  }

  /**
   * All that one of its schedules needs is its owner's, so that a queue can be spread by owners
   * (SCH-28). A partition then has ticks, slots and blocks of its own.
   */
  interface Partitioned extends Family {}

  /** The queue's listeners are told of each that fails, expires or is missed (GAS-12). */
  interface TellingFailures extends Family {}

  /**
   * A part of its state, which is a {@link FamilyState.Archiving}, is moved to a store outside the
   * queue. One family of a queue at most: the store counts by queue.
   */
  interface Archiving extends Family {
    /** How many of what it gives away the store need not have yet. */
    int mostUnstored();

    /**
     * @param upTo how many of what it gives away are stored
     * @return what changes; empty if it knew that
     */
    Optional<FamilyEvent> onStored(FamilyState state, long upTo);
  }

  /** Its state follows what becomes of its schedules. */
  interface Following extends Family {
    /** With a schedule that the queue has just taken in. */
    FamilyState onAdmitted(FamilyState state, Schedule schedule);

    /** With the outcome of the schedule's present occurrence. */
    default FamilyState onSettled(FamilyState state, Schedule schedule, Ended settled) {
      return state;
    }

    /** With a schedule that was changed. */
    default FamilyState onAmended(FamilyState state, Schedule before, Schedule after) {
      return state;
    }

    /** With a schedule that stands elsewhere in the due order from now on. */
    default FamilyState onDeferred(FamilyState state, Schedule schedule, DueKey to) {
      return state;
    }
  }
}
