package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.sender.HandoverTable.HandoverEvent;
import dev.sequitur.protocol.sender.HandoverTable.HandoverState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * Tells senders and submitters, which may be in another JVM, of what was accepted: again and again
 * until they say that they have it (HND-1). Nothing survives a restart, nothing need: what is not
 * handed over is read from the node store.
 */
public final class Handover {
  /** How long it waits for an answer, and how often it is to be told to tick. */
  public static final Duration AGAIN = Duration.ofSeconds(2);

  /** What is to be answered at a time; the rest is left to whoever reads the node store. */
  private static final int MOST_OPEN = 10_000;

  private Handover() {}

  /** What it is told. */
  public sealed interface Input {
    /** Of one contract, in order of acceptance. */
    record HandOver(ContractAddress contract, List<PrivateTransaction> transactions)
        implements Input {}

    /** There may be intents of these contracts in the node store that nobody hands over. */
    record InDoubt(Set<ContractAddress> contracts) implements Input {}

    /** Public transactions of theirs are in the node store, or may be (PUB-2). */
    record PublicsAccepted(Set<Identity> senders) implements Input {}

    /** Whoever was told something has it. */
    record Taken(long number) implements Input {}

    record Tick() implements Input {}
  }

  /** What is told; it may get lost. Answered by Taken with its number. */
  public sealed interface Effect {
    /**
     * To the sender of the contract.
     *
     * @param again whether it was told before: another life of the sender may have had it, and
     *     ended what is in it
     */
    record Hand(long number, Input.HandOver what, boolean again) implements Effect {}

    /** The sender of the contract is to read the node store. */
    record Reload(long number, ContractAddress contract) implements Effect {}

    /** The submitter of the sender's key is to read the node store. */
    record TellPublics(long number, Identity sender) implements Effect {}
  }

  /** What somebody is told, without a number. */
  sealed interface Matter {
    /** These intents. */
    record Batch(Input.HandOver what) implements Matter {}

    /** There are intents in the node store. */
    record Unread(ContractAddress contract) implements Matter {}

    /** There are public transactions in the node store. */
    record Publics(Identity sender) implements Matter {}
  }

  /** Whether it is told again makes no difference to who reads the node store. */
  private static Effect told(long number, Matter what, boolean again) {
    return switch (what) {
      case Matter.Batch(var batch) -> new Effect.Hand(number, batch, again);
      case Matter.Unread(var contract) -> new Effect.Reload(number, contract);
      case Matter.Publics(var sender) -> new Effect.TellPublics(number, sender);
    };
  }

  record Open(Matter what, Instant toldAt) {}

  /**
   * All of it is working memory: what was accepted is a fact of the node store.
   *
   * @param last the number of what was told last
   * @param open what nobody has answered, by number
   * @param newest of those that say no more than that there is something to read: the number of the
   *     one that is open, so that no answer to an older one counts for it
   */
  public record State(long last, TreePMap<Long, Open> open, PMap<Matter, Long> newest) {
    /** Whether everybody has answered. */
    public boolean isIdle() {
      return open.isEmpty();
    }

    private State opened(long number, Open now) {
      return new State(
          number,
          open.plus(number, now),
          now.what() instanceof Matter.Batch ? newest : newest.plus(now.what(), number));
    }

    private State without(long number) {
      var what = open.get(number).what();
      return new State(
          last, open.minus(number), what instanceof Matter.Batch ? newest : newest.minus(what));
    }
  }

  public static Machine<Input, State, Void, Effect> machine() {
    return Machine.storingNothing(
        new State(0, TreePMap.empty(), HashTrie.empty()), Handover::decide, new Input.Tick());
  }

  private static Decision<State, Void, Effect> decide(State before, Input input, Instant now) {
    var step = Step.<State, Effect>storingNothing(before, now);
    switch (input) {
      case Input.HandOver what -> tell(step, new Matter.Batch(what));
      case Input.InDoubt(var contracts) ->
          contracts.forEach(contract -> tell(step, new Matter.Unread(contract)));
      case Input.PublicsAccepted(var senders) ->
          senders.forEach(sender -> tell(step, new Matter.Publics(sender)));
      case Input.Taken(var number) -> move(step, number, HandoverEvent.TAKEN);
      case Input.Tick ignored -> tellAgain(step);
    }
    return step.finish();
  }

  /** What is read in the node store includes what an older one was told for. */
  private static void tell(Step<State, Void, Effect> step, Matter what) {
    Optional.ofNullable(step.state().newest().get(what))
        .ifPresent(older -> move(step, older, HandoverEvent.OVERTAKEN));
    // There are no more of these than groups.
    boolean fits = what instanceof Matter.Unread || step.state().open().size() < MOST_OPEN;
    long number = step.state().last() + 1;
    HandoverTable.HANDOVER.move(
        HandoverState.NEW,
        fits ? HandoverEvent.TELL : HandoverEvent.CROWDED,
        what,
        (next, action) -> {
          act(step, number, new Open(what, step.now()), action);
          return next;
        });
  }

  private static void move(Step<State, Void, Effect> step, long number, HandoverEvent event) {
    var open = step.state().open().get(number);
    HandoverTable.HANDOVER.move(
        open == null ? HandoverState.DONE : HandoverState.TOLD,
        event,
        number,
        (next, action) -> {
          act(step, number, open, action);
          return next;
        });
  }

  private static void act(
      Step<State, Void, Effect> step, long number, Open open, HandoverTable.Action action) {
    switch (action) {
      case NOTHING -> {}
      case TELL -> {
        step.become(step.state().opened(number, open));
        step.effect(told(number, open.what(), false));
      }
      case REPEAT -> step.effect(told(number, open.what(), true));
      case LEAVE -> leave(step, open.what());
      case FORGET -> step.become(step.state().without(number));
    }
  }

  private static void leave(Step<State, Void, Effect> step, Matter what) {
    switch (what) {
      case Matter.Batch(var batch) -> tell(step, new Matter.Unread(batch.contract()));
      // Told once: what comes next of the sender brings it up again.
      case Matter.Publics publics -> step.effect(told(0, publics, false));
      case Matter.Unread ignored ->
          throw new IllegalStateException("There is always room for it: " + what);
    }
  }

  private static void tellAgain(Step<State, Void, Effect> step) {
    for (var each : step.state().open().entrySet()) {
      if (each.getValue().toldAt().plus(AGAIN).isAfter(step.now())) {
        // Those after it were told later.
        break;
      }
      move(step, each.getKey(), HandoverEvent.LATE);
    }
  }
}
