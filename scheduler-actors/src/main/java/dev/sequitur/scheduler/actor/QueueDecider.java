package dev.sequitur.scheduler.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.scheduler.storage.QueueMemory;
import dev.sequitur.scheduler.storage.RecentCommands.Remembered;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides, one batch after another, and goes on from what it has decided while {@link QueueMachine}
 * still stores it: nobody hears of a batch before it is stored, and if a write fails this ends with
 * all it knew. Its parent says how far it may be ahead, so nothing waits here.
 */
final class QueueDecider extends AbstractBehavior<QueueDecider.Decide> {
  /**
   * What was found out of the commands of a batch before it is decided.
   *
   * @param known those that the store has, by id
   * @param stored the number up to which commands are in the store: memory may drop them
   * @param refusal what each is answered that is not known to be a repetition and may be repeated
   *     itself; empty if they are decided
   */
  record Recalled(Map<String, Remembered> known, long stored, Optional<Refusal> refusal) {
    Recalled with(Map<String, Remembered> found) {
      return new Recalled(found, stored, refusal);
    }

    Recalled refusing(Refusal why) {
      return new Recalled(known, stored, Optional.of(why));
    }

    static final Recalled NOTHING = new Recalled(Map.of(), 0, Optional.empty());
  }

  /** The next batch, decided in this order and stored together. */
  record Decide(List<QueueInput> inputs, Recalled recalled) {}

  /**
   * A batch was decided and is on its way to the journal.
   *
   * @param memory as it will be when that is stored
   * @param events how many there are
   */
  record Decided(QueueMemory memory, int events) implements QueueActor.Message {}

  private final QueueServices services;
  private final ActorRef<QueueMachine.Store> machine;
  private final ActorRef<QueueActor.Message> parent;
  private final FailureLog failures;
  private QueueMemory memory;

  /**
   * @param recovered what it begins with
   */
  static Behavior<Decide> create(
      QueueServices services,
      QueueMemory recovered,
      ActorRef<QueueMachine.Store> machine,
      ActorRef<QueueActor.Message> parent) {
    return Behaviors.setup(
        context -> new QueueDecider(context, services, recovered, machine, parent));
  }

  private QueueDecider(
      ActorContext<Decide> context,
      QueueServices services,
      QueueMemory recovered,
      ActorRef<QueueMachine.Store> machine,
      ActorRef<QueueActor.Message> parent) {
    super(context);
    this.services = services;
    this.memory = recovered;
    this.machine = machine;
    this.parent = parent;
    this.failures = new FailureLog(context.getLog());
  }

  @Override
  public Receive<Decide> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onDecide).build();
  }

  private Behavior<Decide> onDecide(Decide decide) {
    var batch = new QueueBatch(services, memory, failures, decide.recalled());
    decide.inputs().forEach(batch::add);
    memory = batch.memory();
    var record = batch.record();
    // The parent hears of it before it can hear that it is stored.
    parent.tell(new Decided(memory, record.events().size()));
    machine.tell(new QueueMachine.Store(record, memory, batch.effects()));
    return this;
  }
}
