package dev.sequitur.protocol.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.listener.TellingTable.TellingPhase;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** A listener, what it is told of, and who shares it on one JVM; all from one seed. */
final class ToldListener {
  private static final int MOST_RECEIVERS = 4;
  private static final int BATCH = 3;

  private final Random random;
  private final Telling rules;
  private final Set<Long> incomplete = new HashSet<>();
  private final List<Receiver> receivers = new ArrayList<>();
  private Turns<Receiver> turns = Turns.none();
  private Instant now = Instant.EPOCH;
  private Listener listener;
  private long rows;
  private int made;

  /** Of this listener, since it was made. */
  private final Set<Long> taken = new HashSet<>();

  private final Set<Long> told = new HashSet<>();
  private final Set<Long> everHeldBack = new HashSet<>();
  private long newestTold;
  private boolean calm;

  ToldListener(long seed) {
    random = new Random(seed);
    rules =
        new Telling(
            BATCH,
            random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(100),
            Duration.ofMillis(50),
            new Backoff(Duration.ofMillis(200), Duration.ofMinutes(1)));
    make();
  }

  private void make() {
    listener =
        new Listener("l", Bytes.EMPTY, Instant.EPOCH.plusSeconds(++made), 0, Optional.empty());
    taken.clear();
    everHeldBack.clear();
    told.clear();
    newestTold = 0;
  }

  /** One subscription with its client. */
  private final class Receiver {
    private final Host<TellingInput<Long>, TellingState<Long>, Void, TellingEffect<Long>> host;
    private final Deque<TellingInput<Long>> inbox = new ArrayDeque<>();
    private final Deque<TellingEffect<Long>> underWay = new ArrayDeque<>();
    private final Listener served = listener;

    /** What its client has got and not answered, and then what its answers in the inbox are for. */
    private final Deque<List<Long>> unanswered = new ArrayDeque<>();

    private final Deque<List<Long>> answered = new ArrayDeque<>();
    private boolean hasLeft;

    private Receiver() {
      var machine = rules.<Long>machine();
      host = new Host<>(machine, machine.initial());
    }

    private TellingPhase phase() {
      return host.state().phase();
    }

    private void read() {
      var input = inbox.remove();
      if (input instanceof TellingInput.Refused<Long>) {
        answered.remove();
      } else if (input instanceof TellingInput.Acknowledged<Long>) {
        var batch = answered.remove();
        if (served.isSameAs(listener)) {
          taken.addAll(batch);
        }
      }
      var inputs = new ArrayDeque<TellingInput<Long>>(List.of(input));
      while (!inputs.isEmpty()) {
        for (var effect : host.fold(List.of(inputs.remove()), now).effects()) {
          switch (effect) {
            case TellingEffect.Look<Long> look -> underWay.add(look);
            case TellingEffect.Store<Long> store -> underWay.add(store);
            case TellingEffect.Deliver<Long>(var number, var told) -> onTold(told);
            case TellingEffect.Offer<Long>(var late) -> {
              change(all -> late ? all.overdue(this) : all.answeredInTime(this));
              inputs.add(
                  new TellingInput.Offered<>(turns.holder().filter(this::equals).isPresent()));
            }
            case TellingEffect.AnsweredLate<Long>() -> change(all -> all.answeredLate(this));
            case TellingEffect.TellGone<Long>() -> change(all -> all.left(this));
            case TellingEffect.Warn<Long> ignored -> {}
          }
        }
      }
      if (host.state().hasEnded()) {
        receivers.remove(this);
      }
    }

    private void onTold(List<Long> batch) {
      if (hasLeft) {
        return;
      }
      assertThat(served.isSameAs(listener)).as("a deleted one is told nothing").isTrue();
      assertThat(batch).as("no more than a batch").hasSizeBetween(1, BATCH);
      assertThat(incomplete).doesNotContainAnyElementsOf(batch);
      for (long row : batch) {
        if (!everHeldBack.contains(row) && told.add(row)) {
          assertThat(row).as("told for the first time, so in order").isGreaterThan(newestTold);
          newestTold = row;
        }
      }
      unanswered.add(batch);
    }

    private void carryOut() {
      switch (underWay.remove()) {
        case TellingEffect.Look<Long>(var soFar, var most) -> inbox.add(looked(soFar, most));
        case TellingEffect.Store<Long>(var what) -> inbox.add(stored(what));
        default -> throw new AssertionError("It is done at once.");
      }
    }

    private TellingInput<Long> looked(Optional<Taken> soFar, int most) {
      if (!served.isSameAs(listener)) {
        return new TellingInput.Gone<>();
      } else if (fails()) {
        return new TellingInput.Failed<>(new IllegalStateException("It can't be read."));
      }
      long from = soFar.map(Taken::upTo).orElse(listener.acknowledged());
      return listener.stopped().isPresent()
          ? new TellingInput.Stopped<>(from)
          : page(from, soFar.map(listener::taken).orElse(listener).heldBack(), most);
    }

    private TellingInput<Long> page(long from, HeldBack later, int most) {
      var done =
          later.rows().stream()
              .map(HeldBack.Row::number)
              .filter(row -> !incomplete.contains(row))
              .limit(most)
              .toList();
      var told = new ArrayList<>(done);
      var held = new ArrayList<HeldBack.Row>();
      long upTo = from;
      while (upTo < rows && told.size() < most) {
        long row = ++upTo;
        if (!incomplete.contains(row)) {
          told.add(row);
        } else {
          held.add(new HeldBack.Row(row, true));
          everHeldBack.add(row);
        }
      }
      return new TellingInput.Came<>(from, told, new Taken(upTo, held, done));
    }

