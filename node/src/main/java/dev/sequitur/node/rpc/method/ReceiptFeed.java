package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Shape;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The receipts that one listener wants, as one subscription reads them. Where only complete ones
 * are wanted, others are held back with the listener and looked at again in rounds: once contents
 * have come that this JVM has kept, and else once a minute, since other JVMs of the node keep some,
 * too. Confined to its subscription, which asks for one page at a time.
 */
final class ReceiptFeed implements ListenerFeed.Rows {
  /** How many that are held back are looked at for one page: each costs two reads. */
  private static final int LOOKED_AT = 100;

  /** Where nothing more can be held back: then the same ones are looked at with each page. */
  private static final int READ_WHERE_FULL = 10;

  /** Contents come all the time where there is much to do. */
  private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(1);

  private static final Duration AT_LATEST = Duration.ofMinutes(1);

  /** Of those that have used an id; who has used one with so many others stays held back. */
  private static final int MOST_OF_AN_ID = 64;

  private final NodeContext context;
  private final FullReceipts receipts;
  private final ReceiptFilters filters;
  private final Call call;
  private volatile Round round = Round.NONE;

  ReceiptFeed(NodeContext context, ReceiptFilters filters, Call call) {
    this.context = context;
    this.receipts = new FullReceipts(context);
    this.filters = filters;
    this.call = call;
  }

  /**
   * How far it has looked at what is held back.
   *
   * @param kept how often contents had been kept before
   * @param lookedTo up to this number; the highest that there can be once it is over
   * @param done what it has found to be held back no more
   */
  private record Round(long kept, Instant begun, long lookedTo, Set<Long> done) {
    private static final Round NONE = new Round(-1, Instant.MIN, Long.MAX_VALUE, Set.of());

    private boolean isOver() {
      return lookedTo == Long.MAX_VALUE;
    }

    private boolean isTimeForAnother(long keptNow, Instant now) {
      return now.isBefore(begun)
          || !now.isBefore(begun.plus(AT_LATEST))
          || (keptNow != kept && !now.isBefore(begun.plus(BETWEEN_ROUNDS)));
    }

    /** What was found is held back still: it was pushed and not taken. */
    private boolean isNotTaken(HeldBack heldBack) {
      return heldBack.rows().stream().map(HeldBack.Row::number).anyMatch(done::contains);
    }

    private Round looked(long at, List<Long> found) {
      var all = new HashSet<>(done);
      all.addAll(found);
      return new Round(kept, begun, at, Set.copyOf(all));
    }
  }

  /**
   * Some of what the listener is told next.
   *
   * @param receipts those that are told
   * @param readTo up to this number all was read
   * @param heldBack what of that is held back
   * @param done what is held back no more, told or not
   */
  private record Read(
      List<NumberedReceipt> receipts, long readTo, List<HeldBack.Row> heldBack, List<Long> done) {}

  @Override
  public CompletionStage<ListenerFeed.Page> after(long after, HeldBack heldBack, int most) {
    return again(after, heldBack, most)
        .thenCompose(late -> fresh(late, heldBack, most))
        .thenCompose(read -> page(after, read));
  }

  private CompletionStage<Read> again(long after, HeldBack heldBack, int most) {
    var looked = due(heldBack, Math.min(most, LOOKED_AT));
    return Answers.inTurn(looked, this::again)
        .thenApply(
            each -> {
              var done =
                  IntStream.range(0, looked.size())
                      .filter(i -> each.get(i).isDone())
                      .mapToObj(i -> looked.get(i).number())
                      .toList();
              round =
                  round.looked(looked.isEmpty() ? Long.MAX_VALUE : looked.getLast().number(), done);
              var told = each.stream().flatMap(found -> found.told().stream()).toList();
              return new Read(told, after, List.of(), done);
            });
  }

