package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.Address;
import dev.sequitur.fixture.ManualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Whom a JVM looks for, and for how long, before it begins a cluster; the test moves the clock. */
class MembershipTest {
  private static final Address FIRST = new Address("akka", "node1", "jvm1", 25520);
  private static final Address SECOND = new Address("akka", "node1", "jvm2", 25520);
  private static final List<Address> SEEDS = List.of(FIRST, SECOND);
  private static final Duration LOOK = Duration.ofSeconds(15);
  private static final Duration MOMENT = Duration.ofMillis(1);

  private static final class Scripted implements Membership.ToJoin {
    private final Address self;
    private final List<List<Address>> joined = new ArrayList<>();
    private final ManualTimer timer = new ManualTimer();
    private final CompletableFuture<Void> unreckoned = new CompletableFuture<>();
    private boolean decided;

    private Scripted(Address self) {
      this.self = self;
    }

    @Override
    public Address self() {
      return self;
    }

    @Override
    public void join(List<Address> seeds) {
      joined.add(seeds);
    }

    @Override
    public boolean isDecided() {
      return decided;
    }

    @Override
    public void after(Duration delay, Runnable then) {
      timer.after(delay, then);
    }

    @Override
    public void unreckoned(Runnable then) {
      var unused = unreckoned.thenRun(then);
    }
  }

  /** Its beginning would end them, where only a slow moment has kept them from answering. */
  @Test
  void theFirstSeedBeginsNothingForFifteenSecondsIfOthersMayWrite() {
    var first = new Scripted(FIRST);
    Membership.joinSeeds(first, SEEDS, true);
    first.unreckoned.complete(null);
    assertThat(first.joined).containsExactly(List.of(SECOND));

    first.timer.pass(LOOK.minus(MOMENT));
    assertThat(first.joined).containsExactly(List.of(SECOND));

    first.timer.pass(MOMENT);
    assertThat(first.joined).containsExactly(List.of(SECOND), SEEDS);
  }

  @Test
  void theFirstSeedThatHasFoundTheOthersMeanwhileBeginsNothing() {
    var first = new Scripted(FIRST);
    Membership.joinSeeds(first, SEEDS, true);
    first.unreckoned.complete(null);
    first.decided = true;

    first.timer.pass(LOOK.multipliedBy(2));

    assertThat(first.joined).containsExactly(List.of(SECOND));
  }

  @Test
  void theFirstSeedOfANodeWhereNobodyMayWriteBeginsAsSoonAsNobodyAnswers() {
    var first = new Scripted(FIRST);
    Membership.joinSeeds(first, SEEDS, false);

    assertThat(first.joined).containsExactly(SEEDS);
    assertThat(first.timer.waiting()).isZero();
  }

  /** There is nobody to look for: those who may write have died, or have changed their place. */
  @Test
  void theOnlySeedBeginsAsSoonAsNobodyAnswers() {
    var only = new Scripted(FIRST);
    Membership.joinSeeds(only, List.of(FIRST), true);

    assertThat(only.joined).containsExactly(List.of(FIRST));
    assertThat(only.timer.waiting()).isZero();
  }

  /** It never begins a cluster. */
  @Test
  void anyOtherJvmLooksForAllSeedsOnceTheyHaveDoneWithTheOneBeforeIt() {
    var second = new Scripted(SECOND);
    Membership.joinSeeds(second, SEEDS, true);
    assertThat(second.joined).isEmpty();

    second.unreckoned.complete(null);

    assertThat(second.joined).containsExactly(SEEDS);
    assertThat(second.timer.waiting()).isZero();
  }
}
