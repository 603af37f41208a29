package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.sequencer.actor.NewGroupReceipts;
import dev.sequitur.sequencer.actor.NodeServices;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the groups that accepted transactions ask for (SEL-8). What is to be made stands in the
 * node store: it is read there, at the start and after each acceptance, and again as long as a
 * member's node does not answer. Each transaction gives its group the same id, however often that
 * is made. Thread-safe.
 */
final class NewGroups {
  private static final Logger LOG = LoggerFactory.getLogger(NewGroups.class);

  private static final int PAGE = 100;

  private static final String ASKING =
      "The nodes of its members are asked for their keys, and whether they take part in it.";
  private static final String ON_ITS_WAY = "Its contract is in no final block yet.";

  private final NodeServices services;
  private final Groups groups;
  private final Later later;
  private final NewGroupReceipts receipts;

  /** What is pending, as the last look into the store found it. */
  private final Map<TransactionId, Standing> standings = new ConcurrentHashMap<>();

  // By this: whether the store is being read, whether it is to be read once more, and whether that
  // is going to happen by itself.
  private boolean looks;
  private boolean again;
  private boolean inRounds;

  /**
   * @param begun whether it is being made: what is not is begun by the next look
   * @param waitsFor a sentence
   */
  private record Standing(NewGroup asked, boolean begun, String waitsFor) {}

  NewGroups(NodeServices services, Groups groups, Later later) {
    this.services = services;
    this.groups = groups;
    this.later = later;
    this.receipts = new NewGroupReceipts(services);
  }

  /** Begins what is accepted and not begun. */
  void look() {
    synchronized (this) {
      if (looks) {
        again = true;
        return;
      }
      looks = true;
    }
    pages(0, new HashSet<>()).whenComplete((done, failure) -> looked(Optional.ofNullable(failure)));
  }

  private void looked(Optional<Throwable> failure) {
    failure.ifPresent(
        why ->
            LOG.warn(
                "Cannot read which groups are to be made; it is tried again every {} seconds",
                Deployments.PAUSE.toSeconds(),
                Groups.root(why)));
    boolean more;
    synchronized (this) {
      looks = false;
      more = again;
      again = false;
    }
    if (more) {
      look();
    } else if (failure.isPresent()) {
      lookLater();
    }
  }

  private void lookLater() {
    synchronized (this) {
      if (inRounds) {
        return;
      }
      inRounds = true;
    }
    later.run(Deployments.PAUSE, this::round);
  }

  private void round() {
    synchronized (this) {
      inRounds = false;
    }
    look();
  }

  private CompletionStage<Void> pages(long after, Set<TransactionId> seen) {
    return services
        .store()
        .newGroupsPending(after, PAGE)
        .thenCompose(
            page -> {
              page.stream().flatMap(intent -> intent.newGroup().stream()).forEach(this::begin);
              page.forEach(intent -> seen.add(intent.transaction().id()));
              if (page.size() == PAGE) {
                return pages(page.getLast().order(), seen);
              }
              standings.keySet().retainAll(seen);
              return CompletableFuture.completedFuture(null);
            });
  }

  private void begin(NewGroup asked) {
    var before = standings.get(asked.id());
    if (before == null || !before.begun()) {
      stand(asked, true, before == null ? ASKING : before.waitsFor());
      groups
          .make(asked)
          .thenRun(() -> stand(asked, true, ON_ITS_WAY))
          .exceptionallyCompose(failure -> onRefused(asked, Groups.root(failure)))
          .exceptionally(failure -> standStill(asked, Groups.root(failure)));
    }
  }

  /** What is refused for good has its receipt then. */
  private CompletionStage<Void> onRefused(NewGroup asked, Throwable why) {
    return why instanceof RefusedIntent refused && Groups.isForGood(refused)
        ? receipts.notMade(asked, refused.getMessage())
        : CompletableFuture.failedFuture(why);
  }

  private void stand(NewGroup asked, boolean begun, String waitsFor) {
    standings.put(asked.id(), new Standing(asked, begun, waitsFor));
  }

  private Void standStill(NewGroup asked, Throwable why) {
    stand(asked, false, why.getMessage());
    lookLater();
    return null;
  }

  /**
   * To be asked before so many more are accepted: fails with a sentence while too many are being
   * made.
   */
  CompletionStage<Void> room(long more) {
    if (more == 0 || standings.size() + more <= Groups.MOST) {
      return CompletableFuture.completedFuture(null);
    }
    // Some of them may have ended since the last look.
    look();
    return services
        .store()
        .newGroupsPending(0, Groups.MOST)
        .thenCompose(
            pending ->
                pending.size() + more <= Groups.MOST
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(Groups.tooMany()));
  }

  /**
   * Why a transaction that makes a group has no receipt yet, if this JVM sees to it. Once the group
   * is stored its deployment knows that best.
   */
  Optional<String> waitsFor(TransactionId id) {
    return Optional.ofNullable(standings.get(id))
        .map(standing -> groups.waitsFor(standing.asked()).orElseGet(standing::waitsFor));
  }
}