  private List<HeldBack.Row> due(HeldBack heldBack, int most) {
    var now = context.clock().instant();
    long kept = context.store().contentsKept();
    if (round.isNotTaken(heldBack) || (round.isOver() && round.isTimeForAnother(kept, now))) {
      round = new Round(kept, now, 0, Set.of());
    }
    long from = round.lookedTo();
    return heldBack.rows().stream().filter(row -> row.number() > from).limit(most).toList();
  }

  /**
   * One that was held back.
   *
   * @param isDone whether it is so no more
   */
  private record Again(Optional<NumberedReceipt> told, boolean isDone) {
    private static final Again NOT_YET = new Again(Optional.empty(), false);
    private static final Again NEVER = new Again(Optional.empty(), true);

    private static Again tell(NumberedReceipt receipt) {
      return new Again(Optional.of(receipt), true);
    }
  }

  private CompletionStage<Again> again(HeldBack.Row row) {
    return context
        .store()
        .receipts(row.number() - 1, 1)
        .thenCompose(found -> SeenReceipts.among(context.store(), call.asOfNow(), only(row, found)))
        .thenCompose(
            seen -> seen.isEmpty() ? completedFuture(Again.NEVER) : lookedAtAgain(seen.getFirst()));
  }

  private static List<NumberedReceipt> only(HeldBack.Row row, List<NumberedReceipt> found) {
    return found.stream().filter(receipt -> receipt.sequence() == row.number()).toList();
  }

  private CompletionStage<Again> lookedAtAgain(NumberedReceipt receipt) {
    return receipts
        .isComplete(receipt)
        .thenCompose(
            complete ->
                complete
                    ? completedFuture(Again.tell(receipt))
                    : holds(receipt).thenApply(holds -> holds ? Again.NOT_YET : Again.NEVER));
  }

  /** Where another has taken its place, the listener is told that one. */
  private CompletionStage<Boolean> holds(NumberedReceipt receipt) {
    var id = receipt.receipt().transaction();
    return receipt.own()
        ? context
            .store()
            .receipt(id)
            .thenApply(now -> now.filter(it -> is(receipt, it)).isPresent())
        : context
            .store()
            .receiptsOfOthers(id, MOST_OF_AN_ID)
            .thenApply(
                now -> now.size() == MOST_OF_AN_ID || now.stream().anyMatch(it -> is(receipt, it)));
  }

  private static boolean is(NumberedReceipt one, NumberedReceipt other) {
    return one.sequence() == other.sequence();
  }

  private CompletionStage<Read> fresh(Read late, HeldBack heldBack, int most) {
    var held = heldBack.without(late.done());
    int room = most - late.receipts().size();
    return room == 0
        ? completedFuture(late)
        : context
            .store()
            .receipts(late.readTo(), held.isFull() ? Math.min(room, READ_WHERE_FULL) : room)
            .thenCompose(read -> fresh(late, held, read));
  }

  private CompletionStage<Read> fresh(Read late, HeldBack heldBack, List<NumberedReceipt> read) {
    long readTo = read.isEmpty() ? late.readTo() : read.getLast().sequence();
    return SeenReceipts.among(
            context.store(), call.asOfNow(), read.stream().filter(filters::wants).toList())
        .thenCompose(
            seen ->
                filters.completeOnly()
                    ? complete(seen)
                        .thenCompose(
                            complete ->
                                context.with(
                                    seen.stream().map(each -> each.receipt().contract()),
                                    () -> sorted(late, heldBack, seen, complete, readTo)))
                    : completedFuture(new Read(seen, readTo, List.of(), List.of())));
  }

  private CompletionStage<List<Boolean>> complete(List<NumberedReceipt> seen) {
    return Answers.all(
        seen.stream().map(each -> receipts.isComplete(each).toCompletableFuture()).toList());
  }