    private TellingInput<Long> stored(Taken what) {
      if (!served.isSameAs(listener)) {
        return new TellingInput.Gone<>();
      }
      boolean fails = fails();
      if (!fails || random.nextBoolean()) {
        listener = listener.taken(what);
      }
      return fails
          ? new TellingInput.Failed<>(new IllegalStateException("It may be stored."))
          : new TellingInput.Stored<>();
    }
  }

  private boolean fails() {
    return !calm && random.nextInt(10) == 0;
  }

  private void change(UnaryOperator<Turns<Receiver>> how) {
    var before = turns.holder();
    turns = how.apply(turns);
    turns
        .holder()
        .filter(holder -> !before.equals(Optional.of(holder)))
        .ifPresent(holder -> holder.inbox.add(new TellingInput.Turn<>()));
  }

  /** Anything that may happen. */
  void step() {
    switch (random.nextInt(20)) {
      case 0, 1 -> append();
      case 2 -> complete();
      case 3 -> join();
      case 4 -> any().ifPresent(this::leave);
      case 5 -> rarely(this::crash);
      case 6 -> rarely(this::delete);
      case 7 ->
          listener =
              listener.withStopped(random.nextInt(3) == 0 ? Optional.of(now) : Optional.empty());
      case 8, 9 -> any().ifPresent(each -> answer(each, random.nextInt(4) > 0));
      case 10 -> pass(Duration.ofMillis(random.nextInt(300)));
      case 11 -> rarely(() -> pass(Telling.LONGEST_TURN));
      default -> any().ifPresent(this::getOn);
    }
    check();
  }

  private void rarely(Runnable what) {
    if (random.nextInt(4) == 0) {
      what.run();
    }
  }

  private Optional<Receiver> any() {
    return receivers.isEmpty()
        ? Optional.empty()
        : Optional.of(receivers.get(random.nextInt(receivers.size())));
  }

  private void append() {
    rows++;
    if (random.nextInt(4) == 0) {
      incomplete.add(rows);
    }
  }

  private void complete() {
    new TreeSet<>(incomplete)
        .stream().skip(random.nextInt(3)).findFirst().ifPresent(incomplete::remove);
  }

  private void join() {
    if (receivers.size() < MOST_RECEIVERS) {
      var one = new Receiver();
      receivers.add(one);
      change(all -> all.joined(one));
      one.inbox.add(new TellingInput.Start<>());
    }
  }

  private void leave(Receiver one) {
    one.hasLeft = true;
    change(all -> all.left(one));
    one.inbox.add(new TellingInput.End<>());
  }

  /** What was on its way to the store may get there. */
  private void crash() {
    for (var each : List.copyOf(receivers)) {
      while (!each.underWay.isEmpty() && random.nextBoolean()) {
        each.carryOut();
      }
    }
    receivers.clear();
    turns = Turns.none();
  }

  /** And makes one of the same name. */
  private void delete() {
    turns = Turns.none();
    make();
    receivers.forEach(each -> each.inbox.addFirst(new TellingInput.Gone<>()));
    List.copyOf(receivers).forEach(Receiver::read);
  }

  private void answer(Receiver one, boolean takes) {
    if (!one.unanswered.isEmpty() && !one.hasLeft) {
      one.answered.add(one.unanswered.remove());
      one.inbox.add(takes ? new TellingInput.Acknowledged<>() : new TellingInput.Refused<>());
    }
  }

  private void pass(Duration time) {
    now = now.plus(time);
    receivers.forEach(each -> each.inbox.add(new TellingInput.Tick<>()));
  }

  private void getOn(Receiver one) {
    if (!one.inbox.isEmpty() && (one.underWay.isEmpty() || random.nextBoolean())) {
      one.read();
    } else if (!one.underWay.isEmpty()) {
      one.carryOut();
    }
  }

  private void check() {
    assertThat(
            receivers.stream()
                .filter(each -> !each.hasLeft && each.phase() == TellingPhase.DELIVERING))
        .as("one batch is on its way at a time")
        .hasSizeLessThanOrEqualTo(1);
    assertThat(passed()).as("what is acknowledged was taken or is held back").isEmpty();
  }

  private List<Long> passed() {
    var held = listener.heldBack().rows().stream().map(HeldBack.Row::number).toList();
    var left = new ArrayList<Long>();
    for (long row = 1; row <= listener.acknowledged(); row++) {
      if (!taken.contains(row) && !held.contains(row)) {
        left.add(row);
      }
    }
    return left;
  }

  /** Nothing fails any more, all contents come, and whoever is there answers. */
  void settle() {
    calm = true;
    incomplete.clear();
    listener = listener.withStopped(Optional.empty());
    for (int i = 0; i < 500; i++) {
      if (receivers.isEmpty()) {
        join();
      }
      for (var each : List.copyOf(receivers)) {
        while (!each.inbox.isEmpty() || !each.underWay.isEmpty()) {
          getOn(each);
        }
        answer(each, true);
      }
      check();
      pass(Duration.ofMillis(i % 100 == 0 ? 60_000 : 50));
    }
  }

  /** What nobody has taken though it is there. */
  List<Long> untold() {
    var untold = new ArrayList<Long>();
    for (long row = 1; row <= rows; row++) {
      if (!taken.contains(row)) {
        untold.add(row);
      }
    }
    return untold;
  }

  @Override
  public String toString() {
    return rows + " rows, " + listener + ", " + receivers.stream().map(Receiver::phase).toList();
  }
}
