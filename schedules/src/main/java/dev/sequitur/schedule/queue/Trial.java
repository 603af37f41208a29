package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What would come of a command if it came now: the rules that would decide it have done so, and
 * nothing of it is kept.
 *
 * @param answer as it would be answered
 * @param schedules what it makes, in order; what follows is of the first of them
 * @param setAside of its signer's money, until it has run
 * @param fee paid at once
 * @param available what could be spent then of the account that pays
 * @param times when what it schedules would run, the first ones
 * @param expires when the first of it ends though it has not run; empty if it does not
 * @param why what it would wait for, as it would be explained; empty if nothing is made
 * @param warning why that would not be run, as things stand; empty if it would
 * @param place how full it would be, with it, where it stands first; empty if it waits for no time
 */
public record Trial(
    Answer answer,
    List<ScheduleId> schedules,
    Amount setAside,
    Amount fee,
    Amount available,
    List<ConsensusTime> times,
    Optional<ConsensusTime> expires,
    Optional<String> why,
    Optional<String> warning,
    Optional<Forecast> place) {
  /** Of the times that are told. */
  public static final int TIMES = 10;

  public Trial {
    schedules = List.copyOf(schedules);
    times = List.copyOf(times);
  }

  /** Of what is refused before the queue is asked. */
  public static Trial refused(Answer answer) {
    return new Trial(
        answer,
        List.of(),
        Amount.ZERO,
        Amount.ZERO,
        Amount.ZERO,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  static Amount setAside(Decision<?, QueueEvent, ?> decision, AccountId signer) {
    return sum(decision, event -> setAside(event, signer));
  }

  private static Amount setAside(QueueEvent event, AccountId signer) {
    return switch (event) {
      case QueueEvent.Admitted taken when taken.schedule().proposal().owner().equals(signer) ->
          taken.deposit();
      case QueueEvent.SetAside aside when aside.owner().holder().equals(signer) -> aside.amount();
      default -> Amount.ZERO;
    };
  }

  /** Its signer's, in the money in which something is set aside. */
  static AccountId paying(Decision<?, QueueEvent, ?> decision, AccountId signer) {
    return decision.events().stream()
        .flatMap(
            event ->
                event instanceof QueueEvent.SetAside aside
                    ? Stream.of(aside.owner())
                    : Stream.empty())
        .filter(owner -> owner.holder().equals(signer))
        .findFirst()
        .orElse(signer);
  }

  /** What its signer pays for it, and not what it moves at once. */
  static Amount fee(Decision<?, QueueEvent, ?> decision, AccountId signer) {
    return sum(
        decision,
        event ->
            event instanceof QueueEvent.Posted posted
                    && posted.from().equals(signer)
                    && posted.to().equals(AccountId.FEES)
                ? posted.amount()
                : Amount.ZERO);
  }

  private static Amount sum(Decision<?, QueueEvent, ?> decision, Function<QueueEvent, Amount> of) {
    return new Amount(decision.events().stream().map(of).mapToLong(Amount::units).sum());
  }
}
