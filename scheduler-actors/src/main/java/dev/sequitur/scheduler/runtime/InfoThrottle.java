package dev.sequitur.scheduler.runtime;

import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.Throttle;
import dev.sequitur.protocol.schedule.family.FamilyQuery;
import dev.sequitur.protocol.schedule.multisignature.MultiSignature;
import dev.sequitur.protocol.schedule.multisignature.MultiSignatureAnswer.InfoFound;
import dev.sequitur.protocol.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.protocol.schedule.queue.QueueSetup;
import dev.sequitur.protocol.schedule.signing.ResponseCode;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The bucket of ScheduleGetInfo. The text throttles each of its operations; this one changes
 * nothing, so it is no command of a queue, and each JVM has one bucket for all its queues.
 * Thread-safe.
 */
final class InfoThrottle {
  private final InstantSource clock;
  private final AtomicReference<Throttle> bucket;

  InfoThrottle(QueueSetup setup, InstantSource clock) {
    this.clock = clock;
    long limit =
        setup
            .family(MultiSignature.class)
            .map(family -> family.settings().throttles().getInfo())
            .orElse(1L);
    this.bucket = new AtomicReference<>(Throttle.empty(limit));
  }

  /** The answer to one too many. */
  Optional<InfoFound> refusal(FamilyQuery<?> query) {
    return query instanceof MultiSignatureQuery.ScheduleGetInfo && !use()
        ? Optional.of(new InfoFound(ResponseCode.BUSY, Optional.empty()))
        : Optional.empty();
  }

  private boolean use() {
    var now = ConsensusTime.of(clock.instant());
    Throttle known;
    do {
      known = bucket.get();
      if (!known.allows(now)) {
        return false;
      }
    } while (!bucket.compareAndSet(known, known.use(now)));
    return true;
  }
}
