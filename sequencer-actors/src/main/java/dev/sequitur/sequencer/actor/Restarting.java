package dev.sequitur.sequencer.actor;

import akka.actor.typed.Behavior;
import akka.actor.typed.SupervisorStrategy;
import akka.actor.typed.javadsl.Behaviors;
import dev.sequitur.protocol.exchange.Backoff;
import java.time.Duration;

/** How an actor begins anew that nobody would start again. */
final class Restarting {
  /** After a failure; also between two looks for what is not there yet. */
  static final Backoff PAUSES = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(10));

  private static final double SPREAD = 0.2;

  private Restarting() {}

  /** One that fails begins anew, each time after a longer pause. */
  static <C> Behavior<C> afterFailures(Behavior<C> actor) {
    return Behaviors.supervise(actor)
        .onFailure(SupervisorStrategy.restartWithBackoff(PAUSES.initial(), PAUSES.cap(), SPREAD));
  }
}