  /** It waits before the first that has no room. */
  private Read sorted(
      Read late,
      HeldBack heldBack,
      List<NumberedReceipt> seen,
      List<Boolean> complete,
      long readTo) {
    var told = new ArrayList<>(late.receipts());
    var held = new ArrayList<HeldBack.Row>();
    var all = heldBack;
    for (int i = 0; i < seen.size(); i++) {
      var receipt = seen.get(i);
      if (complete.get(i)) {
        told.add(receipt);
        continue;
      }
      var row = new HeldBack.Row(receipt.sequence(), isAwaited(receipt));
      var next = all.with(row);
      if (next.isEmpty()) {
        return new Read(told, receipt.sequence() - 1, held, late.done());
      }
      all = next.get();
      held.add(row);
    }
    return new Read(told, readTo, held, late.done());
  }

  /** Whether all that it lacks is for this node for certain. */
  private boolean isAwaited(NumberedReceipt receipt) {
    return receipt.own()
        || context
            .node()
            .group(receipt.receipt().contract())
            .filter(
                group -> {
                  var domain = context.node().domains().get(group.domain());
                  return domain != null && StateStore.Members.holdAll(group, domain);
                })
            .isPresent();
  }

  private CompletionStage<ListenerFeed.Page> page(long after, Read read) {
    if (!filters.domainReceipts()) {
      var rows = read.receipts().stream().map(ReceiptFeed::row).toList();
      return completedFuture(
          new ListenerFeed.Page(rows, read.readTo(), read.heldBack(), read.done()));
    }
    return full(read.receipts(), List.of(), 0).thenApply(rows -> page(after, read, rows));
  }

  /** What of it is in these rows, which are the first of it. */
  private static ListenerFeed.Page page(long after, Read read, List<ListenerFeed.Row> rows) {
    var left = read.receipts().subList(rows.size(), read.receipts().size());
    if (left.isEmpty()) {
      return new ListenerFeed.Page(rows, read.readTo(), read.heldBack(), read.done());
    }
    var numbers = left.stream().map(NumberedReceipt::sequence).toList();
    long before = Math.max(after, numbers.getFirst() - 1);
    return new ListenerFeed.Page(
        rows,
        before,
        read.heldBack().stream().filter(row -> row.number() <= before).toList(),
        read.done().stream().filter(number -> !numbers.contains(number)).toList());
  }

  /**
   * One after the other, until they have as much as what nodes send together: a batch is not too
   * long to be pushed.
   *
   * @param wanted those that are still to be read, in order
   * @param bytes of the states of those that are read
   */
  private CompletionStage<List<ListenerFeed.Row>> full(
      List<NumberedReceipt> wanted, List<ListenerFeed.Row> soFar, long bytes) {
    if (wanted.isEmpty()) {
      return completedFuture(soFar);
    }
    return told(wanted.getFirst())
        .thenCompose(
            told -> {
              long size = bytes + told.size();
              return !soFar.isEmpty() && size > GroupMessages.MOST_BYTES
                  ? completedFuture(soFar)
                  : full(
                      wanted.subList(1, wanted.size()),
                      Stream.concat(soFar.stream(), Stream.of(told.row())).toList(),
                      size);
            });
  }

  /**
   * @param size what its states take, roughly
   */
  private record Told(ListenerFeed.Row row, int size) {}

  /** Events of public transactions are read by those who ask for them. */
  private CompletionStage<Told> told(NumberedReceipt receipt) {
    return receipt.receipt().isPublic()
        ? completedFuture(new Told(row(receipt), 0))
        : receipts
            .of(receipt)
            .thenApply(
                full -> new Told(row(receipt, TransactionShapes.RECEIPT_FULL, full), full.size()));
  }

  private static ListenerFeed.Row row(NumberedReceipt receipt) {
    return row(receipt, TransactionShapes.RECEIPT, receipt);
  }

  private static <T> ListenerFeed.Row row(NumberedReceipt receipt, Shape<T> shape, T shown) {
    return new ListenerFeed.Row(receipt.sequence(), shape.write(shown));
  }
}
