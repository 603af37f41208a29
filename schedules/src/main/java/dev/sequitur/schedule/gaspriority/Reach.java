package dev.sequitur.schedule.gaspriority;

import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.family.QueueView;

/**
 * How many of those that wait the blocks to come reach before they expire: as things stand now,
 * with a block in every tick, and nobody coming or going. It counts, and looks at no single one, so
 * that a creation can ask. What chose to run late counts as others do.
 *
 * @param now the present tick, whose block may still come
 */
record Reach(GasPrioritySettings settings, QueueView view, long now) {
  /** Ticks in which some wait, of those before one that is asked for: the work of one question. */
  static final int MOST_LOOKED_AT = 1_000;

  /**
   * How many stand before a key in its tick, and will be run before it or with it.
   *
   * @return whether blocks come to it, too
   */
  boolean comesTo(DueKey key) {
    long tick = key.time();
    int before = view.waiting(DueKey.from(tick), key, most());
    // Almost always: its first block has room, and no tick before it has too many.
    return fewWait(tick, before) || reached(tick, before + 1) > before;
  }

  private boolean fewWait(long tick, int before) {
    long first = Math.max(0, tick - settings.expiryTicks());
    int limit = settings.getReadyTransactionsLimit();
    return before < limit && view.waiting(DueKey.from(first), DueKey.from(tick), limit) < limit;
  }

  /** How many of those that stand in a tick expire. */
  int unreached(long tick, int standing) {
    return standing - reached(tick, standing);
  }

  /**
   * @param standing how many stand in the tick
   */
  private int reached(long tick, int standing) {
    long first = Math.max(0, tick - settings.expiryTicks());
    int limit = settings.getReadyTransactionsLimit();
    long block = Math.max(first, now);
    long room = limit;
    for (int looks = 0; looks < MOST_LOOKED_AT; looks++) {
      long earlier = nextWith(first, tick);
      first = earlier + 1;
      if (block < earlier) {
        block = earlier;
        room = limit;
      }
      int number =
          earlier == tick
              ? standing
              : view.waiting(DueKey.from(earlier), DueKey.from(earlier + 1), most());
      long left = earlier + settings.expiryTicks() - block;
      long reached = Math.min(number, left < 0 ? 0 : room + left * limit);
      if (earlier == tick) {
        return (int) reached;
      }
      long behind = reached - room;
      block += behind < 0 ? 0 : 1 + behind / limit;
      room = behind < 0 ? -behind : limit - behind % limit;
    }
    // Nobody is warned of what nobody has reckoned.
    return standing;
  }

  /** The first tick from one on in which any wait; the last one, if there is none before it. */
  private long nextWith(long first, long last) {
    return view.waitingIn(DueKey.from(first), DueKey.from(last), 1).stream()
        .mapToLong(schedule -> schedule.due().time())
        .findFirst()
        .orElse(last);
  }

  /** More than can be reached of one tick. */
  private int most() {
    long most = (long) settings.getReadyTransactionsLimit() * (settings.expiryTicks() + 1L);
    return (int) Math.min(Integer.MAX_VALUE, most + 1);
  }
}
