package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What would come of a command if it came now: the rules that would decide it have done so, and
 * nothing of it is kept.
 *
 * @param answer as it would be answered
 * @param setAside of its signer's money, until it has run
 * @param fee paid at once
 * @param available what its signer could spend then
 * @param times when what it schedules would run, the first ones
 * @param warning why that would not be run, as things stand; empty if it would
 * @param place how full it would be, with it, where it stands first; empty if it waits for no time
 */
public record Trial(
    Answer answer,
    Amount setAside,
    Amount fee,
    Amount available,
    List<ConsensusTime> times,
    Optional<String> warning,
    Optional<Forecast> place) {
  /** Of the times that are told. */
  public static final int TIMES = 10;

  public Trial {
    times = List.copyOf(times);
  }

  static Amount setAside(Decision<?, QueueEvent, ?> decision, AccountId signer) {
    return sum(
        decision,
        event ->
            switch (event) {
              case QueueEvent.Admitted taken
                  when taken.schedule().proposal().owner().equals(signer) ->
                  taken.deposit();
              case QueueEvent.SetAside aside when aside.owner().equals(signer) -> aside.amount();
              default -> Amount.ZERO;
            });
  }

  static Amount fee(Decision<?, QueueEvent, ?> decision, AccountId signer) {
    return sum(
        decision,
        event ->
            event instanceof QueueEvent.Posted posted && posted.from().equals(signer)
                ? posted.amount()
                : Amount.ZERO);
  }

  private static Amount sum(Decision<?, QueueEvent, ?> decision, Function<QueueEvent, Amount> of) {
    return new Amount(decision.events().stream().map(of).mapToLong(Amount::units).sum());
  }
}
