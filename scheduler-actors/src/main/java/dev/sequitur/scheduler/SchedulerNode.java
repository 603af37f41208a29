package dev.sequitur.scheduler;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.queue.CalendarPage;
import dev.sequitur.schedule.queue.Explanation;
import dev.sequitur.schedule.queue.Happenings;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.queue.QueueAudit;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation.Batch;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.Statement;
import dev.sequitur.schedule.queue.Trial;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One party's schedule queues as the process around them sees them: what JSON-RPC, the command
 * line, the demonstration and the benchmarks call. A queue comes into being with the first command
 * that names it. One that is spread over partitions (SCH-28) is named as one that is not; what it
 * cannot do as a whole fails with {@link PartitionedQueueException}. Thread-safe; nothing here
 * blocks. A future fails with {@link SchedulerUnavailableException} if there is no answer in time;
 * whether a command was taken is then not known, and to repeat it under the same id is safe.
 */
public interface SchedulerNode {
  /**
   * How the ids of commands begin that their callers will not send again, except at once: they need
   * not be remembered for long.
   */
  String ONCE = "~";

  NodeName name();

  /** As which a queue is named in what is signed for it, and for no other. */
  default NodeAccount nodeAccount(QueueName queue) {
    return NodeAccount.of(name(), queue.value());
  }

  /** What holds for each of the node's queues: families, administrator, limits. */
  QueueSetup setup();

  /** How long its queues remember at least what was done under an id that may come again. */
  Duration commandsRememberedFor();

  /**
   * Durable when the future completes, unless it was refused: then nothing was stored. A repetition
   * of a command that was taken, under its id, is not done again but answered as then, for {@link
   * #commandsRememberedFor}; another command under that id is refused with {@code COMMAND_REUSED}.
   * A queue that has too much to do, or to remember, refuses with {@code BUSY}.
   *
   * @param command its id is the caller's, 1 to 200 characters; {@link #ONCE} and something random
   *     if nothing is ever to be repeated
   */
  CompletionStage<Answer> submit(QueueName queue, Command command);

  /**
   * Many at once, decided in their order and each for itself.
   *
   * @param commands none of them a {@link Batch}
   * @return an answer for each, in their order
   */
  CompletionStage<List<Answer>> submit(QueueName queue, List<Command> commands);

  /**
   * Operations of a family that are decided in one step; durable when the future completes.
   *
   * @param command as in {@link #submit}
   */
  CompletionStage<BatchAnswer> submit(
      QueueName queue, String command, AccountId signer, Batch batch);

  /**
   * A transaction of the multi-signature family, in its payer's name: its signatures are verified,
   * and in {@code mvp} what is to be scheduled is looked for among all that was ever executed.
   *
   * @param command as in {@link #submit}
   * @param transaction of this queue
   * @throws IllegalArgumentException if it names another {@link #nodeAccount}
   */
  default CompletionStage<Answer> submit(
      QueueName queue, String command, SubmittedTransaction transaction) {
    return submit(queue, command, transaction, false);
  }

  /**
   * The same.
   *
   * @param unseen whether the schedule that it is about is not there for whoever asks (CLR-4):
   *     unless it was done before, it is then about one that never is
   */
  CompletionStage<Answer> submit(
      QueueName queue, String command, SubmittedTransaction transaction, boolean unseen);

  /**
   * What a command was answered that was done under its id, or that another one was; empty if none
   * was.
   */
  CompletionStage<Optional<QueueEffect>> done(QueueName queue, Command command);

  /** What happened to a schedule, and why it has not run (SCH-23). */
  CompletionStage<Explanation> explain(QueueName queue, ScheduleId schedule);

  /**
   * What has ended in a queue, of all its schedules, in order: by this, who was away or whose
   * subscription a crash fell into misses none of the newest outcomes. A page may be short, or
   * empty, and still not be the last, since one call looks at only so many.
   */
  CompletionStage<Outcomes> outcomes(QueueName queue, OutcomeQuery query);

