package dev.sequitur.sequencer.setup;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * What this JVM's node has done about committees without being called, for whoever writes it down
 * (AGR-8). What comes before anybody takes it waits, the newest of it. Thread-safe.
 */
public final class CommitteeNews {
  /** That wait for somebody who takes them. */
  static final int MOST_WAITING = 1_000;

  /** What has become of a change. */
  public enum What {
    /** This node has signed it. */
    SIGNED,
    /** The base ledger has it. */
    CHANGED,
    /** The base ledger never will. */
    OVER
  }

  /**
   * May be told twice, if the node ended before it had stored it.
   *
   * @param number of the change
   * @param who has signed, or is in the committee after it
   * @param block that has it
   * @param why it is over
   */
  public record News(
      ContractAddress contract,
      int number,
      What what,
      List<Identity> who,
      Optional<BlockHeight> block,
      Optional<String> why) {
    public News {
      who = List.copyOf(who);
    }
  }

  private final Queue<News> waiting = new ArrayDeque<>();
  private Optional<Consumer<News>> taker = Optional.empty();

  /** Once what it tells is kept. */
  public synchronized void tell(News news) {
    if (taker.isPresent()) {
      taker.get().accept(news);
      return;
    }
    if (waiting.size() == MOST_WAITING) {
      waiting.remove();
    }
    waiting.add(news);
  }

  /**
   * From now on all is told to this one, and what waits at once.
   *
   * @param next is called in any thread, by one at a time, and does not block
   */
  public synchronized void take(Consumer<News> next) {
    taker = Optional.of(next);
    waiting.forEach(next);
    waiting.clear();
  }
}
