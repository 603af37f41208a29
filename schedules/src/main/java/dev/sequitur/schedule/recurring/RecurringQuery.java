package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.QueueView;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/** What can be asked of the recurring family. */
public sealed interface RecurringQuery<R> extends FamilyQuery<R> {
  @Override
  default FamilyKind family() {
    return FamilyKind.RECURRING;
  }

  @Override
  default R answer(Family family, QueueView view) {
    return answer(Family.own(Recurring.class, family), view);
  }

  R answer(Recurring family, QueueView view);

  /**
   * Beyond the text: which slots still take a task, after the present one and within the horizon.
   *
   * @param from the first that is of interest
   * @param ofSeries whether those of series are meant, which may be shorter than those of tasks
   */
  record FreeSlots(ConsensusTime from, int atMost, boolean ofSeries)
      implements RecurringQuery<Slots> {
    @Override
    public Slots answer(Recurring family, QueueView view) {
      return new Slots(family.freeSlots(view, this));
    }
  }

  /** The lists of days off, by name. */
  record DaysOffListed() implements RecurringQuery<Lists> {
    @Override
    public Lists answer(Recurring family, QueueView view) {
      var state = Recurring.state(view.state());
      return new Lists(
          state.daysOff().entrySet().stream()
              .map(
                  list ->
                      new Listed(list.getKey(), list.getValue(), state.on(list.getKey()).size()))
              .toList());
    }

    @Override
    public Optional<BinaryOperator<Lists>> together() {
      return Optional.of(Lists::plus);
    }
  }

  /**
   * A list of days off.
   *
   * @param series how many stand on it
   */
  record Listed(String name, DaysOff days, int series) {}

  /** In the order of their names. */
  record Lists(List<Listed> lists) {
    public Lists {
      lists = List.copyOf(lists);
    }

    /** Of two partitions of a queue, as one. */
    Lists plus(Lists other) {
      var all = new TreeMap<String, Listed>();
      Stream.concat(lists.stream(), other.lists.stream())
          .forEach(
              each ->
                  all.merge(
                      each.name(),
                      each,
                      (one, more) ->
                          new Listed(one.name(), one.days(), one.series() + more.series())));
      return new Lists(List.copyOf(all.values()));
    }
  }

  /** In the order of their times. */
  record Slots(List<Forecast> slots) {
    public Slots {
      slots = List.copyOf(slots);
    }
  }
}
