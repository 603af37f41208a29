package dev.sequitur.schedule.gaspriority;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.family.Schedule;
import java.util.List;
import java.util.Optional;

/**
 * Plays the blocks to come with one more schedule among those that wait. Others of its price go
 * before it, since its id is not known yet. Lives for one question.
 */
final class GasPriorityOutlook {
  private final GasPrioritySettings settings;
  private final GasPriorityTerms own;
  private final long ownTick;

  /** The block that is filled at present. */
  private long tick;

  private int taken;
  private long highestOfOthers;
  private boolean ownInBlock;

  /**
   * @param now the present tick, whose block may still come
   */
  GasPriorityOutlook(GasPrioritySettings settings, GasPriorityTerms own, long now) {
    this.settings = settings;
    this.own = own;
    this.ownTick = own.scheduledTimeMs() / settings.tickMillis();
    this.tick = now;
  }

  /**
   * @param waiting in their order, from the first on
   * @param complete whether these are all
   * @return empty if too many wait to tell
   */
  Optional<GasPriorityForecast> after(List<Schedule> waiting, boolean complete) {
    boolean placed = false;
    for (var other : waiting) {
      if (!placed && !isBefore(other.due())) {
        placed = true;
        if (!place(ownTick)) {
          return Optional.of(expired());
        }
        ownInBlock = true;
      }
      if (ownInBlock && isBlockFullFor(other.due().time())) {
        return Optional.of(runs());
      }
      if (place(other.due().time())) {
        highestOfOthers = Math.max(highestOfOthers, ~other.due().order());
      }
    }
    if (!complete) {
      return Optional.empty();
    }
    return Optional.of(placed || place(ownTick) ? runs() : expired());
  }

  /** Whether another goes before: of an earlier tick, or not outbid. */
  private boolean isBefore(DueKey other) {
    return other.time() < ownTick
        || (other.time() == ownTick && ~other.order() >= own.maxGasUnitPrice());
  }

  private boolean isBlockFullFor(long dueTick) {
    return dueTick > tick || taken == settings.getReadyTransactionsLimit();
  }

  /** Whether one that is due in a tick still runs, in the block that is then the present one. */
  private boolean place(long dueTick) {
    if (isBlockFullFor(dueTick)) {
      tick = Math.max(tick + 1, dueTick);
      taken = 0;
      highestOfOthers = 0;
    }
    boolean runs = tick - dueTick <= settings.expiryTicks();
    taken += runs ? 1 : 0;
    return runs;
  }

  private GasPriorityForecast runs() {
    long price = Math.max(highestOfOthers, settings.minGasUnitPrice());
    return new GasPriorityForecast(at(tick), Math.min(own.maxGasUnitPrice(), price), false);
  }

  private GasPriorityForecast expired() {
    return new GasPriorityForecast(at(ownTick + settings.expiryTicks() + 1), 0, true);
  }

  private ConsensusTime at(long atTick) {
    return new ConsensusTime(ConsensusTime.nanosOf(atTick, settings.tickMillis()));
  }
}
