package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;

import dev.sequitur.protocol.machine.Host;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.chainexecution.Advance;
import dev.sequitur.schedule.chainexecution.ChainExecutions;
import dev.sequitur.schedule.chainexecution.PlanChain;
import dev.sequitur.schedule.chainexecution.Providing;
import dev.sequitur.schedule.chainexecution.Providing.Effect;
import dev.sequitur.schedule.chainexecution.Providing.Input;
import dev.sequitur.schedule.chainexecution.ToDo;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A provider with its queue, on a chain of the test: one round after the other, when it is told.
 */
public final class ProviderUnderTest {
  final QueueUnderTest queue;
  private final PlanChain chain;
  private final Providing.Settings settings;
  private final List<String> reports = new ArrayList<>();
  private Host<Input, Providing.State, Void, Effect> provider;

  /** How many effects are carried out before the process is killed. */
  private int left = Integer.MAX_VALUE;

  public ProviderUnderTest(Providing.Settings settings, PlanChain chain) {
    this.queue = new QueueUnderTest(QueueSetup.of(OPERATOR, new ChainExecutions(settings.gas())));
    this.chain = chain;
    this.settings = settings;
    begin();
  }

  private void begin() {
    var machine = new Providing(settings, chain).machine();
    provider = new Host<>(machine, machine.initial());
  }

  /** What it has stored is all that is left of it. */
  public void kill() {
    begin();
    queue.recover();
  }

  void killedAfter(int effects) {
    left = effects;
  }

  /** Up to the next rest. */
  public void round() {
    queue.block();
    var inputs = new ArrayDeque<Input>(List.of(new Input.Tick()));
    while (!inputs.isEmpty()) {
      for (var effect : provider.fold(List.of(inputs.poll()), Instant.EPOCH).effects()) {
        if (left-- == 0) {
          left = Integer.MAX_VALUE;
          kill();
          return;
        }
        perform(effect).ifPresent(inputs::add);
      }
    }
  }

  private Optional<Input> perform(Effect effect) {
    return switch (effect) {
      case Effect.Ask(var question) -> Optional.of(new Input.Told(ask(question)));
      case Effect.LookAt(var look) ->
          Optional.of(
              chain
                  .look(look)
                  .handle(
                      (view, failure) ->
                          failure == null
                              ? new Input.Shown(view)
                              : new Input.Failed("The chain does not answer."))
                  .toCompletableFuture()
                  .join());
      case Effect.Store(var advance) -> Optional.of(store(advance));
      case Effect.Send(var dispatches) ->
          Optional.of(new Input.Offered(chain.send(dispatches).toCompletableFuture().join()));
      case Effect.Report(var sentence) -> {
        reports.add(sentence);
        yield Optional.empty();
      }
      case Effect.WakeIn ignored -> Optional.empty();
    };
  }

  private ToDo.Known ask(ToDo question) {
    return queue.queue.ask(queue.state, question, queue.wall());
  }

  private Input store(Advance advance) {
    queue.tell(new QueueInput.Command("advance", OPERATOR, new Operation.Perform(advance)));
    return queue
        .answer()
        .refusal()
        .<Input>map(refusal -> new Input.Refused(refusal.sentence()))
        .orElseGet(Input.Stored::new);
  }

  /** Why it has no outcome. */
  public String why(ScheduleId id) {
    return queue.queue.explain(queue.state, id, queue.wall()).sentence();
  }

  public Optional<History.Recorded> outcome(ScheduleId id) {
    return queue.outcome(id);
  }

  /** All that wait, whenever they are due. */
  public ToDo.Known known() {
    return ask(new ToDo(Long.MAX_VALUE / 4, 10_000));
  }

  /** What the operator was told. */
  public List<String> reports() {
    return List.copyOf(reports);
  }
}