  /**
   * What the account has that the query names, and what has made it so (ACC-10). A page may be
   * short and not be the last, as of {@link #outcomes}.
   */
  CompletionStage<Statement> statement(QueueName queue, OutcomeQuery query);

  /**
   * All that has happened in a queue, in order: outcomes, and what the queue told beside them.
   *
   * @param from the number from which on
   * @param limit how many, 1 to {@value OutcomeQuery#MOST}
   */
  CompletionStage<Happenings> happenings(QueueName queue, long from, int limit);

  /**
   * Why what happens in a queue has no numbers of its own, and nobody can follow it (SCH-28), as a
   * sentence for the caller; empty if it can be followed.
   */
  default Optional<String> refusesOrder(QueueName queue) {
    return Optional.empty();
  }

  /**
   * Where else than in its own partition outcomes may be about an account: those that have paid it
   * (SCH-29) are in the payers' partitions. By number; none of a queue of one, nor if one partition
   * is named.
   */
  default List<QueueName> others(QueueName queue, AccountId account) {
    return List.of();
  }

  /** Counts all money anew; takes a while with many schedules. */
  CompletionStage<QueueAudit> audit(QueueName queue);

  /** How much waits and runs, by family. */
  CompletionStage<QueueOverview> overview(QueueName queue);

  /** Where a schedule stands, and how it ended last: {@link #explain} knows all its outcomes. */
  CompletionStage<KnownSchedule> schedule(QueueName queue, ScheduleId schedule);

  /**
   * The queues that there are, by name: those of the JVM that is asked, and of the node's others as
   * they told some seconds ago. The default one always is among them.
   */
  List<QueueName> queues();

  /** Those that wait or run, ascending by id. */
  CompletionStage<SchedulePage> schedules(QueueName queue, ScheduleQuery query);

  /** The same in the order in which they are due. */
  CompletionStage<DuePage> schedulesByDue(QueueName queue, DueQuery query);

  /** What the account can spend; zero for one that was never used. */
  CompletionStage<Amount> available(QueueName queue, AccountId account);

  /** What a family knows beyond its schedules; may be large. */
  CompletionStage<FamilyState> family(QueueName queue, FamilyKind family);

  /** Has a family answer a question of its own. */
  <R> CompletionStage<R> ask(QueueName queue, FamilyQuery<R> query);

  /**
   * How full the family is at a time and what a place costs; empty if the queues do not serve it.
   */
  CompletionStage<Optional<Forecast>> forecast(QueueName queue, FamilyKind family, Instant at);

  /**
   * What would come of a command that came now: refused or taken, at which price, and when it would
   * run. Nothing is done, and nothing remembered under its id.
   */
  CompletionStage<Trial> tryOut(QueueName queue, Command command);

  /**
   * The same of a transaction, whose signatures are verified as if it were submitted.
   *
   * @throws IllegalArgumentException if it names another {@link #nodeAccount}
   */
  CompletionStage<Trial> tryOut(QueueName queue, SubmittedTransaction transaction);

  /**
   * When a schedule runs, the first times to come; empty if none is known.
   *
   * @param atMost 1 to {@value ScheduleQuery#MOST}
   */
  CompletionStage<List<ConsensusTime>> times(QueueName queue, ScheduleId schedule, int atMost);

  /** What is to run, of all schedules, ascending by time. */
  CompletionStage<CalendarPage> calendar(QueueName queue, CalendarQuery query);

  /**
   * Tells the listener what this queue publishes from now on, wherever in the node it runs. What a
   * crash falls between is not told: {@link #outcomes} knows each outcome.
   *
   * @return ends it
   */
  Subscription subscribe(QueueName queue, NoticeListener listener);

  /**
   * What is wrong in this JVM and somebody has to mend, a sentence each that says what to do; empty
   * if all is well. For {@code /health}.
   */
  List<String> troubles();

  /**
   * What somebody should look at though this JVM is well, a sentence each that says what to do;
   * empty if there is nothing. For {@code /health}, which stays {@code UP}.
   */
  List<String> remarks();
}
