package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.ethereum.ContractAbi;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.EventNumbers;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.port.PublicContracts.Placed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The events of final blocks that one listener wants, as one subscription reads them. It asks for
 * more blocks at once while there is little in them, and for fewer after a failure and where there
 * is more than a batch takes. Confined to its subscription, which asks for one page at a time.
 */
final class EventFeed implements ListenerFeed.Rows {
  private static final long MOST_BLOCKS = 1_000;

  /** Of an event: its block stands where one was that is gone, of which the listener was told. */
  private static final String AGAIN = "again";

  private final EventSources sources;
  private final long again;
  private final PublicContracts contracts;
  private final Supplier<BlockHeight> height;
  private volatile long blocks = MOST_BLOCKS;

  /**
   * @param again what has a number up to this is told as in place of blocks that are gone
   * @param height the newest final block that the node has read
   */
  EventFeed(
      EventSources sources, long again, PublicContracts contracts, Supplier<BlockHeight> height) {
    this.sources = sources;
    this.again = again;
    this.contracts = contracts;
    this.height = height;
  }

  private record Meant(Placed placed, ContractAbi.Told told) {}

  @Override
  public CompletionStage<ListenerFeed.Page> after(long after, HeldBack none, int most) {
    // One that was set back is told nothing of blocks that it does not want.
    long first = Math.max(EventNumbers.blockAfter(after), sources.firstBlock().orElse(0));
    long last = Math.min(height.get().value(), first + blocks - 1);
    if (first > last) {
      return completedFuture(new ListenerFeed.Page(List.of(), after));
    }
    return contracts
        .events(sources.wanted(new BlockHeight(first), new BlockHeight(last)))
        .whenComplete(
            (events, failure) -> {
              if (failure != null) {
                blocks = Math.max(1, (last - first + 1) / 2);
              }
            })
        .thenApply(events -> page(events, after, most, last));
  }

  private ListenerFeed.Row row(Meant meant) {
    long number = EventNumbers.of(meant.placed());
    var event = LedgerQueryMethods.written(meant.placed(), meant.told());
    if (number <= again) {
      event.put(AGAIN, true);
    }
    return new ListenerFeed.Row(number, event);
  }

  private ListenerFeed.Page page(List<Placed> events, long after, int most, long last) {
    var meant = new ArrayList<Meant>();
    for (var placed : events) {
      if (EventNumbers.of(placed) > after) {
        sources.meant(placed.event()).ifPresent(told -> meant.add(new Meant(placed, told)));
      }
    }
    boolean all = meant.size() <= most;
    // Slowly upwards, since what was refused once is refused again.
    blocks = all ? Math.min(MOST_BLOCKS, blocks + blocks / 8 + 1) : Math.max(1, blocks / 2);
    var rows = meant.stream().limit(most).map(this::row).toList();
    return new ListenerFeed.Page(rows, all ? EventNumbers.lastOf(last) : rows.getLast().number());
  }
}
