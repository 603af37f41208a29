package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.pcollections.TreePMap;

/**
 * Hands durable intents to their senders, which may be in another JVM: again and again until the
 * sender says that it has them. Nothing survives a restart, nothing need: what is not handed over
 * is read from the node store.
 */
public final class Handover {
  /** How long it waits for a sender's answer, and how often it is to be told to tick. */
  public static final Duration AGAIN = Duration.ofSeconds(2);

  /** Batches beyond it are not kept; their contracts' senders read the node store instead. */
  private static final int MOST_OPEN = 10_000;

  private Handover() {}

  /** What it is told. */
  public sealed interface Input {
    /** Of one contract, in order of acceptance. */
    record HandOver(ContractAddress contract, List<PrivateTransaction> transactions)
        implements Input {}

    /** There may be intents of these contracts in the node store that nobody hands over. */
    record InDoubt(Set<ContractAddress> contracts) implements Input {}

    /** The sender has them. */
    record Taken(long batch) implements Input {}

    /** Public transactions of theirs are in the node store, or may be (PUB-2). */
    record PublicsAccepted(Set<Identity> senders) implements Input {}

    /** The submitter of their key knows that there are some. */
    record PublicsTold(Identity sender) implements Input {}

    record Tick() implements Input {}
  }

  /** What senders are told; it may get lost. */
  public sealed interface Effect {
    /** Answered by Taken. */
    record Hand(long batch, Input.HandOver what) implements Effect {}

    /** Read the node store. */
    record Reload(ContractAddress contract) implements Effect {}

    /** The submitter of the sender's key is to read the node store. Answered by PublicsTold. */
    record TellPublics(Identity sender) implements Effect {}
  }

  record Open(Input.HandOver what, Instant toldAt) {}

  /**
   * @param open what no sender has taken yet, by batch
   * @param publics whose submitter has not answered, with when it was told
   */
  public record State(
      long lastBatch, TreePMap<Long, Open> open, TreePMap<Identity, Instant> publics) {
    private State withOpen(TreePMap<Long, Open> now) {
      return new State(lastBatch, now, publics);
    }

    private State withPublics(TreePMap<Identity, Instant> now) {
      return new State(lastBatch, open, now);
    }
  }

  public static Machine<Input, State, Void, Effect> machine() {
    return Machine.storingNothing(
        new State(0, TreePMap.empty(), TreePMap.empty()), Handover::decide, new Input.Tick());
  }

  private static Decision<State, Void, Effect> decide(State before, Input input, Instant now) {
    var step = Step.<State, Effect>storingNothing(before, now);
    var open = before.open();
    switch (input) {
      case Input.HandOver what -> onHandOver(step, what);
      case Input.Taken(var batch) -> step.become(before.withOpen(open.minus(batch)));
      case Input.InDoubt(var contracts) -> reload(step, contracts);
      case Input.PublicsAccepted(var senders) -> onPublics(step, senders);
      case Input.PublicsTold(var sender) ->
          step.become(before.withPublics(before.publics().minus(sender)));
      case Input.Tick ignored -> {
        tellAgain(step);
        tellPublicsAgain(step);
      }
    }
    return step.finish();
  }

  private static void onHandOver(Step<State, Void, Effect> step, Input.HandOver what) {
    var state = step.state();
    if (state.open().size() >= MOST_OPEN) {
      reload(step, Set.of(what.contract()));
    } else {
      long batch = state.lastBatch() + 1;
      var all = state.open().plus(batch, new Open(what, step.now()));
      step.become(new State(batch, all, state.publics()));
      step.effect(new Effect.Hand(batch, what));
    }
  }

  private static void reload(Step<State, Void, Effect> step, Set<ContractAddress> contracts) {
    contracts.forEach(contract -> step.effect(new Effect.Reload(contract)));
  }

  /** Beyond the bound they are told once. */
  private static void onPublics(Step<State, Void, Effect> step, Set<Identity> senders) {
    for (var sender : senders) {
      if (step.state().publics().size() < MOST_OPEN) {
        step.become(step.state().withPublics(step.state().publics().plus(sender, step.now())));
      }
      step.effect(new Effect.TellPublics(sender));
    }
  }

  private static void tellPublicsAgain(Step<State, Void, Effect> step) {
    step.state()
        .publics()
        .forEach(
            (sender, toldAt) -> {
              if (!toldAt.plus(AGAIN).isAfter(step.now())) {
                step.effect(new Effect.TellPublics(sender));
              }
            });
  }

  private static void tellAgain(Step<State, Void, Effect> step) {
    for (var each : step.state().open().entrySet()) {
      if (each.getValue().toldAt().plus(AGAIN).isAfter(step.now())) {
        // Those after it were told later.
        break;
      }
      step.effect(new Effect.Hand(each.getKey(), each.getValue().what()));
    }
  }
}
