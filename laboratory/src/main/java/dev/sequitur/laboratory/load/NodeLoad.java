package dev.sequitur.laboratory.load;

import dev.sequitur.laboratory.load.Entrance.Answer;
import dev.sequitur.laboratory.load.Entrance.Ended;
import dev.sequitur.laboratory.load.Entrance.Receipts;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.Intent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Submits to one node in batches and follows its receipts. What gets no answer is submitted again,
 * less and less often: what was accepted after all is known by its idempotency key. Nothing here
 * waits: {@link #step} does what can be done now. Confined to one thread.
 */
public final class NodeLoad {
  private static final Backoff PAUSES = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

  private final String node;
  private final Entrance entrance;
  private final Receipts receipts;
  private final Totals totals;
  private final boolean insists;
  private final Deque<Timed> again = new ArrayDeque<>();
  private final List<Submission> open = new ArrayList<>();
  private final Map<TransactionId, Timed> outstanding = new LinkedHashMap<>();

  /** Receipts that were there before the submission was answered. */
  private final Map<TransactionId, Early> early = new HashMap<>();

  private CompletableFuture<List<Ended>> reading = CompletableFuture.completedFuture(List.of());
  private Optional<BlockHeight> newest = Optional.empty();
  private Duration pause = PAUSES.initial();
  private long notBefore = System.nanoTime();
  private boolean started;

  /** Whether all receipts have been read that were there before. */
  private boolean caughtUp;

  /** Hands out, in order, what one node submits. Confined to one thread. */
  public interface Source {
    /** The next one that is due; empty if there is none now. */
    Optional<Timed> next(long nowNanos);

    /** Whether there will be no more. */
    boolean isDone();
  }

  /**
   * An intent.
   *
   * @param since when it was to be submitted, as {@link System#nanoTime}: its wait counts from then
   */
  public record Timed(Intent intent, long since) {}

  private record Submission(List<Timed> sent, CompletableFuture<List<Answer>> answers) {}

  private record Early(Ended ended, OptionalLong seenAt) {}

  /**
   * @param node its name
   * @param insists whether what is refused is submitted again
   */
  public NodeLoad(
      String node, Entrance entrance, Receipts receipts, Totals totals, boolean insists) {
    this.node = node;
    this.entrance = entrance;
    this.receipts = receipts;
    this.totals = totals;
    this.insists = insists;
  }

  /**
   * Takes what has been answered, and submits what comes next.
   *
   * @param room how many more may be taken from the source
   * @return how many were submitted
   */
  public int step(Source source, int room) {
    open.removeIf(this::isAnswered);
    if (reading.isDone() && isTime()) {
      takeReceipts();
    }
    int submitted = 0;
    while (caughtUp && isTime() && open.size() < entrance.atOnce()) {
      var batch = batch(source, room - submitted);
      if (batch.isEmpty()) {
        break;
      }
      submitted += batch.size();
      var intents = batch.stream().map(Timed::intent).toList();
      open.add(new Submission(batch, entrance.submit(intents)));
    }
    return submitted;
  }

  /** What is submitted again, and then what is new. */
  private List<Timed> batch(Source source, int room) {
    var batch = new ArrayList<Timed>();
    while (!again.isEmpty() && batch.size() < entrance.together()) {
      batch.add(again.remove());
    }
    int most = Math.min(entrance.together(), batch.size() + room);
    boolean more = true;
    while (more && batch.size() < most) {
      var next = source.next(System.nanoTime());
      next.ifPresent(batch::add);
      more = next.isPresent();
    }
    return batch;
  }

  private boolean isTime() {
    return System.nanoTime() - notBefore >= 0;
  }

  /** Submitted and without a receipt, or to be submitted again. */
  public int outstanding() {
    return outstanding.size()
        + again.size()
        + open.stream().mapToInt(submission -> submission.sent().size()).sum();
  }

  /** The first of those that have been accepted and have no receipt. */
  public Optional<TransactionId> oldest() {
    return outstanding.keySet().stream().findFirst();
  }

  /** The block of the newest receipt that told its block. */
  public Optional<BlockHeight> newest() {
    return newest;
  }

  /** How many receipts wait for the answer to their submission. */
  int early() {
    return early.size();
  }

  private boolean isAnswered(Submission submission) {
    if (!submission.answers().isDone()) {
      return false;
    }
    try {
      var answers = submission.answers().join();
      pause = PAUSES.initial();
      for (int i = 0; i < answers.size(); i++) {
        take(answers.get(i), submission.sent().get(i));
      }
    } catch (CompletionException e) {
      again.addAll(submission.sent());
      waitAfter(submission.sent().size(), node + ": " + Answers.cause(e).getMessage());
    }
    return true;
  }

  private void take(Answer answer, Timed sent) {
    if (answer.id().isPresent()) {
      accepted(answer.id().get(), sent);
    } else if (insists) {
      again.add(sent);
      waitAfter(1, answer.refusal());
    } else {
      totals.refuse(answer.refusal());
    }
  }

  private void accepted(TransactionId id, Timed sent) {
    if (!totals.accept(id)) {
      return;
    }
    var receipt = early.remove(id);
    if (receipt == null) {
      outstanding.put(id, sent);
    } else {
      totals.end(new Totals.Outcome(node, receipt.ended(), sent.since(), receipt.seenAt()));
    }
  }

  private void waitAfter(int calls, String reason) {
    totals.again(calls, reason);
    notBefore = System.nanoTime() + pause.toNanos();
    pause = PAUSES.longer(pause);
  }

  private void takeReceipts() {
    try {
      var page = reading.join();
      page.forEach(this::take);
      // Others go on submitting, and of theirs there are new ones on each page.
      caughtUp |= started && page.size() < receipts.page();
    } catch (CompletionException e) {
      waitAfter(0, node + ": " + Answers.cause(e).getMessage());
    }
    started = true;
    reading = receipts.next(outstanding.keySet());
  }

  private void take(Ended ended) {
    newest = ended.block().or(() -> newest);
    if (!ended.own()) {
      // Nothing here waits for it: it would be kept for ever.
      return;
    }
    var seenAt = caughtUp ? OptionalLong.of(System.nanoTime()) : OptionalLong.empty();
    var sent = outstanding.remove(ended.id());
    if (sent == null) {
      early.put(ended.id(), new Early(ended, seenAt));
    } else {
      totals.end(new Totals.Outcome(node, ended, sent.since(), seenAt));
    }
  }
}
