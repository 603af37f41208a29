package dev.sequitur.scheduler.provider;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.schedule.chainexecution.Advance;
import dev.sequitur.schedule.chainexecution.PlanChain;
import dev.sequitur.schedule.chainexecution.Providing;
import dev.sequitur.schedule.chainexecution.Providing.Effect;
import dev.sequitur.schedule.chainexecution.Providing.Input;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The provider of one contract: one round after the other, as {@link Providing} says, as long as
 * the node runs. All that survives a restart is in the queue.
 */
public final class ProviderActor extends AbstractBehavior<ProviderActor.Message> {
  /**
   * What it is told, by itself alone.
   *
   * @param cause of what has failed
   */
  public record Message(Input input, Optional<Throwable> cause) {
    private Message(Input input) {
      this(input, Optional.empty());
    }
  }

  static final String NO_CHAIN =
      "The chain does not answer as it should: start its node, or correct the address of it; the"
          + " node's log says what failed.";
  private static final String NO_QUEUE = "The provider's queue does not answer: it is asked again.";

  private final TimerScheduler<Message> timers;
  private final SchedulerNode scheduler;
  private final QueueName queue;
  private final PlanChain chain;
  private final ProviderFigures figures;
  private final Host<Input, Providing.State, Void, Effect> host;
  private final long begin = System.nanoTime();

  /**
   * @param queue of this contract alone
   */
  public static Behavior<Message> create(
      SchedulerNode scheduler,
      QueueName queue,
      PlanChain chain,
      Providing.Settings settings,
      ProviderFigures figures) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new ProviderActor(
                        context, timers, scheduler, queue, chain, settings, figures)));
  }

  private ProviderActor(
      ActorContext<Message> context,
      TimerScheduler<Message> timers,
      SchedulerNode scheduler,
      QueueName queue,
      PlanChain chain,
      Providing.Settings settings,
      ProviderFigures figures) {
    super(context);
    this.timers = timers;
    this.scheduler = scheduler;
    this.queue = queue;
    this.chain = chain;
    this.figures = figures;
    var machine = new Providing(settings, chain).machine();
    this.host = new Host<>(machine, machine.initial());
    context.getSelf().tell(new Message(machine.tick()));
  }

  @Override
  public Receive<Message> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::on).build();
  }

  private Behavior<Message> on(Message message) {
    var now = Instant.EPOCH.plusNanos(System.nanoTime() - begin);
    host.fold(List.of(message.input()), now)
        .effects()
        .forEach(effect -> perform(effect, message.cause()));
    return this;
  }

  private void perform(Effect effect, Optional<Throwable> cause) {
    switch (effect) {
      case Effect.Ask(var question) ->
          answer(scheduler.ask(queue, question), Input.Told::new, NO_QUEUE);
      case Effect.LookAt(var look) ->
          answer(
              chain.look(look),
              view -> {
                figures.saw(view);
                return new Input.Shown(view);
              },
              NO_CHAIN);
      case Effect.Store(var advance) -> store(advance);
      case Effect.Send(var dispatches) ->
          answer(
              chain.send(dispatches),
              sent -> {
                figures.sent(sent);
                return new Input.Offered(sent);
              },
              NO_CHAIN);
      case Effect.WakeIn(var time) ->
          timers.startSingleTimer("round", new Message(new Input.Tick()), time);
      case Effect.Report(var sentence) -> {
        figures.troubled(!sentence.equals(Providing.WELL));
        // A node may answer, and refuse what is asked of it: only the cause tells which.
        getContext()
            .getLog()
            .warn("Provider of {}: {}", chain.contract(), sentence, cause.orElse(null));
      }
    }
  }

  private void store(Advance advance) {
    var command =
        new Command(
            SchedulerNode.ONCE + UUID.randomUUID(),
            scheduler.setup().administrator(),
            new Operation.Perform(advance));
    answer(
        scheduler.submit(queue, command),
        answer ->
            answer
                .refusal()
                .<Input>map(refusal -> new Input.Refused(refusal.sentence()))
                .orElseGet(Input.Stored::new),
        NO_QUEUE);
  }

  private <T> void answer(
      CompletionStage<T> asked, Function<T, ? extends Input> read, String otherwise) {
    getContext()
        .pipeToSelf(
            asked,
            (said, failure) -> {
              if (failure == null) {
                return new Message(read.apply(said));
              }
              return new Message(new Input.Failed(otherwise), Optional.of(failure));
            });
  }
}
