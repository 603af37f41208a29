package dev.sequitur.protocol.listener;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whose turn it is among those that share a listener (CLR-3): the first that is ready has it. Who
 * has let a batch wait for too long gets no other before it has answered that one. An answer does
 * not say which batch it is for, so it would be taken for one to the other batch.
 *
 * @param ready in the order of their turns
 * @param late those whose answer to a batch is still to come; another has the batch now
 */
public record Turns<S>(List<S> ready, List<S> late) {
  public Turns {
    ready = List.copyOf(ready);
    late = List.copyOf(late);
  }

  /** Nobody shares it. */
  public static <S> Turns<S> none() {
    return new Turns<>(List.of(), List.of());
  }

  /** Empty if there is nobody, or if all are late. */
  public Optional<S> holder() {
    return ready.stream().findFirst();
  }

  /** Whether nobody shares the listener. */
  public boolean isEmpty() {
    return ready.isEmpty() && late.isEmpty();
  }

  /** With a subscription that shares the listener from now on. */
  public Turns<S> joined(S one) {
    return new Turns<>(with(ready, one), late);
  }

  /** Without a subscription, which shares the listener no more. */
  public Turns<S> left(S one) {
    return new Turns<>(without(ready, one), without(late, one));
  }

  /** The caller has taken or refused its batch: the next subscription, if any, has its turn. */
  public Turns<S> answeredInTime(S one) {
    return endsTurn(one) ? new Turns<>(with(without(ready, one), one), late) : this;
  }

  /** The caller has not answered for long: its batch goes to the next subscription, if any. */
  public Turns<S> overdue(S one) {
    return endsTurn(one) ? new Turns<>(without(ready, one), with(late, one)) : this;
  }

  /** The caller has answered after all: its subscription may have a turn again. */
  public Turns<S> answeredLate(S one) {
    return late.contains(one) ? new Turns<>(with(ready, one), without(late, one)) : this;
  }

  private boolean endsTurn(S one) {
    return ready.size() > 1 && ready.getFirst().equals(one);
  }

  private static <S> List<S> with(List<S> some, S one) {
    var all = new ArrayList<>(some);
    all.add(one);
    return all;
  }

  private static <S> List<S> without(List<S> some, S one) {
    return some.stream().filter(each -> !each.equals(one)).toList();
  }
}
